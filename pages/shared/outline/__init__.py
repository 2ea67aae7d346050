"""The outline a screen reader hears: no heading skips a level, whatever size it is drawn in."""

from functools import cache
from pathlib import Path

import streamlit as st


def keep_outline() -> None:
    """Give the headings of the page, and those that come later, levels without gaps."""
    part = st.components.v2.component("outline", js=_script())
    part(key="outline")


@cache
def _script() -> str:
    return (Path(__file__).parent / "outline.js").read_text(encoding="utf-8")
