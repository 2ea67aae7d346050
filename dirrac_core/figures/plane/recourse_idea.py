"""The idea in one picture: why a plan at today's boundary breaks and a robust plan holds."""

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from dirrac_core.arrays import Array, frozen_array
from dirrac_core.figures.drawing.palette import (
    BACKGROUND,
    FAVOURABLE,
    INK,
    MUTED_INK,
    UNFAVOURABLE,
    described,
    new_figure,
    translucent,
)
from dirrac_core.figures.drawing.sketch import Trace, curve, scatter
from dirrac_core.figures.drawing.ticks import real_ticks
from dirrac_core.geometry.axes import Axis
from dirrac_core.geometry.conics import Window, line_across
from dirrac_core.geometry.plane_region import PlaneRegion
from dirrac_core.robustness import checked_applicant

BORDER = 0.22
ARROW_STANDOFF = 10


def recourse_idea(
    x0: npt.ArrayLike,
    plain: npt.ArrayLike,
    robust: npt.ArrayLike,
    today: npt.ArrayLike,
    tomorrow: npt.ArrayLike,
    axes: tuple[Axis, Axis],
    theme: str = "light",
) -> go.Figure:
    """An applicant of two features, the plan that just suits today's model, and a robust plan.

    x0 and both plans are (x₁, x₂, 1); `today` is θ (3,) and `tomorrow` (n, 3) are the re-trained
    models whose boundaries are drawn and which are asked about both plans.
    """
    points = {
        name: checked_applicant(name, x, 3)
        for name, x in (("x0", x0), ("plain", plain), ("robust", robust))
    }
    theta = frozen_array("today", today, (3,))
    future = frozen_array("tomorrow", tomorrow, (None, 3))
    declined = {name: int((future @ points[name] < 0.0).sum()) for name in ("plain", "robust")}
    window = _window(np.stack([x[:2] for x in points.values()]))
    figure = new_figure(theme)
    figure.add_traces(_models(theta, future, window, theme))
    n = len(future)
    marks = (
        ("x0", "The applicant", "declined today", UNFAVOURABLE, "x"),
        ("plain", "Plan for today", _count(declined["plain"], n), UNFAVOURABLE, "circle"),
        ("robust", "Robust plan", _count(declined["robust"], n), FAVOURABLE, "star"),
    )
    for name, title, words, colour, symbol in marks:
        x = points[name]
        figure.add_scatter(
            x=[x[0]],
            y=[x[1]],
            mode="markers",
            marker={
                "color": colour,
                "symbol": symbol,
                "size": 15,
                "line": {"color": "#FFFFFF", "width": 1.2},
            },
            hoverinfo="skip",
            name=title,
            showlegend=False,
        )
        figure.add_annotation(
            x=x[0],
            y=x[1],
            text=f"<b>{title}</b><br>{words}",
            align="right",
            xanchor="right",
            yanchor="bottom",
            yshift=-8,
            xshift=-14,
            bgcolor=translucent(BACKGROUND[theme], 0.75),
            font={"size": 14},
        )
    for name in ("plain", "robust"):
        figure.add_annotation(
            x=points[name][0],
            y=points[name][1],
            ax=points["x0"][0],
            ay=points["x0"][1],
            axref="x",
            ayref="y",
            showarrow=True,
            arrowhead=2,
            arrowwidth=1.5,
            arrowcolor=MUTED_INK[theme],
            standoff=ARROW_STANDOFF,
            startstandoff=ARROW_STANDOFF,
            text="",
        )
    figure.update_layout(
        height=460,
        xaxis={
            **real_ticks(axes[0], *window[:2]),
            "range": window[:2],
            "constrain": "domain",
            "showgrid": False,
        },
        yaxis={
            **real_ticks(axes[1], *window[2:]),
            "range": window[2:],
            "constrain": "domain",
            "scaleanchor": "x",
            "showgrid": False,
        },
    )
    alt = (
        "An applicant below today's decision boundary and two plans. The plan that just crosses "
        f"today's boundary is declined by {declined['plain']} of {n} re-trained models; the robust "
        f"plan, further inside the favourable side, by {declined['robust']} of {n}."
    )
    return described(figure, alt)


def _count(declined: int, n: int) -> str:
    return f"{declined} of {n} decline it tomorrow"


def _models(theta: Array, future: Array, window: Window, theme: str) -> list[Trace]:
    """The favourable side of today, its boundary, and every boundary of tomorrow."""
    left, right, bottom, top = window
    box = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0], [-theta[0], -theta[1]]])
    limits = np.array([right, -left, top, -bottom, theta[2]])
    side = PlaneRegion(np.empty((0, 2)), np.empty(0), box, limits).outline()
    gap = np.full((1, 2), np.nan)
    lines = np.vstack(
        [part for row in future for part in (line_across(row[:2], float(row[2]), window), gap)]
    )
    now = line_across(theta[:2], float(theta[2]), window)
    return [
        scatter(
            x=side[:, 0],
            y=side[:, 1],
            mode="none",
            fill="toself",
            fillcolor=translucent(FAVOURABLE, 0.12 if theme == "light" else 0.25),
            name="Accepted today",
            hoverinfo="skip",
        ),
        curve(
            lines,
            {"color": translucent(MUTED_INK[theme], 0.35), "width": 1},
            "Tomorrow's boundaries",
        ),
        curve(now, {"color": INK[theme], "width": 2.5, "dash": "dash"}, "Today's boundary"),
    ]


def _window(points: Array) -> Window:
    """A wide window around the points, with room for their labels on the left."""
    middle = (points.min(axis=0) + points.max(axis=0)) / 2.0
    half = (0.5 + BORDER) * max(float(np.ptp(points, axis=0).max()), 1e-3)
    return (
        float(middle[0] - 1.9 * half),
        float(middle[0] + 1.1 * half),
        float(middle[1] - half),
        float(middle[1] + half),
    )
