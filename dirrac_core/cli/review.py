"""`review` plans for everyone whom today's model of a shipped dataset declines."""

import argparse
import sys
import time
from typing import Any

from dirrac_core.case.case import bundle_of, make_case
from dirrac_core.case.recommended import recommended
from dirrac_core.case.scenario import Scenario
from dirrac_core.cli.long_work import add_jobs, progress_line
from dirrac_core.data import DATASETS
from dirrac_core.studies.people.portfolio import case_portfolio
from dirrac_core.studies.people.review import verdict
from dirrac_core.studies.people.stored_portfolio import store_portfolio


def add(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "review", help="plans for everyone declined: what was promised, what happened"
    )
    parser.add_argument("--dataset", required=True, choices=DATASETS)
    add_jobs(parser)
    parser.add_argument(
        "--store", action="store_true", help="keep it with the package, for the dashboard"
    )
    parser.set_defaults(run=_review)


def _review(chosen: argparse.Namespace) -> int:
    settings = recommended(chosen.dataset)
    declined = bundle_of(settings).declined
    case = make_case(Scenario.of(settings, int(declined[0])))
    begin = time.perf_counter()
    frame = case_portfolio(case, declined, chosen.jobs, progress_line())
    print(file=sys.stderr)
    found = verdict(frame)
    print(f"{found.plans:,} of {found.people:,} declined people have a plan.")
    if found.promises:
        print(
            f"Promised: at most {100 * found.promised:.1f} of 100 future models decline, on "
            f"average. Happened: {100 * found.happened:.1f}. "
            f"{found.broken:,} of {found.promises:,} promises were broken."
        )
    if chosen.store:
        print(store_portfolio(frame, settings, time.perf_counter() - begin))
    return 0
