"""What preparing for one more shift would change: both plans judged by the same futures."""

from dataclasses import replace

import streamlit as st

from dirrac_core.case.futures import shifts_with
from dirrac_core.case.scenario import Scenario
from dirrac_core.models.estimate import MAX_COMPONENTS
from dirrac_core.models.futures.compose import available_stories
from dirrac_core.models.futures.shift import STORIES
from pages.shared import computing, state, wording
from pages.shared.defaults import LOGISTIC
from pages.shared.navigation import file_of
from pages.shared.plain_text import plain
from pages.shared.promise import NO_PROMISE, promise_headline

_STORY = "shift to prepare for"


def show_contrast(scenario: Scenario) -> None:
    """A shift to choose, the plan of now and the plan prepared for it, and one click to take it."""
    dataset = computing.bundle(scenario).dataset
    if scenario.model != LOGISTIC or len(scenario.shifts) >= MAX_COMPONENTS:
        st.caption(
            f"At most {MAX_COMPONENTS} shifts can be declared, for the logistic regression only."
        )
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        stories = available_stories(dataset)
        story = st.selectbox(
            "If this shift may come",
            stories,
            index=min(1, len(stories) - 1),
            key=f"{_STORY} {scenario.dataset}",
            format_func=lambda name: STORIES[name].title,
            width=360,
        )
        prepared = replace(scenario, shifts=shifts_with(scenario, dataset, story))
        st.button(
            "Prepare for this shift",
            icon=":material/shield:",
            type="primary",
            on_click=state.set_scenario,
            args=(prepared,),
        )
        st.page_link(file_of("future_models"), label="Compose", icon=":material/tune:")
    st.caption(STORIES[story].explanation)
    with st.spinner("Training the models of this shift"):
        left, right = st.columns(2, gap="large")
        with left:
            _judged("The plan as it is", scenario, prepared)
        with right:
            _judged("Prepared for it", prepared, prepared)


def _judged(title: str, planned: Scenario, judging: Scenario) -> None:
    """The plan of some settings under the futures of others."""
    st.markdown(f"#### {title}")
    solution = computing.solution(planned)
    x = solution.plan.x
    if x is None:
        st.markdown("No plan survives these futures.")
        return
    case, facts = computing.case(judging), computing.facts(judging, tuple(x))
    st.markdown(plain(case.dataset.schema.sentence(case.x0, x)))
    worst = promise_headline(facts.guarantee)
    if facts.promise is None or not facts.accepted_today:
        worst = f"{NO_PROMISE}: today's own model declines it"
    counted = wording.counted_word(case.bundle.future)
    st.markdown(
        f"- **Worst case with this shift:** {worst[0].lower()}{worst[1:]}.\n"
        f"- **{counted}:** {facts.declined} of {len(facts.observed)} decline it.\n"
        f"- **Effort:** {wording.amount(case.problem.unbounded.cost_of(x))}"
    )
