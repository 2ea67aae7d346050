"""The geometry figure over growing ρ: every frame is ready before it plays, nothing is solved."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dirrac_core.arrays import Array
from dirrac_core.errors import InvalidInput
from dirrac_core.figures.drawing.palette import BACKGROUND, INK, MUTED_INK, alt_text, described
from dirrac_core.figures.drawing.sketch import Trace
from dirrac_core.figures.plane.curve_labels import label_data, label_places
from dirrac_core.figures.plane.geometry import extended, geometry, view_window
from dirrac_core.figures.plane.geometry_layers import condition_traces, moved, named_curves
from dirrac_core.figures.plane.geometry_marks import (
    PLAN,
    Landmark,
    landmark_boxes,
    landmark_trace,
)
from dirrac_core.geometry.axes import Axis
from dirrac_core.geometry.conics import Window
from dirrac_core.geometry.radius_frames import RadiusFrame
from dirrac_core.wording import at_most

FRAME_MILLISECONDS = 320


def geometry_over_radius(
    frames: Sequence[RadiusFrame],
    axes: tuple[Axis, Axis],
    landmarks: Sequence[Landmark] = (),
    names: tuple[str, ...] | None = None,
    theme: str = "light",
) -> go.Figure:
    """The figure with a play button and a slider over the radii of the frames.

    Set, margins, budget and plan move together; a frame without a plan has no star. The first
    frame is what one sees first.
    """
    if not frames:
        raise InvalidInput("An animation needs at least one frame, got none")
    first = frames[0]
    shown = _window(frames, [mark.x for mark in landmarks])
    drawn = extended(shown)
    figure = geometry(first.plane, axes, landmarks, names=names, window=shown, theme=theme)
    conditions = len(condition_traces(first.plane, drawn, names, theme))
    labels = len(figure.data) - 1
    figure.add_trace(_plan(first, axes, theme))
    moving = [*range(conditions), labels, labels + 1]
    curves = named_curves(first.plane, drawn, names, theme, compact=False)
    places = label_places(curves, shown, landmark_boxes(first.plane, landmarks, shown))
    figure.frames = [
        {
            "name": _label(frame.radius),
            "traces": moving,
            "data": [
                *moved(frame.plane, drawn),
                label_data(
                    named_curves(frame.plane, drawn, names, theme, compact=False), places, shown
                ),
                _plan(frame, axes, theme),
            ],
        }
        for frame in frames
    ]
    figure.update_layout(sliders=[_slider(frames, theme)], updatemenus=[_buttons(theme)])
    return described(figure, f"{alt_text(figure)} {_alt(frames)}")


def _window(frames: Sequence[RadiusFrame], points: Sequence[Array]) -> Window:
    """What all frames need; one without a plan has no budget to show."""
    seen = [
        view_window(frame.plane, [*points, frame.plan])
        for frame in frames
        if frame.plan is not None
    ]
    ends = np.array(seen or [view_window(frames[0].plane, points)])
    low, high = ends.min(axis=0), ends.max(axis=0)
    return float(low[0]), float(high[1]), float(low[2]), float(high[3])


def _plan(frame: RadiusFrame, axes: tuple[Axis, Axis], theme: str) -> Trace:
    """The plan's marker; a missing plan keeps its place among the traces, unseen."""
    x = frame.plane.base if frame.plan is None else frame.plan
    name = None if frame.plan is None else f"Plan: {at_most(frame.worst_case)} decline"
    trace = landmark_trace(frame.plane, axes, Landmark(PLAN, x, name), theme)
    if frame.plan is None or not frame.plane.outlines:
        trace.update(x=[None], y=[None])
    return trace


def _alt(frames: Sequence[RadiusFrame]) -> str:
    empty = [frame.radius for frame in frames if not frame.plane.outlines]
    end = (
        f"From ρ = {min(empty):.3g} on no feasible point is left in this slice."
        if empty
        else "The feasible set is not empty at any of them."
    )
    return (
        f"An animation over {len(frames)} radii from ρ = {frames[0].radius:.3g} to "
        f"{frames[-1].radius:.3g}: margins, budget, set and plan move together. {end}"
    )


def _label(rho: float) -> str:
    return f"{rho:.3g}"


def _slider(frames: Sequence[RadiusFrame], theme: str) -> dict[str, Any]:
    jump = {"mode": "immediate", "frame": {"duration": 0, "redraw": True}}
    return {
        "currentvalue": {
            "prefix": "ρ = ",
            "xanchor": "right",
            "font": {"color": INK[theme], "size": 15},
        },
        "font": {"color": MUTED_INK[theme], "size": 12},
        "bordercolor": MUTED_INK[theme],
        "bgcolor": MUTED_INK[theme],
        "activebgcolor": INK[theme],
        "tickcolor": MUTED_INK[theme],
        "ticklen": 4,
        "x": 0.25,
        "len": 0.75,
        "pad": {"t": 42, "b": 4},
        "steps": [
            {
                "label": _label(frame.radius),
                "method": "animate",
                "args": [[_label(frame.radius)], {**jump, "transition": {"duration": 0}}],
            }
            for frame in frames
        ],
    }


def _buttons(theme: str) -> dict[str, Any]:
    play = {
        "fromcurrent": True,
        "frame": {"duration": FRAME_MILLISECONDS, "redraw": True},
        "transition": {"duration": 0},
    }
    stop = {"mode": "immediate", "frame": {"duration": 0, "redraw": True}}
    return {
        "type": "buttons",
        "direction": "left",
        "showactive": False,
        "x": 0.0,
        "xanchor": "left",
        "y": 0.0,
        "yanchor": "top",
        "pad": {"t": 56, "r": 8},
        "bgcolor": BACKGROUND[theme],
        "bordercolor": MUTED_INK[theme],
        "font": {"color": INK[theme]},
        "buttons": [
            {"label": "Play", "method": "animate", "args": [None, play]},
            {"label": "Pause", "method": "animate", "args": [[None], stop]},
        ],
    }
