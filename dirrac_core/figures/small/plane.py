"""The paper's Figure 2, small: the feasible set, boundaries, margins, budget and points."""

from collections.abc import Sequence

from dirrac_core.arrays import Array
from dirrac_core.figures.drawing.palette import (
    FAVOURABLE,
    NEUTRAL,
    UNFAVOURABLE,
    component_colour,
    translucent,
)
from dirrac_core.figures.drawing.ticks import real_ticks
from dirrac_core.figures.plane.geometry import view_window
from dirrac_core.figures.plane.geometry_layers import closed
from dirrac_core.figures.plane.geometry_marks import PLAN, Landmark, coordinates
from dirrac_core.figures.small.svg import Panel, framed, line, mark, picture, text
from dirrac_core.geometry.axes import Axis
from dirrac_core.geometry.conics import Window
from dirrac_core.geometry.slices import Slice

CURVE_POINTS, BALL_POINTS = 61, 72
MARKS = {
    "applicant": ("cross", UNFAVOURABLE),
    "plan": ("star", FAVOURABLE),
    "roar": ("diamond", NEUTRAL),
    "what-if": ("plus", NEUTRAL),
}
NAME = "small-plane"


def small_plane(plane: Slice, axes: tuple[Axis, Axis], landmarks: Sequence[Landmark]) -> str:
    """The slice as in `geometry`, without a legend; axes have equal scale.

    A point outside the slice is hollow; where no point of the slice is feasible, no plan is drawn.
    """
    landmarks = [each for each in landmarks if plane.outlines or each.kind != PLAN]
    window = view_window(plane, [each.x for each in landmarks])
    panel = _panel(window)
    window = panel.window
    parts = [_area(panel, outline) for outline in plane.outlines]
    parts.append(_curve(panel, closed(plane.ball(BALL_POINTS)), dash="1 3", opacity=0.7))
    for _, edge in plane.rule_lines(window):
        parts.append(_curve(panel, edge, dash="6 2 1 2", opacity=0.6))
    for k in range(plane.feasible.mixture.components):
        colour = component_colour(k)
        parts.append(_curve(panel, plane.hyperplane_line(k, window), colour, dash="4 3"))
        parts.append(_curve(panel, plane.margin_curve(k, window, CURVE_POINTS), colour))
    for each in landmarks:
        kind, colour = MARKS[each.kind]
        at = panel.at(*(float(each.x[c]) for c in plane.columns))
        parts.append(mark(*at, kind, colour, each.title, not plane.contains_vector(each.x)))
    drawn = [*framed(panel, parts, NAME), *_ticks(panel, axes)]
    return picture(panel, drawn, _alt(plane, axes, landmarks), NAME)


def _panel(window: Window) -> Panel:
    """The window widened to the shape of the panel, so that both axes have one scale."""
    empty = Panel(window, height=126.0, left=44.0, top=16.0)
    wide = empty.width - empty.left - empty.right
    high = empty.height - empty.top - empty.bottom
    low_x, high_x, low_y, high_y = window
    unit = max((high_x - low_x) / wide, (high_y - low_y) / high)
    more_x, more_y = (unit * wide - (high_x - low_x)) / 2, (unit * high - (high_y - low_y)) / 2
    shown = (low_x - more_x, high_x + more_x, low_y - more_y, high_y + more_y)
    return Panel(shown, height=126.0, left=44.0, top=16.0)


def _area(panel: Panel, outline: Array) -> str:
    pixels = panel.place(outline)
    if len(pixels) == 1:
        return mark(float(pixels[0, 0]), float(pixels[0, 1]), "circle", FAVOURABLE, "Feasible set")
    return line(pixels, FAVOURABLE, 2.0, fill=translucent(FAVOURABLE, 0.25))


def _curve(
    panel: Panel, points: Array, colour: str = "currentColor", dash: str = "", opacity: float = 1.0
) -> str:
    return line(panel.place(points), colour, dash=dash, opacity=opacity) if len(points) else ""


def _ticks(panel: Panel, axes: tuple[Axis, Axis]) -> list[str]:
    low_x, high_x, low_y, high_y = panel.window
    across, up = real_ticks(axes[0], low_x, high_x, 4), real_ticks(axes[1], low_y, high_y, 3)
    floor = panel.height - panel.bottom
    parts = []
    for value, words in zip(across["tickvals"], across["ticktext"], strict=True):
        parts.append(text(panel.at(value, low_y)[0], floor + 11, words, "middle", 0.7))
    for value, words in zip(up["tickvals"], up["ticktext"], strict=True):
        parts.append(text(panel.left - 4, panel.at(low_x, value)[1] + 4, words, "end", 0.7))
    parts.append(text(panel.width - panel.right, floor + 24, axes[0].title, "end", 0.9))
    parts.append(text(4.0, panel.top - 6, axes[1].title, "start", 0.9))
    return parts


def _alt(plane: Slice, axes: tuple[Axis, Axis], landmarks: Sequence[Landmark]) -> str:
    said = [f"{axes[0].name} across and {axes[1].name} upwards."]
    said.append("The feasible set is shaded." if plane.outlines else "The feasible set is empty.")
    for each in landmarks:
        said.append(f"{each.title}: {', '.join(coordinates(plane, axes, each.x))}.")
    return " ".join(said)
