"""Real people with the favourable outcome who are nearest to a plan.

Two distances. As a whole: everything counts, also what no plan may change. In what may move: among
people of the same kind, the movable numbers given the others (the metric of the ellipsoid in
`plausibility`) and the movable categories, so that a plan can bring the distance to 0.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array
from dirrac_core.data.dataset import Dataset
from dirrac_core.data.plausibility import (
    MAX_FITS,
    Mask,
    RealPeople,
    Shape,
    favourable_people,
    shape_of_numbers,
)

# Another category counts as much as the usual squared distance of two people in one number.
OTHER_CATEGORY = 2.0
NEAREST = 3


@dataclass(frozen=True)
class Neighbour:
    """A real person with the favourable outcome: the row among the present people, how far."""

    row: int
    distance: float


def nearest_people(
    dataset: Dataset, x: npt.ArrayLike, count: int = NEAREST
) -> tuple[Neighbour, ...]:
    """The favourable people nearest to a plan as a whole."""
    rows = np.flatnonzero(dataset.present.y == 1)
    distances = distances_to_favourable(dataset, x)
    order = np.argsort(distances, kind="stable")[:count]
    return tuple(Neighbour(int(rows[i]), float(distances[i])) for i in order)


def distances_to_favourable(dataset: Dataset, x: npt.ArrayLike) -> Array:
    """The distance of x as a whole to each favourable person, in the order of the present people.

    A squared distance is ‖F(x − p)‖₂² plus OTHER_CATEGORY for each category that differs.
    """
    people, columns = favourable_people(dataset), dataset.schema.number_columns
    person = dataset.schema.without_constant(x)
    everything = np.ones(len(columns), dtype=bool)
    factor = _everybody(dataset).whitening(everything) if columns else np.zeros((0, 0))
    return _distances(people, person, columns, factor, dataset.schema.groups)


def distances_in_what_may_move(
    dataset: Dataset, people: RealPeople, x: npt.ArrayLike, locked: Iterable[int]
) -> Array:
    """The distance of x to each favourable person of its kind, in the columns not `locked`.

    Numbers are compared given the locked ones, in units of the spread of these people.
    """
    schema, held = dataset.schema, set(locked)
    person, columns = schema.without_constant(x), schema.number_columns
    movable = ~np.isin(columns, list(held))
    groups = [group for group in schema.groups if group[0] not in held]
    kind = people.kind_of(person)
    some = favourable_people(dataset)[_of_kind(dataset, people.kind, kind)]
    factor = people.shapes[kind].whitening(movable) if columns else np.zeros((0, 0))
    return _distances(some, person, columns, factor, groups)


def _distances(
    people: Array,
    person: Array,
    columns: list[int],
    factor: Array,
    groups: Iterable[tuple[int, ...]],
) -> Array:
    squared: Array = (((people - person)[:, columns] @ factor.T) ** 2).sum(axis=1)
    for group in groups:
        places = list(group)
        differs = people[:, places].argmax(axis=1) != person[places].argmax()
        squared = squared + OTHER_CATEGORY * differs
    return np.sqrt(squared)


@lru_cache(maxsize=MAX_FITS)
def _everybody(dataset: Dataset) -> Shape:
    return shape_of_numbers(favourable_people(dataset)[:, dataset.schema.number_columns])


def _of_kind(dataset: Dataset, names: tuple[str, ...], kind: tuple[str, ...]) -> Mask:
    """Which of the favourable people have these categories of the named features."""
    table = dataset.present.people.loc[dataset.present.y == 1]
    there = np.ones(len(table), dtype=bool)
    for name, category in zip(names, kind, strict=False):
        there &= table[name].astype(str).to_numpy() == category
    return there
