"""Methods: every method's plan side by side, for this applicant and for the whole dataset."""

from functools import partial

import streamlit as st

from dirrac_core.case.scenario import Scenario
from pages.methods.applicant import show_applicant
from pages.methods.many import show_many
from pages.methods.view import ALL, View, choose_view
from pages.shared import computing, notices, state, wording
from pages.sidebar.live import follow_settings
from pages.sidebar.title_row import show_title


def head(scenario: Scenario) -> View:
    """The title, and whose plans and which methods: they stay while settings change."""
    title = st.container()
    view = choose_view(computing.case(scenario))
    if view.who == ALL:
        title.header("Many applicants · every method side by side")
    else:
        with title:
            name = wording.applicant_name(scenario.applicant)
            show_title(scenario, f"{name} · every method side by side")
    return view


def live(view: View, scenario: Scenario) -> None:
    """One applicant or the dataset: all that follows the settings."""
    case = computing.case(scenario)
    if view.who == ALL:
        show_many(case, view)
    else:
        show_applicant(case, view)


current = state.current()
notices.report_link()
with notices.show_errors():
    follow_settings(partial(live, head(current)))
