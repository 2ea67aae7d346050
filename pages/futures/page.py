"""Futures: the models a plan may meet, the components that stand for them, and shifts."""

from dataclasses import replace

import streamlit as st

from dirrac_core.case.scenario import Scenario
from pages.futures.cloud import show_cloud
from pages.futures.components import show_components, show_number
from pages.futures.composer import show_composer
from pages.futures.lesson import compute, offer_lesson, show_effect
from pages.runs import ahead
from pages.shared import computing, notices, state, wording
from pages.shared.address.linked_controls import show_parts
from pages.shared.coverage import describe_coverage
from pages.sidebar.live import follow_settings
from pages.sidebar.title_row import show_title


def network(scenario: Scenario) -> None:
    """What is said instead when the model is not linear."""
    st.info(
        "A neural network has no short list of weights to draw or to shift: its future is judged "
        "near one applicant, by a single component that LIME gives. Choose the logistic regression "
        "to see its future models and to declare shifts.",
        icon=":material/info:",
    )
    st.button(
        "Use the logistic regression",
        icon=":material/swap_horiz:",
        on_click=state.change_model,
        args=("logistic",),
    )


def models(scenario: Scenario) -> None:
    """The models as points, and how far those after the shift are away."""
    case, outlook = computing.case(scenario), computing.outlook(scenario)
    if outlook is not None:
        left, right = st.columns([3, 2], gap="large")
        with left:
            show_cloud(case, outlook)
        with right:
            st.subheader("How far away are later models?")
            st.markdown(describe_coverage(case, outlook))


def components(scenario: Scenario) -> None:
    """The components one by one, and why there are so many."""
    outlook = computing.outlook(scenario)
    automatic = computing.bundle(replace(scenario, components="auto")).estimate
    if outlook is not None:
        show_components(outlook)
        if automatic is not None:
            show_number(computing.case(scenario), outlook, automatic)


PARTS = {"Models": models, "Components": components, "The German lesson": offer_lesson}


def page(scenario: Scenario) -> None:
    """The declared shifts beside what they change, and the models: all but the title."""
    with st.spinner("Training the models of each future"):
        case, outlook = computing.case(scenario), computing.outlook(scenario)
    if outlook is None:
        network(scenario)
        return
    left, right = st.columns([3, 2], gap="large")
    with left:
        show_composer(case)
    with right:
        show_effect(case)
    show_parts("futures_show", PARTS, scenario)
    ahead.prepare(compute)


current = state.current()
notices.report_link()
name = wording.applicant_name(current.applicant)
show_title(current, f"{name} · which futures should the plan survive?")
follow_settings(page)
