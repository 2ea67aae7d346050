"""Figures of the core on the page: theme, alt text and size in one place."""

from typing import Any

import plotly.graph_objects as go
import streamlit as st

from dirrac_core.figures.palette import alt_text

_BAR = {"displayModeBar": False}


def theme() -> str:
    """The theme the visitor sees: "light" or "dark"."""
    return "dark" if st.context.theme.type == "dark" else "light"


def picture(figure: go.Figure, key: str, **settings: Any) -> Any:
    """Draw a figure in its own colours, with its description for those who cannot see it."""
    return st.plotly_chart(
        figure, key=key, theme=None, config=_BAR, alt=alt_text(figure), **settings
    )
