"""Lines of measured values: one look per series, with the interval of every mark."""

from typing import Any

import numpy as np
import pandas as pd

from dirrac_core.arrays import Array
from dirrac_core.errors import InvalidInput
from dirrac_core.figures.drawing.palette import (
    COMPONENT_COLOURS,
    COMPONENT_DASHES,
    COMPONENT_SYMBOLS,
    FAVOURABLE,
    UNFAVOURABLE,
)
from dirrac_core.figures.drawing.sketch import Trace, scatter

# What a share counts: the future models that accept, as in the paper, or those that decline.
ACCEPT, DECLINE = "accept", "decline"
SERIES_COLOURS = (FAVOURABLE, UNFAVOURABLE, *COMPONENT_COLOURS)


def series_style(index: int, size: int = 8) -> dict[str, Any]:
    """Line and marker of series `index` (from 0): colour, dash and symbol all differ."""
    colour = SERIES_COLOURS[index % len(SERIES_COLOURS)]
    return {
        "line": {
            "color": colour,
            "width": 2,
            "dash": COMPONENT_DASHES[index % len(COMPONENT_DASHES)],
        },
        "marker": {
            "color": colour,
            "size": size,
            "symbol": COMPONENT_SYMBOLS[index % len(COMPONENT_SYMBOLS)],
        },
    }


def interval_bars(index: int, centre: Array, low: Array, high: Array) -> dict[str, Any]:
    """Error bars from `low` to `high`; none at a mark whose interval is not known (NaN)."""
    return {
        "type": "data",
        "symmetric": False,
        "array": np.maximum(high - centre, 0.0),
        "arrayminus": np.maximum(centre - low, 0.0),
        "thickness": 1.2,
        "width": 4,
        "color": SERIES_COLOURS[index % len(SERIES_COLOURS)],
    }


def measured_line(
    index: int,
    name: str,
    part: pd.DataFrame,
    across: str,
    value: str,
    interval: tuple[str, str] | None,
    unit: float,
    hover: str,
) -> Trace:
    """One series: `value` times `unit` against `across`, in the order of `across`."""
    rows = part.sort_values(across)
    centre = unit * rows[value].to_numpy(dtype=np.float64)
    bars: dict[str, Any] | None = None
    if interval is not None:
        low, high = (unit * rows[end].to_numpy(dtype=np.float64) for end in interval)
        bars = interval_bars(index, centre, low, high)
    return scatter(
        x=rows[across],
        y=centre,
        error_y=bars,
        mode="lines+markers",
        cliponaxis=False,
        name=name,
        hovertemplate=f"<b>{name}</b><br>{hover}<extra></extra>",
        **series_style(index, size=7),
    )


def declining(table: pd.DataFrame, share: str, low: str, high: str) -> pd.DataFrame:
    """The table with the share that declines in the place of the share that accepts."""
    ends = {low: 1.0 - table[high], high: 1.0 - table[low]}
    return table.assign(**{share: 1.0 - table[share]}, **ends)


def check_columns(table: pd.DataFrame, columns: tuple[str, ...]) -> None:
    """Refuse a table without one of the columns a figure reads."""
    for column in columns:
        if column not in table.columns:
            raise InvalidInput(
                f"The table needs a column {column!r}, got {', '.join(table.columns)}"
            )
