"""A click is answered while a page still computes: the page leaves its work between two solves."""

from contextlib import AbstractContextManager

import streamlit as st

from dirrac_core.progress import looking_up


def answered() -> AbstractContextManager[None]:
    """Inside, a click that runs the page again need not wait for the end of a long computation."""
    return looking_up(_look)


def _look() -> bool:
    # Streamlit gives up a run of the page wherever it asks for the state after a new click.
    return "click" in st.session_state
