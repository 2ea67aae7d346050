"""What is decided and asked, in the sidebar: where decisions are cut, and effort or level."""

import streamlit as st

from dirrac_core import load_dataset
from dirrac_core.case.scenario import Scenario
from dirrac_core.models.cut_off import APPROVAL, CUT_OFF_KINDS, PROBABILITY, SCORE
from dirrac_core.models.protected import protected_features
from dirrac_core.recourse.kinds.alternatives import AT_MOST, SAFEST
from dirrac_core.recourse.kinds.at_most import USUAL_LEVEL
from pages.runs import network_training
from pages.shared import computing, state, wording
from pages.shared.address.links import MOST
from pages.shared.defaults import LOGISTIC
from pages.shared.plain_text import plain
from pages.sidebar.setting_widgets import choice, segmented

# The least and the most of each kind of cut-off, and its step.
_SHARES = (0.01, 0.99, 0.01)
RANGES = {
    PROBABILITY: _SHARES,
    APPROVAL: _SHARES,
    SCORE: (-MOST["cut_off"], MOST["cut_off"], 0.1),
}
BUDGET = "budget"
LEAST_LEVEL, LEVEL_STEP = 0.01, 0.01


def show_decision(scenario: Scenario) -> None:
    """How the question is put, and the cut-off in the way the lender states it."""
    _question(scenario)
    _cut_off(scenario)
    _protected(scenario)


def _question(scenario: Scenario) -> None:
    """The safest plan within a budget, or the cheapest one at a stated worst case."""
    key = "set question"
    st.session_state[key] = AT_MOST if scenario.plan_kind == AT_MOST else BUDGET

    def asked() -> None:
        if st.session_state[key] == AT_MOST:
            state.change(plan_kind=AT_MOST, level=scenario.level or USUAL_LEVEL)
        else:
            state.change(plan_kind=SAFEST, level=None)

    segmented(
        "Ask for",
        [BUDGET, AT_MOST],
        key=key,
        format_func=lambda option: wording.QUESTIONS[option],
        help=wording.HELP["question"],
        on_change=asked,
    )
    if scenario.plan_kind == AT_MOST:
        _level(scenario)


def _level(scenario: Scenario) -> None:
    key = "set level"
    level = USUAL_LEVEL if scenario.level is None else scenario.level
    st.session_state[key] = level

    def changed() -> None:
        state.change(level=float(st.session_state[key]))

    st.number_input(
        "Worst case of at most",
        min(LEAST_LEVEL, level),
        1.0,
        step=LEVEL_STEP,
        key=key,
        help=wording.HELP["level"],
        on_change=changed,
    )


def _cut_off(scenario: Scenario) -> None:
    choice(
        "To be accepted takes", "cut_off_kind", CUT_OFF_KINDS, wording.CUT_OFFS, apply=_change_kind
    )
    key = "set cut_off"
    least, most, step = RANGES[scenario.cut_off_kind]
    # A link may hold a number beyond those offered.
    least, most = min(least, scenario.cut_off), max(most, scenario.cut_off)
    st.session_state[key] = scenario.cut_off

    def changed() -> None:
        state.change(cut_off=float(st.session_state[key]))

    st.number_input(
        "Cut-off", least, most, step=step, key=key, help=wording.HELP["cut_off"], on_change=changed
    )


def _protected(scenario: Scenario) -> None:
    """The switch that trains without protected attributes, and its price."""
    dataset = load_dataset(scenario.dataset)
    features = protected_features(dataset)
    if not features or scenario.model != LOGISTIC:
        return
    key = "set without_protected"
    st.session_state[key] = scenario.without_protected
    st.toggle(
        "Models see no protected attributes",
        key=key,
        help=wording.HELP["without_protected"],
        on_change=lambda: state.change(without_protected=st.session_state[key]),
    )
    if scenario.without_protected:
        cost = computing.price_of_leaving_out(scenario.dataset, scenario.seed)
        if cost is not None:
            st.caption(plain(cost.sentence))


def _change_kind(kind: str) -> None:
    """The same cut-off stated in another way, as nearly as the control can say it."""
    if not network_training.is_ready(state.current()):
        state.change(cut_off_kind=kind, cut_off=0.5)
        return
    bundle = computing.bundle(state.current())
    accepted = 1.0 - bundle.declined.size / len(bundle.dataset.present)
    same = {PROBABILITY: bundle.needed, SCORE: bundle.threshold, APPROVAL: accepted}[kind]
    least, most, _ = RANGES[kind]
    state.change(cut_off_kind=kind, cut_off=min(max(round(same, 4), least), most))
