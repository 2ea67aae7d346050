"""From a key press on a slider to the page at rest, in real Chromium: milliseconds.

    python -m benchmarks.reaction                       every applicant page, every dataset
    python -m benchmarks.reaction --pages recourse --datasets german --changes 10
    python -m benchmarks.reaction --only-asked          with nothing computed ahead

A press of an arrow key on δ_add or ρ is timed until the script has ended and the page has stopped
changing. The floor is measured in the same run, a press there after every press here: an empty
Streamlit page with one slider and four small charts. On a machine that does other things too, read
the last four columns: processor time of the server and of the browser's main thread instead of the
clock, and the median of each. Run it from the top folder with the project's environment.
"""

import argparse
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import numpy.typing as npt
from playwright.sync_api import Page, sync_playwright

from benchmarks.serving.listening import LISTEN
from benchmarks.serving.served_app import served_app
from dirrac_core import DATASETS
from pages.runs.ahead import SWITCH
from pages.shared.navigation import PAGES as DECLARED

FLOOR = "benchmarks/serving/floor.py"
# The pages on which the settings of an applicant are always in the sidebar.
APPLICANT_PAGES = tuple(
    page.name for page in DECLARED.values() if page.about_applicant and page.applicant_part is None
)
SLIDERS = ("Extra effort δ_add", "Radius of doubt ρ")
# The page is at rest when nothing in it has changed for so many milliseconds after the script.
STILL = 150
PATIENCE = 180_000
# Presses before the clock counts: the first ones fill caches and warm the browser.
WARM_UP = 2
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")

# The last change of anything drawn but of how far a run has come, and the press of a key.
WATCH = """() => {
  const elapses = ({target}) => window.ticking
    || (target.nodeType === 1 ? target : target.parentElement)?.closest('[data-testid=stProgress]');
  const all = {subtree: true, childList: true, attributes: true, characterData: true};
  new MutationObserver((changes) => {
    if (!changes.every(elapses)) window.reaction.changed = performance.now();
  }).observe(document.body, all);
  document.addEventListener('keydown', () => {
    window.reaction = {pressed: performance.now(), changed: 0, heard: 0};
  }, true);
}"""
AT_REST = """(still) => {
  const app = document.querySelector('[data-testid=stApp]');
  const {changed, heard} = window.reaction;
  return heard > 0 && !window.drawing
    && app.getAttribute('data-test-script-state') === 'notRunning'
    && performance.now() - Math.max(changed, heard) > still;
}"""
WAITED = """() => {
  const {pressed, changed, heard} = window.reaction;
  return Math.max(changed, heard) - pressed;
}"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--changes", type=int, default=20)
    parser.add_argument("--pages", nargs="*", default=APPLICANT_PAGES, choices=APPLICANT_PAGES)
    parser.add_argument("--datasets", nargs="*", default=list(DATASETS), choices=list(DATASETS))
    add_only_asked(parser)
    asked = parser.parse_args()
    print(
        "| page | dataset | median ms | 95 % ms | floor ms | × floor | 95 % × floor "
        "| CPU × floor | 95 % CPU × floor | server CPU ms | browser CPU ms |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    with (
        opened_browser() as new_page,
        served_app(script=FLOOR) as (floor_port, floor_process),
        served_app(asked.environment) as (port, process),
    ):
        address = f"http://localhost:{floor_port}/?charts="
        empty = Measured(new_page(f"{address}0"), ("Value",), floor_process)
        floor = Measured(new_page(f"{address}4"), ("Value",), floor_process)
        for _ in range(asked.changes):
            empty.change()
        _report("floor, no chart", "", empty, None)
        for name in asked.pages:
            for dataset in asked.datasets:
                page = new_page(f"http://localhost:{port}/{name}?v=2&dataset={dataset}")
                measured = Measured(page, SLIDERS, process)
                floor.forget()
                # In turns, so that whatever else the machine does slows both alike.
                for _ in range(asked.changes):
                    measured.change()
                    floor.change()
                _report(name, dataset, measured, floor)
                page.context.close()


def add_only_asked(parser: argparse.ArgumentParser) -> None:
    """The choice to serve an app that computes only what it is asked for, as an `environment`."""
    parser.add_argument(
        "--only-asked",
        dest="environment",
        action="store_const",
        const={SWITCH: "no"},
        help="compute nothing ahead",
    )


@contextmanager
def opened_browser() -> Iterator["_NewPage"]:
    """Chromium, as a function that opens an address in a visit of its own."""
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=list(ARGUMENTS)
        )
        yield _NewPage(launched)
        launched.close()


class _NewPage:
    def __init__(self, browser) -> None:
        self.browser = browser

    def __call__(self, address: str) -> Page:
        visit = self.browser.new_context(viewport={"width": 1440, "height": 900})
        visit.add_init_script(LISTEN)
        page = visit.new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(address)
        return page


class Measured:
    """A page at rest, and the milliseconds of each change made to it: by the clock, and of the
    processor in the server and in the browser's main thread."""

    def __init__(self, page: Page, sliders: Sequence[str], server: int) -> None:
        page.get_by_test_id("stMain").get_by_role("heading").first.wait_for()
        page.wait_for_function(
            "() => document.querySelector('[data-testid=stApp]')"
            ".getAttribute('data-test-script-state') === 'notRunning'"
        )
        page.get_by_role("slider").first.wait_for()
        page.wait_for_timeout(1500)
        page.evaluate(WATCH)
        self.page, self.made, self.server = page, 0, server
        self.browser = page.context.new_cdp_session(page)
        self.browser.send("Performance.enable", {"timeDomain": "threadTicks"})
        self.waits: list[float] = []
        self.work: list[npt.NDArray[np.float64]] = []
        self.present = [name for name in sliders if page.get_by_role("slider", name=name).count()]
        for _ in range(WARM_UP):
            self.change()
        self.forget()

    def forget(self) -> None:
        """Begin again."""
        self.waits, self.work = [], []

    def change(self) -> None:
        """Press an arrow key and wait for rest; the sliders take turns, back and forth."""
        page, number = self.page, self.made
        self.made += 1
        page.bring_to_front()
        page.get_by_role("slider", name=self.present[number % len(self.present)]).first.focus()
        before = self._worked()
        page.keyboard.press("ArrowRight" if number % 8 < 4 else "ArrowLeft")
        page.wait_for_function(AT_REST, arg=STILL, polling=20)
        self.work.append(self._worked() - before)
        self.waits.append(float(page.evaluate(WAITED)))

    def _worked(self) -> npt.NDArray[np.float64]:
        """Milliseconds of the processor for this page so far: in the server, in the browser."""
        fields = Path(f"/proc/{self.server}/stat").read_text().rsplit(")", 1)[1].split()
        server = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        metrics = self.browser.send("Performance.getMetrics")["metrics"]
        browser = next(each["value"] for each in metrics if each["name"] == "TaskDuration")
        return 1e3 * np.array([server, float(browser)])


def _report(name: str, dataset: str, measured: Measured, floor: Measured | None) -> None:
    middle, high = np.percentile(measured.waits, [50, 95])
    against = "| | | | | | | |"
    if floor:
        base = float(np.median(floor.waits))
        least = float(np.median(np.sum(floor.work, axis=1)))
        worked, most = np.percentile(np.sum(measured.work, axis=1), [50, 95])
        server, browser = np.median(measured.work, axis=0)
        against = (
            f"| {base:.0f} | {middle / base:.2f} | {high / base:.2f} "
            f"| {worked / least:.2f} | {most / least:.2f} | {server:.0f} | {browser:.0f} |"
        )
    print(f"| {name} | {dataset} | {middle:.0f} | {high:.0f} {against}", flush=True)


if __name__ == "__main__":
    main()
