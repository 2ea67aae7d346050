"""Frontier: what validity costs, for this applicant and for many, by DiRRAc and other methods."""

import streamlit as st

from dirrac_core.scenario import Scenario
from pages.shared import computing, notices, state, wording
from pages.shared.frontier_applicant import applicant_frontier
from pages.shared.frontier_many import many_applicants
from pages.shared.frontier_view import MANY, choose_view


def page(scenario: Scenario) -> None:
    """One applicant or many, and the controls that choose what is drawn."""
    case = computing.case(scenario)
    title = st.empty()
    view = choose_view()
    who = "Many applicants" if view.who == MANY else wording.applicant_name(scenario.applicant)
    title.header(f"{who} · what lasting acceptance costs")
    if view.who == MANY:
        many_applicants(case, view)
    else:
        applicant_frontier(case, view)


current = state.current()
notices.about_the_link()
with notices.told_in_words():
    computing.bundle(current)
    page(current)
