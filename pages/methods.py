"""Methods: every method's plan side by side, for this applicant and for the whole dataset."""

import streamlit as st

from dirrac_core.scenario import Scenario
from pages.shared import computing, notices, state, wording
from pages.shared.methods_applicant import applicant_methods
from pages.shared.methods_many import many_methods
from pages.shared.methods_view import ALL, choose_view


def page(scenario: Scenario) -> None:
    """One applicant or the dataset, and the methods that are compared."""
    case = computing.case(scenario)
    title = st.empty()
    view = choose_view(case)
    everyone = view.who == ALL
    who = "Many applicants" if everyone else wording.applicant_name(scenario.applicant)
    title.header(f"{who} · every method side by side")
    if everyone:
        many_methods(case, view)
    else:
        applicant_methods(case, view)


current = state.current()
notices.about_the_link()
with notices.told_in_words():
    computing.bundle(current)
    page(current)
