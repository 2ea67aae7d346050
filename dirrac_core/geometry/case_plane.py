"""What the geometry figure shows of one case: the slice, its axes, its points and its path."""

from dataclasses import dataclass

import numpy as np

from dirrac_core.arrays import Array, checked_choice
from dirrac_core.case.case import Case
from dirrac_core.errors import InvalidInput
from dirrac_core.feasible import FeasibleSet
from dirrac_core.geometry.axes import Axis, feature_axis
from dirrac_core.geometry.slices import Slice
from dirrac_core.methods import Plan, Roar
from dirrac_core.recourse.room import Room
from dirrac_core.studies.case_frontier import linear_stand_in


@dataclass(frozen=True, eq=False)
class CasePlane:
    """A slice through a case, and its two axes in real units."""

    slice: Slice
    axes: tuple[Axis, Axis]

    def point(self, across: float, up: float) -> Array:
        """The full vector (D,) at two real values, everything else as held in the slice."""
        scaled = [a.to_encoded(v) for a, v in zip(self.axes, (across, up), strict=True)]
        x: Array = self.slice.embed([scaled])[0]
        return x

    def real(self, x: Array) -> tuple[float, float]:
        """The two real values of a full vector (D,)."""
        i, j = self.slice.columns
        return self.axes[0].to_real(float(x[i])), self.axes[1].to_real(float(x[j]))


def numeric_features(case: Case) -> tuple[str, ...]:
    """The features that can be an axis: numbers, in the order of the schema."""
    return tuple(f.name for f in case.dataset.schema.features if not f.is_categorical)


def telling_features(case: Case, x: Array | None) -> tuple[str, str]:
    """The two numbers a plan x moves most, then those that may move, then the first ones."""
    names = numeric_features(case)
    if len(names) < 2:
        raise InvalidInput(f"A slice needs two numeric features, got {len(names)}")
    goal = case.x0 if x is None else x
    column = {name: case.dataset.schema.columns_of(name)[0] for name in names}
    moved = np.abs(goal - case.x0)
    first, second = sorted(names, key=lambda n: (-moved[column[n]], not may_move(case, n)))[:2]
    return (first, second) if names.index(first) < names.index(second) else (second, first)


def may_move(case: Case, name: str) -> bool:
    """Whether a plan may change this number."""
    (column,) = case.dataset.schema.columns_of(name)
    bounds = case.problem.unbounded.bounds
    return bool(bounds.lower[column] < bounds.upper[column])


def case_plane(
    case: Case, features: tuple[str, str], base: Array, feasible: FeasibleSet | None = None
) -> CasePlane:
    """The slice of the case's feasible set in two numeric features, the rest as in `base` (D,).

    `feasible` is another set of the same case, such as that of another ρ.
    """
    schema = case.dataset.schema
    for name in features:
        checked_choice("An axis", name, numeric_features(case))
    i, j = (schema.columns_of(name)[0] for name in features)
    axes = tuple(feature_axis(schema.feature(name)) for name in features)
    return CasePlane(Slice(feasible or drawn_set(case), base, (i, j)), (axes[0], axes[1]))


def drawn_set(case: Case) -> FeasibleSet:
    """The feasible set; where no plan exists, with the largest budget the ranges can use."""
    feasible = case.problem.feasible_set
    if np.isfinite(feasible.delta):
        return feasible
    return case.problem.unbounded.with_delta(largest_budget(case))


def largest_budget(case: Case) -> float:
    """The effort of moving every column through its whole scale."""
    return float(case.problem.unbounded.bounds.weights.sum())


def room_box(plane: CasePlane, room: Room) -> Array | None:
    """The room of a plan in the plane (2, 2): lower and upper corner; None where it has no side.

    A room has sides only in the features the plan changes.
    """
    columns = list(plane.slice.columns)
    if not plane.slice.contains_vector(_middle(plane, room)):
        return None
    seen = room.corners[:, columns]
    box: Array = np.array([seen.min(axis=0), seen.max(axis=0)])
    return box if (box[0] < box[1]).any() else None


def _middle(plane: CasePlane, room: Room) -> Array:
    """A corner of the room with the slice's own values in the features that have sides."""
    sides = np.ptp(room.corners, axis=0) > 0.0
    middle: Array = np.where(sides, plane.slice.base, room.corners[0])
    return middle


def roar_plan(case: Case) -> Plan:
    """The exact ROAR plan of the case under the same rules of what may change."""
    method = Roar(linear_stand_in(case), categories=case.scenario.categories)
    return method.recourse(case.x0, case.actions)
