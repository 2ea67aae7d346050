"""The checklist of a plan: every constraint judged from scratch, with its number and its limit."""

import math
from dataclasses import dataclass

import numpy as np

from dirrac_core.arrays import Array
from dirrac_core.data.schema.actions import Actions
from dirrac_core.data.schema.plausible_set import LIKE_REAL_PEOPLE, PlausibleSet
from dirrac_core.feasible.bounds import SNAP, ColumnBounds, column_bounds
from dirrac_core.models.mixture import ParameterMixture
from dirrac_core.robustness import Doubt

# A constraint counts as kept when it is missed by no more than this, relative to its scale.
TOLERANCE = 1e-6


@dataclass(frozen=True)
class Check:
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
        if math.isfinite(end):
            scale = max(scale, abs(end))
    slack = TOLERANCE * scale
    return Check(name, bool(low - slack <= value <= high + slack), value, low, high, columns)


def action_checks(
    x: Array, x0: Array, actions: Actions, whole: bool, bounds: ColumnBounds | None = None
) -> list[Check]:
    """Constant, locks, directions, box, groups, rules and likeness to real people.

    `bounds` are those of x0 and actions, when they are known already.
    """
    checks = [within("constant", float(x[-1]), 1.0, 1.0)]
    locked = set(actions.locked)
    bounds = column_bounds(x0, actions) if bounds is None else bounds
    sizes = bounds.sizes
    for c in actions.locked:
        same = abs(x[c] - x0[c]) <= SNAP * sizes[c]
        value, limit = float(x[c]), float(x0[c])
        checks.append(Check("locked", bool(same), value, limit, limit, (c,)))
    for c in actions.only_up:
        checks.append(within("only up", float(x[c]), float(x0[c]), np.inf, (c,), sizes[c]))
    for c in actions.only_down:
        checks.append(within("only down", float(x[c]), -np.inf, float(x0[c]), (c,), sizes[c]))
    for c in range(x.size - 1):
        low = -np.inf if actions.lower is None else float(actions.lower[c])
        high = np.inf if actions.upper is None else float(actions.upper[c])
        if c not in locked and (np.isfinite(low) or np.isfinite(high)):
            checks.append(within("range", float(x[c]), low, high, (c,), sizes[c]))
    for group in actions.groups:
        checks += _group_checks(x[list(group)], group, whole)
    # A column that cannot move is exact: it lends a rule no room for rounding.
    reach = np.where(bounds.lower < bounds.upper, sizes, 0.0)
    for rule in actions.linear:
        terms = float(np.abs(rule.coefficients) @ np.maximum(np.abs(x[:-1]), reach))
        level = float(rule.coefficients @ x[:-1])
        checks.append(within(rule.name, level, rule.low, rule.high, (), terms))
    for condition in actions.conditional:
        share = float(x[condition.category])
        if share > TOLERANCE:
            place = (condition.category, condition.column)
            low, high = bounds.in_force(condition, x0, min(share, 1.0))
            value, size = float(x[condition.column]), sizes[condition.column]
            checks.append(within("rule", value, low, high, place, size))
    if actions.plausible is not None:
        checks += _plausibility_checks(x, actions.plausible, locked, sizes)
    return checks


def _plausibility_checks(
    x: Array, plausible: PlausibleSet, locked: set[int], sizes: Array
) -> list[Check]:
    """The ranges of the columns that may move, and the ellipsoid."""
    bounded = np.isfinite(plausible.lower) | np.isfinite(plausible.upper)
    checks = [
        within(
            LIKE_REAL_PEOPLE,
            float(x[c]),
            float(plausible.lower[c]),
            float(plausible.upper[c]),
            (int(c),),
            sizes[c],
        )
        for c in np.flatnonzero(bounded)
        if c not in locked
    ]
    # The distance is as large as its terms, which may cancel.
    terms = float(np.linalg.norm(np.abs(plausible.factor) @ sizes))
    distance = plausible.distance(x)
    return [*checks, within(LIKE_REAL_PEOPLE, distance, 0.0, plausible.size, size=terms)]


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
