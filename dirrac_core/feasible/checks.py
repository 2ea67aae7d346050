"""The checklist of a plan: every constraint judged from scratch, with its number and its limit."""

from dataclasses import dataclass
from math import inf, isfinite
from typing import NamedTuple

import numpy as np

from dirrac_core.arrays import Array
from dirrac_core.data.schema.actions import Actions
from dirrac_core.data.schema.plausible_set import LIKE_REAL_PEOPLE
from dirrac_core.feasible.bounds import SNAP, ColumnBounds, column_bounds
from dirrac_core.models.mixture import ParameterMixture
from dirrac_core.robustness import Doubt

# A constraint counts as kept when it is missed by no more than this, relative to its scale.
TOLERANCE = 1e-6


class Check(NamedTuple):
    """One constraint: whether it holds, its value, and the interval it must lie in."""

    name: str
    ok: bool
    value: float
    low: float
    high: float
    columns: tuple[int, ...] = ()


@dataclass(frozen=True)
class Checklist:
    """All checks of one point; true when every one of them holds."""

    checks: tuple[Check, ...]

    @property
    def ok(self) -> bool:
        """Whether every constraint holds."""
        return all(check.ok for check in self.checks)

    @property
    def broken(self) -> tuple[Check, ...]:
        """The constraints that do not hold."""
        return tuple(check for check in self.checks if not check.ok)

    def __bool__(self) -> bool:
        return self.ok


def within(
    name: str,
    value: float,
    low: float,
    high: float,
    columns: tuple[int, ...] = (),
    size: float = 1.0,
) -> Check:
    """low ≤ value ≤ high up to TOLERANCE, relative to the numbers compared.

    `size` is the size of the terms the value is made of, for when they cancel.
    """
    return _judged(name, value, low, high, columns, _scale(size, low, high))


def _scale(size: float, low: float, high: float) -> float:
    """The largest of the numbers that a value is compared with."""
    for end in (low, high):
        if isfinite(end):
            size = max(size, abs(end))
    return size


def _judged(
    name: str, value: float, low: float, high: float, columns: tuple[int, ...], scale: float
) -> Check:
    slack = TOLERANCE * max(scale, abs(value))
    return Check(name, low - slack <= value <= high + slack, value, low, high, columns)


class _ColumnLimits(NamedTuple):
    """The interval one column must lie in; `scale` is the largest number met on the way."""

    name: str
    column: int
    low: float
    high: float
    columns: tuple[int, ...]
    scale: float


class ActionChecks:
    """Constant, locks, directions, box, groups, rules and likeness to real people.

    For any number of points of one applicant: what does not depend on the point is worked out
    once. `bounds` are those of x0 and actions, when they are known already.
    """

    def __init__(
        self, x0: Array, actions: Actions, whole: bool, bounds: ColumnBounds | None = None
    ) -> None:
        self._x0, self._actions, self._whole = x0, actions, whole
        self._bounds = bounds = column_bounds(x0, actions) if bounds is None else bounds
        # Numbers of Python: one by one they are read many times faster than those of an array.
        self._start, self._sizes = x0.tolist(), bounds.sizes.tolist()
        start, sizes, locked = self._start, self._sizes, set(actions.locked)
        ways = [("only up", c, start[c], inf) for c in actions.only_up]
        ways += [("only down", c, -inf, start[c]) for c in actions.only_down]
        ways += _ranges("range", actions.lower, actions.upper, locked, len(sizes))
        self._limits = [_limits(*way, sizes) for way in ways]
        self._members = [list(group) for group in actions.groups]
        # A column that cannot move is exact: it lends a rule no room for rounding.
        self._reach = np.where(bounds.lower < bounds.upper, bounds.sizes, 0.0)
        self._coefficients = [np.abs(rule.coefficients) for rule in actions.linear]
        self._like: list[_ColumnLimits] = []
        if actions.plausible is not None:
            like = actions.plausible
            ways = _ranges(LIKE_REAL_PEOPLE, like.lower, like.upper, locked, len(sizes))
            self._like = [_limits(*way, sizes) for way in ways]
            # The distance is as large as its terms, which may cancel.
            self._distance = float(np.linalg.norm(np.abs(like.factor) @ bounds.sizes))

    def __call__(self, x: Array) -> list[Check]:
        """The checks of the point x (D,)."""
        value, start, sizes = x.tolist(), self._start, self._sizes
        actions = self._actions
        checks = [_judged("constant", value[-1], 1.0, 1.0, (), 1.0)]
        for c in actions.locked:
            same = abs(value[c] - start[c]) <= SNAP * sizes[c]
            checks.append(Check("locked", same, value[c], start[c], start[c], (c,)))
        checks += _in_limits(value, self._limits)
        for group, members in zip(actions.groups, self._members, strict=True):
            checks += _group_checks(x[members], group, self._whole)
        if actions.linear:
            largest = np.maximum(np.abs(x[:-1]), self._reach)
            for rule, coefficients in zip(actions.linear, self._coefficients, strict=True):
                level, terms = float(rule.coefficients @ x[:-1]), float(coefficients @ largest)
                checks.append(within(rule.name, level, rule.low, rule.high, (), terms))
        for condition in actions.conditional:
            share = value[condition.category]
            if share > TOLERANCE:
                place = (condition.category, condition.column)
                low, high = self._bounds.in_force(condition, self._x0, min(share, 1.0))
                size = sizes[condition.column]
                checks.append(within("rule", value[condition.column], low, high, place, size))
        if actions.plausible is not None:
            like = actions.plausible
            checks += _in_limits(value, self._like)
            distance = like.distance(x)
            checks.append(within(LIKE_REAL_PEOPLE, distance, 0.0, like.size, size=self._distance))
        return checks


def _in_limits(value: list[float], limits: list[_ColumnLimits]) -> list[Check]:
    return [
        _judged(name, value[column], low, high, columns, scale)
        for name, column, low, high, columns, scale in limits
    ]


def _limits(name: str, c: int, low: float, high: float, sizes: list[float]) -> _ColumnLimits:
    return _ColumnLimits(name, c, low, high, (c,), _scale(sizes[c], low, high))


def _ranges(
    name: str, lower: Array | None, upper: Array | None, locked: set[int], columns: int
) -> list[tuple[str, int, float, float]]:
    """The ends of the columns that may move, where there are any."""
    low = [-inf] * columns if lower is None else lower.tolist()
    high = [inf] * columns if upper is None else upper.tolist()
    return [
        (name, c, low[c], high[c])
        for c in range(columns)
        if c not in locked and (isfinite(low[c]) or isfinite(high[c]))
    ]


def is_valid(x: Array, mixture: ParameterMixture, doubt: Doubt, margins: Array) -> bool:
    """Whether all `validity_checks` hold; nothing is reported (hot path)."""
    r = doubt.terms(x)
    values = mixture.means @ x - r
    sizes = np.maximum(np.abs(mixture.means) @ np.abs(x) + r, margins)
    return bool((values >= margins - TOLERANCE * sizes).all())


def validity_checks(
    x: Array, mixture: ParameterMixture, doubt: Doubt, margins: Array
) -> list[Check]:
    """θ̂_kᵀx − r_k(x) ≥ ε_k for every component."""
    r = doubt.terms(x)
    terms = np.abs(mixture.means) @ np.abs(x) + r
    values, least = (mixture.means @ x - r).tolist(), margins.tolist()
    return [
        within("validity", values[k], least[k], inf, (k,), size)
        for k, size in enumerate(terms.tolist())
    ]


def _group_checks(values: Array, group: tuple[int, ...], whole: bool) -> list[Check]:
    shares = values.tolist()
    checks = [
        _judged("one category", float(values.sum()), 1.0, 1.0, group, 1.0),
        _judged("one category", min(shares), 0.0, 1.0, group, 1.0),
    ]
    if whole:
        checks.append(_judged("whole category", max(shares), 1.0, 1.0, group, 1.0))
    return checks
