"""Methods: every method's plan side by side, for this applicant and for the whole dataset."""

import streamlit as st

from dirrac_core.case.scenario import Scenario
from pages.methods.applicant import show_applicant
from pages.methods.many import show_many
from pages.methods.view import ALL, choose_view
from pages.shared import computing, notices, state, wording
from pages.sidebar.title_row import show_title


def page(scenario: Scenario) -> None:
    """One applicant or the dataset, and the methods that are compared."""
    case = computing.case(scenario)
    title = st.container()
    view = choose_view(case)
    if view.who == ALL:
        title.header("Many applicants · every method side by side")
        show_many(case, view)
    else:
        with title:
            name = wording.applicant_name(scenario.applicant)
            show_title(scenario, f"{name} · every method side by side")
        show_applicant(case, view)


current = state.current()
notices.report_link()
with notices.show_errors():
    page(current)
