"""A table of one's own on the command line: a table file and the CSV it describes."""

import argparse
from dataclasses import dataclass, replace
from pathlib import Path

import pandas as pd

from dirrac_core.data import Dataset, load_dataset
from dirrac_core.data.upload.reading import USUAL_LIMITS, read_table
from dirrac_core.data.upload.table import TableReport, table_dataset
from dirrac_core.data.upload.table_file import TableFile
from dirrac_core.data.upload.visitor_tables import register_table
from dirrac_core.errors import InvalidInput, InvalidTable
from dirrac_core.models.given.coefficients import with_given_model

TABLE_HELP = "a table file (JSON), as the page Your data saves it"
PEOPLE_HELP = "the table it describes, .csv"


def add_companions(parser: argparse.ArgumentParser) -> None:
    """What may come with a table: people after the shift, and the model of today."""
    parser.add_argument(
        "--shifted",
        type=Path,
        metavar="FILE",
        help="the table after the shift, .csv, where the table file has no date for it",
    )
    parser.add_argument(
        "--coefficients",
        type=Path,
        metavar="FILE",
        help="the model that decides today: coefficients (.csv, .json) or a scorecard (.csv)",
    )


@dataclass(frozen=True, eq=False)
class OwnTable:
    """A table that was read and may be opened by the name of its dataset."""

    dataset: Dataset
    report: TableReport
    people: Path

    def identifiers(self, column: str) -> "pd.Series[str]":
        """A column of the file for the present people, as text."""
        frame = read_table(self.people, "present", [], [column], USUAL_LIMITS)
        if column not in frame.columns:
            message = f"--id must name a column of {self.people.name!r}, got {column!r}"
            raise InvalidTable(message)
        return frame[column].iloc[list(self.report.rows)].reset_index(drop=True).astype(str)


def read_own_table(chosen: argparse.Namespace) -> OwnTable | None:
    """The table of --table and --people; None when there is no --table."""
    if chosen.table is None:
        for option in ("shifted", "coefficients"):
            if getattr(chosen, option) is not None:
                raise InvalidInput(f"--{option} needs --table and --people, got neither")
        return None
    if chosen.people is None:
        raise InvalidInput("--table needs --people, the CSV it describes, got no --people")
    described = TableFile.from_json(chosen.table.read_bytes())
    dataset, report = table_dataset(chosen.people, described, chosen.shifted)
    if chosen.coefficients is not None:
        dataset, notes = with_given_model(dataset, chosen.coefficients.read_bytes())
        report = replace(report, notes=(*report.notes, *notes))
    return OwnTable(load_dataset(register_table(dataset)), report, chosen.people)
