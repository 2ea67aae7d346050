"""Parts of the page that are drawn by files of this folder: name.js, and name.css if there is one.

The browser keeps the code and is sent only the data.
"""

from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

_FOLDER = Path(__file__).parent


def mount(name: str, key: str, data: Any, **callbacks: Any) -> None:
    """Draw `data`; `on_<trigger>_change` are called with what the visitor does."""
    part = st.components.v2.component(
        f"workbench_{name}", css=_text(name, "css"), js=_text(name, "js")
    )
    part(key=key, data=data, **callbacks)


@cache
def _text(name: str, kind: str) -> str | None:
    file = _FOLDER / f"{name}.{kind}"
    return file.read_text(encoding="utf-8") if file.exists() else None


def sent(key: str, trigger: str) -> Any:
    """What the visitor's browser sent; in a callback. It may be anything."""
    return st.session_state[key].get(trigger)
