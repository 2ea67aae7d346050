"""What a visitor reads instead of a traceback."""

import logging
import math
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dirrac_core.errors import DirracError
from pages.shared import state
from pages.shared.plain_text import plain

# A link or a table can say anything at any length.
MOST_LINES, LONGEST_LINE = 8, 400
UNEXPECTED = (
    "Something went wrong here that should not have. It has been logged on the server. Change a "
    "setting, undo the last change, or open another page to go on."
)
REFUSED = "A value that this page does not offer was sent and refused; nothing was changed."
# Where it is noted, in the state of a session, what the next run has to say.
VALUE_REFUSED, CALLBACK_FAILED = "value refused", "callback failed"
_LOG = logging.getLogger(__name__)


@contextmanager
def show_errors() -> Iterator[None]:
    """Show a named error of the core as a message; the rest of the page stays usable."""
    try:
        yield
    except DirracError as problem:
        st.error(error_sentence(problem), icon=":material/error:")


@contextmanager
def show_last_resort() -> Iterator[None]:
    """Instead of a traceback: log what nobody foresaw and say so; the menu and sidebar stay."""
    try:
        yield
    except Exception:
        # The one place that takes everything: the outermost edge of a page, where the choice is
        # between this sentence and a traceback. The log has the whole story.
        _LOG.exception("A page ended unexpectedly")
        st.error(UNEXPECTED, icon=":material/error:")


def refuse_value() -> None:
    """Note that the browser sent what the page does not offer, and that it is not used."""
    st.session_state[VALUE_REFUSED] = True


def is_waiting() -> bool:
    """Whether something is to be said of what came before this run."""
    return bool({VALUE_REFUSED, CALLBACK_FAILED} & set(st.session_state))


def report_before_run() -> None:
    """Say once that a value was refused, or that reacting to a change ended unexpectedly."""
    with _place():
        if st.session_state.pop(VALUE_REFUSED, False):
            st.warning(REFUSED, icon=":material/block:")
        if st.session_state.pop(CALLBACK_FAILED, False):
            st.error(UNEXPECTED, icon=":material/error:")


def _place() -> DeltaGenerator:
    """A place that is there with or without a notice.

    Where parts of a page move up or down, the browser builds all that follows again.
    """
    return st.container()


def error_sentence(problem: DirracError) -> str:
    """The message of a named error as one sentence of plain text; it may quote a visitor."""
    return plain(f"{problem}.".replace("..", "."), LONGEST_LINE)


def report_link() -> None:
    """Say what an opened link contained that could not be used, and if it is an old one."""
    with _place():
        report_ignored(state.ignored_in_link())
        if state.is_from_version_1():
            _explain_version_1()


def _explain_version_1() -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(
            "This address is from version 1.0.0 and keeps its meaning: the paper's futures, "
            "ρ in model weights.",
            width="content",
        )
        st.button(
            "Use today's defaults",
            icon=":material/update:",
            type="tertiary",
            on_click=state.use_todays_defaults,
            help="Futures with evidence, and ρ in standard deviations of a re-training.",
        )


def report_choices(choices: Mapping[str, Collection[str]]) -> None:
    """Say which choice in the address a page does not offer; its widgets leave it out unsaid."""
    report_ignored(
        [
            f"{name} = {asked}: there is no such choice."
            for name, offered in choices.items()
            for asked in st.query_params.get_all(name)
            if asked and asked not in offered
        ]
    )


def report_numbers(names: Collection[str]) -> None:
    """Say which parameter of the address should be a number and is not."""
    report_ignored(
        [
            f"{name} = {st.query_params[name]}: a number is needed."
            for name in names
            if name in st.query_params and not is_number(st.query_params[name])
        ]
    )


def report_ignored(lines: list[str]) -> None:
    """Say which parts of an opened link could not be used."""
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
