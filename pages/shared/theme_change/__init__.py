"""Charts are drawn in the colours of the theme: when the visitor changes it, draw them again."""

from functools import cache
from pathlib import Path

import streamlit as st


def follow_theme() -> None:
    """Run the page again when the theme has changed; Streamlit itself waits for the next click."""
    part = st.components.v2.component("theme_change", css=_text("css"), js=_text("js"))
    part(key="theme change", on_changed_change=lambda: None)


@cache
def _text(kind: str) -> str:
    return (Path(__file__).parent / f"theme_change.{kind}").read_text(encoding="utf-8")
