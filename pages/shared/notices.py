"""What a visitor reads instead of a traceback."""

import math
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager

import streamlit as st

from dirrac_core.errors import DirracError
from pages.shared import state
from pages.shared.plain_text import plain

# A link or a table can say anything at any length.
MOST_LINES, LONGEST_LINE = 8, 400


@contextmanager
def told_in_words() -> Iterator[None]:
    """Show a named error of the core as a message; the rest of the page stays usable."""
    try:
        yield
    except DirracError as problem:
        st.error(words_of(problem), icon=":material/error:")


def words_of(problem: DirracError) -> str:
    """The message of a named error as one sentence of plain text; it may quote a visitor."""
    return plain(f"{problem}.".replace("..", "."), LONGEST_LINE)


def about_the_link() -> None:
    """Say what an opened link contained that could not be used."""
    _ignored(state.ignored_in_link())


def about_choices(choices: Mapping[str, Collection[str]]) -> None:
    """Say which choice in the address a page does not offer; its widgets leave it out unsaid."""
    _ignored(
        [
            f"{name} = {asked}: there is no such choice."
            for name, offered in choices.items()
            for asked in st.query_params.get_all(name)
            if asked and asked not in offered
        ]
    )


def about_numbers(names: Collection[str]) -> None:
    """Say which parameter of the address should be a number and is not."""
    _ignored(
        [
            f"{name} = {st.query_params[name]}: a number is needed."
            for name in names
            if name in st.query_params and not is_number(st.query_params[name])
        ]
    )


def _ignored(lines: list[str]) -> None:
    if lines:
        listed = "\n".join(f"- {plain(words, LONGEST_LINE)}" for words in lines[:MOST_LINES])
        if len(lines) > MOST_LINES:
            listed += f"\n- and {len(lines) - MOST_LINES} more."
        st.warning(
            f"The link was opened, except for what could not be used:\n\n{listed}",
            icon=":material/link_off:",
        )


def is_number(text: str) -> bool:
    """Whether a text from an address is a finite number."""
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False
