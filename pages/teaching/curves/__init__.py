"""Both links as curves with a point to drag, or to move by the arrow keys, in the browser."""

from functools import cache
from pathlib import Path

import streamlit as st

from dirrac_core.figures.lessons.links import link_table

_FOLDER = Path(__file__).parent


def draw_links(a: float, key: str) -> None:
    """The curves; the point starts at the score `a`."""
    part = st.components.v2.component("link_curves", css=_text("curves.css"), js=_text("curves.js"))
    part(key=key, data=link_table(a))


@cache
def _text(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")
