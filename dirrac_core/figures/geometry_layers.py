"""The layers of the geometry figure: each is one or a few plotly traces."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dirrac_core.arrays import Array, checked_choice, frozen_array
from dirrac_core.feasible.slices import Slice, Window
from dirrac_core.figures.axes import Axis
from dirrac_core.figures.palette import (
    FAVOURABLE,
    GRID,
    INK,
    MUTED_INK,
    NEUTRAL,
    UNFAVOURABLE,
    component_colour,
    component_name,
    translucent,
)
from dirrac_core.figures.wording import as_it_is
from dirrac_core.robustness import Objective

# kind → (name, colour, symbol, size)
POINT_KINDS = {
    "applicant": ("Applicant", UNFAVOURABLE, "x", 12),
    "projection": ("Nearest feasible point", NEUTRAL, "square", 10),
    "plan": ("Certified plan", FAVOURABLE, "star", 16),
    "roar": ("ROAR", NEUTRAL, "diamond", 12),
    "what-if": ("What if", NEUTRAL, "cross", 13),
}
# Level lines, in declining models of 100.
LEVELS = (1, 2, 5, 10, 20, 30, 50, 70, 90)
GRID_POINTS = 61
FILL_OPACITY = {"light": 0.22, "dark": 0.45}
CLICK_TARGETS = "click targets"


@dataclass(frozen=True, eq=False)
class Landmark:
    """A point x (D,) to show; kind is a key of POINT_KINDS, `name` replaces its usual name."""

    kind: str
    x: Array
    name: str | None = None

    def __post_init__(self) -> None:
        checked_choice("The kind of a landmark", self.kind, POINT_KINDS)
        object.__setattr__(self, "x", frozen_array("x", self.x, (None,)))

    @property
    def title(self) -> str:
        """The name shown."""
        return self.name or POINT_KINDS[self.kind][0]


def region_traces(
    plane: Slice, window: Window, names: tuple[str, ...] | None, theme: str
) -> list[go.Scatter]:
    """Area, budget, and the boundary and margin of every component, in this order."""
    traces = [_filled(plane, theme), _ball(plane, theme)]
    for k in range(plane.feasible.mixture.components):
        traces += _boundaries(plane, k, window, component_name(k, names))
    return traces


def rule_traces(plane: Slice, window: Window, theme: str) -> list[go.Scatter]:
    """The edges of the linear rules, today's model among them: they bound the area too."""
    lines = plane.rule_lines(window)
    first = {name: index for index, (name, _) in reversed(list(enumerate(lines)))}
    return [
        go.Scatter(
            x=line[:, 0],
            y=line[:, 1],
            mode="lines",
            line={"color": INK[theme], "width": 1.5, "dash": "dashdot"},
            name=name[:1].upper() + name[1:],
            legendgroup=name,
            showlegend=first[name] == index,
            hoverinfo="skip",
        )
        for index, (name, line) in enumerate(lines)
    ]


def moving_traces(components: int) -> list[int]:
    """The places among `region_traces` of what depends on ρ: the area and the margins."""
    return [0, *(3 + 2 * k for k in range(components))]


def moved(plane: Slice, window: Window) -> list[dict[str, Any]]:
    """What changes in those traces for another ρ, and nothing else."""
    components = range(plane.feasible.mixture.components)
    return [_area(plane), *(_margin(plane, k, window) for k in components)]


def _area(plane: Slice) -> dict[str, Any]:
    """The feasible set; several outlines (points) are parted by gaps."""
    gap = np.full((1, 2), np.nan)
    parts = [part for outline in plane.outlines for part in (outline, outline[:1], gap)][:-1]
    vertices = np.vstack(parts) if parts else gap
    flat = bool(plane.outlines) and len(plane.outlines[0]) < 3
    return {
        "x": vertices[:, 0],
        "y": vertices[:, 1],
        "mode": "lines+markers" if flat else "lines",
        "fill": "none" if flat else "toself",
    }


def _filled(plane: Slice, theme: str) -> go.Scatter:
    return go.Scatter(
        **_area(plane),
        fillcolor=translucent(FAVOURABLE, FILL_OPACITY[theme]),
        line={"color": FAVOURABLE, "width": 2},
        marker={"color": FAVOURABLE, "size": 9},
        name="Feasible set",
        hoverinfo="skip",
    )


def _ball(plane: Slice, theme: str) -> go.Scatter:
    ball = plane.ball()
    closed = np.vstack([ball, ball[:1]]) if len(ball) else np.full((1, 2), np.nan)
    return go.Scatter(
        x=closed[:, 0],
        y=closed[:, 1],
        mode="lines",
        line={"color": MUTED_INK[theme], "width": 1.5, "dash": "dot"},
        name="Budget",
        hoverinfo="skip",
    )


def _margin(plane: Slice, k: int, window: Window) -> dict[str, Any]:
    """The robust margin of one component, with its number at one place."""
    curve = plane.margin_curve(k, window)
    label = np.full(len(curve), "", dtype=object)
    place = _label_place(curve, window, k)
    if place is not None:
        label[place] = f"<b>{k + 1}</b>"
    return {"x": curve[:, 0], "y": curve[:, 1], "text": label}


def _boundaries(plane: Slice, k: int, window: Window, name: str) -> list[go.Scatter]:
    """Dashed hyperplane and solid margin of one component, in one colour."""
    straight = plane.hyperplane_line(k, window)
    colour = component_colour(k)
    common: dict[str, Any] = {"legendgroup": f"component {k}", "hoverinfo": "skip"}
    return [
        go.Scatter(
            x=straight[:, 0],
            y=straight[:, 1],
            mode="lines",
            line={"color": colour, "width": 1.5, "dash": "dash"},
            name=f"{name}: boundary",
            showlegend=False,
            **common,
        ),
        go.Scatter(
            **_margin(plane, k, window),
            mode="lines+text",
            line={"color": colour, "width": 2.5},
            textposition="top right",
            textfont={"color": colour, "size": 15},
            name=name if name.endswith(f" {k + 1}") else f"{k + 1}: {name}",
            **common,
        ),
    ]


def _label_place(curve: Array, window: Window, k: int) -> int | None:
    """A vertex of the curve inside the window, a little further along for each component."""
    left, right, bottom, top = window
    dx, dy = 0.06 * (right - left), 0.06 * (top - bottom)
    visible = np.flatnonzero(
        (curve[:, 0] > left + dx)
        & (curve[:, 0] < right - dx)
        & (curve[:, 1] > bottom + dy)
        & (curve[:, 1] < top - dy)
    )
    along = min(0.04 + 0.1 * k, 1.0)
    return int(visible[round(along * (visible.size - 1))]) if visible.size else None


def level_traces(
    plane: Slice, objective: Objective, window: Window, theme: str
) -> list[go.Contour]:
    """One labelled line for each level of the worst-case probability the window reaches."""
    xs = np.linspace(window[0], window[1], GRID_POINTS)
    ys = np.linspace(window[2], window[3], GRID_POINTS)
    declining = 100.0 * plane.failure_grid(objective, xs, ys)
    reached = [level for level in LEVELS if declining.min() < level < declining.max()]
    return [
        go.Contour(
            x=xs,
            y=ys,
            z=declining,
            contours={
                "coloring": "none",
                "start": level,
                "end": level,
                "size": 1,
                "showlabels": True,
                "labelfont": {"size": 11, "color": MUTED_INK[theme]},
            },
            line={"color": translucent(MUTED_INK[theme], 0.55), "width": 1},
            name="Worst case, declining models in 100",
            legendgroup="levels",
            showlegend=level == reached[0],
            showscale=False,
            hoverinfo="skip",
        )
        for level in reached
    ]


def path_trace(plane: Slice, path: Sequence[Array], theme: str) -> go.Scatter:
    """The points of Algorithm 1 in order."""
    points = np.array([np.asarray(x)[list(plane.columns)] for x in path])
    taken = len(points) - 1
    return go.Scatter(
        x=points[:, 0],
        y=points[:, 1],
        mode="lines+markers",
        line={"color": INK[theme], "width": 1.5},
        marker={"size": 6, "symbol": "arrow", "angleref": "previous", "color": INK[theme]},
        name=f"Algorithm 1 ({taken} step{'' if taken == 1 else 's'})",
        text=[f"Step {step}" for step in range(len(points))],
        hovertemplate="%{text}<extra>Algorithm 1</extra>",
    )


def landmark_trace(plane: Slice, axes: tuple[Axis, Axis], mark: Landmark, theme: str) -> go.Scatter:
    """One point; hollow when its other features differ from the slice."""
    _, colour, symbol, size = POINT_KINDS[mark.kind]
    x, name = mark.x, mark.title
    inside = plane.contains_vector(x)
    lines = [f"<b>{name}</b>", *map(as_it_is, coordinates(plane, axes, x))]
    if not inside:
        lines.append("Other features differ from this slice")
    fill = INK[theme] if colour == NEUTRAL else colour
    return go.Scatter(
        x=[x[plane.columns[0]]],
        y=[x[plane.columns[1]]],
        mode="markers",
        marker={
            "color": fill,
            "symbol": symbol if inside else f"{symbol}-open",
            "size": size,
            "line": {"color": "#FFFFFF" if inside else fill, "width": 1.2},
        },
        name=name if inside else f"{name} (outside this slice)",
        text=["<br>".join(lines)],
        hovertemplate="%{text}<extra></extra>",
    )


def coordinates(plane: Slice, axes: tuple[Axis, Axis], x: Array) -> list[str]:
    """The two coordinates of x in real units, in words."""
    return [axis.told(float(x[c])) for axis, c in zip(axes, plane.columns, strict=True)]


def click_target_trace(window: Window, count: int) -> go.Scatter:
    """Invisible markers on a grid, because lines and areas send no clicks."""
    xs, ys = np.linspace(*window[:2], count), np.linspace(*window[2:], count)
    grid = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
    return go.Scatter(
        x=grid[:, 0],
        y=grid[:, 1],
        mode="markers",
        marker={"size": 10, "opacity": 0.0},
        selected={"marker": {"opacity": 0.0}},
        unselected={"marker": {"opacity": 0.0}},
        name=CLICK_TARGETS,
        hoverinfo="none",
        showlegend=False,
    )


def limit_shapes(plane: Slice, window: Window, theme: str) -> list[dict[str, Any]]:
    """The part of the window outside the range or the allowed direction of a column, greyed."""
    left, right, bottom, top = window
    i, j = plane.columns
    lower, upper = plane.feasible.bounds.lower, plane.feasible.bounds.upper
    inner = (max(left, lower[i]), min(right, upper[i]))
    boxes = [
        (left, lower[i], bottom, top),
        (upper[i], right, bottom, top),
        (*inner, bottom, lower[j]),
        (*inner, upper[j], top),
    ]
    return [
        {
            "type": "rect",
            "x0": x0,
            "x1": x1,
            "y0": y0,
            "y1": y1,
            "layer": "below",
            "line": {"width": 0},
            "fillcolor": GRID[theme],
        }
        for x0, x1, y0, y1 in boxes
        if x1 > x0 and y1 > y0
    ]
