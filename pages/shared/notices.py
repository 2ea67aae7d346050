"""What a visitor reads instead of a traceback."""

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from dirrac_core.errors import DirracError
from pages.shared import state


@contextmanager
def told_in_words() -> Iterator[None]:
    """Show a named error of the core as a message; the rest of the page stays usable."""
    try:
        yield
    except DirracError as problem:
        st.error(f"{problem}.".replace("..", "."), icon=":material/error:")


def about_the_link() -> None:
    """Say what an opened link contained that could not be used."""
    ignored = state.ignored_in_link()
    if ignored:
        lines = "\n".join(f"- {_plain(words)}" for words in ignored)
        st.warning(
            f"The link was opened, except for what could not be used:\n\n{lines}",
            icon=":material/link_off:",
        )


def _plain(words: str) -> str:
    """Text from an address shown as it is, never read as markup."""
    return "".join(f"\\{c}" if c in r"\`*_{}[]()#+-!|<>~$:" else c for c in words)
