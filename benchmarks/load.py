"""Many visitors at once: simultaneous sessions that speak the browser's protocol with one server.

    python benchmarks/load.py                             20 visitors, 5 minutes
    python benchmarks/load.py --visitors 5 --minutes 0.5
    python benchmarks/load.py --portfolio          one more visitor keeps a portfolio running

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

# This file's own folder goes: pages.py there would hide the dashboard's pages.
sys.path.remove(str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from websockets.asyncio.client import ClientConnection, connect

from benchmarks.served_app import served_app
from dirrac_core import load_dataset
from dirrac_core.models.bundle import prepare

DATASETS = ("german", "student", "synthetic", "sba")
PAGES = ("recourse", "geometry", "frontier", "future_models", "learn")
# Pages whose heading names the applicant.
ABOUT_ONE = ("recourse", "frontier")
SLIDERS = {"Radius of doubt ρ": (0.01, 0.2, 0.01), "Extra effort δ_add": (0.05, 1.0, 0.05)}
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


@dataclass
class Screen:
    """What one run of a page has sent."""

    sliders: dict[str, str] = field(default_factory=dict)
    start_button: str = ""
    headings: list[str] = field(default_factory=list)
    exceptions: list[str] = field(default_factory=list)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--visitors", type=int, default=20)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--portfolio", action="store_true")
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
        visits.append(_visit(port, dataset, applicant, rng, end, record))
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
    end: float,
    record: Record,
) -> None:
    address = f"ws://localhost:{port}/_stcore/stream"
    query = f"dataset={dataset}&applicant={applicant}"
    await asyncio.sleep(rng.uniform(0, 5))
    async with connect(address, subprotocols=["streamlit"], max_size=None) as socket_:
        for page in itertools.cycle(PAGES):
            asked = ClientState(query_string=query, page_name=page)
            screen, seconds = await _run(socket_, asked)
            record.opened.append(seconds)
            _check(screen, page, applicant, record)
            query = ""
            for _ in range(CHANGES_ON_A_PAGE):
                await asyncio.sleep(rng.uniform(*PAUSE))
                if time.monotonic() > end:
                    return
                label = str(rng.choice(list(screen.sliders) or [""]))
                if not label:
                    break
                low, high, step = SLIDERS[label]
                value = float(rng.choice(np.arange(low, high, step)).round(3))
                state = WidgetState(id=screen.sliders[label])
                state.double_array_value.data.append(value)
                states = WidgetStates(widgets=[state])
                screen, seconds = await _run(
                    socket_, ClientState(widget_states=states, page_name=page)
                )
                record.reactions.append(seconds)
                _check(screen, page, applicant, record)


async def _portfolios(port: int, end: float) -> None:
    """Plans for everyone declined, begun anew with another ρ before the last ones are all made."""
    address = f"ws://localhost:{port}/_stcore/stream"
    async with connect(address, subprotocols=["streamlit"], max_size=None) as socket_:
        for number in itertools.count():
            query = f"dataset=german&rho={0.05 + 0.01 * number:.2f}"
            asked = ClientState(query_string=query, page_name="portfolio")
            screen, _ = await _run(socket_, asked)
            pressed = WidgetState(id=screen.start_button, trigger_value=True)
            asked.widget_states.widgets.append(pressed)
            await _run(socket_, asked)
            if time.monotonic() + PORTFOLIO_SECONDS > end:
                return
            await asyncio.sleep(PORTFOLIO_SECONDS)


async def _run(socket_: ClientConnection, asked: ClientState) -> tuple[Screen, float]:
    """Ask for a run of the script; what it drew, and how long the last run took to end."""
    begin = time.perf_counter()
    await socket_.send(BackMsg(rerun_script=asked).SerializeToString())
    screen = Screen()
    while True:
        message = ForwardMsg.FromString(await socket_.recv())
        kind = message.WhichOneof("type")
        if kind == "script_finished":
            if message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:
                return screen, time.perf_counter() - begin
            screen = Screen()
        elif kind == "delta":
            _note(message, screen)


def _note(message: ForwardMsg, screen: Screen) -> None:
    element = message.delta.new_element
    match element.WhichOneof("type"):
        case "slider" if element.slider.label in SLIDERS:
            screen.sliders[element.slider.label] = element.slider.id
        case "button" if element.button.label.startswith(PORTFOLIO_BUTTON):
            screen.start_button = element.button.id
        case "heading":
            screen.headings.append(element.heading.body)
        case "exception":
            screen.exceptions.append(element.exception.message)


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
