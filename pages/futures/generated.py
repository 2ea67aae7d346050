"""The futures chosen in the sidebar, one by one, and how the past is replayed."""

from collections.abc import Sequence

import streamlit as st

from dirrac_core.case.case import Case
from dirrac_core.case.scenario import Scenario
from dirrac_core.figures.drawing.palette import component_colour
from dirrac_core.models.futures.history import BASES, MOST_WINDOWS, WEIGHTINGS
from dirrac_core.models.futures.shift import HISTORY, STORIES
from dirrac_core.models.futures.stress import stress_set
from pages.shared import state, wording
from pages.shared.plain_text import plain
from pages.sidebar.setting_widgets import choice

STRENGTH_STEP = 0.25


def show_generated(case: Case, sentences: Sequence[str]) -> None:
    """The components that the chosen futures bring, with their sentences and reasons."""
    scenario = case.scenario
    weights = case.problem.mixture.weights
    reasons: tuple[str, ...] = ()
    if scenario.futures == "stress":
        reasons = tuple(stress.reason for stress in stress_set(case.dataset))
    lines = [f"**{wording.FUTURES[scenario.futures].capitalize()}**"]
    for k, sentence in enumerate(sentences):
        share = "" if scenario.weighting == "worst-component" else f" ({weights[k]:.0%})"
        dot = f"<span style='color:{component_colour(k)}'>●</span>"
        lines.append(f"{dot} {k + 1} · {plain(sentence)}{share}")
    # One element, because each costs time at every reaction.
    why = "\n\n".join(f"{k + 1} · {plain(r)}" for k, r in enumerate(reasons))
    st.markdown("<br>".join(lines), unsafe_allow_html=True, help=why or None)
    if scenario.weighting == "worst-component":
        st.caption("A plan is judged by the worst of them, however likely each is.")
    if scenario.futures == "history":
        _replay(scenario)


def _replay(scenario: Scenario) -> None:
    """Windows, base, weights and strength of the past changes."""
    left, right = st.columns(2)
    with left:
        _number("Windows", "history_windows", scenario.history_windows, 2, MOST_WINDOWS)
        choice("Changes start from", "history_base", BASES, wording.HISTORY_BASES)
    with right:
        key = "set history_strength"
        st.session_state[key] = scenario.history_strength
        st.number_input(
            "Strength",
            0.0,
            STORIES[HISTORY].strongest,
            step=STRENGTH_STEP,
            key=key,
            help=wording.HELP["history_strength"],
            on_change=lambda: state.change(
                history_strength=float(st.session_state[key]),
            ),
        )
        choice("Weights", "history_weighting", WEIGHTINGS, wording.HISTORY_WEIGHTINGS)


def _number(label: str, field: str, value: int, least: int, most: int) -> None:
    key = f"set {field}"
    st.session_state[key] = value

    def changed() -> None:
        # Another number of windows is another number of components.
        one = state.one_radius(state.current())
        state.change(**{field: int(st.session_state[key])}, radii=one)

    st.number_input(
        label, least, most, step=1, key=key, help=wording.HELP[field], on_change=changed
    )
