"""Figures of the core on the page: theme, alt text and size in one place."""

from typing import Any

import plotly.graph_objects as go
import streamlit as st

from dirrac_core.figures.palette import alt_text, enlarged
from pages.shared.teaching.lecture import CHART_SCALE, is_lecture

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
        figure = enlarged(figure, CHART_SCALE)
    return st.plotly_chart(
        figure, key=key, theme=None, config=_BAR, alt=alt_text(figure), **settings
    )


def draw_tall_picture(figure: go.Figure, key: str, above: float = 17.0, **settings: Any) -> Any:
    """Draw a figure as high as the window leaves it below `above` rem; a page may have one."""
    figure = go.Figure(figure).update_layout(height=None)
    with st.container(key="tall-picture"):
        st.html(_TALL.format(above=above))
        return draw_picture(figure, key, height="stretch", **settings)
