"""What validity costs: each method's plans by cost and by how many future models accept them."""

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dirrac_core.figures.lines import check_columns, interval_bars, series_style
from dirrac_core.figures.palette import described, new_figure

ROWS = "rows"


def frontier(
    table: pd.DataFrame,
    cost: str = "cost_l1",
    value: str = "m2",
    interval: tuple[str, str] | None = ("m2_low", "m2_high"),
    value_title: str = "future models that accept the plan, in 100",
    cost_title: str = "cost of the plan (ℓ1)",
    parameters: dict[str, str] | None = None,
    theme: str = "light",
) -> go.Figure:
    """A line with markers for a method with several rows, a single marker for one row.

    `table` has a row a plan or average: "method", "parameter" (NaN: it has none), the `cost`, the
    `value` in [0, 1] and the two ends of its `interval`. `parameters` maps a method to the symbol
    of its parameter, for the hover. Rows without a value are left out and counted in the
    description. Every marker carries the number of its row, for pages that load the plan clicked.
    """
    check_columns(table, ("method", "parameter", cost, value, *(interval or ())))
    rows = table.assign(**{ROWS: np.arange(len(table))})
    drawn = rows[np.isfinite(rows[cost]) & np.isfinite(rows[value])]
    figure = new_figure(theme)
    for index, method in enumerate(dict.fromkeys(rows["method"])):
        part = drawn[drawn["method"] == method].sort_values("parameter")
        if not part.empty:
            symbol = (parameters or {}).get(method, "parameter")
            figure.add_trace(_method(index, method, part, cost, value, interval, symbol))
    figure.update_layout(
        height=460,
        xaxis={"title": cost_title, "rangemode": "tozero"},
        yaxis={"title": value_title, "range": _range(drawn, value, interval)},
    )
    return described(figure, _alt(drawn, cost, value, value_title, len(rows) - len(drawn)))


def _method(
    index: int,
    method: str,
    part: pd.DataFrame,
    cost: str,
    value: str,
    interval: tuple[str, str] | None,
    symbol: str,
) -> go.Scatter:
    single = len(part) == 1
    centre = 100.0 * part[value].to_numpy(dtype=np.float64)
    bars: dict[str, Any] | None = None
    if interval is not None:
        low, high = (100.0 * part[end].to_numpy(dtype=np.float64) for end in interval)
        bars = interval_bars(index, centre, low, high)
    told = [
        f"<b>{method}</b>" + (f"<br>{symbol} = {p:.3g}" if np.isfinite(p) else "")
        for p in part["parameter"]
    ]
    return go.Scatter(
        x=part[cost],
        y=centre,
        error_y=bars,
        mode="markers" if single else "lines+markers",
        **series_style(index, 12 if single else 8),
        # A click selects a mark; the others must stay as they are.
        unselected={"marker": {"opacity": 1.0}},
        name=method,
        text=told,
        customdata=part[ROWS],
        hovertemplate="%{text}<br>cost %{x:.2f}<br>%{y:.0f} in 100<extra></extra>",
    )


def _range(drawn: pd.DataFrame, value: str, interval: tuple[str, str] | None) -> list[float]:
    """From a little below the lowest mark to just above 100, so that near-perfect plans differ."""
    ends = [value, *(interval or ())]
    lowest = 100.0 * float(np.nanmin(drawn[ends].to_numpy(dtype=np.float64))) if len(drawn) else 0.0
    return [max(lowest - 0.08 * (100.0 - lowest) - 1.0, -2.0), 102.0]


def _alt(drawn: pd.DataFrame, cost: str, value: str, value_title: str, missing: int) -> str:
    parts = [f"Cost against {value_title}."]
    for method in dict.fromkeys(drawn["method"]):
        part = drawn[drawn["method"] == method].sort_values(cost)
        first, last = part.iloc[0], part.iloc[-1]
        words = f"{method}: {100 * first[value]:.0f} in 100 at cost {first[cost]:.2f}"
        if len(part) > 1:
            words += f", {100 * last[value]:.0f} in 100 at cost {last[cost]:.2f}"
        parts.append(f"{words}.")
    if missing:
        rows = "1 row has" if missing == 1 else f"{missing} rows have"
        parts.append(f"{rows} no plan and cannot be drawn.")
    return " ".join(parts)
