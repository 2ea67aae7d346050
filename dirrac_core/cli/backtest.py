"""`backtest` checks past promises; `choose-radius` finds the smallest ρ that kept enough."""

import argparse
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from dirrac_core.case.recommended import recommended
from dirrac_core.case.scenario import Scenario
from dirrac_core.case.settings import FUTURES, WEIGHTINGS, Settings
from dirrac_core.cli.own_table import PEOPLE_HELP, TABLE_HELP, add_companions, read_own_table
from dirrac_core.cli.progress_line import progress_line
from dirrac_core.cli.stopping import exit_code
from dirrac_core.data import DATASETS, Dataset, load_dataset
from dirrac_core.data.upload.table import table_dataset
from dirrac_core.data.upload.visitor_tables import register_table
from dirrac_core.errors import InvalidInput
from dirrac_core.models.bundle import MODELS
from dirrac_core.parallel import ALL_CORES
from dirrac_core.robustness import METRICS
from dirrac_core.studies.evidence.backtest import (
    APPLICANTS,
    Record,
    backtest,
    reliability,
    tally_by,
)
from dirrac_core.studies.evidence.calibration import LEVEL, TOLERATED, TRIALS, choose_radius
from dirrac_core.studies.evidence.pasts import DATES, GROUPS, KINDS, PLACEBO
from dirrac_core.studies.evidence.track_record import promise_word, store

# Option → the setting it replaces.
SETTINGS = ("futures", "radii", "radius_unit", "delta_add", "weighting", "training_size", "seed")


def add(commands: Any) -> None:
    """Describe both commands."""
    record = commands.add_parser("backtest", help="what was promised in the past, what happened")
    _add_question(record)
    record.add_argument("--evidence", choices=KINDS, help="by default the strongest there is")
    record.add_argument(
        "--applicants",
        type=int,
        default=APPLICANTS,
        metavar="N",
        help=f"ask at most N declined people at each date, {APPLICANTS} by default; 0 asks all",
    )
    record.add_argument(
        "--model", choices=MODELS, default=MODELS[0], help="without a scenario, which has its own"
    )
    record.add_argument("--group-by", metavar="FEATURE", help="also count by groups of a feature")
    record.add_argument("--out", type=Path, metavar="FILE", help="write one row per promise, .csv")
    record.add_argument(
        "--store", action="store_true", help="keep the record with the package, for the dashboard"
    )
    record.set_defaults(run=_backtest)

    radius = commands.add_parser("choose-radius", help="the smallest ρ whose promises were kept")
    _add_question(radius)
    radius.add_argument("--evidence", choices=(DATES, GROUPS, PLACEBO))
    radius.add_argument("--tolerated", type=float, default=TOLERATED, help="share of broken ones")
    radius.add_argument("--level", type=float, default=LEVEL, help="of the test")
    radius.add_argument("--trials", type=int, default=TRIALS)
    # Boosted trees have no ρ to choose.
    radius.set_defaults(run=_choose, model=MODELS[0])


def _add_question(parser: argparse.ArgumentParser) -> None:
    whose = parser.add_mutually_exclusive_group(required=True)
    whose.add_argument("--dataset", choices=DATASETS)
    whose.add_argument(
        "--table",
        type=Path,
        metavar="FILE",
        help=f"a table of your own, .csv; or {TABLE_HELP}, with --people",
    )
    parser.add_argument("--people", type=Path, metavar="FILE", help=PEOPLE_HELP)
    add_companions(parser)
    parser.add_argument("--label", metavar="COLUMN", help="the outcome in the table")
    parser.add_argument("--favourable", metavar="VALUE", help="its good value")
    parser.add_argument("--periods", metavar="COLUMN", help="when each row was recorded")
    parser.add_argument(
        "--scenario", type=Path, metavar="FILE", help="take the settings of an exported scenario"
    )
    parser.add_argument("--futures", choices=FUTURES)
    parser.add_argument("--rho", type=float, dest="radii", help="the radius ρ")
    parser.add_argument("--rho-unit", choices=METRICS, dest="radius_unit")
    parser.add_argument("--delta-add", type=float, help="δ_add")
    parser.add_argument("--weighting", choices=WEIGHTINGS)
    parser.add_argument("--training-size", type=int, metavar="N", help="of future models")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--jobs", type=int, default=ALL_CORES, help="processes; -1 is every core")


def _question(chosen: argparse.Namespace) -> tuple[Dataset, Settings]:
    """The dataset, and the recommended settings or a scenario's with what was asked otherwise."""
    if chosen.table is None or chosen.table.suffix == ".json":
        own = read_own_table(chosen)
        dataset = load_dataset(chosen.dataset) if own is None else own.dataset
    else:
        if chosen.label is None or chosen.favourable is None:
            raise InvalidInput("A table needs --label and --favourable, got one or none of them")
        read, _ = table_dataset(
            chosen.table,
            label=chosen.label,
            favourable=chosen.favourable,
            periods=chosen.periods,
        )
        dataset = load_dataset(register_table(read))
    if chosen.scenario is None:
        settings = recommended(dataset, chosen.model)
    else:
        text = chosen.scenario.read_text(encoding="utf-8")
        settings = replace(Scenario.from_json(text).settings, dataset=dataset.name)
    asked = {name: getattr(chosen, name) for name in SETTINGS}
    return dataset, replace(settings, **{k: v for k, v in asked.items() if v is not None})


def _backtest(chosen: argparse.Namespace) -> int:
    dataset, settings = _question(chosen)
    begin = time.perf_counter()
    try:
        record = backtest(
            dataset,
            settings,
            chosen.evidence,
            chosen.applicants or None,
            chosen.group_by,
            chosen.jobs,
            progress_line(),
        )
    except KeyboardInterrupt as stop:
        print("\nStopped; nothing was written.", file=sys.stderr)
        return exit_code(stop)
    seconds = time.perf_counter() - begin
    print(file=sys.stderr)
    for line in _told(record, chosen.group_by):
        print(line)
    if chosen.out is not None:
        record.rows.to_csv(chosen.out, index=False)
        print(chosen.out)
    if chosen.store:
        print(store(record, seconds))
    return 0


def _told(record: Record, group_by: str | None) -> list[str]:
    found = record.tally
    lines = [f"{found.sentence}. Broken: more later models decline than was promised."]
    if found.promises:
        lines.append(
            f"Broken {found.share.value:.1%} ({found.share.low:.1%} to {found.share.high:.1%}), "
            f"promised {found.promised:.3f}, observed {found.observed:.3f}; "
            f"{found.promises} of {found.asked} applicants had a plan."
        )
        lines.append("Applicants of one date share their judges: the interval is too narrow.")
        lines.append(f"A promise like these is called: {promise_word(record)}.")
    tables = [tally_by(record.rows, "date")]
    if group_by is not None:
        tables.append(tally_by(record.rows, "group"))
    if found.promises:
        tables.append(reliability(record.rows))
    lines += [f"\n{_text(table)}" for table in tables]
    return [*lines, *(f"Not tried, {reason}" for reason in record.skipped)]


def _choose(chosen: argparse.Namespace) -> int:
    dataset, settings = _question(chosen)
    try:
        found = choose_radius(
            dataset,
            settings,
            chosen.evidence,
            tolerated=chosen.tolerated,
            level=chosen.level,
            trials=chosen.trials,
            jobs=chosen.jobs,
            progress=progress_line(),
        )
    except KeyboardInterrupt as stop:
        print("\nStopped; nothing was chosen.", file=sys.stderr)
        return exit_code(stop)
    print(file=sys.stderr)
    print(found.reason)
    rows = [
        {
            "ρ": test.radius,
            "promises": test.promises,
            "broken": test.broken,
            "p-value": test.p_value,
            "passes": "yes" if test.passes else "no",
            "promised": test.promised,
            "observed": test.observed,
        }
        for test in found.tests
    ]
    print(_text(pd.DataFrame(rows)))
    if found.failed:
        print(f"{found.failed} of {found.trials} trials could not be made: {found.problem}")
    return 0 if found.chosen is not None else 1


def _text(table: pd.DataFrame) -> str:
    return table.to_string(index=False, float_format=lambda value: f"{value:.3f}")
