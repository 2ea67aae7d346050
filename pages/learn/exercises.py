"""Ten exercises: a task with its link, a hint, and a folded solution that is computed."""

import streamlit as st

from dirrac_core.case.scenario import Scenario
from dirrac_core.studies.exercises import EXERCISES, Exercise
from pages.shared.address.links import address_of
from pages.shared.plain_text import plain


def show_exercises(_: Scenario) -> None:
    """All exercises, in order of difficulty."""
    st.markdown(
        "Ten tasks for a class or for yourself. Each link opens the dashboard in the state the "
        "task speaks about; every number in a solution is computed when you open it."
    )
    for place, exercise in enumerate(EXERCISES, start=1):
        with st.container(border=True):
            _draw(place, exercise)


def _draw(place: int, exercise: Exercise) -> None:
    st.markdown(f"### {place} · {exercise.title}")
    st.markdown(exercise.task)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.link_button(
            "Open",
            address_of(exercise.page, exercise.query),
            icon=":material/open_in_new:",
            help="In a tab of its own",
        )
        hint = st.toggle("Hint", key=f"hint {place}")
        solution = st.toggle("Solution", key=f"solution {place}")
    if hint:
        st.info(plain(exercise.hint), icon=":material/lightbulb:")
    if solution:
        st.success(_solved(place), icon=":material/check:")


@st.cache_data(max_entries=len(EXERCISES), show_spinner="Computing the solution")
def _solved(place: int) -> str:
    return plain(EXERCISES[place - 1].solved())
