"""What a shift does to people and to the models trained on them, in the plane of two features."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from dirrac_core.arrays import Array, frozen_array
from dirrac_core.errors import InvalidInput
from dirrac_core.figures.drawing.palette import (
    FAVOURABLE,
    FAVOURABLE_SYMBOL,
    INK,
    NEUTRAL,
    UNFAVOURABLE,
    UNFAVOURABLE_SYMBOL,
    described,
    new_figure,
)
from dirrac_core.figures.drawing.panels import panelled
from dirrac_core.figures.drawing.sketch import curve
from dirrac_core.figures.drawing.ticks import real_ticks
from dirrac_core.geometry.axes import Axis

Range = tuple[float, float]
BORDER = 0.06


@dataclass(frozen=True, eq=False)
class Shifted:
    """People (n, 2) with outcomes y (n,), and the linear models (m, 3) of such data, bias last."""

    people: Array
    outcomes: Array
    models: Array

    def __post_init__(self) -> None:
        people = frozen_array("people", self.people, (None, 2))
        outcomes = frozen_array("outcomes", self.outcomes, (len(people),))
        object.__setattr__(self, "people", people)
        object.__setattr__(self, "outcomes", outcomes)
        object.__setattr__(self, "models", frozen_array("models", self.models, (None, 3)))


def shift_types(
    panels: Mapping[str, Shifted],
    axes: tuple[Axis, Axis],
    today: Array | None = None,
    columns: int = 2,
    theme: str = "light",
) -> go.Figure:
    """One panel per shift: its people by outcome and the boundaries θᵀ[x, 1] = 0 of its models.

    All panels show the same window. `today` (3,) is the present model; its boundary is dashed in
    every panel.
    """
    if not panels:
        raise InvalidInput("The shifts to show must be at least one, got none")
    present = None if today is None else frozen_array("today", today, (3,))
    people = np.vstack([shifted.people for shifted in panels.values()])
    low, high = people.min(axis=0), people.max(axis=0)
    pad = BORDER * np.maximum(high - low, 1e-3)
    window = [(float(a), float(b)) for a, b in zip(low - pad, high + pad, strict=True)]
    figures = {
        title: _panel(shifted, axes, present, (window[0], window[1]), theme)
        for title, shifted in panels.items()
    }
    return panelled(figures, columns, theme=theme)


def boundary_line(theta: Array, across: Range, up: Range) -> Array:
    """The two ends (2, 2) of θᵀ[x, 1] = 0 inside the window; no rows when it misses the window."""
    a, b, c = (float(weight) for weight in theta)
    ends = []
    if b != 0.0:
        ends += [(x, -(a * x + c) / b) for x in across]
    if a != 0.0:
        ends += [(-(b * y + c) / a, y) for y in up]
    slack = 1e-9 * max(across[1] - across[0], up[1] - up[0])
    inside = [
        (x, y)
        for x, y in ends
        if across[0] - slack <= x <= across[1] + slack and up[0] - slack <= y <= up[1] + slack
    ]
    # A line through a corner meets the window there twice: the two outermost points are its ends.
    ordered = sorted(set(inside))
    return np.array([ordered[0], ordered[-1]]) if len(ordered) > 1 else np.zeros((0, 2))


def _panel(
    shifted: Shifted,
    axes: tuple[Axis, Axis],
    today: Array | None,
    window: tuple[Range, Range],
    theme: str,
) -> go.Figure:
    figure = new_figure(theme)
    favourable = shifted.outcomes == 1.0
    for chosen, name, colour, symbol in (
        (~favourable, "Unfavourable outcome", UNFAVOURABLE, UNFAVOURABLE_SYMBOL),
        (favourable, "Favourable outcome", FAVOURABLE, FAVOURABLE_SYMBOL),
    ):
        figure.add_scatter(
            x=shifted.people[chosen, 0],
            y=shifted.people[chosen, 1],
            mode="markers",
            marker={"color": colour, "symbol": symbol, "size": 5, "opacity": 0.45},
            name=name,
            hoverinfo="skip",
        )
    lines = [boundary_line(theta, *window) for theta in shifted.models]
    if any(map(len, lines)):
        gap = np.full((1, 2), np.nan)
        drawn = np.vstack([part for line in lines for part in (line, gap)])
        thin = {"color": NEUTRAL, "width": 1}
        figure.add_trace(curve(drawn, thin, "Boundary of a re-trained model", opacity=0.7))
    if today is not None:
        dashed = {"color": INK[theme], "width": 2.5, "dash": "dash"}
        figure.add_trace(curve(boundary_line(today, *window), dashed, "Today's boundary"))
    figure.update_layout(
        xaxis={**real_ticks(axes[0], *window[0]), "range": window[0], "showgrid": False},
        yaxis={**real_ticks(axes[1], *window[1]), "range": window[1], "showgrid": False},
    )
    return described(figure, _alt(shifted, axes, today))


def _alt(shifted: Shifted, axes: tuple[Axis, Axis], today: Array | None) -> str:
    favourable = shifted.outcomes == 1.0
    words = [
        f"{int(favourable.sum())} people with the favourable and {int((~favourable).sum())} with "
        f"the unfavourable outcome by {axes[0].name} and {axes[1].name}; boundaries of "
        f"{len(shifted.models)} re-trained model{'' if len(shifted.models) == 1 else 's'}."
    ]
    if today is not None:
        judged = shifted.people @ today[:2] + today[2] >= 0.0
        words.append(f"Today's model is right about {100 * np.mean(judged == favourable):.0f} %.")
    return " ".join(words)
