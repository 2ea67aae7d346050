"""What validity costs: each method's plans by cost and by how many future models decide how."""

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dirrac_core.figures.drawing.lines import (
    SERIES_COLOURS,
    check_columns,
    interval_bars,
    series_style,
)
from dirrac_core.figures.drawing.margins import axis_margins, legend_margin
from dirrac_core.figures.drawing.palette import described, new_figure, translucent
from dirrac_core.figures.drawing.sketch import Trace, scatter
from dirrac_core.studies.staircase import EFFICIENT, LEGAL

ROWS = "rows"
FADED = 0.35
HEIGHT = 460
# About as wide as it is drawn, for the rows of the legend.
WIDTH = 600
ACCEPTING = "future models that accept the plan, of 100"


def frontier(
    table: pd.DataFrame,
    cost: str = "cost_l1",
    value: str = "m2",
    interval: tuple[str, str] | None = ("m2_low", "m2_high"),
    value_title: str = ACCEPTING,
    cost_title: str = "cost of the plan (ℓ1)",
    parameters: dict[str, str] | None = None,
    theme: str = "light",
) -> go.Figure:
    """The efficient plans of every method as steps; dominated plans faded, illegal ones hollow.

    `table` has one row per plan or average: "method", "parameter" (NaN: it has none), the `cost`,
    the `value` in [0, 1] and its `interval`, and whether it is "legal" and "efficient" (see
    `with_steps`). `parameters` maps a method to the symbol of its parameter, for the hover. Rows
    without a value are left out and counted in the description. Every marker carries the number of
    its row, for pages that load the plan clicked. Steps begin at a method's cheapest plan and end
    at its most expensive efficient one: there is no line where it has no plan.
    """
    check_columns(table, ("method", "parameter", cost, value, LEGAL, EFFICIENT, *(interval or ())))
    rows = table.assign(**{ROWS: np.arange(len(table))})
    drawn = rows[np.isfinite(rows[cost]) & np.isfinite(rows[value])]
    ordered = drawn.sort_values([cost, "parameter"])
    parts = {str(method): part for method, part in ordered.groupby("method", sort=False)}
    traces = []
    for index, method in enumerate(dict.fromkeys(rows["method"])):
        part = parts.get(method)
        if part is not None:
            symbol = (parameters or {}).get(method, "parameter")
            best = part[part[EFFICIENT]]
            if len(best) > 1:
                traces.append(_steps(index, method, best, cost, value))
            traces.append(_marks(index, method, part, cost, value, interval, symbol))
    figure = new_figure(theme)
    figure.add_traces(traces)
    figure.update_layout(
        height=HEIGHT,
        margin={**axis_margins(), **legend_margin(parts, WIDTH)},
        legend={"groupclick": "togglegroup"},
        xaxis={"title": cost_title, "rangemode": "tozero"},
        # Always the whole scale, so that pictures can be compared.
        yaxis={"title": value_title, "range": [-2.0, 102.0]},
    )
    present = {method: parts[method] for method in dict.fromkeys(drawn["method"])}
    return described(figure, _alt(present, cost, value, value_title, len(rows) - len(drawn)))


def _steps(index: int, method: str, best: pd.DataFrame, cost: str, value: str) -> Trace:
    """The staircase of the efficient plans."""
    return scatter(
        x=best[cost].to_numpy(),
        y=100.0 * best[value].to_numpy(dtype=np.float64),
        mode="lines",
        line={**series_style(index)["line"], "shape": "hv"},
        name=f"{method}: steps",
        legendgroup=method,
        showlegend=False,
        hoverinfo="skip",
    )


def _marks(
    index: int,
    method: str,
    part: pd.DataFrame,
    cost: str,
    value: str,
    interval: tuple[str, str] | None,
    symbol: str,
) -> Trace:
    centre = 100.0 * part[value].to_numpy(dtype=np.float64)
    efficient = part[EFFICIENT].to_numpy(dtype=bool)
    legal = part[LEGAL].to_numpy(dtype=bool)
    bars: dict[str, Any] | None = None
    if interval is not None:
        # Bars around every mark would hide the steps.
        low, high = (100.0 * part[end].to_numpy(dtype=np.float64) for end in interval)
        low, high = np.where(efficient, low, np.nan), np.where(efficient, high, np.nan)
        bars = interval_bars(index, centre, low, high)
    style = series_style(index)["marker"]
    colour = SERIES_COLOURS[index % len(SERIES_COLOURS)]
    size = 12 if len(part) == 1 else 10
    return scatter(
        x=part[cost].to_numpy(),
        y=centre,
        error_y=bars,
        mode="markers",
        marker={
            # The colour itself fades: an opacity would be lost once a mark is chosen.
            "color": [
                colour if e or not ok else translucent(colour, FADED)
                for e, ok in zip(efficient, legal, strict=True)
            ],
            "symbol": [style["symbol"] if ok else f"{style['symbol']}-open" for ok in legal],
            "size": size,
            "line": {"width": [0 if ok else 2 for ok in legal], "color": colour},
        },
        # A click selects a mark; the others must stay as they are.
        unselected={"marker": {"opacity": 1.0}},
        name=method,
        legendgroup=method,
        text=[
            _hover(method, symbol, float(p), bool(e), bool(ok))
            for p, e, ok in zip(part["parameter"], efficient, legal, strict=True)
        ],
        customdata=part[ROWS].to_numpy(),
        hovertemplate="%{text}<br>effort %{x:.2f}<br>%{y:.0f} of 100<extra></extra>",
    )


def _hover(method: str, symbol: str, parameter: float, efficient: bool, legal: bool) -> str:
    words = f"<b>{method}</b>"
    if np.isfinite(parameter):
        words += f"<br>{symbol} = {parameter:.3g}"
    if not legal:
        return f"{words}<br>breaks a rule"
    return words if efficient else f"{words}<br>beaten by another of its plans"


def _alt(
    drawn: dict[str, pd.DataFrame], cost: str, value: str, value_title: str, missing: int
) -> str:
    parts = [f"Effort against {value_title}."]
    for method, mine in drawn.items():
        best = mine[mine[EFFICIENT]]
        if best.empty:
            parts.append(f"{method}: no plan that keeps every rule.")
            continue
        first, last = best.iloc[0], best.iloc[-1]
        words = f"{method}: {100 * first[value]:.0f} of 100 at effort {first[cost]:.2f}"
        if len(best) > 1:
            words += f", {100 * last[value]:.0f} of 100 at effort {last[cost]:.2f}"
        broken = int((~mine[LEGAL]).sum())
        if broken:
            words += f"; {broken} of its {len(mine)} plans break a rule"
        parts.append(f"{words}.")
    if missing:
        rows = "1 row has" if missing == 1 else f"{missing} rows have"
        parts.append(f"{rows} no plan and cannot be drawn.")
    return " ".join(parts)
