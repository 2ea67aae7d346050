"""The title row of every page about one applicant: the title, and the way to other applicants."""

import secrets

import streamlit as st

from dirrac_core.case.scenario import Scenario
from pages.shared import computing, state
from pages.sidebar.finder import open_finder
from pages.sidebar.next_steps import neighbours


def show_title(scenario: Scenario, words: str, help_words: str | None = None) -> None:
    """The title of the page; beside it the way to other declined people."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.header(words, help=help_words, width="stretch")
        found = _steps(scenario)
    if found:
        open_finder()


def _steps(scenario: Scenario) -> bool:
    """The buttons; whether somebody else is to be looked for."""
    rows = computing.declined_rows(scenario)
    before, after = neighbours(scenario)
    others = [row for row in rows if row != scenario.applicant]
    _go("Previous", ":material/chevron_left:", before, "Previous declined applicant.")
    _go("Next", ":material/chevron_right:", after, "Next declined applicant.")
    _go("Random", ":material/casino:", others, "Another declined applicant at random.")
    return st.button(
        "Find",
        icon=":material/search:",
        type="tertiary",
        disabled=not rows,
        help="Find a declined applicant by what they are like.",
    )


def _go(label: str, icon: str, rows: list[int], help_words: str) -> None:
    """A step to one of these rows; with none of them the button rests."""
    st.button(
        label,
        icon=icon,
        type="tertiary",
        disabled=not rows,
        on_click=lambda: state.change(applicant=secrets.choice(rows)),
        help=help_words,
    )
