"""Pictures of what the mathematics promises: the certificate closing in, and effort over ρ."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dirrac_core.figures.drawing.lines import measured_line
from dirrac_core.figures.drawing.palette import FAVOURABLE, UNFAVOURABLE, described, new_figure

HEIGHT = 340


def certificate_lines(table: pd.DataFrame, theme: str = "light") -> go.Figure:
    """Value and lower bound of `certificates` against the requested gap, which shrinks."""
    figure = new_figure(theme)
    rows = table.assign(step=range(len(table)))
    hover = "%{y:.4f} in 100"
    for index, (name, column) in enumerate(
        (("Proven lower bound", "lower_bound"), ("Worst case of the plan", "value"))
    ):
        figure.add_trace(measured_line(index, name, rows, "step", column, None, 100.0, hover))
    figure.update_layout(
        height=HEIGHT,
        xaxis={
            "title": "target gap, of 100",
            "tickvals": list(rows["step"]),
            "ticktext": [f"{100 * asked:g}" for asked in rows["asked"]],
        },
        yaxis={"title": "fail, in 100"},
    )
    first, last = table.iloc[0], table.iloc[-1]
    alt = (
        "As the target gap shrinks, the lower bound goes from "
        f"{100 * first['lower_bound']:.2f} to {100 * last['lower_bound']:.2f} in 100 and the "
        f"plan's worst case from "
        f"{100 * first['value']:.2f} to {100 * last['value']:.2f}."
    )
    return described(figure, alt)


def effort_lines(table: pd.DataFrame, rho: float, effort: float, theme: str = "light") -> go.Figure:
    """δ_min over ρ up to the ceiling, with the point (rho, effort) marked; infinite: a cross."""
    figure = new_figure(theme)
    drawn = table[np.isfinite(table["effort"])]
    hover = "ρ = %{x:.3g}<br>effort %{y:.3g}"
    name = "Effort of the cheapest valid plan"
    figure.add_trace(measured_line(0, name, drawn, "rho", "effort", None, 1.0, hover))
    ceiling, top = float(drawn["rho"].max()), float(drawn["effort"].max())
    found = bool(np.isfinite(effort))
    figure.add_scatter(
        x=[rho],
        y=[effort if found else top],
        mode="markers",
        name="ρ chosen" if found else "ρ chosen: no plan",
        marker={
            "size": 15,
            "symbol": "circle-open" if found else "x",
            "color": FAVOURABLE if found else UNFAVOURABLE,
            "line": {"width": 2.5},
        },
        hoverinfo="skip",
    )
    figure.update_layout(
        height=HEIGHT,
        xaxis={"title": "radius of doubt ρ", "range": [0.0, float(table["rho"].max())]},
        yaxis={"title": "δ_min", "rangemode": "tozero"},
    )
    alt = (
        f"The effort of the cheapest valid plan rises from {drawn['effort'].iloc[0]:.3g} at ρ = 0 "
        f"to {top:.3g} near the ceiling, ρ = {ceiling:.3g}. "
        + (f"At ρ = {rho:.3g} it is {effort:.3g}." if found else f"At ρ = {rho:.3g} there is none.")
    )
    return described(figure, alt)
