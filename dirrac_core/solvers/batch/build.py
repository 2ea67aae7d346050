"""The crowd of many people from what each may change, without a loop over people.

What `column_bounds` and `Piece` do for one applicant.
"""

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array
from dirrac_core.data.many_actions import ManyActions, ManyRule
from dirrac_core.feasible.bounds import intersect_bounds
from dirrac_core.solvers.batch.crowd import Crowd, cone_of, crowd
from dirrac_core.solvers.batch.pieces import AT_MOST, EQUAL, NO_ROW, Shared

Rows = tuple[Array, Array, npt.NDArray[np.int8]]


def crowd_from(shared: Shared, radii: Array, whole: bool, x0: Array, actions: ManyActions) -> Crowd:
    """The crowd of the applicants x0 (D, people) with radii (K,) under a shared mixture."""
    people = x0.shape[1]
    lower, upper, sizes = intersect_bounds(x0[:-1], actions.lower, actions.upper, actions)
    rows, limits, kinds = _rows(x0[:-1], lower, upper, actions)
    limit = None
    if actions.plausible is not None:
        likeness = actions.plausible
        shared = replace(shared, cone=cone_of(likeness.factor, likeness.centre))
        limit = likeness.sizes
    each = np.repeat(radii[:, None], people, axis=1)
    return crowd(
        *(shared, actions.groups, whole, x0, lower, upper, actions.weights),
        *(sizes, rows, limits, kinds, each, limit),
    )


def accepted_today(model: Array, least: float, people: int) -> ManyRule:
    """The rule that the linear model θ (D,) accepts every plan: θᵀx ≥ `least`."""
    row = np.repeat(model[:-1, None], people, axis=1)
    ends = np.full(people, least - float(model[-1])), np.full(people, np.inf)
    return ManyRule(row, *ends)


def _rows(value: Array, lower: Array, upper: Array, actions: ManyActions) -> Rows:
    """Linear and conditional rules as rows (R, D − 1, people), limits and kinds (R, people)."""
    found: list[tuple[Array, Array, Array]] = []
    for rule in actions.linear:
        equal = rule.low == rule.high
        found.append((rule.coefficients, rule.low, np.where(equal, EQUAL, NO_ROW)))
        for end, sign in ((rule.high, 1.0), (rule.low, -1.0)):
            there = np.isfinite(end) & ~equal
            limit = np.where(there, sign * end, 0.0)
            found.append((sign * rule.coefficients, limit, np.where(there, AT_MOST, NO_ROW)))
    for condition in actions.conditional:
        c, z = condition.column, condition.category
        top, bottom = np.maximum(upper[c], value[c]), np.minimum(lower[c], value[c])
        for sign, end, limit in ((1.0, top, condition.high), (-1.0, bottom, condition.low)):
            there = sign * (end - limit) > 0.0
            row = np.zeros_like(value)
            row[c], row[z] = sign, sign * (end - limit)
            found.append((row, sign * end, np.where(there, AT_MOST, NO_ROW)))
    found = [each for each in found if (each[2] != NO_ROW).any()]
    if not found:
        people = value.shape[1]
        none = np.zeros((0, people), dtype=np.int8)
        return np.zeros((0, *value.shape)), np.zeros((0, people)), none
    rows, limits, kinds = (np.stack(part) for part in zip(*found, strict=True))
    return rows, np.where(kinds == NO_ROW, 0.0, limits), kinds.astype(np.int8)
