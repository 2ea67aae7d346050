"""A plan judged by newer people or a newer model, for a worker process: no screen, no cache."""

from dataclasses import dataclass

from dirrac_core.case.documents.still_holds import (
    Holding,
    holds_for_model,
    holds_for_people,
    with_newer_people,
    with_newer_table,
)
from dirrac_core.data import Dataset
from dirrac_core.data.upload.reading import read_table
from dirrac_core.data.upload.table_file import TableFile
from dirrac_core.data.upload.visitor_tables import UPLOAD_LIMITS, is_table_name, register_table
from dirrac_core.models.given.coefficients import given_theta, read_coefficients
from dirrac_core.progress import Progress

PEOPLE, MODEL = "newer people", "a newer model"


@dataclass(frozen=True)
class Asked:
    """The plan (a scenario file) and what judges it: a table with its outcome, or coefficients.

    Of a table of one's own the table file knows the outcome.
    """

    plan: str
    by: str
    content: bytes
    label: str = ""
    favourable: str = ""


def holding(asked: Asked, dataset: Dataset, table: TableFile | None, progress: Progress) -> Holding:
    """What became of the promise of a plan."""
    if is_table_name(dataset.name):
        # The scenario names the visitor's table, which another process has never seen.
        register_table(dataset)
    if asked.by == MODEL:
        theta, _ = given_theta(read_coefficients(asked.content), dataset.schema)
        return holds_for_model(asked.plan, theta)
    progress(0.0, "Training the newer models")
    if table is not None:
        newer = with_newer_table(dataset, asked.content, table, UPLOAD_LIMITS)
        return holds_for_people(asked.plan, newer)
    people = read_table(asked.content, "newer", [], [asked.label], UPLOAD_LIMITS)
    newer = with_newer_people(dataset, people, asked.label, asked.favourable, None)
    return holds_for_people(asked.plan, newer)
