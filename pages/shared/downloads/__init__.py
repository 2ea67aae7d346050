"""Every chart as PNG and SVG, every table as CSV: added in the browser, on all pages alike."""

from functools import cache
from pathlib import Path

import streamlit as st


def offer_downloads() -> None:
    """Add the buttons to the charts and tables of the page, and to those that come later."""
    part = st.components.v2.component("downloads", js=_script())
    part(key="downloads")


@cache
def _script() -> str:
    return (Path(__file__).parent / "downloads.js").read_text(encoding="utf-8")
