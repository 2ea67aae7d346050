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
    scale = max(size, abs(value))
    for end in (low, high):
        if isfinite(end):
            scale = max(scale, abs(end))
    slack = TOLERANCE * scale
    return Check(name, low - slack <= value <= high + slack, value, low, high, columns)


def action_checks(
    x: Array, x0: Array, actions: Actions, whole: bool, bounds: ColumnBounds | None = None
) -> list[Check]:
    """Constant, locks, directions, box, groups, rules and likeness to real people.

    `bounds` are those of x0 and actions, when they are known already.
    """
    bounds = column_bounds(x0, actions) if bounds is None else bounds
    # Numbers of Python: one by one they are read many times faster than those of an array.
    value, start, sizes = x.tolist(), x0.tolist(), bounds.sizes.tolist()
    checks = [within("constant", value[-1], 1.0, 1.0)]
    locked = set(actions.locked)
    for c in actions.locked:
        same = abs(value[c] - start[c]) <= SNAP * sizes[c]
        checks.append(Check("locked", same, value[c], start[c], start[c], (c,)))
    for c in actions.only_up:
        checks.append(within("only up", value[c], start[c], inf, (c,), sizes[c]))
    for c in actions.only_down:
        checks.append(within("only down", value[c], -inf, start[c], (c,), sizes[c]))
    checks += _range_checks("range", value, actions.lower, actions.upper, locked, sizes)
    for group in actions.groups:
        checks += _group_checks(x[list(group)], group, whole)
    # A column that cannot move is exact: it lends a rule no room for rounding.
    reach = np.where(bounds.lower < bounds.upper, bounds.sizes, 0.0)
    for rule in actions.linear:
        terms = float(np.abs(rule.coefficients) @ np.maximum(np.abs(x[:-1]), reach))
        level = float(rule.coefficients @ x[:-1])
        checks.append(within(rule.name, level, rule.low, rule.high, (), terms))
    for condition in actions.conditional:
        share = value[condition.category]
        if share > TOLERANCE:
            place = (condition.category, condition.column)
            low, high = bounds.in_force(condition, x0, min(share, 1.0))
            size = sizes[condition.column]
            checks.append(within("rule", value[condition.column], low, high, place, size))
    if actions.plausible is not None:
        like = actions.plausible
        checks += _range_checks(LIKE_REAL_PEOPLE, value, like.lower, like.upper, locked, sizes)
        # The distance is as large as its terms, which may cancel.
        terms = float(np.linalg.norm(np.abs(like.factor) @ bounds.sizes))
        checks.append(within(LIKE_REAL_PEOPLE, like.distance(x), 0.0, like.size, size=terms))
    return checks


def _range_checks(
    name: str,
    value: list[float],
    lower: Array | None,
    upper: Array | None,
    locked: set[int],
    sizes: list[float],
) -> list[Check]:
    """The ends of the columns that may move, where there are any."""
    low = [-inf] * len(sizes) if lower is None else lower.tolist()
    high = [inf] * len(sizes) if upper is None else upper.tolist()
    return [
        within(name, value[c], low[c], high[c], (c,), sizes[c])
        for c in range(len(sizes))
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
    return [
        within("validity", float(value), float(margins[k]), np.inf, (k,), float(size))
        for k, (value, size) in enumerate(zip(mixture.means @ x - r, terms, strict=True))
    ]


def _group_checks(values: Array, group: tuple[int, ...], whole: bool) -> list[Check]:
    checks = [
        within("one category", float(values.sum()), 1.0, 1.0, group),
        within("one category", float(values.min()), 0.0, 1.0, group),
    ]
    if whole:
        checks.append(within("whole category", float(values.max()), 1.0, 1.0, group))
    return checks
