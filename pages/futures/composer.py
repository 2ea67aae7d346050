"""The composer: declare, weigh, strengthen and remove named shifts."""

from collections.abc import Sequence

import streamlit as st

from dirrac_core import Dataset
from dirrac_core.case.case import Case
from dirrac_core.case.futures import needs_luck, shifts_with
from dirrac_core.case.scenario import Scenario
from dirrac_core.figures.drawing.palette import component_colour
from dirrac_core.models.estimate import MAX_COMPONENTS
from dirrac_core.models.futures.compose import available_stories
from dirrac_core.models.futures.shift import NOISE, STORIES
from pages.futures.generated import show_generated
from pages.futures.story_controls import changed, show_about, show_refused, shown
from pages.shared import state, wording
from pages.shared.address.shift_links import LEAST_WEIGHT, MOST_RADIUS, MOST_WEIGHT
from pages.shared.plain_text import plain

STRENGTH_STEP, WEIGHT_STEP, RHO_STEP = 0.05, 0.5, 0.01
HELP = {
    "strength": "How strong the shift is. At 0 nothing changes but luck.",
    "weight": "How likely this future is, relative to the others.",
    "radius": wording.GLOSSARY["rho"] + " 0 trusts the story fully.",
}


def show_composer(case: Case) -> None:
    """Every declared shift as a card, and the way to add one."""
    scenario, dataset = case.scenario, case.dataset
    show_refused()
    _add(scenario, dataset)
    if case.declared is None:
        st.markdown(
            f"**No shift is declared.** The components come from 100 {_draws(scenario)}: they know "
            "of luck and nothing else."
        )
    else:
        sentences = case.declared.sentences
        generated = len(sentences) - len(scenario.shifts)
        for k, sentence in enumerate(sentences[generated:]):
            _card(scenario, dataset, k, sentence, component_colour(generated + k))
        if generated:
            show_generated(case, sentences[:generated])


def _draws(scenario: Scenario) -> str:
    if scenario.futures == "paper":
        return "re-trainings on a random 80% of the present people"
    return "re-trainings on people drawn with replacement from the present ones"


def _card(scenario: Scenario, dataset: Dataset, k: int, sentence: str, colour: str) -> None:
    shift = scenario.shifts[k]
    story = STORIES[shift.story]
    total = sum(each.weight for each in scenario.shifts)
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(
                f"#### {k + 1} · {story.title} <span style='color:{colour}'>●</span>",
                unsafe_allow_html=True,
                width="stretch",
            )
            st.button(
                "Remove",
                icon=":material/close:",
                key=f"remove shift {k}",
                help=f"Remove “{story.title}”.",
                type="tertiary",
                on_click=_remove,
                args=(k,),
            )
        st.markdown(plain(sentence))
        show_about(dataset, k, shift)
        if story.strongest > story.weakest:
            key = shown(k, "strength", shift.strength)
            st.slider(
                "Strength",
                story.weakest,
                story.strongest,
                step=STRENGTH_STEP,
                key=key,
                help=HELP["strength"],
                on_change=changed,
                args=(k, "strength", key),
            )
        left, right = st.columns(2)
        with left:
            key = shown(k, "weight", shift.weight)
            st.number_input(
                f"Weight (p̂ = {shift.weight / total:.0%})",
                LEAST_WEIGHT,
                MOST_WEIGHT,
                step=WEIGHT_STEP,
                key=key,
                help=HELP["weight"],
                on_change=changed,
                args=(k, "weight", key),
            )
        with right:
            key = shown(k, "radius", shift.radius)
            st.number_input(
                "Radius of doubt ρ",
                0.0,
                MOST_RADIUS,
                step=RHO_STEP,
                key=key,
                help=HELP["radius"],
                on_change=changed,
                args=(k, "radius", key),
            )


def _add(scenario: Scenario, dataset: Dataset) -> None:
    stories = available_stories(dataset)
    key = f"story {scenario.dataset}"
    full = len(scenario.shifts) >= MAX_COMPONENTS
    left, right = st.columns([3, 2], vertical_alignment="bottom")
    with left:
        story = st.selectbox(
            "A shift that may come",
            stories,
            index=min(1, len(stories) - 1),
            key=key,
            format_func=lambda name: STORIES[name].title,
            help="Every page prepares its plans for the declared shifts too; at most "
            f"{MAX_COMPONENTS}.\n\n{_described(stories)}",
        )
    with right:
        st.button(
            "Prepare for this shift",
            icon=":material/shield:",
            type="primary",
            disabled=full,
            on_click=_append,
            args=(dataset, key),
            width="stretch",
        )
    luck = " Sampling noise stays." if needs_luck(scenario) and story != NOISE else ""
    st.caption(STORIES[story].explanation + luck)


def _described(stories: Sequence[str]) -> str:
    return "\n".join(f"- **{STORIES[s].title}.** {STORIES[s].explanation}" for s in stories)


def _append(dataset: Dataset, key: str) -> None:
    state.change(shifts=shifts_with(state.current(), dataset, st.session_state[key]))


def _remove(k: int) -> None:
    shifts = state.current().shifts
    state.change(shifts=shifts[:k] + shifts[k + 1 :])
