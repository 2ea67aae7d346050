"""What declaring shifts changes for the applicant, and the German lesson."""

from dataclasses import replace

import streamlit as st

from dirrac_core.case.case import Case
from dirrac_core.case.scenario import Scenario
from pages.shared import computing, state, wording
from pages.shared.navigation import file_of
from pages.teaching.lesson import LESSON_BUDGET, lesson_scenario, show_outcome

NO_PLAN = "No plan survives these futures. The workbench says why and what helps."


def show_effect(case: Case) -> None:
    """The applicant's plan with and without the declared shifts, side by side."""
    scenario = case.scenario
    st.subheader("What this means for the plan")
    blind = replace(scenario, shifts=())
    kind = "simulated" if case.bundle.future.simulated else "shifted"
    futures = "luck only" if scenario.futures == "paper" else wording.FUTURES[scenario.futures]
    if not scenario.shifts:
        show_outcome(f"Futures: {futures}", blind, kind, NO_PLAN)
    else:
        left, right = st.columns(2, gap="large")
        with left:
            show_outcome("Without the declared shifts", blind, kind, NO_PLAN)
        with right:
            show_outcome("With the declared shifts", scenario, kind, NO_PLAN)
    st.page_link(file_of("recourse"), label="Open this plan", icon=":material/route:")


def compute(scenario: Scenario) -> None:
    """The plans that `show_effect` compares, and the future models behind them."""
    computing.outlook(scenario)
    for futures in {replace(scenario, shifts=()), scenario}:
        x = computing.solution(futures).plan.x
        if x is not None:
            computing.facts(futures, tuple(x))


def offer_lesson(scenario: Scenario) -> None:
    """The German lesson, and one click that shows it."""
    st.markdown(
        "The German credit file of 1994 gave the codes of the checking account the wrong names: "
        "“no account”, the best of all, really was “≥ 200 DM”. A plan that expects nothing but "
        "luck moves people to “no account”, and most models trained after the correction of 2019 "
        "decline it. "
        "Declare that the coding may be corrected, and the plan finds a change that both readings "
        "like. **A promise holds for the shifts you have declared.**"
    )
    if is_lesson(scenario):
        st.markdown("You are looking at it: compare the two plans on this page.")
        return
    st.button(
        "Show it on German credit",
        icon=":material/school:",
        on_click=open_lesson,
        help=f"Declares the correction next to sampling noise, with δ_add = {LESSON_BUDGET:g}, "
        "enough to change a category. Undo brings everything back.",
    )


def is_lesson(scenario: Scenario) -> bool:
    """Whether the present scenario is the lesson."""
    return scenario == lesson_scenario(scenario)


def open_lesson() -> None:
    """Make the lesson the current scenario."""
    state.set_scenario(lesson_scenario(state.current()))
