"""Frontier: what validity costs, for this applicant and for many, by DiRRAc and other methods."""

import streamlit as st

from dirrac_core.case.nonlinear.trees import TREES
from dirrac_core.case.scenario import Scenario
from pages.frontier.applicant import show_applicant
from pages.frontier.many import show_many
from pages.frontier.settings_plane import show_map
from pages.frontier.trees import show_tree_frontier
from pages.frontier.view import MANY, MAP, choose_view
from pages.shared import computing, notices, state, wording
from pages.sidebar.title_row import show_title


def page(scenario: Scenario) -> None:
    """One applicant or many, and the controls that choose what is drawn."""
    case = computing.case(scenario)
    title = st.container()
    view = choose_view(case)
    with title:
        if view.who == MANY:
            st.header("Many applicants · what lasting acceptance costs")
        else:
            name = wording.applicant_name(scenario.applicant)
            show_title(scenario, f"{name} · what lasting acceptance costs")
    if view.who == MANY:
        show_many(case, view)
    elif view.who == MAP:
        show_map(case)
    else:
        show_applicant(case, view)


current = state.current()
notices.report_link()
with notices.show_errors():
    if current.model == TREES:
        show_tree_frontier(current)
    else:
        page(current)
