"""Points, paths and boxes in the geometry figure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dirrac_core.arrays import Array, checked_choice, frozen_array
from dirrac_core.figures.drawing.palette import FAVOURABLE, INK, MUTED_INK, NEUTRAL, UNFAVOURABLE
from dirrac_core.figures.drawing.sketch import Trace, curve, scatter
from dirrac_core.figures.plane.curve_labels import Named, halo, words_boxes
from dirrac_core.geometry.axes import Axis
from dirrac_core.geometry.conics import Window
from dirrac_core.geometry.slices import Slice
from dirrac_core.wording import as_it_is

PLAN = "plan"
# kind → (name, colour, symbol, size, where its name stands)
POINT_KINDS = {
    "applicant": ("Applicant", UNFAVOURABLE, "x", 12, "bottom center"),
    "projection": ("Nearest feasible point", NEUTRAL, "square", 10, "bottom right"),
    PLAN: ("Certified plan", FAVOURABLE, "star", 17, "top right"),
    "roar": ("ROAR", NEUTRAL, "diamond", 12, "top left"),
    "what-if": ("What if", NEUTRAL, "cross", 13, "bottom left"),
}
ROOM = "Room to move"
# An arrow is at most this part of the window's shorter side.
LONGEST_ARROW = 0.3


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


@dataclass(frozen=True, eq=False)
class Downhill:
    """One step of Algorithm 1: from x (D,) against the gradient to `trial`, then to `after`."""

    x: Array
    trial: Array
    after: Array


def landmark_trace(
    plane: Slice, axes: tuple[Axis, Axis], mark: Landmark, theme: str, named: bool = True
) -> Trace:
    """One point with its name; hollow when its other features differ from the slice."""
    _, colour, symbol, size, place = POINT_KINDS[mark.kind]
    x, name = mark.x, mark.title
    inside = plane.contains_vector(x)
    lines = [f"<b>{name}</b>", *map(as_it_is, coordinates(plane, axes, x))]
    if not inside:
        lines.append("Other features differ from this slice")
    fill = INK[theme] if colour == NEUTRAL else colour
    return scatter(
        x=[x[plane.columns[0]]],
        y=[x[plane.columns[1]]],
        mode="markers+text" if named else "markers",
        marker={
            "color": fill,
            "symbol": symbol if inside else f"{symbol}-open",
            "size": size if named else 0.75 * size,
            "line": {"color": "#FFFFFF" if inside else fill, "width": 1.2},
        },
        text=[name],
        textposition=place,
        # Names are in ink: the colour of a mark may be that of the area behind it.
        textfont={"color": INK[theme], "size": 13, "shadow": halo(theme)},
        cliponaxis=False,
        name=name if inside else f"{name} (outside this slice)",
        hovertext=["<br>".join(lines)],
        hovertemplate="%{hovertext}<extra></extra>",
    )


def landmark_boxes(plane: Slice, marks: Sequence[Landmark], window: Window) -> list[Array]:
    """What the marks and their names cover (4,), for the labels of curves to keep clear of."""
    boxes = []
    for mark in marks:
        at = mark.x[list(plane.columns)][None, :]
        boxes.append(words_boxes(at, mark.title, POINT_KINDS[mark.kind][-1], window)[0])
        boxes.append(words_boxes(at, "··", "middle center", window)[0])
    return boxes


def coordinates(plane: Slice, axes: tuple[Axis, Axis], x: Array) -> list[str]:
    """The two coordinates of x in real units, as text."""
    return [axis.place(float(x[c])) for axis, c in zip(axes, plane.columns, strict=True)]


def path_trace(plane: Slice, path: Sequence[Array], theme: str) -> Trace:
    """The points of Algorithm 1 in order."""
    points = np.array([np.asarray(x)[list(plane.columns)] for x in path])
    taken = len(points) - 1
    return scatter(
        x=points[:, 0],
        y=points[:, 1],
        mode="lines+markers",
        line={"color": INK[theme], "width": 1.5},
        marker={"size": 6, "symbol": "arrow", "angleref": "previous", "color": INK[theme]},
        name=f"Algorithm 1 ({taken} step{'' if taken == 1 else 's'})",
        text=[f"Step {step}" for step in range(len(points))],
        hovertemplate="%{text}<extra>Algorithm 1</extra>",
    )


def named_room(box: Array, theme: str) -> Named:
    """The outline of the box of plans (2, 2), lower and upper corner, with its name."""
    (left, bottom), (right, top) = box
    corners = [(left, bottom), (right, bottom), (right, top), (left, top), (left, bottom)]
    return Named(np.array(corners), ROOM.lower(), INK[theme])


def room_trace(room: Named, theme: str) -> Trace:
    """The box on which the promise keeps its level."""
    return curve(room.curve, {"color": INK[theme], "width": 2}, ROOM)


def downhill_arrows(
    plane: Slice, step: Downhill, window: Window, theme: str
) -> tuple[list[dict[str, Any]], Trace]:
    """The arrow −∇f as an annotation, and the way back to the set as a dotted line.

    An arrow that would leave the picture is cut: its direction says what its length cannot.
    """
    columns = list(plane.columns)
    start, trial, after = step.x[columns], step.trial[columns], step.after[columns]
    way = trial - start
    longest = LONGEST_ARROW * min(window[1] - window[0], window[3] - window[2])
    length = float(np.linalg.norm(way))
    whole = length <= longest
    tip = trial if whole else start + way * (longest / length)
    arrows = []
    if length > 0.0:
        arrows.append(
            {
                "x": tip[0],
                "y": tip[1],
                "ax": start[0],
                "ay": start[1],
                **{"xref": "x", "yref": "y", "axref": "x", "ayref": "y"},
                "showarrow": True,
                "arrowhead": 3,
                "arrowsize": 1.2,
                "arrowwidth": 2.2,
                "arrowcolor": UNFAVOURABLE,
                "text": "",
            }
        )
        arrows.append(
            {
                "x": tip[0],
                "y": tip[1],
                "text": "−∇f" if whole else "−∇f, cut",
                "showarrow": False,
                "yshift": 12,
                "font": {"color": UNFAVOURABLE, "size": 14},
            }
        )
    back = scatter(
        x=[trial[0], after[0]] if whole else [None],
        y=[trial[1], after[1]] if whole else [None],
        mode="lines",
        line={"color": MUTED_INK[theme], "width": 1.5, "dash": "dot"},
        name="Projection",
        hoverinfo="skip",
    )
    return arrows, back
