"""Figures of the core on the page: theme, alt text and size in one place."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from dirrac_core.figures.drawing.palette import alt_text, enlarged
from dirrac_core.figures.drawing.sent import SentFigure
from pages.shared import notices
from pages.shared.lecture import CHART_SCALE, TALLEST, is_lecture

# Plotly's own download button is hidden; `downloads` presses it for PNG and for SVG.
_BAR = {"displayModeBar": True, "modeBarButtons": [["toImage"]], "displaylogo": False}
# A tall picture fills the window below the title and the controls. Streamlit takes heights in
# pixels only, so every box around the chart is given this one.
_TALL = """<style>
.st-key-tall-picture .stElementContainer:has(.stPlotlyChart),
.st-key-tall-picture [data-testid=stFullScreenFrame],
.st-key-tall-picture .stPlotlyChart {{ height: max(420px, calc(100vh - {above}rem)) !important; }}
</style>"""


def theme() -> str:
    """The theme the visitor sees: "light" or "dark"."""
    return "dark" if st.context.theme.type == "dark" else "light"


def draw_picture(figure: go.Figure, key: str, **settings: Any) -> Any:
    """Draw a figure in its own colours, with its description for those who cannot see it."""
    if is_lecture():
        figure = enlarged(figure, CHART_SCALE, TALLEST)
    sent = SentFigure(figure, clicks="on_select" in settings)
    return st.plotly_chart(sent, key=key, theme=None, config=_BAR, alt=alt_text(figure), **settings)


def draw_tall_picture(figure: go.Figure, key: str, above: float = 17.0, **settings: Any) -> Any:
    """Draw a figure as high as the window leaves it below `above` rem; a page may have one."""
    figure = figure.update_layout(height=None)
    with st.container(key="tall-picture"):
        st.html(_TALL.format(above=above))
        return draw_picture(figure, key, height="stretch", **settings)


@dataclass(frozen=True)
class Mark:
    """A mark of a figure: its place, and what the figure keeps with it."""

    x: Any
    y: Any
    data: tuple[Any, ...]


def clicked_mark(figure: go.Figure, selected: Any) -> Mark | None:
    """The mark that was clicked, as the figure has it; None without one.

    A browser may say anything about a point, so nothing is taken from it but which point it was;
    what names no mark of this figure is refused.
    """
    try:
        points = selected["selection"]["points"]
        if points == []:
            return None
        trace = figure.data[_place(points[0]["curve_number"])]
        place = _place(points[0]["point_index"])
        if "markers" in trace.mode:
            data = () if trace.customdata is None else np.ravel(trace.customdata[place])
            return Mark(trace.x[place], trace.y[place], tuple(data))
    except (LookupError, TypeError, AttributeError):
        pass
    notices.refuse_value()
    return None


def _place(number: Any) -> int:
    if type(number) is not int or number < 0:
        raise LookupError
    return int(number)
