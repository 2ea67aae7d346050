"""The bounds each column of one applicant ends up with, from box, locks and directions."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array
from dirrac_core.data.many_actions import ManyActions
from dirrac_core.data.schema.actions import Actions, ConditionalRule

# Bounds and applicant values that differ by no more than this are the same number, rounded.
SNAP = 1e-9


@dataclass(frozen=True, eq=False)
class ColumnBounds:
    """Effective bounds and cost weights of the D − 1 feature columns of applicant `x0`.

    `sizes` are the largest numbers met in each column, its ends and the applicant's value; 1 where
    there is no number but 0. They say how much rounding a comparison may have to forgive.
    """

    lower: Array
    upper: Array
    weights: Array
    sizes: Array
    contradiction: str | None

    @property
    def bounded(self) -> npt.NDArray[np.bool_]:
        """The columns with two finite ends."""
        return np.isfinite(self.lower) & np.isfinite(self.upper)

    def in_force(self, rule: ConditionalRule, x0: Array, z: float) -> tuple[float, float]:
        """The limits of a conditional rule when its category holds the share z.

        Exact at z = 1, no restriction at z = 0, linear (the tightest convex limits) in between.
        """
        c = rule.column
        bottom, top = min(self.lower[c], x0[c]), max(self.upper[c], x0[c])
        return bottom + max(rule.low - bottom, 0.0) * z, top - max(top - rule.high, 0.0) * z


def column_bounds(x0: Array, actions: Actions) -> ColumnBounds:
    """The bounds of one applicant; `intersect_bounds` says of what."""
    columns = x0.size - 1
    value = x0[:columns]
    lower = np.full(columns, -np.inf) if actions.lower is None else actions.lower
    upper = np.full(columns, np.inf) if actions.upper is None else actions.upper
    lower, upper, sizes = intersect_bounds(value, lower, upper, actions)
    contradiction = None
    crossed = np.flatnonzero(lower > upper)
    if crossed.size:
        c = int(crossed[0])
        contradiction = (
            f"column {c} must be at least {lower[c]:g} and at most {upper[c]:g} at the same time"
        )
    weights = np.ones(columns) if actions.weights is None else actions.weights
    return ColumnBounds(lower, upper, weights, sizes, contradiction)


def intersect_bounds(
    value: Array, lower: Array, upper: Array, actions: Actions | ManyActions
) -> tuple[Array, Array, Array]:
    """Intersect box, one-hot range, range of real people, locks and directions; and the sizes.

    A locked column ignores box and range. Columns are the first axis, people may be a second one.
    """
    lower, upper = lower.copy(), upper.copy()
    for group in actions.groups:
        members = list(group)
        lower[members] = np.maximum(lower[members], 0.0)
        upper[members] = np.minimum(upper[members], 1.0)
    if actions.plausible is not None:
        lower = np.maximum(lower, actions.plausible.lower)
        upper = np.minimum(upper, actions.plausible.upper)
    up, down, locked = list(actions.only_up), list(actions.only_down), list(actions.locked)
    lower[up] = np.maximum(lower[up], value[up])
    upper[down] = np.minimum(upper[down], value[down])
    lower[locked] = upper[locked] = value[locked]
    sizes = np.abs(value)
    for end in (lower, upper):
        sizes = np.maximum(sizes, np.where(np.isfinite(end), np.abs(end), 0.0))
    with np.errstate(invalid="ignore"):
        snapped = np.abs(upper - lower) <= SNAP * sizes
        own = np.where(np.abs(value - lower) <= SNAP * sizes, value, lower)
    lower, upper = np.where(snapped, own, lower), np.where(snapped, own, upper)
    return lower, upper, np.where(sizes == 0.0, 1.0, sizes)
