"""The cost–validity frontier, small: efficient plans as steps, DiRRAc against ROAR."""

from collections.abc import Sequence

import numpy as np

from dirrac_core.figures.drawing.palette import FAVOURABLE, UNFAVOURABLE
from dirrac_core.figures.small.svg import Panel, framed, line, mark, picture, text
from dirrac_core.studies.quick_frontier import Point, efficient
from dirrac_core.wording import in_100

NAME = "small-steps"
DIRRAC, ROAR = "DiRRAc", "ROAR"
# The steps go on to this part of the axis beyond the last plan.
BEYOND = 1.08


def small_steps(
    dirrac: Sequence[Point], roar: Sequence[Point], shown: Point | None, title: str
) -> str:
    """Effort across, declining models of 100 in the worst case upwards (0–100: lower is better).

    Plans that others beat are faded, plans that break a rule hollow; `shown` is the plan on the
    screen, called `title`.
    """
    every = [*dirrac, *roar, *([] if shown is None else [shown])]
    most = BEYOND * max((p.cost for p in every), default=1.0) or 1.0
    panel = Panel((0.0, most, 0.0, 100.0), height=124.0, top=18.0)
    parts: list[str] = []
    for name, points, kind, colour in (
        (ROAR, roar, "diamond", UNFAVOURABLE),
        (DIRRAC, dirrac, "circle", FAVOURABLE),
    ):
        parts += _series(panel, name, points, kind, colour, most)
    if shown is not None:
        at = panel.at(shown.cost, 100.0 * shown.worst_case)
        parts.append(mark(*at, "star", FAVOURABLE, _words(title, shown), shown.broken))
    drawn = [*framed(panel, parts, NAME), *_axes(panel, most), *_legend(panel)]
    return picture(panel, drawn, _alt(dirrac, roar, shown, title), NAME)


def _series(
    panel: Panel, name: str, points: Sequence[Point], kind: str, colour: str, most: float
) -> list[str]:
    best = efficient([p for p in points if not p.broken])
    parts = []
    if best:
        corners = [(best[0].cost, 100.0)]
        for point in best:
            corners += [(point.cost, corners[-1][1]), (point.cost, 100.0 * point.worst_case)]
        corners.append((most, corners[-1][1]))
        parts.append(line(panel.place(np.array(corners)), colour, 2.0))
    for point in points:
        at = panel.at(point.cost, 100.0 * point.worst_case)
        drawn = mark(*at, kind, colour, _words(name, point), point.broken)
        parts.append(drawn if point in best or point.broken else f"<g opacity='.35'>{drawn}</g>")
    return parts


def _words(name: str, point: Point) -> str:
    broken = ", breaks a rule" if point.broken else ""
    worst = in_100(point.worst_case)
    return f"{name}: effort {point.cost:.2f}, at most {worst} of 100 decline{broken}"


def _axes(panel: Panel, most: float) -> list[str]:
    floor = panel.height - panel.bottom
    parts = [text(panel.left - 4, panel.at(0, v)[1] + 4, f"{v}", "end", 0.7) for v in (0, 50, 100)]
    for value in (0.0, most / 2, most / BEYOND):
        parts.append(text(panel.at(value, 0)[0], floor + 11, f"{value:.2g}", "middle", 0.7))
    parts.append(text(panel.width - panel.right, floor + 24, "effort", "end", 0.9))
    return parts


def _legend(panel: Panel) -> list[str]:
    y, right = panel.top - 6, panel.width - panel.right
    return [
        text(4.0, y, "of 100 decline, at worst", "start", 0.9),
        f"<g fill='{FAVOURABLE}'>{text(right - 54, y, f'● {DIRRAC}', 'end', 1.0, 600)}</g>",
        f"<g fill='{UNFAVOURABLE}'>{text(right, y, f'◆ {ROAR}', 'end', 1.0, 600)}</g>",
    ]


def _alt(dirrac: Sequence[Point], roar: Sequence[Point], shown: Point | None, title: str) -> str:
    said = ["Effort against the worst case, in declining models of 100."]
    for name, points in ((DIRRAC, dirrac), (ROAR, roar)):
        best = efficient([p for p in points if not p.broken])
        listed = "; ".join(f"effort {p.cost:.2f}, at most {in_100(p.worst_case)}" for p in best)
        said.append(f"{name}: {listed or 'no plan that keeps every rule'}.")
    if shown is not None:
        said.append(f"{_words(title, shown)}.")
    return " ".join(said)
