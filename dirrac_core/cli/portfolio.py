"""`portfolio` scores everybody in a file and plans for those who are declined."""

import argparse
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from dirrac_core.bulk.people import people_in_file, people_in_table
from dirrac_core.bulk.stream import (
    ACCEPTED,
    CHUNK,
    DECLINED,
    NOT_ASKED,
    UNREADABLE,
    Bulk,
    stream_portfolio,
)
from dirrac_core.case.recommended import recommended
from dirrac_core.case.settings import COSTS, Settings
from dirrac_core.cli.own_table import (
    PEOPLE_HELP,
    TABLE_HELP,
    OwnTable,
    add_companions,
    read_own_table,
)
from dirrac_core.cli.plan import add_question, asked_settings
from dirrac_core.cli.progress_line import progress_line
from dirrac_core.cli.stopping import exit_code
from dirrac_core.data import DATASETS, load_dataset
from dirrac_core.errors import InvalidInput
from dirrac_core.parallel import ALL_CORES
from dirrac_core.robustness import LINKS
from dirrac_core.version import version

# Options that replace a setting.
SETTINGS = ("components", "link", "radii", "delta_add", "cost", "preset", "seed")


def add(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "portfolio", help="score everybody in a file and plan for those who are declined"
    )
    whose = parser.add_mutually_exclusive_group(required=True)
    whose.add_argument("--dataset", choices=DATASETS, help="whose models judge")
    whose.add_argument("--table", type=Path, metavar="FILE", help=TABLE_HELP)
    add_companions(parser)
    parser.add_argument(
        "--people",
        type=Path,
        metavar="FILE",
        help=".csv or .parquet with the dataset's features in real units; without it, the "
        f"dataset's own people. With --table: {PEOPLE_HELP}",
    )
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help=".csv or .parquet")
    parser.add_argument("--id", metavar="COLUMN", help="a column of the people to copy along")
    parser.add_argument("--rho", type=float, dest="radii", help="the radius ρ")
    parser.add_argument("--delta-add", type=float, help="δ_add")
    parser.add_argument("--components", type=_components, help='K, or "auto" for the elbow')
    parser.add_argument("--preset", help="what may change")
    parser.add_argument("--link", choices=LINKS)
    parser.add_argument("--cost", choices=COSTS)
    parser.add_argument("--seed", type=int)
    add_question(parser)
    parser.add_argument("--exact", action="store_true", help="do not round plans to whole units")
    parser.add_argument("--most-plans", type=int, metavar="N", help="score the rest only")
    parser.add_argument("--chunk", type=int, default=CHUNK, help="people held in memory at once")
    parser.add_argument("--jobs", type=int, default=ALL_CORES, help="processes; -1 is every core")
    parser.add_argument(
        "--resume",
        action="store_true",
        help="continue an interrupted run, and keep what is finished if this one is interrupted",
    )
    parser.set_defaults(run=_portfolio)


def _components(text: str) -> int | str:
    if text != "auto" and not text.isdecimal():
        message = f'must be a whole number or "auto", got {text!r}'
        raise argparse.ArgumentTypeError(message)
    return text if text == "auto" else int(text)


def _settings(chosen: argparse.Namespace, own: OwnTable | None) -> Settings:
    """Version 1.0.0's defaults for a shipped dataset, the recommended ones for an own table."""
    if own is None:
        settings = Settings(chosen.dataset)
    else:
        settings = recommended(own.dataset)
    asked = {name: getattr(chosen, name) for name in SETTINGS}
    given = {name: value for name, value in asked.items() if value is not None}
    return replace(settings, **given, **asked_settings(chosen, settings.edits))


def _portfolio(chosen: argparse.Namespace) -> int:
    own = read_own_table(chosen)
    settings = _settings(chosen, own)
    if chosen.people is not None and chosen.out.resolve() == chosen.people.resolve():
        message = f"--out must not be the file of the people, got {chosen.out}"
        raise InvalidInput(message)
    bulk = Bulk(settings, not chosen.exact, chosen.chunk, chosen.most_plans)
    dataset = load_dataset(settings.dataset)
    if own is not None:
        frame = dataset.present.people
        if chosen.id is not None:
            frame = frame.assign(id=own.identifiers(chosen.id))
        people = people_in_table(frame, chosen.people.name, named=chosen.id is not None)
        for words in (*own.report.warnings, *own.report.notes):
            print(words, file=sys.stderr)
    elif chosen.people is None:
        people = people_in_table(dataset.present.people, chosen.dataset)
    else:
        people = people_in_file(chosen.people, dataset.schema, chosen.id)
    begin = time.perf_counter()
    try:
        done = stream_portfolio(
            people, chosen.out, bulk, version(), chosen.resume, chosen.jobs, progress_line()
        )
    except KeyboardInterrupt as stop:
        print(file=sys.stderr)
        if chosen.resume:
            print("Stopped. The same command goes on from here.", file=sys.stderr)
        else:
            words = "Stopped, and nothing was kept. With --resume a run can be continued."
            print(words, file=sys.stderr)
        return exit_code(stop)
    print(file=sys.stderr)
    for line in _summary(done.counts):
        print(line)
    if not (done.counts["decision"] == DECLINED).any():
        print(
            "Nobody is declined. State another cut-off in the table file or the scenario, such as "
            '"cut_off": 0.9 with "cut_off_kind": "approval".'
        )
    print(f"{done.plans:,} plans in {time.perf_counter() - begin:,.0f} s, in {chosen.out}")
    print(f"{done.one_by_one:,} people were left to the {settings.solver} solver, one by one")
    return 0


def _summary(counts: pd.DataFrame) -> list[str]:
    """Who was judged how, and for those without a plan the reason."""
    lines = []
    for decision in (ACCEPTED, DECLINED, UNREADABLE):
        judged = counts[counts["decision"] == decision]
        lines.append(f"{judged['people'].sum():10,}  {decision}")
        if decision == ACCEPTED:
            continue
        for status, rows in judged.groupby("status"):
            note = "; --most-plans was reached" if status == NOT_ASKED else ""
            lines.append(f"{rows['people'].sum():14,}  {status}{note}")
        blamed = judged.dropna(subset="cause").fillna({"status": decision})
        for status, cause, people in zip(
            blamed["status"], blamed["cause"], blamed["people"], strict=True
        ):
            lines.append(f"{people:18,}  {status}: {cause}")
    return lines
