"""A place for one file of a visitor, which is kept while its visitor looks at other pages.

A file that cannot be read is refused with the reason, and the one before it stays in use.
"""

from collections.abc import Callable
from typing import Any, TypeVar

import streamlit as st

from dirrac_core.errors import DirracError
from pages.shared import notices

Content = TypeVar("Content")


def offer_place(
    key: str,
    read: Callable[[str, bytes], Content],
    label: str,
    types: tuple[str, ...],
    megabytes: int,
    help: str | None = None,
) -> tuple[Content | None, str]:
    """Draw the place; what `read` made of the last name and content it could, and a refusal."""
    st.file_uploader(
        label,
        types,
        key=key,
        max_upload_size=megabytes,
        on_change=_changed,
        args=(key, read),
        help=help,
    )
    kept, refused = _state(key)
    if refused:
        st.error(refused, icon=":material/error:")
    return kept, refused


def forget_file(key: str) -> None:
    """Keep no file of this place any more."""
    st.session_state[f"kept of {key}"] = (None, "")


def _state(key: str) -> tuple[Any, str]:
    state: tuple[Any, str] = st.session_state.get(f"kept of {key}", (None, ""))
    return state


def _changed(key: str, read: Callable[[str, bytes], Any]) -> None:
    file = st.session_state[key]
    if file is None:
        forget_file(key)
        return
    try:
        state = read(file.name, file.getvalue()), ""
    except DirracError as problem:
        state = _state(key)[0], notices.error_sentence(problem)
    st.session_state[f"kept of {key}"] = state
