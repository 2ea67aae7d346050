"""Many visitors at once: simultaneous sessions that speak the browser's protocol with one server.

    python -m benchmarks.load                             20 visitors, 5 minutes
    python -m benchmarks.load --visitors 5 --minutes 0.5
    python -m benchmarks.load --portfolio          one more visitor keeps a portfolio running
    python -m benchmarks.load --pause 0.2 1        hurried visitors, who fill the caches

Every visitor has an applicant of their own, moves ρ and δ_add, pauses as people do, and turns to
another page now and then. A reaction lasts from the change to the end of the page's run. Each
answer is checked: no exception on the page, and the heading names this visitor's own applicant.
Memory is that of the server and its children. Needs Linux (it reads /proc). Run it from the top
folder with the project's environment (.venv/bin/python).
"""

import argparse
import asyncio
import itertools
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from benchmarks.served_app import served_app
from benchmarks.visitor import Screen, visitor
from dirrac_core import load_dataset
from dirrac_core.models.bundle import prepare

DATASETS = ("german", "student", "synthetic", "sba")
PAGES = ("recourse", "geometry", "frontier", "future_models", "learn")
# Pages whose heading names the applicant.
ABOUT_ONE = ("recourse", "frontier")
SLIDERS = {"Radius of doubt ρ": (0.01, 0.2, 0.01), "Extra effort δ_add": (0.05, 1.0, 0.05)}
# Seconds between two changes of one visitor.
PAUSE = (3.0, 15.0)
CHANGES_ON_A_PAGE = 5
PORTFOLIO_BUTTON, PORTFOLIO_SECONDS = "Plan ", 15.0
MEGABYTE = 2**20


@dataclass
class Record:
    """What all visitors together have seen."""

    opened: list[float] = field(default_factory=list)
    reactions: list[float] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    memory: list[tuple[float, float]] = field(default_factory=list)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--visitors", type=int, default=20)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--portfolio", action="store_true")
    parser.add_argument("--pause", type=float, nargs=2, default=PAUSE, metavar=("LEAST", "MOST"))
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    record = Record()
    with served_app() as (port, server):
        asyncio.run(_load(port, server, record, chosen))
    _report(record, chosen)
    return 1 if record.problems else 0


async def _load(port: int, server: int, record: Record, chosen: argparse.Namespace) -> None:
    end = time.monotonic() + 60.0 * chosen.minutes
    people = {name: prepare(load_dataset(name)).declined for name in DATASETS}
    visits = []
    for number in range(chosen.visitors):
        dataset = DATASETS[number % len(DATASETS)]
        applicant = int(people[dataset][number // len(DATASETS)])
        rng = np.random.default_rng([chosen.seed, number])
        visits.append(_visit(port, dataset, applicant, rng, chosen.pause, end, record))
    if chosen.portfolio:
        visits.append(_portfolios(port, end))
    watching = asyncio.create_task(_watch_memory(server, record))
    outcomes = await asyncio.gather(*visits, return_exceptions=True)
    watching.cancel()
    record.problems += [f"{outcome!r}" for outcome in outcomes if outcome is not None]


async def _visit(
    port: int,
    dataset: str,
    applicant: int,
    rng: np.random.Generator,
    pause: tuple[float, float],
    end: float,
    record: Record,
) -> None:
    query = f"dataset={dataset}&applicant={applicant}"
    await asyncio.sleep(rng.uniform(0, 5))
    async with visitor(port) as person:
        for page in itertools.cycle(PAGES):
            screen = await person.open(page, query)
            record.opened.append(screen.seconds)
            _check(screen, page, applicant, record)
            for _ in range(CHANGES_ON_A_PAGE):
                await asyncio.sleep(rng.uniform(*pause))
                if time.monotonic() > end:
                    return
                label = str(rng.choice([label for label in SLIDERS if label in screen.sliders]))
                value = float(rng.choice(np.arange(*SLIDERS[label])).round(3))
                screen = await person.move(page, screen, {label: value})
                record.reactions.append(screen.seconds)
                _check(screen, page, applicant, record)
            query = ""


async def _portfolios(port: int, end: float) -> None:
    """Plans for everyone declined, begun anew with another ρ before the last ones are all made."""
    async with visitor(port) as person:
        for number in itertools.count():
            screen = await person.open(
                "portfolio", f"dataset=german&rho={0.05 + 0.01 * number:.2f}"
            )
            await person.press("portfolio", screen, PORTFOLIO_BUTTON)
            if time.monotonic() + PORTFOLIO_SECONDS > end:
                return
            await asyncio.sleep(PORTFOLIO_SECONDS)


def _check(screen: Screen, page: str, applicant: int, record: Record) -> None:
    record.problems += [f"{page}: {text}" for text in screen.exceptions]
    named = any(f"Applicant {applicant} " in heading for heading in screen.headings)
    if page in ABOUT_ONE and not named:
        record.problems.append(f"{page}: applicant {applicant} not among {screen.headings}")


async def _watch_memory(server: int, record: Record) -> None:
    begin = time.monotonic()
    while True:
        record.memory.append((time.monotonic() - begin, _memory(server)))
        await asyncio.sleep(5)


def _memory(process: int) -> float:
    """Megabytes held by a process and its children."""
    folder = Path(f"/proc/{process}")
    pages = int((folder / "statm").read_text().split()[1])
    children = (folder / "task" / str(process) / "children").read_text().split()
    return pages * 4096 / MEGABYTE + sum(_memory(int(child)) for child in children)


def _report(record: Record, chosen: argparse.Namespace) -> None:
    beside = " beside a portfolio" if chosen.portfolio else ""
    print(f"{chosen.visitors} visitors for {chosen.minutes:g} minutes{beside}")
    print()
    print("| | number | median ms | 95 % ms | longest ms |")
    print("|---|---|---|---|---|")
    for name, waits in (("page opened", record.opened), ("reaction", record.reactions)):
        middle, high, most = 1e3 * np.percentile(waits, [50, 95, 100])
        print(f"| {name} | {len(waits)} | {middle:.0f} | {high:.0f} | {most:.0f} |")
    seconds, megabytes = np.array(record.memory).T
    minutes = seconds / 60
    half = minutes >= minutes[-1] / 2
    slope = np.polyfit(minutes[half], megabytes[half], 1)[0]
    print()
    print(
        f"Server memory: {megabytes[0]:.0f} MB at the start, {megabytes.max():.0f} MB at most, "
        f"{slope:+.1f} MB a minute over the second half"
    )
    print(f"Problems: {len(record.problems)}")
    for problem in record.problems[:20]:
        print(f"  {problem}")


if __name__ == "__main__":
    sys.exit(main())
