"""Figures of the core on the page: theme, alt text, size and clicks in one place."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from dirrac_core.figures.drawing.palette import alt_text, enlarged
from dirrac_core.figures.drawing.sent import sent_figure
from pages.shared import notices
from pages.shared.browser import HERE, library, mount, sent
from pages.shared.lecture import CHART_SCALE, TALLEST, is_lecture

# The key of the explanation below a picture.
READING = "how to read"
# Whole numbers from a browser can be too long for a float; NaN is not below anything either.
_LARGEST = 1e300


@dataclass(frozen=True)
class Mark:
    """A mark of a figure: its place, and what the figure keeps with it."""

    x: Any
    y: Any
    data: tuple[Any, ...]


def theme() -> str:
    """The theme the visitor sees: "light" or "dark"."""
    return "dark" if st.context.theme.type == "dark" else "light"


def draw_picture(
    figure: go.Figure,
    key: str,
    on_mark: Callable[[Mark], None] | None = None,
    on_place: Callable[[float, float], None] | None = None,
    above: float | None = None,
) -> None:
    """Draw a figure in its own colours, with its description for those who cannot see it.

    `on_mark` is called with a mark that was clicked, `on_place` with the coordinates of a click
    anywhere into the plotting area. A figure below `above` rem of other things is as high as the
    window leaves it.
    """
    if is_lecture():
        figure = enlarged(figure, CHART_SCALE, TALLEST)

    def marked() -> None:
        mark = read_mark(figure, sent(key, "mark"))
        if mark is None:
            notices.refuse_value()
        elif on_mark is not None:
            on_mark(mark)

    def placed() -> None:
        place = read_place(sent(key, "place"))
        if place is None:
            notices.refuse_value()
        elif on_place is not None:
            on_place(*place)

    mount(
        HERE,
        "chart",
        key,
        {
            "figure": sent_figure(figure),
            "alt": alt_text(figure),
            "library": library.address(),
            "above": above,
            "clicks": [*(["mark"] if on_mark else []), *(["place"] if on_place else [])],
        },
        own_styles=False,
        **({"on_mark_change": marked} if on_mark else {}),
        **({"on_place_change": placed} if on_place else {}),
    )


def offer_reading(explain: Callable[[], None]) -> None:
    """How a picture is read, drawn only while somebody wants to know: each element costs time."""
    title = "How to read this picture"
    fold = st.expander(title, icon=":material/help:", key=READING, on_change="rerun")
    if fold.open:
        with fold:
            explain()


def read_mark(figure: go.Figure, clicked: Any) -> Mark | None:
    """The mark of a figure that was clicked, as the figure has it.

    A browser may say anything about a point, so nothing is taken from it but which point it was;
    None for what names no mark of this figure.
    """
    try:
        trace = figure.data[_place(clicked["trace"])]
        place = _place(clicked["point"])
        if "markers" in trace.mode:
            data = () if trace.customdata is None else np.ravel(trace.customdata[place])
            return Mark(trace.x[place], trace.y[place], tuple(data))
    except (LookupError, TypeError, AttributeError):
        pass
    return None


def _place(number: Any) -> int:
    if type(number) is not int or number < 0:
        raise LookupError
    return int(number)


def read_place(clicked: Any) -> tuple[float, float] | None:
    """The two numbers a browser sent; None for anything else."""
    if not isinstance(clicked, dict):
        return None
    values = [clicked.get(side) for side in ("x", "y")]
    numbers = [
        float(value)
        for value in values
        if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= _LARGEST
    ]
    return (numbers[0], numbers[1]) if len(numbers) == 2 else None
