"""Geometry: the paper's Figure 2, live, for any two numeric features of one applicant."""

from functools import partial

import streamlit as st

from dirrac_core.case.nonlinear.trees import TREES
from dirrac_core.case.scenario import Scenario
from pages.geometry.picture import compute, draw_animation, draw_clickable
from pages.geometry.reading import explain_animation, explain_picture, show_verdict
from pages.geometry.steps import show_walk
from pages.geometry.trees import show_tree_regions
from pages.geometry.view import ANIMATION, STEPS, choose_view
from pages.geometry.what_if import show_what_if, what_if_point
from pages.runs import ahead
from pages.shared import computing, notices, state, wording
from pages.shared.pictures import offer_reading
from pages.sidebar.live import follow_settings
from pages.sidebar.title_row import show_title


def page(scenario: Scenario) -> None:
    """The slice that is chosen, what can be done with it, and how to read it."""
    case = computing.case(scenario)
    verdict = st.container()
    view = choose_view(case)
    with verdict:
        show_verdict(case, view)
    if view.mode == STEPS:
        show_walk(case, view)
    else:
        left, right = st.columns([7, 3], gap="medium")
        if view.mode == ANIMATION:
            with right:
                explain_animation()
            with left:
                draw_animation(case, view)
        else:
            with right:
                point = what_if_point(case, view)
                show_what_if(case, view, point)
            with left:
                draw_clickable(case, view, point)
            ahead.prepare(partial(compute, view))
    offer_reading(lambda: explain_picture(case, view))


current = state.current()
notices.report_link()
with notices.show_errors():
    if current.model == TREES:
        follow_settings(show_tree_regions)
    else:
        name = wording.applicant_name(current.applicant)
        show_title(current, f"{name} · the geometry of the plan")
        follow_settings(page)
