"""The elbow: how the spread inside groups of future models falls with the number of groups."""

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from dirrac_core.arrays import frozen_array
from dirrac_core.errors import InvalidInput
from dirrac_core.figures.drawing.palette import FAVOURABLE, MUTED_INK, described, new_figure


def elbow(distortions: npt.ArrayLike, chosen: int, theme: str = "light") -> go.Figure:
    """The K-means distortion for K = 1, 2, …, as a share of that of K = 1, and the chosen K."""
    curve = frozen_array("distortions", distortions, (None,))
    if not 1 <= chosen <= curve.size:
        raise InvalidInput(f"The chosen K must be from 1 to {curve.size}, got {chosen}")
    if curve[0] <= 0.0:
        raise InvalidInput(f"The distortion of K = 1 must be > 0, got {curve[0]:g}")
    share = 100.0 * curve / curve[0]
    k = np.arange(1, curve.size + 1)
    figure = new_figure(theme)
    figure.add_scatter(
        x=k[[0, -1]],
        y=share[[0, -1]],
        mode="lines",
        line={"color": MUTED_INK[theme], "width": 1, "dash": "dot"},
        hoverinfo="skip",
        showlegend=False,
    )
    figure.add_scatter(
        x=k,
        y=share,
        mode="lines+markers",
        line={"color": FAVOURABLE, "width": 2},
        marker={"size": 7},
        hovertemplate="K = %{x}: %{y:.0f} % of the spread stays inside the groups<extra></extra>",
        showlegend=False,
    )
    figure.add_scatter(
        x=[chosen],
        y=[share[chosen - 1]],
        mode="markers+text",
        marker={
            "size": 15,
            "symbol": "circle-open",
            "color": FAVOURABLE,
            "line": {"width": 2.5},
        },
        text=[f"<b>K = {chosen}</b>"],
        textposition="top right",
        hoverinfo="skip",
        showlegend=False,
    )
    figure.update_layout(
        height=320,
        margin={"t": 16},
        xaxis={"title": "number of components K", "dtick": 1, "showgrid": False},
        yaxis={
            "title": "spread left inside the groups",
            "rangemode": "tozero",
            "ticksuffix": " %",
        },
    )
    alt = (
        f"The spread inside K groups of future models falls from 100 % at K = 1 to "
        f"{share[chosen - 1]:.0f} % at the chosen K = {chosen} and {share[-1]:.0f} % at "
        f"K = {curve.size}."
    )
    return described(figure, alt)
