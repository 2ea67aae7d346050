"""The layers of the geometry figure that show conditions: each is one or a few plotly traces."""

from typing import Any

import numpy as np

from dirrac_core.arrays import Array
from dirrac_core.data.schema.plausible_set import LIKE_REAL_PEOPLE
from dirrac_core.figures.drawing.palette import (
    FAVOURABLE,
    GRID,
    INK,
    MUTED_INK,
    component_colour,
    component_name,
    translucent,
)
from dirrac_core.figures.drawing.sketch import Trace, curve, scatter
from dirrac_core.figures.plane.curve_labels import Named, shortened
from dirrac_core.geometry.conics import Window
from dirrac_core.geometry.slices import Slice
from dirrac_core.robustness import Objective
from dirrac_core.wording import as_it_is

# Level lines, in declining models of 100.
LEVELS = (1, 2, 5, 10, 20, 30, 50, 70, 90)
GRID_POINTS = 61
FILL_OPACITY = {"light": 0.22, "dark": 0.45}
AREA, BUDGET, RULES = "Feasible set", "Budget", "Rules"
NOTHING = np.full((1, 2), np.nan)


def condition_traces(
    plane: Slice, window: Window, names: tuple[str, ...] | None, theme: str
) -> list[Trace]:
    """Area, budget, and the boundary and margin of every component, then rules and likeness."""
    traces = [_filled(plane, theme), _ball(plane, theme)]
    for k in range(plane.feasible.mixture.components):
        traces += _boundaries(plane, k, window, as_it_is(component_name(k, names)))
    return [*traces, *_rule_traces(plane, window, theme)]


def moved(plane: Slice, window: Window) -> list[dict[str, Any]]:
    """What `condition_traces` shows for another radius, trace by trace, and nothing else."""
    data = [_area(plane), _points(closed(plane.ball()))]
    for k in range(plane.feasible.mixture.components):
        data.append(_points(plane.hyperplane_line(k, window)))
        data.append(_points(plane.margin_curve(k, window)))
    return [*data, *map(_points, _rule_lines(plane, window))]


def named_curves(
    plane: Slice, window: Window, names: tuple[str, ...] | None, theme: str, compact: bool
) -> list[Named]:
    """What is written on the curves: components by number and name, budget, rules, likeness."""
    curves = []
    for k in range(plane.feasible.mixture.components):
        # The number has the colour of the curve, the words the ink of the page.
        words = f'<span style="color:{component_colour(k)}"><b>{k + 1}</b></span>'
        if not compact and names is not None:
            words += f" {as_it_is(shortened(names[k]))}"
        curves.append(Named(plane.margin_curve(k, window), words, INK[theme]))
    if compact:
        return curves
    curves.append(Named(closed(plane.ball()), "budget", MUTED_INK[theme]))
    first = dict(reversed(_rules(plane, window)))
    return [
        *curves,
        *(Named(line, as_it_is(shortened(n)), INK[theme]) for n, line in first.items()),
    ]


def _points(line: Array) -> dict[str, Any]:
    return {"x": line[:, 0], "y": line[:, 1]}


def closed(ball: Array) -> Array:
    """An outline that ends where it begins."""
    return np.vstack([ball, ball[:1]]) if len(ball) else NOTHING


def _rules(plane: Slice, window: Window) -> list[tuple[str, Array]]:
    """The edges of the linear rules, today's model among them, and likeness to real people.

    They bound the area too. Every slice of one problem has the same ones in the same order.
    """
    lines = plane.rule_lines(window)
    if plane.feasible.actions.plausible is not None:
        likeness = plane.likeness_curve()
        lines.append((LIKE_REAL_PEOPLE, likeness if len(likeness) else NOTHING))
    return lines


def _rule_lines(plane: Slice, window: Window) -> list[Array]:
    """All rules as one curve with gaps: every trace of a chart costs the browser a millisecond."""
    parts = [part for _, line in _rules(plane, window) for part in (line, NOTHING)][:-1]
    return [np.vstack(parts)] if parts else []


def _rule_traces(plane: Slice, window: Window, theme: str) -> list[Trace]:
    line = {"color": INK[theme], "width": 1.5, "dash": "dashdot"}
    return [curve(lines, line, RULES) for lines in _rule_lines(plane, window)]


def _area(plane: Slice) -> dict[str, Any]:
    """The feasible set; several outlines (points) are parted by gaps."""
    parts = [part for outline in plane.outlines for part in (outline, outline[:1], NOTHING)][:-1]
    vertices = np.vstack(parts) if parts else NOTHING
    flat = bool(plane.outlines) and len(plane.outlines[0]) < 3
    return {
        **_points(vertices),
        "mode": "lines+markers" if flat else "lines",
        "fill": "none" if flat else "toself",
    }


def _filled(plane: Slice, theme: str) -> Trace:
    return scatter(
        **_area(plane),
        fillcolor=translucent(FAVOURABLE, FILL_OPACITY[theme]),
        line={"color": FAVOURABLE, "width": 2},
        marker={"color": FAVOURABLE, "size": 9},
        name=AREA,
        hoverinfo="skip",
    )


def _ball(plane: Slice, theme: str) -> Trace:
    line = {"color": MUTED_INK[theme], "width": 1.5, "dash": "dot"}
    return curve(closed(plane.ball()), line, BUDGET)


def _boundaries(plane: Slice, k: int, window: Window, name: str) -> list[Trace]:
    """Dashed hyperplane and solid margin of one component, in one colour."""
    colour = component_colour(k)
    dashed = {"color": colour, "width": 1.5, "dash": "dash"}
    boundary = plane.hyperplane_line(k, window)
    numbered = name if name.endswith(f" {k + 1}") else f"{k + 1}: {name}"
    return [
        curve(boundary, dashed, f"{name}: boundary", showlegend=False),
        curve(plane.margin_curve(k, window), {"color": colour, "width": 2.5}, numbered),
    ]


def level_traces(plane: Slice, objective: Objective, window: Window, theme: str) -> list[Trace]:
    """One labelled line for each level of the worst-case probability the window reaches."""
    xs = np.linspace(window[0], window[1], GRID_POINTS)
    ys = np.linspace(window[2], window[3], GRID_POINTS)
    declining = 100.0 * plane.failure_grid(objective, xs, ys)
    reached = [level for level in LEVELS if declining.min() < level < declining.max()]
    return [
        dict(
            type="contour",
            x=xs,
            y=ys,
            z=declining,
            contours={
                "coloring": "none",
                "start": level,
                "end": level,
                "size": 1,
                "showlabels": True,
                "labelfont": {"size": 12, "color": MUTED_INK[theme]},
            },
            line={"color": translucent(MUTED_INK[theme], 0.55), "width": 1},
            name="Worst case, declining models in 100",
            showscale=False,
            hoverinfo="skip",
        )
        for level in reached
    ]


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
