"""How long “Stop” takes, in real Chromium: every kind of run, at start-up and at work; seconds.

    python -m benchmarks.serving.stopping                        every kind of run
    python -m benchmarks.serving.stopping --runs portfolio paper

Each run is started as a visitor would and stopped twice, by visitors of their own: as soon as
“Stop” can be seen, and again after `--after` seconds. Counted from the click: until the panel says
so (the button reads “Stopping” or is gone), until the panel is gone, and until the server has no
worker process left. The last column is the same page drawn once more without any run: what any
click there takes on this machine now. Run it from the top folder with the project's environment.
"""

import argparse
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread

from playwright.sync_api import Page, TimeoutError

from benchmarks.reaction import AT_REST, STILL, WAITED, WATCH, opened_browser
from benchmarks.serving.served_app import served_app
from dirrac_core.data.upload.sample_table import sample_table
from dirrac_core.paper.catalogue import EXPERIMENTS

LOOK_EVERY = 0.02
# Seconds for the last worker to end.
LONGEST = 30.0
# Milliseconds for “Stop” to appear once a run was started.
TO_BEGIN = 30_000
# The clicks on “Stop”, and the first moments at which no such button is seen, and no “Stopping”.
STOPS = """() => {
  // Streamlit's own “Stop”, in the header, ends the page and not the run.
  const own = '[data-testid=stMain] button, [data-testid=stSidebar] button';
  const labelled = (name) => [...document.querySelectorAll(own)].find(
    (button) => !button.disabled && button.innerText.trim().split('\\n').pop() === name);
  window.labelled = labelled;
  window.stopped = {clicked: 0, said: 0, gone: 0};
  window.press = () => {
    const button = labelled('Stop');
    if (button) { window.stopped.clicked = Date.now(); button.click(); }
    return !!button;
  };
  setInterval(() => {
    const stopped = window.stopped;
    if (!stopped.clicked || stopped.gone || labelled('Stop')) return;
    stopped.said ||= Date.now();
    if (!document.body.innerText.includes('Stopping')) stopped.gone = Date.now();
  }, 10);
}"""


@dataclass(frozen=True)
class Kind:
    """A kind of run: the page it is started on, and what is pressed there, if anything."""

    address: str
    press: str = ""
    prepare: Callable[[Page], None] | None = None


def _open_choice(page: Page) -> None:
    page.get_by_test_id("stSidebar").get_by_text("Choose ρ", exact=True).click()


def _upload(page: Page) -> None:
    content = sample_table("present").encode()
    file = {"name": "mine.csv", "mimeType": "text/csv", "buffer": content}
    page.locator('input[type="file"]').first.set_input_files(file)
    page.get_by_role("heading", name="What the columns mean").wait_for()
    page.get_by_test_id("stMultiSelect").locator("input").click()
    page.get_by_role("option").filter(has_text="passed").click()
    page.keyboard.press("Escape")


def _train(page: Page) -> None:
    _upload(page)
    page.get_by_role("button", name="Train and open").click()
    page.get_by_text("is ready").first.wait_for()


def _trained_trees(page: Page) -> None:
    """The re-trainings are there for everyone; then an applicant nobody has asked about."""
    page.get_by_text("The boosted trees are trained again").wait_for(state="detached")


def _paper(name: str) -> str:
    chosen = EXPERIMENTS[name]
    return f"paper?v=2&paper_shown={chosen.kind.capitalize()}: {chosen.title}"


PROVEN = "paper?v=2&paper_part=What can be proven&claim="
# In this order: the first of boosted trees has its models trained, which the others need.
KINDS = {
    "portfolio": Kind("portfolio?v=2&dataset=student&add=0.37", "Plan for"),
    "frontier of many": Kind("frontier?v=2&dataset=german&who=many applicants", "Compute for"),
    "methods of many": Kind("methods?v=2&dataset=german&methods_for=the whole dataset", "Compare"),
    "ROAR-Avg": Kind("methods?v=2&dataset=german&applicant=3&methods_shown=ROAR variants"),
    "track record": Kind("track_record?v=2&dataset=sba&rho=0.11", "Check promises"),
    "choice of ρ": Kind("recourse?v=2&dataset=german", "Choose ρ for me", _open_choice),
    "second opinion": Kind("recourse?v=2&dataset=sba&tab=Why it holds", "Check this plan"),
    "find what helps": Kind("recourse?dataset=sba", "Find what helps"),
    "networks": Kind("recourse?v=2&dataset=student&model=mlp"),
    "re-training trees": Kind("recourse?v=2&dataset=student&model=trees"),
    "tree search": Kind("recourse?v=2&dataset=german&model=trees&applicant=14"),
    "tree frontier": Kind("frontier?v=2&dataset=german&model=trees&applicant=14"),
    "tree portfolio": Kind("portfolio?v=2&dataset=german&model=trees", "Plan for"),
    "curves of the lab": Kind("shift_lab?v=2", "Compute for every size"),
    "study of the lab": Kind("shift_lab?v=2&lab_part=ρ and δ_add on real data", "Compute for"),
    "German lesson": Kind(f"{PROVEN}7 · The German lesson", "Compute for"),
    "paper, Table 1": Kind(_paper("linear"), "Compute"),
    "paper, Table 2": Kind(_paper("nonlinear"), "Compute"),
    "paper, run times": Kind(_paper("runtime"), "Compute"),
    "own table": Kind("your_data?v=2", "Train and open", _upload),
    "placebo": Kind("your_data?v=2", "Check on a placebo", _train),
}
NEED_TREES = ("tree search", "tree frontier", "tree portfolio")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", nargs="*", default=list(KINDS), choices=list(KINDS))
    parser.add_argument("--after", type=float, default=3.0, help="seconds of work before a stop")
    asked = parser.parse_args()
    print("| run | clicked | panel says so | panel gone | no process left | page drawn again |")
    print("|---|---|---|---|---|---|")
    with opened_browser() as new_page, served_app() as (port, server):
        if any(name in NEED_TREES for name in asked.runs):
            page = _opened(new_page, f"http://localhost:{port}/{KINDS['tree search'].address}")
            _trained_trees(page)
            page.context.close()
        for name in asked.runs:
            for wait in (0.0, asked.after):
                page = _opened(new_page, f"http://localhost:{port}/{KINDS[name].address}")
                print(f"| {name} | {_measured(page, KINDS[name], server, wait)} |", flush=True)
                page.context.close()
                _left(server, time.time())


def _measured(page: Page, kind: Kind, server: int, wait: float) -> str:
    when = "at once" if not wait else f"after {wait:g} s"
    if kind.prepare is not None:
        kind.prepare(page)
    if kind.press:
        page.get_by_role("button", name=kind.press).last.click()
    with _watched(server) as busy:
        try:
            if wait:
                page.wait_for_function("() => window.labelled('Stop')", timeout=TO_BEGIN)
                page.wait_for_timeout(1e3 * wait)
            page.wait_for_function("() => window.press()", polling=20, timeout=TO_BEGIN)
        except TimeoutError:
            return f"{when} | it had ended by then | | |"
        page.wait_for_function("() => window.stopped.gone")
        stopped = page.evaluate("() => window.stopped")
        clicked = stopped["clicked"] / 1e3
        _left(server, clicked)
    last = max((moment for moment in busy if moment > clicked), default=clicked)
    said, gone = (stopped[each] / 1e3 - clicked for each in ("said", "gone"))
    return f"{when} | {said:.1f} | {gone:.1f} | {last - clicked:.1f} | {_drawn_again(page):.1f}"


def _drawn_again(page: Page) -> float:
    """Seconds for the page alone: Streamlit draws it again when R is pressed."""
    page.wait_for_timeout(1_000)
    page.evaluate(WATCH)
    page.keyboard.press("r")
    page.wait_for_function(AT_REST, arg=STILL, polling=20)
    return float(page.evaluate(WAITED)) / 1e3


def _opened(new_page: Callable[[str], Page], address: str) -> Page:
    page = new_page(address)
    page.get_by_test_id("stMain").get_by_role("heading").first.wait_for()
    page.evaluate(STOPS)
    return page


@contextmanager
def _watched(server: int) -> Iterator[list[float]]:
    """The moments at which the server was seen to have a worker."""
    busy: list[float] = []
    over = Event()

    def look() -> None:
        while not over.wait(LOOK_EVERY):
            if _workers(server):
                busy.append(time.time())

    Thread(target=look, daemon=True).start()
    try:
        yield busy
    finally:
        over.set()


def _left(server: int, since: float) -> None:
    """Wait until the server has no worker."""
    while _workers(server) and time.time() < since + LONGEST:
        time.sleep(LOOK_EVERY)


def _workers(process: int) -> list[int]:
    """All processes below this one, but for the one that only tracks what is left open."""
    found: list[int] = []
    # Threads and processes may end while they are listed.
    with suppress(FileNotFoundError, ProcessLookupError):
        for task in Path(f"/proc/{process}/task").iterdir():
            with suppress(FileNotFoundError, ProcessLookupError):
                children = [int(child) for child in (task / "children").read_text().split()]
                found += [each for each in children if _works(each)]
                found += [each for child in children for each in _workers(child)]
    return found


def _works(process: int) -> bool:
    with suppress(FileNotFoundError, ProcessLookupError):
        return b"resource_tracker" not in Path(f"/proc/{process}/cmdline").read_bytes()
    return False


if __name__ == "__main__":
    main()
