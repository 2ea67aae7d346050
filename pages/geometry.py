"""Geometry: the paper's Figure 2, live, for any two numeric features of one applicant."""

import streamlit as st

from dirrac_core.scenario import Scenario
from pages.shared import computing, notices, state, wording
from pages.shared.geometry_picture import animation, clickable_picture, step_picture
from pages.shared.geometry_reading import how_to_read, told
from pages.shared.geometry_steps import chosen_step, steps
from pages.shared.geometry_view import ANIMATION, STEPS, choose_view
from pages.shared.geometry_what_if import what_if, what_if_point


def page(scenario: Scenario) -> None:
    """The slice that is chosen, what can be done with it, and how to read it."""
    case = computing.case(scenario)
    st.header(f"{wording.applicant_name(scenario.applicant)} · the geometry of the plan")
    view = choose_view(case)
    told(case, view)
    if view.mode == ANIMATION:
        animation(case, view)
    else:
        left, right = st.columns([3, 2], gap="large")
        if view.mode == STEPS:
            with right:
                steps(case)
            with left:
                step_picture(case, view, chosen_step(case))
        else:
            point = what_if_point(case, view)
            with left:
                clickable_picture(case, view, point)
            with right:
                what_if(case, view, point)
    how_to_read(case, view)


current = state.current()
notices.about_the_link()
with notices.told_in_words():
    computing.bundle(current)
    page(current)
