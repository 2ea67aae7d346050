"""The linear and conditional rules of one applicant as rows over the columns."""

from collections.abc import Iterator

import numpy as np

from dirrac_core.arrays import Array
from dirrac_core.data.schema.actions import Actions
from dirrac_core.feasible.bounds import ColumnBounds


def linear_rows(
    x0: Array, actions: Actions, bounds: ColumnBounds
) -> Iterator[tuple[Array, float, bool]]:
    """(row, limit, equality): row · x ≤ limit, or = limit where it is an equality."""
    for rule in actions.linear:
        if rule.low == rule.high:
            yield rule.coefficients, rule.low, True
            continue
        if np.isfinite(rule.high):
            yield rule.coefficients, rule.high, False
        if np.isfinite(rule.low):
            yield -rule.coefficients, -rule.low, False
    for condition in actions.conditional:
        c, z = condition.column, condition.category
        # Exact at z = 1, no restriction at z = 0, linear (the tightest) in between.
        top, bottom = max(bounds.upper[c], x0[c]), min(bounds.lower[c], x0[c])
        if condition.high < top:
            row = np.zeros(x0.size - 1)
            row[c], row[z] = 1.0, top - condition.high
            yield row, top, False
        if condition.low > bottom:
            row = np.zeros(x0.size - 1)
            row[c], row[z] = -1.0, condition.low - bottom
            yield row, -bottom, False
