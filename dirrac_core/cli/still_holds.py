"""`still-holds FILE`: an exported plan, judged by newer people or a newer model."""

import argparse
import sys
from pathlib import Path
from typing import Any

import pandas as pd

from dirrac_core.case.documents.still_holds import (
    holds_for_model,
    holds_for_people,
    with_newer_people,
    with_newer_table,
)
from dirrac_core.case.scenario import Scenario
from dirrac_core.cli.own_table import PEOPLE_HELP, TABLE_HELP, add_companions, read_own_table
from dirrac_core.data import Dataset, load_dataset
from dirrac_core.data.periods import periods_of
from dirrac_core.errors import InvalidInput, InvalidTable
from dirrac_core.models.given.coefficients import given_theta, read_coefficients


def add(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser("still-holds", help="re-check an exported plan: 0 kept, 1 broken")
    parser.add_argument("file", type=Path, help="a scenario JSON with its answer")
    by = parser.add_mutually_exclusive_group(required=True)
    by.add_argument("--people", type=Path, metavar="FILE", help="newer people, .csv")
    by.add_argument("--model", type=Path, metavar="FILE", help="newer coefficients, .json or .csv")
    parser.add_argument("--label", metavar="COLUMN", help="the outcome of the newer people")
    parser.add_argument("--favourable", metavar="VALUE", help="its good value")
    parser.add_argument("--periods", metavar="COLUMN", help="when each of them was recorded")
    parser.add_argument("--table", type=Path, metavar="FILE", help=TABLE_HELP)
    parser.add_argument("--present", type=Path, metavar="FILE", help=PEOPLE_HELP)
    add_companions(parser)
    parser.set_defaults(run=_still_holds)


def _still_holds(chosen: argparse.Namespace) -> int:
    text = chosen.file.read_text(encoding="utf-8")
    if chosen.table is not None and chosen.present is None:
        raise InvalidInput("--table needs --present, the table of the plan, got no --present")
    of_plan = argparse.Namespace(**{**vars(chosen), "people": chosen.present})
    own = read_own_table(of_plan)
    dataset = load_dataset(Scenario.from_json(text).dataset)
    if chosen.model is not None:
        theta, notes = given_theta(read_coefficients(chosen.model.read_bytes()), dataset.schema)
        found = holds_for_model(text, theta)
        for note in notes:
            print(note, file=sys.stderr)
    elif own is not None and own.report.table is not None:
        found = holds_for_people(text, with_newer_table(dataset, chosen.people, own.report.table))
    else:
        found = holds_for_people(text, _newer_people(chosen, dataset))
    print(found.sentence)
    if found.worst_case is not None:
        print(f"Worst case of the same plan on the newer people: {found.worst_case:.3f}")
    elif found.note:
        print(found.note)
    return 0 if found.kept else 1


def _newer_people(chosen: argparse.Namespace, dataset: Dataset) -> Dataset:
    """The people of --people, with the features of the dataset in real units."""
    if chosen.label is None or chosen.favourable is None:
        raise InvalidInput("--people needs --label and --favourable, got one or none of them")
    try:
        people = pd.read_csv(chosen.people, encoding="utf-8-sig")
    except ValueError as problem:
        message = f"The newer people must be a CSV table, got a problem: {problem}"
        raise InvalidTable(message) from None
    when = None
    if chosen.periods is not None:
        if chosen.periods not in people.columns:
            got = ", ".join(map(str, people.columns))
            raise InvalidTable(f"Column {chosen.periods!r} is needed, got {got}")
        when = periods_of(people[chosen.periods], chosen.periods)
    return with_newer_people(dataset, people, chosen.label, chosen.favourable, when)
