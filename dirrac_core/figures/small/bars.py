"""How the plan may fail, small: one bar per component on an axis that is always 0–100."""

from collections.abc import Sequence
from dataclasses import dataclass

from dirrac_core.figures.drawing.palette import (
    UNFAVOURABLE,
    component_colour,
    component_name,
    translucent,
)
from dirrac_core.figures.small.svg import Panel, mark, picture, rectangle, text
from dirrac_core.wording import in_100

NAME = "small-bars"
TOTAL = "Total"
ROW, BAR = 16.0, 10.0
WIDTH, NAMES = 380.0, 206.0
LONGEST_NAME = 34


@dataclass(frozen=True)
class Bars:
    """Worst-case and Gaussian probabilities of every component, and of the total at the end."""

    worst: tuple[float, ...]
    gaussian: tuple[float, ...]


def small_bars(now: Bars, before: Bars | None, names: tuple[str, ...] | None) -> str:
    """The worst case of each component as a bar, the Gaussian figure inside it.

    `before` is the state before the last change: a dashed outline where the bar was. Where the
    number of components has changed, only the total has one.
    """
    count = len(now.worst) - 1
    rows = [TOTAL] if count == 1 else [TOTAL, *(component_name(k, names) for k in range(count))]
    values = [now.worst[-1], *now.worst[:-1]][: len(rows)]
    inner = [now.gaussian[-1], *now.gaussian[:-1]][: len(rows)]
    ghosts = _ghosts(now, before, len(rows))
    high = len(rows) * ROW + 26.0
    panel = Panel((0.0, 100.0, 0.0, 1.0), WIDTH, high, left=NAMES, right=48.0, top=4.0)
    parts = [_grid(panel)]
    for row, (name, value, gaussian, ghost) in enumerate(
        zip(rows, values, inner, ghosts, strict=True)
    ):
        parts += _row(panel, row, name, value, gaussian, ghost)
    return picture(panel, parts, _alt(rows, values, ghosts), NAME)


def _ghosts(now: Bars, before: Bars | None, rows: int) -> list[float | None]:
    if before is None:
        return [None] * rows
    if len(before.worst) == len(now.worst):
        return [before.worst[-1], *before.worst[: rows - 1]]
    return [before.worst[-1], *[None] * (rows - 1)]


def _row(
    panel: Panel, row: int, name: str, value: float, gaussian: float, ghost: float | None
) -> list[str]:
    start, end = panel.at(0.0, 0.0)[0], panel.at(100.0 * value, 0.0)[0]
    y = panel.top + row * ROW + 2.0
    total = row == 0
    parts = [text(16.0, y + 9, _shortened(name), "start", 0.95, 600 if total else 400)]
    if not total:
        parts.append(mark(6.0, y + 5.0, "circle", component_colour(row - 1), name))
    parts.append(rectangle(start, y, end - start, BAR, translucent(UNFAVOURABLE, 0.55)))
    within = panel.at(100.0 * gaussian, 0.0)[0]
    parts.append(rectangle(start, y + 3, within - start, BAR - 6, UNFAVOURABLE))
    moved = ghost is not None and in_100(ghost) != in_100(value)
    if ghost is not None and moved:
        was = panel.at(100.0 * ghost, 0.0)[0]
        parts.append(rectangle(start, y - 1, was - start, BAR + 2, "none", "currentColor", "3 2"))
        parts.append(
            text(panel.width - panel.right + 4, y + 9, _arrow(ghost, value), "start", 0.95)
        )
    else:
        parts.append(text(panel.width - panel.right + 4, y + 9, f"{in_100(value)}", "start", 0.95))
    return parts


def _shortened(name: str) -> str:
    """A name that fits: without its brackets, then without its middle.

    Futures of one kind differ at their end.
    """
    name = name if len(name) <= LONGEST_NAME else name.partition(" (")[0]
    if len(name) <= LONGEST_NAME:
        return name
    half = LONGEST_NAME // 2
    return f"{name[:half].rstrip()}…{name[1 - half :].lstrip()}"


def _arrow(ghost: float, value: float) -> str:
    return f"{in_100(ghost)} → {in_100(value)}"


def _grid(panel: Panel) -> str:
    floor = panel.height - 20.0
    parts = []
    for value in (0, 25, 50, 75, 100):
        x = panel.at(float(value), 0.0)[0]
        parts.append(
            f"<path d='M{x:.1f} {panel.top:g}V{floor:g}' stroke='currentColor' opacity='.18'/>"
        )
        parts.append(text(x, floor + 13, f"{value}", "middle", 0.7))
    return "".join(parts)


def _alt(rows: Sequence[str], values: Sequence[float], ghosts: Sequence[float | None]) -> str:
    said = [
        f"{name}: at most {in_100(value)} of 100 decline"
        + ("" if ghost is None else f", before {in_100(ghost)}")
        for name, value, ghost in zip(rows, values, ghosts, strict=True)
    ]
    return f"Bars of the worst case by component. {'; '.join(said)}."
