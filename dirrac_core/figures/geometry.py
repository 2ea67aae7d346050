"""The paper's Figure 2 for any two columns: boundaries, robust margins, budget, feasible set."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from dirrac_core.arrays import Array
from dirrac_core.feasible.slices import Slice, Window
from dirrac_core.figures.axes import Axis, real_ticks
from dirrac_core.figures.geometry_layers import (
    Landmark,
    click_target_trace,
    coordinates,
    landmark_trace,
    level_traces,
    limit_shapes,
    path_trace,
    region_traces,
    rule_traces,
)
from dirrac_core.figures.palette import described, new_figure
from dirrac_core.robustness import Objective


def geometry(
    plane: Slice,
    axes: tuple[Axis, Axis],
    landmarks: Sequence[Landmark] = (),
    path: Sequence[Array] = (),
    levels: Objective | None = None,
    names: tuple[str, ...] | None = None,
    click_targets: int = 0,
    window: Window | None = None,
    theme: str = "light",
) -> go.Figure:
    """One slice of the feasible set with its boundaries, margins, budget and points.

    Dashed lines are θ̂_kᵀx = 0, solid curves of the same colour θ̂_kᵀx = ρ_k‖x‖ + ε, the dotted
    outline is the budget, dash-dotted lines are linear rules (today's model is one), the shaded
    area is the feasible set with its true boundary. `path` are the points of Algorithm 1 (D,),
    `levels` draws level lines of that worst-case probability, and `click_targets` puts so many
    invisible markers along each axis, for pages that let one click anywhere. A landmark outside
    the slice is drawn hollow. Axes have equal scale.
    """
    shown = window or view_window(plane, [*(mark.x for mark in landmarks), *path])
    figure = new_figure(theme)
    if click_targets:
        figure.add_trace(click_target_trace(shown, click_targets))
    if levels is not None:
        figure.add_traces(level_traces(plane, levels, shown, theme))
    figure.add_traces(region_traces(plane, shown, names, theme))
    figure.add_traces(rule_traces(plane, shown, theme))
    if len(path):
        figure.add_trace(path_trace(plane, path, theme))
    for mark in landmarks:
        figure.add_trace(landmark_trace(plane, axes, mark, theme))
    figure.update_layout(
        height=560,
        xaxis={
            **real_ticks(axes[0], *shown[:2]),
            "range": shown[:2],
            "constrain": "domain",
            "showgrid": False,
        },
        yaxis={
            **real_ticks(axes[1], *shown[2:]),
            "range": shown[2:],
            "constrain": "domain",
            "scaleanchor": "x",
            "scaleratio": 1,
            "showgrid": False,
        },
        legend={"groupclick": "togglegroup"},
        shapes=limit_shapes(plane, shown, theme),
    )
    return described(figure, _alt(plane, axes, landmarks, len(path)))


def view_window(plane: Slice, points: Sequence[Array], border: float = 0.08) -> Window:
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
    pad = border * longest
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
            f"{axis.told(float(low))} to {axis.words(axis.to_real(float(high)))}"
            for axis, low, high in ends
        )
        parts.append(f"The feasible set reaches from {spans}.")
    for mark in landmarks:
        parts.append(f"{mark.title}: {', '.join(coordinates(plane, axes, mark.x))}.")
    if steps:
        parts.append(f"The path of Algorithm 1 has {steps} points.")
    return " ".join(parts)
