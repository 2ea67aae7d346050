"""The German lesson: its scenario, and a plan as the lesson compares them."""

import streamlit as st

from dirrac_core.case.outlook import LESSON
from dirrac_core.case.scenario import Scenario
from pages.shared import computing
from pages.shared.defaults import first_declined
from pages.shared.plain_text import plain
from pages.shared.promise import promise_headline, word_for
from pages.shared.wording import counted_word

LESSON_DATASET, LESSON_BUDGET = "german", 2.0


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


def show_outcome(title: str, scenario: Scenario, kind: str, no_plan: str) -> None:
    """One plan: its sentence, its guarantee, and how many models of this kind accept it."""
    solution = computing.solution(scenario)
    found = solution.plan
    if found.x is None:
        st.markdown(f"**{title}**\n\n{no_plan}")
        return
    facts = computing.facts(scenario, tuple(found.x))
    total = len(facts.observed)
    sentence = solution.case.dataset.schema.sentence(solution.case.x0, found.x)
    counted = counted_word(solution.case.bundle.future)
    # One text: each element of a page takes the browser a millisecond at every change.
    st.markdown(
        f"**{title}**\n\n{plain(sentence)}\n"
        f"- **{word_for(scenario)}:** {promise_headline(facts.guarantee).lower()}.\n"
        f"- **{counted}:** of {total} {kind} models, {facts.declined} decline it."
    )
