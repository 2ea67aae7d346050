"""Where the names of points stand: above or below them, clear of each other and of marks.

Nobody here knows how wide the picture will be: what is clear on a phone is clear everywhere.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array

# In pixels: how wide the picture is on a phone, and a letter.
NARROW, LETTER = 280.0, 5.5
# From one name to the next, and from a name to a mark.
LINE, CLEAR = 16.0, 14.0
# A name stands so much further away rather than on another one, on a mark, or across a line.
ON_A_NAME, ON_A_MARK, ON_A_LINE = 1e4, 100.0, 50.0
# Above or below its own mark, the nearest first.
STEPS = np.array([side * float(far) for far in range(18, 286, 4) for side in (-1, 1)])

Mask = npt.NDArray[np.bool_]


def name_rows(
    across: Array, down: Array, names: Sequence[str], leftward: Mask, top: float, bottom: float
) -> Array:
    """The height of each name, in pixels downwards, from `top` to `bottom`.

    `across` (n,) are the points' places as shares of the width, `down` (n,) their heights. A line
    leads from a point to its name, which goes to the right, or to the left where `leftward`. No
    two names share a line of text. Those that reach over other points come last: whoever has a
    place already has the shorter line.
    """
    at = NARROW * across
    widths = LETTER * np.array([len(name) for name in names])
    left, right = np.where(leftward, at - widths, at), np.where(leftward, at, at + widths)
    rows = np.full(at.size, np.nan)
    placed: list[int] = []
    for k in np.argsort(np.where(leftward, at, -at), kind="stable"):
        free = down[k] + STEPS
        free = free[(free >= top) & (free <= bottom), None]
        before = np.array(placed, dtype=np.intp)
        marks = (at >= left[k] - CLEAR / 2) & (at <= right[k] + CLEAR / 2)
        behind = before[(left[k] < at[before]) & (at[before] < right[k])]
        across_it = before[(left[before] < at[k]) & (at[k] < right[before])]
        trouble = np.abs(free - down[k])[:, 0]
        for weight, hits in (
            (ON_A_NAME, np.abs(free - rows[before]) < LINE),
            (ON_A_MARK, np.abs(free - down[marks]) < CLEAR),
            (ON_A_LINE, _between(free, rows[behind], down[behind])),
            (ON_A_LINE, _between(rows[across_it], free, down[k])),
        ):
            trouble += weight * hits.sum(axis=1)
        rows[k] = free[np.argmin(trouble), 0]
        placed.append(int(k))
    return rows


def _between(here: Array, one: Array, other: Array) -> Mask:
    inside: Mask = (np.minimum(one, other) < here) & (here < np.maximum(one, other))
    return inside
