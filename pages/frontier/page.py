"""Frontier: what validity costs, for this applicant and for many, by DiRRAc and other methods."""

from functools import partial

import streamlit as st

from dirrac_core.case.nonlinear.trees import TREES
from dirrac_core.case.scenario import Scenario
from pages.frontier.applicant import show_applicant
from pages.frontier.many import show_many
from pages.frontier.settings_plane import show_map
from pages.frontier.trees import show_tree_frontier
from pages.frontier.view import MANY, MAP, View, choose_view
from pages.shared import computing, notices, state, wording
from pages.sidebar.live import follow_settings
from pages.sidebar.title_row import show_title


def head(scenario: Scenario) -> View:
    """The title, and the controls that choose what is drawn: they stay while settings change."""
    title = st.container()
    view = choose_view(computing.case(scenario))
    with title:
        if view.who == MANY:
            st.header("Many applicants · what lasting acceptance costs")
        else:
            name = wording.applicant_name(scenario.applicant)
            show_title(scenario, f"{name} · what lasting acceptance costs")
    return view


def live(view: View, scenario: Scenario) -> None:
    """One applicant or many: all that follows the settings."""
    case = computing.case(scenario)
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
        follow_settings(show_tree_frontier)
    else:
        follow_settings(partial(live, head(current)))
