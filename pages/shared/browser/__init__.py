"""Parts of a page that the browser draws itself, from a name.js and, if there is one, a name.css.

The browser keeps the code and is sent only the data; a part is made once and then brought up to
date, so that nothing loses its focus or its place.
"""

from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

HERE = Path(__file__).parent


def mount(
    folder: Path, name: str, key: str, data: Any = None, own_styles: bool = True, **callbacks: Any
) -> None:
    """Draw `data` with the files `name` of a folder.

    `on_<trigger>_change` are called after what the visitor did. Without styles of its own the part
    stands in the page itself and shares the page's.
    """
    part = st.components.v2.component(
        f"{folder.parent.name}_{name}",
        css=_text(folder / f"{name}.css"),
        js=_text(folder / f"{name}.js"),
        isolate_styles=own_styles,
    )
    part(key=key, data=data, **callbacks)


def sent(key: str, trigger: str) -> Any:
    """What the visitor's browser sent; in a callback. It may be anything."""
    return st.session_state[key].get(trigger)


@cache
def _text(file: Path) -> str | None:
    return file.read_text(encoding="utf-8") if file.exists() else None
