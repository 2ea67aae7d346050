"""The real values next to a plan's, in sensible units: for one number, and for many people at once.

A value counts when it lies on the way from the applicant's own to the plan's, or beyond the plan's.
"""

import math

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array
from dirrac_core.data.schema.feature import Feature
from dirrac_core.data.schema.many_people import within_range

Mask = npt.NDArray[np.bool_]
# A value this close to a multiple of its unit, in units, is one.
GRID_TOLERANCE = 1e-9


def neighbours(feature: Feature, x0: float, x: float) -> tuple[float, ...]:
    """The real values just below and above the plan's, nearest to the applicant first.

    `x0` and `x` are the encoded numbers of the applicant and of the plan.
    """
    before, value = feature.real(x0), feature.real(x)
    for step in (feature.step, 10.0**-feature.decimals):
        below = math.floor(value / step + GRID_TOLERANCE) * step
        above = math.ceil(value / step - GRID_TOLERANCE) * step
        sides = {feature.within_range(round(end, 10), value, before) for end in (below, above)}
        ahead = [end for end in sides if (end - before) * (value - before) > 0]
        if ahead:
            return tuple(sorted(ahead, key=lambda end: abs(end - before)))
    return (before,)


def finest_neighbours(feature: Feature, x0: float, x: float) -> tuple[float, ...]:
    """The values around the plan's in the finest unit shown, and one unit nearer to the
    applicant, for plans that have no room left on both sides."""
    before, value, unit = feature.real(x0), feature.real(x), 10.0**-feature.decimals
    below = math.floor(value / unit + GRID_TOLERANCE) * unit
    above = math.ceil(value / unit - GRID_TOLERANCE) * unit
    nearer = below - unit if before < value else above + unit
    near = (round(end, 10) for end in (below, above, nearer))
    ends = {feature.within_range(end, value, before) for end in near}
    ahead = [end for end in ends if (end - before) * (value - before) > 0]
    return tuple(sorted(ahead, key=lambda end: abs(end - before))) or (before,)


def many_neighbours(feature: Feature, x0: Array, x: Array) -> Array:
    """`neighbours` of many plans, (2, n); who has one only has it twice."""
    before, value = feature.real(x0), feature.real(x)
    found, open_ = np.stack([before, before]), np.ones(x.size, dtype=bool)
    for step in (feature.step, 10.0**-feature.decimals):
        below = np.floor(value / step + GRID_TOLERANCE) * step
        above = np.ceil(value / step - GRID_TOLERANCE) * step
        sides = [within_range(feature, np.round(end, 10), value, before) for end in (below, above)]
        ends, ahead = _ahead(sides, before, value)
        found = np.where(open_ & ahead, ends, found)
        open_ &= ~ahead
    return found


def many_finest_neighbours(feature: Feature, x0: Array, x: Array) -> Array:
    """`finest_neighbours` of many plans, (3, n); who has fewer has the last one again."""
    before, value, unit = feature.real(x0), feature.real(x), 10.0**-feature.decimals
    below = np.floor(value / unit + GRID_TOLERANCE) * unit
    above = np.ceil(value / unit - GRID_TOLERANCE) * unit
    nearer = np.where(before < value, below - unit, above + unit)
    near = (np.round(end, 10) for end in (below, above, nearer))
    sides = [within_range(feature, end, value, before) for end in near]
    ends, ahead = _ahead(sides, before, value)
    return np.where(ahead, ends, before)


def _ahead(sides: list[Array], before: Array, value: Array) -> tuple[Array, Mask]:
    """The sides on the way from `before` to `value`, nearest first, and who has any.

    Who has fewer has the last one again.
    """
    ends = np.stack(sides)
    ahead = (ends - before) * (value - before) > 0
    distance = np.where(ahead, np.abs(ends - before), np.inf)
    order = np.argsort(distance, axis=0, kind="stable")
    ends = np.take_along_axis(ends, order, axis=0)
    last = np.maximum(ahead.sum(axis=0) - 1, 0)
    places = np.minimum(np.arange(len(sides))[:, None], last)
    some: Mask = np.asarray(ahead.any(axis=0))
    return np.take_along_axis(ends, places, axis=0), some
