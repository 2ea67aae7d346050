"""What declaring shifts changes for the applicant, and the German lesson."""

from dataclasses import replace

import streamlit as st

from dirrac_core.outlook import LESSON
from dirrac_core.scenario import Case, Scenario
from pages.shared import computing, state, wording
from pages.shared.links import first_declined
from pages.shared.navigation import file_of
from pages.shared.plain_text import plain

LESSON_DATASET, LESSON_BUDGET = "german", 2.0


def effect(case: Case) -> None:
    """The applicant's plan with and without the declared shifts, side by side."""
    scenario = case.scenario
    st.subheader(f"What this means for {wording.applicant_name(scenario.applicant)}")
    blind = replace(scenario, shifts=())
    if not scenario.shifts:
        _plan("The plan, prepared for luck only", blind)
    else:
        left, right = st.columns(2, gap="large")
        with left:
            _plan("Prepared for luck only", blind)
        with right:
            _plan("Prepared for the declared shifts", scenario)
    st.page_link(file_of("recourse"), label="Open this plan", icon=":material/route:")


def _plan(title: str, scenario: Scenario) -> None:
    """One plan: its sentence, its guarantee, and what the models after the shift say of it."""
    solution = computing.solution(scenario)
    found = solution.real.plan
    st.markdown(f"**{title}**")
    if found.x is None:
        st.markdown("No plan survives these futures. The Recourse page says why and what helps.")
        return
    facts = computing.facts(scenario, tuple(found.x))
    total = len(facts.observed)
    kind = "simulated" if solution.case.bundle.future.simulated else "shifted"
    sentence = solution.case.dataset.schema.sentence(solution.case.x0, found.x)
    st.markdown(plain(sentence))
    st.markdown(
        f"- **Guarantee:** {wording.at_most(facts.guarantee)} fail, among the futures it was "
        f"prepared for.\n"
        f"- **Observed:** {total - facts.declined} of {total} {kind} models accept it."
    )


def lesson(scenario: Scenario) -> None:
    """The German lesson in words, and one click that shows it."""
    st.subheader("The German lesson")
    st.markdown(
        "The German credit file of 1994 gave the four codes of the checking account the wrong "
        "names: what was read as “no account”, the best code of all, really was “≥ 200 DM”. Given "
        "effort enough to change a category, a plan prepared for luck only moves people to “no "
        "account”. Its guarantee is correct, and yet most models trained after the correction of "
        "2019 decline it, because nothing in re-trainings points that way. Declare that the coding "
        "may be corrected, and the plan finds a change that both readings like. **A guarantee "
        "holds for the shifts you have declared.**"
    )
    if shows_lesson(scenario):
        st.markdown("You are looking at it: compare the two plans on this page.")
        return
    st.button(
        "Show it on German credit",
        icon=":material/school:",
        on_click=show_lesson,
        help=f"Declares the correction beside sampling noise, with δ_add = {LESSON_BUDGET:g}, "
        "enough to change a category. Undo brings everything back.",
    )


def shows_lesson(scenario: Scenario) -> bool:
    """Whether the present scenario is the lesson."""
    return scenario == lesson_scenario(scenario)


def lesson_scenario(scenario: Scenario) -> Scenario:
    """The lesson for the present applicant on German, or for its first declined one."""
    on_german = scenario.dataset == LESSON_DATASET and scenario.model == "logistic"
    start = scenario if on_german else first_declined(LESSON_DATASET)
    return Scenario(
        start.dataset,
        start.applicant,
        components=1,
        delta_add=LESSON_BUDGET,
        seed=scenario.seed,
        shifts=LESSON,
    )


def show_lesson() -> None:
    """Make the lesson the current scenario."""
    state.set_scenario(lesson_scenario(state.current()))
