"""The paper's Figure 2 for any two columns: boundaries, robust margins, budget, feasible set."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dirrac_core.arrays import Array
from dirrac_core.figures.drawing.margins import axis_margins
from dirrac_core.figures.drawing.palette import described, new_figure
from dirrac_core.figures.drawing.ticks import real_ticks
from dirrac_core.figures.plane.curve_labels import label_places, label_trace
from dirrac_core.figures.plane.geometry_layers import (
    condition_traces,
    level_traces,
    limit_shapes,
    named_curves,
)
from dirrac_core.figures.plane.geometry_marks import (
    PLAN,
    Downhill,
    Landmark,
    coordinates,
    downhill_arrows,
    landmark_boxes,
    landmark_trace,
    named_room,
    path_trace,
    room_trace,
)
from dirrac_core.geometry.axes import Axis
from dirrac_core.geometry.conics import Window
from dirrac_core.geometry.slices import Slice
from dirrac_core.robustness import Objective

HEIGHT = 560
LABEL_SIZE = 13
# A picture wider or higher than its window shows more on that side: curves run this far on.
BEYOND = 1.5
TICKS = 7
# What is left free around a picture, as a share of its longer side.
BORDER = 0.08


def geometry(
    plane: Slice,
    axes: tuple[Axis, Axis],
    landmarks: Sequence[Landmark] = (),
    path: Sequence[Array] = (),
    levels: Objective | None = None,
    names: tuple[str, ...] | None = None,
    window: Window | None = None,
    theme: str = "light",
    room: Array | None = None,
    step: Downhill | None = None,
    height: int = HEIGHT,
    compact: bool = False,
) -> go.Figure:
    """One slice of the feasible set with its boundaries, margins, budget and points.

    Dashed lines are θ̂_kᵀx = 0, solid curves of the same colour θ̂_kᵀx = r_k(x) + ε in the metric
    of the set, the dotted outline is the budget, dash-dotted lines are linear rules (today's model
    is one) and likeness to real people, the shaded area is the feasible set with its true boundary.
    Names stand on the curves. `path` are the points of Algorithm 1 (D,) and `step` its last one,
    `levels` draws level lines of that worst-case probability, and `room` (2, 2) is the box in which
    a plan may move. A landmark outside the slice is drawn hollow; where no point of the slice is
    feasible, no plan is drawn. Axes have equal scale and fill the picture. `compact` is for small
    pictures: numbers instead of names, small marks, fewer ticks.
    """
    marks = [mark for mark in landmarks if plane.outlines or mark.kind != PLAN]
    shown = window or view_window(plane, [*(mark.x for mark in marks), *path])
    drawn = extended(shown)
    figure = new_figure(theme)
    if levels is not None:
        figure.add_traces(level_traces(plane, levels, shown, theme))
    figure.add_traces(condition_traces(plane, drawn, names, theme))
    if room is not None:
        figure.add_trace(room_trace(named_room(room, theme), theme))
    if len(path):
        figure.add_trace(path_trace(plane, path, theme))
    for mark in marks:
        figure.add_trace(landmark_trace(plane, axes, mark, theme, named=not compact))
    curves = named_curves(plane, drawn, names, theme, compact)
    if room is not None and not compact:
        curves.append(named_room(room, theme))
    places = label_places(curves, shown, landmark_boxes(plane, marks, shown))
    figure.add_trace(label_trace(curves, places, shown, LABEL_SIZE, theme))
    up = _scale(axes[1], shown[2:], drawn[2:], compact)
    figure.update_layout(
        height=height,
        showlegend=False,
        margin={"t": 12, **axis_margins(up["ticktext"])},
        xaxis=_scale(axes[0], shown[:2], drawn[:2], compact),
        yaxis={**up, "scaleanchor": "x", "scaleratio": 1},
        shapes=limit_shapes(plane, drawn, theme),
    )
    if step is not None:
        arrows, back = downhill_arrows(plane, step, shown, theme)
        figure.add_trace(back)
        figure.update_layout(annotations=arrows)
    return described(figure, _alt(plane, axes, marks, len(path)))


def extended(window: Window) -> Window:
    """The window with as much again, and half of it, on every side."""
    left, right, bottom, top = window
    dx, dy = BEYOND * (right - left), BEYOND * (top - bottom)
    return left - dx, right + dx, bottom - dy, top + dy


def _scale(
    axis: Axis, shown: tuple[float, ...], drawn: tuple[float, ...], compact: bool
) -> dict[str, Any]:
    """An axis with ticks beyond what is shown at first, at the same distance."""
    most = (TICKS - 3 if compact else TICKS) * (drawn[1] - drawn[0]) / (shown[1] - shown[0])
    return {
        **real_ticks(axis, drawn[0], drawn[1], round(most)),
        "range": shown,
        "constrain": "range",
        "showgrid": False,
    }


def view_window(plane: Slice, points: Sequence[Array]) -> Window:
    """All points and what the budget allows inside the ranges, with a border around them.

    The shorter side is at least half the longer one, so that a locked feature leaves a picture.
    """
    columns = list(plane.columns)
    bounds = plane.feasible.bounds
    ball = np.clip(plane.ball(), bounds.lower[columns], bounds.upper[columns])
    seen = np.vstack([plane.centre, ball, *(np.asarray(p)[columns] for p in points)])
    low, high = seen.min(axis=0), seen.max(axis=0)
    longest = max(float((high - low).max()), 1e-3)
    missing = np.maximum(longest / 2.0 - (high - low), 0.0) / 2.0
    low, high = low - missing, high + missing
    pad = BORDER * longest
    return (
        float(low[0] - pad),
        float(high[0] + pad),
        float(low[1] - pad),
        float(high[1] + pad),
    )


def _alt(
    plane: Slice,
    axes: tuple[Axis, Axis],
    landmarks: Sequence[Landmark],
    steps: int,
) -> str:
    shape = "a diamond" if plane.feasible.cost == "l1" else "an ellipse"
    parts = [
        f"{axes[0].name} across and {axes[1].name} upwards, the other features held. "
        f"The budget is {shape} around the applicant."
    ]
    outlines = plane.outlines
    if not outlines:
        parts.append("No feasible point lies in this slice.")
    elif len(outlines[0]) < 3:
        parts.append("The feasible set is a single point or segment here.")
    else:
        ends = zip(axes, outlines[0].min(axis=0), outlines[0].max(axis=0), strict=True)
        spans = " and ".join(
            f"{axis.place(float(low))} to {axis.words(axis.to_real(float(high)))}"
            for axis, low, high in ends
        )
        parts.append(f"The feasible set reaches from {spans}.")
    for mark in landmarks:
        parts.append(f"{mark.title}: {', '.join(coordinates(plane, axes, mark.x))}.")
    if steps:
        parts.append(f"The path of Algorithm 1 has {steps} points.")
    return " ".join(parts)
