"""Many visitors at once: simultaneous sessions that speak the browser's protocol with one server.

    python -m benchmarks.load                             20 visitors, 5 minutes
    python -m benchmarks.load --visitors 5 --minutes 0.5
    python -m benchmarks.load --heavy --visitors 100 --minutes 10
                               one more visitor does the heaviest work there is, all the time
    python -m benchmarks.load --pause 0.2 1        hurried visitors, who fill the caches

Every visitor has an applicant of their own, moves ρ and δ_add, pauses as people do, and turns to
another page now and then. A reaction lasts from the change to the end of the page's run. With
--heavy the visitors are by themselves for --before minutes; then one more asks for second opinions
and for plans for everybody, again and again, and the reactions of the others are compared. Each
answer is checked: no exception on the page, and the heading names this visitor's own applicant.
Memory is that of the server and its children. Needs Linux (it reads /proc). Run it from the top
folder with the project's environment (.venv/bin/python).
"""

import argparse
import asyncio
import itertools
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from benchmarks.serving.served_app import served_app
from benchmarks.serving.visitor import Screen, visitor
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
# What the heavy visitor does in turn: page, address, the button that begins it, seconds to wait.
# Another ρ each time, so that nothing is kept from the time before.
HEAVY = (
    ("recourse", "v=2&dataset=german&tab=Why+it+holds&rho={rho}", "Check this plan", 20.0),
    ("portfolio", "v=2&dataset=sba&rho={rho}", "Plan ", 20.0),
    ("portfolio", "v=2&dataset=german&rho={rho}", "Plan ", 15.0),
)
# Servers are slow on their first pages; these minutes are not compared.
WARMING = 1.0
MEGABYTE = 2**20
# How much slower the others may become beside one who does the heaviest work.
MOST_SLOWED = 2.0


@dataclass
class Record:
    """What all visitors together have seen."""

    begin: float = field(default_factory=time.monotonic)
    opened: list[float] = field(default_factory=list)
    # Each with the minute it ended in.
    reactions: list[tuple[float, float]] = field(default_factory=list)
    heavy: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    memory: list[tuple[float, float]] = field(default_factory=list)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--visitors", type=int, default=20)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--heavy", action="store_true", help="one more visitor, at work")
    parser.add_argument("--before", type=float, default=3.0, help="minutes without that visitor")
    parser.add_argument("--pause", type=float, nargs=2, default=PAUSE, metavar=("LEAST", "MOST"))
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    record = Record()
    with served_app() as (port, server):
        asyncio.run(_load(port, server, record, chosen))
    _report(record, chosen)
    return 1 if record.problems else 0


async def _load(port: int, server: int, record: Record, chosen: argparse.Namespace) -> None:
    people = {name: prepare(load_dataset(name)).declined for name in DATASETS}
    record.begin = time.monotonic()
    before = 60.0 * chosen.before if chosen.heavy else 0.0
    end = record.begin + before + 60.0 * chosen.minutes
    visits = []
    for number in range(chosen.visitors):
        dataset = DATASETS[number % len(DATASETS)]
        applicant = int(people[dataset][number // len(DATASETS)])
        rng = np.random.default_rng([chosen.seed, number])
        visits.append(_visit(port, dataset, applicant, rng, chosen.pause, end, record))
    if chosen.heavy:
        visits.append(_heavy_visit(port, before, end, record))
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
    query = f"v=2&dataset={dataset}&applicant={applicant}"
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
                record.reactions.append(((time.monotonic() - record.begin) / 60, screen.seconds))
                _check(screen, page, applicant, record)
            query = ""


async def _heavy_visit(port: int, before: float, end: float, record: Record) -> None:
    """The heaviest work there is, begun again with another ρ as soon as it has had its time."""
    await asyncio.sleep(before)
    async with visitor(port) as person:
        for number in itertools.count():
            page, query, button, seconds = HEAVY[number % len(HEAVY)]
            rho = f"{0.02 + 0.001 * (number // len(HEAVY)):.3f}"
            screen = await person.open(page, query.format(rho=rho))
            record.problems += [f"heavy {page}: {text}" for text in screen.exceptions]
            if any(name.startswith(button) for name in screen.buttons):
                await person.press(page, screen, button)
                record.heavy.append(f"{page} begun")
            elif any(name.startswith("Stop") for name in screen.buttons):
                record.heavy.append(f"{page} still at work")
            else:
                record.problems.append(f"heavy {page}: no button {button!r}")
            if time.monotonic() + seconds > end:
                return
            await asyncio.sleep(seconds)


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
    beside = f" and {chosen.before:g} before one does heavy work" if chosen.heavy else ""
    print(f"{chosen.visitors} visitors for {chosen.minutes:g} minutes{beside}")
    print()
    print("| | number | median ms | 95 % ms | longest ms |")
    print("|---|---|---|---|---|")
    _row("page opened", record.opened)
    _row("reaction", [seconds for _, seconds in record.reactions])
    if chosen.heavy:
        # Half a minute more until the heavy work has begun.
        change = chosen.before
        quiet = [took for minute, took in record.reactions if WARMING <= minute < change]
        busy = [took for minute, took in record.reactions if minute >= change + 0.5]
        ratio = _row("reaction beside heavy work", busy) / _row("reaction without it", quiet)
        verdict = "at most" if ratio <= MOST_SLOWED else "more than"
        print(
            f"\nMedian reaction beside heavy work: {ratio:.2f} times that without it, {verdict} "
            f"the {MOST_SLOWED:g} times that is the goal"
        )
        print("Heavy work: " + ", ".join(f"{n} {p}" for p, n in Counter(record.heavy).items()))
    seconds, megabytes = np.array(record.memory).T
    minutes = seconds / 60
    half = minutes >= minutes[-1] / 2
    slope = np.polyfit(minutes[half], megabytes[half], 1)[0]
    print()
    print(
        f"Server memory: {megabytes[0]:.0f} MB at the start, {megabytes.max():.0f} MB at most, "
        f"{slope:+.1f} MB a minute over the second half"
    )
    by_minute = [megabytes[minutes.astype(int) == m] for m in range(int(minutes[-1]) + 1)]
    print(
        "Most MB in each minute: "
        + ", ".join(f"{part.max():.0f}" for part in by_minute if part.size)
    )
    print(f"Problems: {len(record.problems)}")
    for problem in record.problems[:20]:
        print(f"  {problem}")


def _row(name: str, waits: list[float]) -> float:
    """One line of the table; the median in seconds."""
    if not waits:
        print(f"| {name} | 0 | | | |")
        return float("nan")
    middle, high, most = 1e3 * np.percentile(waits, [50, 95, 100])
    print(f"| {name} | {len(waits)} | {middle:.0f} | {high:.0f} | {most:.0f} |")
    return float(middle)


if __name__ == "__main__":
    sys.exit(main())
