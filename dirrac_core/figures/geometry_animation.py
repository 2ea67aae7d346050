"""The geometry figure over growing ρ: every frame is ready before it plays, nothing is solved."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dirrac_core.arrays import Array, frozen_array
from dirrac_core.errors import InvalidInput
from dirrac_core.feasible.slices import Slice, Window
from dirrac_core.figures.axes import Axis
from dirrac_core.figures.geometry import geometry, view_window
from dirrac_core.figures.geometry_layers import Landmark, landmark_trace, moved, moving_traces
from dirrac_core.figures.palette import BACKGROUND, INK, MUTED_INK, alt_text, described

FRAME_MILLISECONDS = 140


def geometry_over_radius(
    plane: Slice,
    axes: tuple[Axis, Axis],
    radii: Sequence[float],
    landmarks: Sequence[Landmark] = (),
    plans: Sequence[Array | None] | None = None,
    names: tuple[str, ...] | None = None,
    window: Window | None = None,
    theme: str = "light",
) -> go.Figure:
    """The figure with a play button and a slider over `radii`; the budget stays as it is.

    Each radius is the largest ρ_k; the others keep their ratio to it. `plans`, one a radius
    (None: there is none), moves the certified plan along. The first frame is what one sees first.
    """
    steps = frozen_array("radii", radii, (None,))
    if plans is not None and len(plans) != steps.size:
        message = f"There must be one plan a radius, got {len(plans)} for {steps.size} radii"
        raise InvalidInput(message)
    own = plane.feasible.radii
    profile = own / own.max() if own.any() else np.ones_like(own)
    slices = [plane.with_radii(rho * profile) for rho in steps]
    seen = [mark.x for mark in landmarks] + [x for x in plans or () if x is not None]
    shown = window or view_window(plane, seen)
    figure = geometry(slices[0], axes, landmarks, names=names, window=shown, theme=theme)
    moving = moving_traces(plane.feasible.mixture.components)
    if plans is not None:
        moving.append(len(figure.data))
        figure.add_trace(_plan(slices[0], axes, plans[0], theme))
    frames = []
    for index, (rho, part) in enumerate(zip(steps, slices, strict=True)):
        data = moved(part, shown)
        if plans is not None:
            data.append(_plan(part, axes, plans[index], theme))
        frames.append({"name": _label(rho), "data": data, "traces": moving})
    figure.frames = frames
    figure.update_layout(height=640, sliders=[_slider(steps, theme)], updatemenus=[_buttons(theme)])
    empty = [float(rho) for rho, part in zip(steps, slices, strict=True) if not part.outlines]
    told = (
        f"From ρ = {min(empty):.3g} on no feasible point is left in this slice."
        if empty
        else "The feasible set is not empty at any of them."
    )
    alt = (
        f"{alt_text(figure)} An animation over {steps.size} radii from ρ = {steps[0]:.3g} to "
        f"{steps[-1]:.3g}: the robust margins move away from the boundaries. {told}"
    )
    return described(figure, alt)


def _plan(part: Slice, axes: tuple[Axis, Axis], x: Array | None, theme: str) -> go.Scatter:
    """The plan's marker; a missing plan keeps its place among the traces, unseen."""
    trace = landmark_trace(part, axes, Landmark("plan", part.base if x is None else x), theme)
    if x is None:
        trace.update(x=[None], y=[None])
    return trace


def _label(rho: float) -> str:
    return f"{rho:.3g}"


def _slider(steps: Array, theme: str) -> dict[str, Any]:
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
        "x": 0.4,
        "len": 0.6,
        "pad": {"t": 42, "b": 4},
        "steps": [
            {
                "label": _label(rho),
                "method": "animate",
                "args": [[_label(rho)], {**jump, "transition": {"duration": 0}}],
            }
            for rho in steps
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
