"""Margins in which axes and legend fit.

Where they do not fit, plotly makes the room itself, by drawing the whole picture a second time. So
these may be a little too large, and never have to be exact.
"""

import math
from collections.abc import Collection, Iterable

# Pixels: a character of the type in use, and what a name in a legend takes besides its characters.
CHARACTER, AROUND_NAME = 7.5, 55.0
LEGEND_ROW, ABOVE_LEGEND = 20, 40
# Titles, distances and the ends of the words of an axis.
BESIDE_LEFT_AXIS, BELOW = 46, 62


def axis_margins(words: Iterable[str] = ("100",)) -> dict[str, int]:
    """Room for two titled axes, the left one with these words at its ticks."""
    longest = max(map(len, words), default=0)
    return {"l": BESIDE_LEFT_AXIS + round(CHARACTER * longest), "b": BELOW}


def legend_margin(names: Collection[str], width: float) -> dict[str, int]:
    """Room for a legend above a picture of about that width; its columns are equally wide."""
    column = AROUND_NAME + CHARACTER * max(map(len, names), default=0)
    rows = math.ceil(len(names) / max(1, int(width / column)))
    return {"t": ABOVE_LEGEND + LEGEND_ROW * rows}
