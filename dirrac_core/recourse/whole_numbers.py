"""Whole numbers stay whole: where rounding near a plan leaves nothing, values further away."""

import math
from dataclasses import dataclass, replace

import numpy as np

from dirrac_core.arrays import Array
from dirrac_core.data.schema.feature import Feature
from dirrac_core.data.schema.schema import Schema
from dirrac_core.errors import SolverFailure
from dirrac_core.recourse import RecourseProblem
from dirrac_core.solvers import solve_certified

RESOLVE_GAP = 1e-3
# A number this close to a whole one is whole.
WHOLE = 1e-6
# At most so many problems are solved, and so many values tried for each number.
MOST_SOLVES = 40
MOST_VALUES = 4


def whole_number_plan(schema: Schema, problem: RecourseProblem, exact: Array) -> Array | None:
    """A plan near `exact` in which every whole number it moves is whole; None when none is found.

    None also when `exact` moves no whole number to a fraction: then there is nothing to mend.
    Numbers are fixed one after the other, the largest move first, nearest values first, and the
    rest is solved again each time; where that leads nowhere, the last choice is taken back. Other
    numbers stay as exact as they come. The checks of the problem hold, its optimum is not proved.
    """
    search = _Search(schema, problem)
    return search.below(exact, {}) if search.broken(exact) else None


@dataclass
class _Search:
    """A depth-first search with a bound on its work."""

    schema: Schema
    problem: RecourseProblem
    solves: int = 0

    def below(self, x: Array, fixed: dict[str, float]) -> Array | None:
        """The first plan found with the `fixed` values."""
        x0 = self.problem.x0
        broken = [feature for feature in self.broken(x) if feature.name not in fixed]
        if not broken:
            snapped = self._snapped(x)
            tries = (self.schema.rounded(snapped, x0), snapped)
            return next((y for y in tries if self.problem.feasible_set.contains(y)), None)
        feature = max(broken, key=lambda f: abs(float((x - x0)[column_of(self.schema, f)])))
        for value in self._values(feature, x):
            if self.solves >= MOST_SOLVES:
                return None
            self.solves += 1
            chosen = {**fixed, feature.name: value}
            point = solved_with(self.schema, self.problem, chosen)
            found = None if point is None else self.below(point, chosen)
            if found is not None:
                return found
        return None

    def broken(self, x: Array) -> list[Feature]:
        """The whole numbers the plan moves to a fraction."""
        whole = [feature for feature in self.schema.features if feature.kind == "integer"]
        return [feature for feature in whole if self._is_broken(feature, x)]

    def _is_broken(self, feature: Feature, x: Array) -> bool:
        before, value = self._real(feature, self.problem.x0), self._real(feature, x)
        whole = abs(value - round(value)) <= WHOLE * max(1.0, abs(value))
        return not whole and abs(value - before) > WHOLE

    def _values(self, feature: Feature, x: Array) -> list[float]:
        value, before = self._real(feature, x), self._real(feature, self.problem.x0)
        near = [math.floor(value), math.ceil(value), math.floor(value) - 1, math.ceil(value) + 1]
        kept = [float(v) for v in near if feature.within_range(float(v), value, before) == v]
        kept.append(before)
        return sorted(dict.fromkeys(kept), key=lambda v: abs(v - value))[:MOST_VALUES]

    def _snapped(self, x: Array) -> Array:
        """x with its whole numbers exactly whole, and what it does not move exactly as it was."""
        whole = np.array(x)
        for feature in self.schema.features:
            if feature.is_categorical:
                continue
            column = column_of(self.schema, feature)
            value, before = self._real(feature, x), self._real(feature, self.problem.x0)
            if abs(value - before) <= WHOLE:
                whole[column] = self.problem.x0[column]
            elif feature.kind == "integer":
                whole[column] = feature.scaled(float(round(value)))
        whole.flags.writeable = False
        return whole

    def _real(self, feature: Feature, x: Array) -> float:
        return feature.real(float(x[column_of(self.schema, feature)]))


def column_of(schema: Schema, feature: Feature) -> int:
    """The encoded column of a number."""
    (column,) = schema.columns_of(feature.name)
    return column


def solved_with(schema: Schema, problem: RecourseProblem, fixed: dict[str, float]) -> Array | None:
    """The best plan of the problem with some numbers fixed at real values.

    None if none exists, and where that cannot be settled: fixed values may leave next to no room,
    and other values can be tried.
    """
    allowed = problem.unbounded.actions
    size = problem.x0.size - 1
    lower = np.full(size, -np.inf) if allowed.lower is None else allowed.lower.copy()
    upper = np.full(size, np.inf) if allowed.upper is None else allowed.upper.copy()
    for name, value in fixed.items():
        feature = schema.feature(name)
        column = column_of(schema, feature)
        lower[column] = upper[column] = feature.scaled(value)
    free = replace(problem.unbounded, actions=allowed.with_box(lower, upper))
    narrowed = free.with_delta(problem.feasible_set.delta)
    try:
        cheapest = free.cheapest
    except SolverFailure:
        return None
    if cheapest is None or not narrowed.affords(cheapest.cost):
        return None
    return solve_certified(narrowed, problem.objective, cheapest.x, RESOLVE_GAP).x
