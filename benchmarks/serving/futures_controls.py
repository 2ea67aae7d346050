"""A change of each control of the futures, in real Chromium: milliseconds.

    python -m benchmarks.serving.futures_controls
    python -m benchmarks.serving.futures_controls --datasets german --people 3
    python -m benchmarks.serving.futures_controls --pages geometry frontier
    python -m benchmarks.serving.futures_controls --looks 1.5     somebody reads before going on
    python -m benchmarks.serving.futures_controls --model mlp --datasets german synthetic
    python -m benchmarks.serving.futures_controls --beside ../old --only-asked

With `--beside`, an older checkout is served as well, and every change is made in both, one after
the other. Two apps that compute ahead would disturb each other.

From the key or the click to the facts of the new plan, which the workbench has, and to the page at
rest, with the menu of plans and every picture. A first applicant goes through all the changes, so
that the models are there; then the same changes are timed for others, whose plans nobody has asked
for. Beside each: the way back, to settings seen before. The floor is measured in the same run, a
press there after every change here, as in `benchmarks.reaction`. Run it from the top folder with
the project's environment.
"""

import argparse
from collections import defaultdict
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np
from playwright.sync_api import Page

from benchmarks.reaction import (
    APPLICANT_PAGES,
    AT_REST,
    FLOOR,
    STILL,
    WAITED,
    WATCH,
    Measured,
    add_only_asked,
    opened_browser,
)
from benchmarks.serving.served_app import ROOT, served_app
from dirrac_core import DATASETS
from dirrac_core.case.case import bundle_of
from dirrac_core.case.settings import Settings
from pages.shared.defaults import LOGISTIC, NETWORK, usual_settings
from pages.shared.wording import FUTURES

SOON, TRAINING = 300, 120_000
# A click counts from its press, as a key does; and when the facts of the plan were drawn again.
CLICKS = """() => {
  document.addEventListener('pointerdown', () => {
    window.reaction = {pressed: performance.now(), changed: 0, heard: 0};
  }, true);
  new MutationObserver((changes) => {
    const facts = (node) => node.matches?.('.facts') || node.querySelector?.('.facts');
    if (changes.some((change) => [...change.addedNodes].some(facts)))
      window.reaction.facts = performance.now();
  }).observe(document.body, {subtree: true, childList: true});
}"""
FACTS = "() => window.reaction.facts ? window.reaction.facts - window.reaction.pressed : NaN"

Change = Callable[[Page], None]
Wait = tuple[float, float]
"""Until the facts are there and until the page is at rest."""
Step = tuple[str, str, bool]
"""Which code, which control, and whether it is the way back."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--datasets", nargs="*", default=list(DATASETS), choices=list(DATASETS))
    parser.add_argument("--pages", nargs="*", default=["recourse"], choices=APPLICANT_PAGES)
    parser.add_argument("--model", default=LOGISTIC, choices=(LOGISTIC, NETWORK))
    parser.add_argument("--people", type=int, default=4)
    parser.add_argument("--looks", type=float, default=0.0, help="seconds before every change")
    parser.add_argument("--beside", type=Path, help="another checkout, measured in turns")
    add_only_asked(parser)
    asked = parser.parse_args()
    print(
        "| code | page | dataset | control | new: facts | at rest | largest "
        f"| back: facts | at rest | largest | facts within {SOON} | at rest within {SOON} |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|---|---|")
    with ExitStack() as served:
        new_page = served.enter_context(opened_browser())
        floor_port, floor_process = served.enter_context(served_app(script=FLOOR))
        codes = {"this": ROOT} | ({"beside": asked.beside} if asked.beside else {})
        ports = {
            code: served.enter_context(served_app(asked.environment, root=root))[0]
            for code, root in codes.items()
        }
        floor = Measured(new_page(f"http://localhost:{floor_port}"), ("Value",), floor_process)
        for name, dataset in product(asked.pages, asked.datasets):
            usual = usual_settings(dataset, asked.model)
            rows = bundle_of(usual).declined[: asked.people + 1]
            waits: dict[Step, list[Wait]] = defaultdict(list)
            floor.forget()
            for number, row in enumerate(rows):
                about = f"v=2&dataset={dataset}&model={asked.model}&applicant={row}"
                pages = {
                    code: _opened(new_page(f"http://localhost:{port}/{name}?{about}"))
                    for code, port in ports.items()
                }
                if number % 2:
                    pages = dict(reversed(pages.items()))
                seen = _through_all(pages, usual, floor, asked.looks)
                for page in pages.values():
                    page.context.close()
                for step, wait in seen.items() if number else ():
                    waits[step].append(wait)
            for code in codes:
                _report(f"{code} | {name}", usual, code, waits)
            at_floor = np.array(floor.waits)
            print(
                f"| | | {dataset} | floor | | {np.median(at_floor):.0f} | {at_floor.max():.0f} "
                f"| | | | | {np.sum(at_floor <= SOON)} of {len(at_floor)} |",
                flush=True,
            )


def _opened(page: Page) -> Page:
    """The page with all controls of the futures in sight, and watched."""
    # Networks are trained once, which takes longer than a page.
    page.get_by_role("heading", name="Applicant").first.wait_for(timeout=TRAINING)
    page.evaluate(WATCH)
    page.evaluate(CLICKS)
    page.get_by_text("More on the futures").click()
    page.get_by_text("They may follow").wait_for()
    page.wait_for_timeout(1500)
    return page


def _through_all(
    pages: dict[str, Page], usual: Settings, floor: Measured, looks: float
) -> dict[Step, Wait]:
    """Milliseconds of every change and of the way back."""
    waits = {}
    for name, (there, back) in _changes(usual).items():
        # Whoever comes first with one control comes last with the next.
        pages = dict(reversed(pages.items()))
        for returns, change in ((False, there), (True, back)):
            for code, page in pages.items():
                page.bring_to_front()
                page.wait_for_timeout(1e3 * looks)
                change(page)
                page.wait_for_function(AT_REST, arg=STILL, polling=20)
                wait = float(page.evaluate(FACTS)), float(page.evaluate(WAITED))
                waits[code, name, returns] = wait
            floor.change()
    return waits


def _changes(usual: Settings) -> dict[str, tuple[Change, Change]]:
    """Each control: a change, and the one that takes it back."""
    before = FUTURES[usual.futures]
    other = next(name for name in ("sampling", "paper") if name != usual.futures)
    futures = {
        "ρ": (partial(_slide, key="ArrowRight"), partial(_slide, key="ArrowLeft")),
        "training size": (partial(_fill, text="500"), partial(_fill, text="")),
        "what they may follow": _two_ways("Gaussian", "any distribution"),
        "futures": (partial(_take, text=FUTURES[other]), partial(_take, text=before)),
    }
    if usual.model == NETWORK:
        # The one component of its stand-in has no weights of a model as a unit.
        return futures
    three = partial(_take, label="Components K", text="3"), partial(_take, text=before)
    unit = _two_ways("model weights", "standard deviations")
    return futures | {"unit of ρ": unit, "K = 3": three}


def _slide(page: Page, key: str) -> None:
    page.get_by_role("slider", name="Radius of doubt ρ").first.focus()
    page.keyboard.press(key)


def _fill(page: Page, text: str) -> None:
    page.get_by_role("spinbutton", name="Trained on … people").fill(text)
    page.keyboard.press("Enter")


def _two_ways(there: str, back: str) -> tuple[Change, Change]:
    return partial(_press, name=there), partial(_press, name=back)


def _press(page: Page, name: str) -> None:
    page.get_by_role("radio", name=name).click()


def _take(page: Page, text: str, label: str = "Futures") -> None:
    page.get_by_role("combobox", name=label).first.click()
    page.keyboard.type(text)
    page.keyboard.press("Enter")


def _report(begins: str, usual: Settings, code: str, waits: dict[Step, list[Wait]]) -> None:
    for name in _changes(usual):
        cells = []
        for returns in (False, True):
            facts, rest = np.array(waits[code, name, returns]).T
            drawn = facts[~np.isnan(facts)]
            cells.append(f"{np.median(drawn):.0f}" if drawn.size else "")
            cells += [f"{number:.0f}" for number in (np.median(rest), rest.max())]
        for wait in np.array(waits[code, name, False] + waits[code, name, True]).T:
            drawn = wait[~np.isnan(wait)]
            cells.append(f"{np.sum(drawn <= SOON)} of {len(drawn)}")
        print(f"| {begins} | {usual.dataset} | {name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
