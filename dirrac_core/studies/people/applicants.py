"""The people a dataset-level study asks for: declined applicants with what they may change."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

import numpy as np

from dirrac_core.arrays import Array
from dirrac_core.data.schema.actions import Actions
from dirrac_core.data.schema.schema import with_constant
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
    return applicants_of(chosen, present.X, partial(bundle.dataset.actions, preset))


def spread_applicants(bundle: ModelBundle, n: int) -> list[Applicant]:
    """n applicants, spread evenly over everybody the current model declines."""
    places = np.linspace(0, bundle.declined.size - 1, n).astype(int)
    return declined_applicants(bundle, rows=bundle.declined[places])


def applicants_of(
    rows: Iterable[int], X: Array, rules: Callable[[Array], Actions]
) -> list[Applicant]:
    """The people of these rows of X (n, D − 1), each with what `rules(x0)` lets them change."""
    people = [(int(row), with_constant(X[row])) for row in rows]
    return [Applicant(row, x0, rules(x0)) for row, x0 in people]
