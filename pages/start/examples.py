"""Three ready examples, and the way to the guided tour."""

import streamlit as st

from dirrac_core.case.scenario import Scenario
from pages.shared import navigation, state
from pages.start.idea import TEACHING

# Title, why it is worth a look, the page it opens, and its scenario.
READY = (
    (
        "A loan applicant",
        "48 months and 5,951 DM were declined. What would be accepted, and by later models too?",
        "recourse",
        Scenario("german", 1),
    ),
    (
        "A student",
        "Which second grade would make passing likely, and does that hold at another school?",
        "recourse",
        Scenario("student", 0, delta_add=0.2),
    ),
    (
        "The teaching example",
        "Two numbers, nothing else: everything can be seen and checked by eye.",
        "geometry",
        TEACHING,
    ),
)


def show_examples() -> None:
    """Three places to begin; each opens the right page in the right state."""
    st.header("Begin with an example")
    columns = st.columns(len(READY), border=True)
    for column, (title, words, page, scenario) in zip(columns, READY, strict=True):
        with column:
            st.markdown(f"### {title}")
            st.write(words)
            if st.button("Open", key=f"open {title}", icon=":material/arrow_forward:"):
                state.set_scenario(scenario)
                st.switch_page(navigation.file_of(page))
    st.page_link(
        navigation.file_of("shift_lab"),
        label="For a class: the guided tour in ten steps",
        icon=":material/tour:",
        query_params={"lab_part": "Guided tour"},
    )
