"""The people a dataset-level study asks for: declined applicants with what they may change."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from dirrac_core.arrays import Array
from dirrac_core.data.schema.actions import Actions
from dirrac_core.errors import InvalidInput
from dirrac_core.models.training import ModelBundle


@dataclass(frozen=True, eq=False)
class Applicant:
    """Row number in the present data, x0 (D, with the trailing 1), and what may change."""

    row: int
    x0: Array
    actions: Actions


def declined_applicants(
    bundle: ModelBundle, preset: str = "sensible", rows: Iterable[int] | None = None
) -> list[Applicant]:
    """Everybody the current model declines, or those of `rows`; each with the preset's actions."""
    present = bundle.dataset.present
    declined = [int(row) for row in bundle.declined]
    chosen = declined if rows is None else [int(row) for row in rows]
    accepted = sorted(set(chosen) - set(declined))
    if accepted:
        raise InvalidInput(f"Every row must be a declined applicant, got {accepted[0]}")
    applicants = []
    for row in chosen:
        x0 = np.append(present.X[row], 1.0)
        applicants.append(Applicant(row, x0, bundle.dataset.actions(preset, x0)))
    return applicants
