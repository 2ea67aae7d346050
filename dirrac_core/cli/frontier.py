"""`frontier`: what lasting acceptance costs, for one applicant or averaged over many."""

import argparse
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from dirrac_core.arrays import checked_choice
from dirrac_core.case.case import bundle_of, make_case
from dirrac_core.case.scenario import Scenario
from dirrac_core.case.settings import Settings
from dirrac_core.cli.progress_line import progress_line
from dirrac_core.data import DATASETS
from dirrac_core.errors import InvalidInput
from dirrac_core.figures.drawing.export import SUFFIXES, write_figure
from dirrac_core.figures.drawing.palette import THEMES
from dirrac_core.figures.frontier import frontier
from dirrac_core.parallel import ALL_CORES, mapped
from dirrac_core.studies.case_frontier import (
    DIRRAC,
    FAMILIES,
    PUBLISHED,
    ROAR,
    case_frontier,
)
from dirrac_core.studies.frontier import average_frontier
from dirrac_core.studies.staircase import with_steps

APPLICANTS = 20
ROWS_SUFFIX = ".csv"
# What is printed of each row, and how it is called.
PRINTED = {
    "method": "method",
    "parameter": "parameter",
    "cost_l1": "cost (ℓ1)",
    "m2": "future models that accept",
    "guaranteed": "accept in the worst case",
}


def add(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "frontier", help="cost against validity of DiRRAc and ROAR on a shipped dataset"
    )
    parser.add_argument("--dataset", required=True, choices=DATASETS)
    who = parser.add_mutually_exclusive_group()
    who.add_argument("--applicant", type=int, metavar="N", help="the row of one declined person")
    who.add_argument(
        "--applicants",
        type=int,
        default=APPLICANTS,
        metavar="N",
        help=f"average over the first N declined people, {APPLICANTS} by default",
    )
    parser.add_argument(
        "--families",
        nargs="+",
        choices=FAMILIES,
        default=[DIRRAC, ROAR, PUBLISHED],
        metavar="FAMILY",
        help=f"some of {', '.join(FAMILIES)}",
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=ALL_CORES, help="processes; -1 is every core")
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help=".csv, .html, .png or .svg; else on the screen"
    )
    parser.add_argument("--theme", choices=THEMES, default="light")
    parser.set_defaults(run=_frontier)


def _frontier(chosen: argparse.Namespace) -> int:
    if chosen.out is not None:
        checked_choice("The ending of --out", chosen.out.suffix.lower(), (ROWS_SUFFIX, *SUFFIXES))
    declined = bundle_of(Settings(chosen.dataset, seed=chosen.seed)).declined.tolist()
    if chosen.applicant is None:
        if chosen.applicants < 1:
            message = f"--applicants must be ≥ 1, got {chosen.applicants}"
            raise InvalidInput(message)
        asked = declined[: chosen.applicants]
    elif chosen.applicant in declined:
        asked = [chosen.applicant]
    else:
        message = (
            f"--applicant must be a declined row such as {declined[0]} or {declined[1]}, "
            f"got {chosen.applicant}"
        )
        raise InvalidInput(message)
    compute = partial(_rows_of, chosen.dataset, chosen.seed, chosen.families)
    done = mapped(compute, asked, chosen.jobs, progress_line())
    print(file=sys.stderr)
    rows = pd.concat(done.results, ignore_index=True)
    interval = ("m2_low", "m2_high")
    title = f"{chosen.dataset}, applicant {chosen.applicant}"
    if chosen.applicant is None:
        rows = average_frontier(rows)
        interval = ("m2_low_applicants", "m2_high_applicants")
        title = f"{chosen.dataset}, {len(asked)} applicant{'' if len(asked) == 1 else 's'}"
    if chosen.out is None:
        table = rows[list(PRINTED)].rename(columns=PRINTED)
        print(table.to_string(index=False, float_format=lambda value: f"{value:.3f}"))
        return 0
    if chosen.out.suffix.lower() == ROWS_SUFFIX:
        rows.drop(columns="x", errors="ignore").to_csv(chosen.out, index=False)
    else:
        steps = with_steps(rows, "cost_l1", "m2")
        figure = frontier(steps, interval=interval, theme=chosen.theme)
        write_figure(figure, chosen.out, f"Cost against validity: {title}")
    print(chosen.out)
    return 0


def _rows_of(dataset: str, seed: int, families: list[str], applicant: int) -> pd.DataFrame:
    """The rows of one applicant, every family one after the other."""
    case = make_case(Scenario(dataset, applicant, seed=seed))
    return pd.concat([case_frontier(case, family) for family in families], ignore_index=True)
