"""Margins in which axes and legend fit.

Where they do not fit, plotly makes the room itself, by drawing the whole picture a second time. So
these may be a little too large, and never have to be exact.
"""

from collections.abc import Iterable

# Pixels: a character at an axis and in a legend, and what a name there takes besides them.
CHARACTER, NAME_CHARACTER, AROUND_NAME = 7.5, 6.3, 46.0
LEGEND_ROW, ABOVE_LEGEND = 20, 40
# Titles, distances and the ends of the words of an axis.
BESIDE_LEFT_AXIS, BELOW = 46, 62


def axis_margins(words: Iterable[str] = ("100",)) -> dict[str, int]:
    """Room for two titled axes, the left one with these words at its ticks."""
    longest = max(map(len, words), default=0)
    return {"l": BESIDE_LEFT_AXIS + round(CHARACTER * longest), "b": BELOW}


def legend_margin(names: Iterable[str], width: float) -> dict[str, int]:
    """Room for a legend with these names above a picture of about that width."""
    rows, used = 1, 0.0
    for name in names:
        own = AROUND_NAME + NAME_CHARACTER * len(name)
        rows, used = (rows, used + own) if used + own <= width else (rows + 1, own)
    return {"t": ABOVE_LEGEND + LEGEND_ROW * rows}
