"""Future models: the models a plan may meet, the components that stand for them, and shifts."""

from dataclasses import replace

import streamlit as st

from dirrac_core.declared_shifts import declared_mixture
from dirrac_core.models.bundle import ModelBundle
from dirrac_core.scenario import Scenario
from pages.shared import computing, notices, state
from pages.shared.future_cloud import cloud, verdict
from pages.shared.future_components import components, number_of_components
from pages.shared.future_composer import composer
from pages.shared.future_lesson import effect, lesson


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
        on_click=state.change,
        kwargs={"model": "logistic"},
    )


def retrain(scenario: Scenario, bundle: ModelBundle) -> None:
    """Train the models of each declared shift, saying which; what is trained is kept."""
    total = len(scenario.shifts)
    for k, shift in enumerate(scenario.shifts):
        with st.spinner(f"Re-training 100 models: {shift.title} ({k + 1} of {total})"):
            declared_mixture(bundle.dataset, [shift], scenario.seed)


scenario = state.current()
notices.about_the_link()
bundle = computing.bundle(scenario)
st.header("Future models")
with notices.told_in_words():
    retrain(scenario, bundle)
    case, outlook = computing.case(scenario), computing.outlook(scenario)
    if outlook is None:
        network(scenario)
    else:
        st.markdown(
            "Train a model again and its weights come out a little different; after a shift, very "
            "different. Plans are prepared for the components below, which stand for such futures."
        )
        st.markdown(verdict(case, outlook))
        left, right = st.columns([3, 2], gap="large")
        with left:
            cloud(case, outlook)
            effect(case)
        with right:
            composer(case)
            lesson(scenario)
        components(outlook)
        automatic = computing.bundle(replace(scenario, components="auto")).estimate
        number_of_components(case, outlook, automatic)
