"""The futures a plan is prepared for, in the sidebar: which, how many components, how large."""

from typing import Any

import streamlit as st

from dirrac_core.case.scenario import Scenario
from dirrac_core.case.settings import STORIED
from dirrac_core.errors import DirracError
from dirrac_core.models.estimate import MAX_COMPONENTS
from dirrac_core.models.futures.bootstrap import FEWEST_TRAINED
from dirrac_core.robustness import METRICS
from pages.runs import network_training
from pages.shared import computing, notices, state, wording
from pages.shared.address.links import MOST
from pages.shared.defaults import LOGISTIC, offered_futures, paper_settings, usual_settings
from pages.shared.navigation import file_of
from pages.sidebar.radii import show_radii, show_switch
from pages.sidebar.setting_widgets import choice, segmented
from pages.sidebar.shift_summary import show_declared_shifts

SIZE_STEP = 50
# K when every component has a story of its own.
BY_STORY = "stories"


def show_which(scenario: Scenario) -> None:
    """Which futures, and the shifts declared besides or in their place."""
    offered = offered_futures(scenario.dataset, scenario.model)
    lines = [f"- **{wording.FUTURES[each]}**: {wording.FUTURE_LINES[each]}" for each in offered]
    choice(
        "Futures",
        "futures",
        offered,
        wording.FUTURES,
        apply=change_futures,
        help_words="\n".join((wording.HELP["futures"], "", *lines)),
    )
    if scenario.shifts and network_training.is_ready(scenario):
        show_declared_shifts(scenario)


def show_radius(scenario: Scenario) -> None:
    """ρ, or one for each component."""
    if _has_components(scenario):
        with notices.show_errors():
            show_radii(scenario, _components_of(scenario)[0])


def show_components(scenario: Scenario) -> None:
    """Whether there is a ρ for each component, and K."""
    if not _has_components(scenario):
        return
    try:
        _, count = _components_of(scenario)
    except DirracError:
        # It is said where ρ is.
        return
    if count > 1:
        show_switch(count, isinstance(scenario.radii, tuple))
    if scenario.futures in STORIED:
        # K follows from the stories; another K leaves them for re-trainings alone.
        _components(scenario, {BY_STORY: f"{count}, one per future"}, BY_STORY)
    else:
        _estimated(scenario)


def _has_components(scenario: Scenario) -> bool:
    """Whether K and ρ are set here, and not with the declared shifts."""
    ready = network_training.is_ready(scenario)
    return ready and (scenario.futures in STORIED or not scenario.shifts)


def _components_of(scenario: Scenario) -> tuple[tuple[str, ...], int]:
    """The names of the components, where they have any, and how many there are."""
    if scenario.futures in STORIED:
        case = computing.case(scenario)
        count = case.problem.mixture.components - len(scenario.shifts)
        return (case.component_names or ())[:count], count
    # A training size that nothing can be trained with is refused here already.
    estimate = computing.bundle(scenario).estimate if scenario.model == LOGISTIC else None
    return (), 1 if estimate is None else estimate.components


def show_future_details(scenario: Scenario) -> None:
    """What is set once: how large future models are, what they follow, the unit of ρ."""
    if scenario.futures != "paper" and network_training.is_ready(scenario):
        _training_size(scenario)
    choice("They may follow", "link", list(wording.LINKS), wording.LINKS, widget=segmented)
    if scenario.model == LOGISTIC:
        choice(
            "Unit of ρ",
            "radius_unit",
            METRICS[::-1],
            wording.RADIUS_UNITS,
            widget=segmented,
            apply=lambda unit: state.change(**in_unit(unit)),
        )
    st.page_link(file_of("future_models"), label="See them", icon=":material/scatter_plot:")


def change_futures(value: str) -> None:
    """The paper's way is a whole of its own; leaving it brings today's unit, K and weights.

    Stories decide K themselves, so a K chosen for re-trainings does not stay behind them.
    """
    old = state.current()
    if value == old.futures:
        return
    if value == "paper":
        state.change(**paper_settings(old.model))
        return
    changed: dict[str, Any] = {"futures": value, "radii": state.one_radius(old)}
    usual = usual_settings(old.dataset, old.model)
    if value in STORIED:
        changed["components"] = usual.components
    if old.futures == "paper":
        fields = ("components", "radius_unit", "radii", "weighting")
        changed |= {field: getattr(usual, field) for field in fields}
    state.change(**changed)


def in_unit(value: str) -> dict[str, Any]:
    """Another unit makes the old number mean nothing: ρ returns to where it starts."""
    old = state.current()
    if value == old.radius_unit:
        return {}
    usual = usual_settings(old.dataset, old.model)
    same = value == usual.radius_unit
    radii = usual.radii if same else paper_settings(old.model)["radii"]
    return {"radius_unit": value, "radii": radii}


def _training_size(scenario: Scenario) -> None:
    key = "set training_size"
    st.session_state[key] = scenario.training_size
    today = int(computing.bundle(scenario).training.sum())

    def changed() -> None:
        size = st.session_state[key]
        state.change(training_size=None if size is None else int(size))

    st.number_input(
        "Trained on … people",
        FEWEST_TRAINED,
        int(MOST["training_size"]),
        value=None,
        step=SIZE_STEP,
        key=key,
        placeholder=f"{today:,}, as today",
        help=wording.HELP["training_size"],
        on_change=changed,
    )


def _estimated(scenario: Scenario) -> None:
    estimate = computing.bundle(scenario).estimate if scenario.model == LOGISTIC else None
    if estimate is None:
        _components(scenario, {scenario.components: "1 (LIME gives one)"}, scenario.components)
        return
    words = {}
    if isinstance(scenario.components, str):
        words = {scenario.components: f"{estimate.components}, {_rule(scenario.components)}"}
    why = " ".join((estimate.reason, *estimate.notes))
    _components(scenario, words, scenario.components, why)


def _rule(components: str) -> str:
    return {"bic": "by BIC", "auto": "by the elbow"}[components]


def _components(scenario: Scenario, words: dict[Any, str], shown: Any, why: str = "") -> None:
    """K; a choice among stories is one of re-trainings, which K alone can decide."""
    key, linear = "set components", scenario.model == LOGISTIC
    options = [BY_STORY] if shown == BY_STORY else []
    options += ["bic", "auto", *range(1, MAX_COMPONENTS + 1)] if linear else [shown]
    named = {"bic": "by BIC", "auto": "by the elbow", **words}
    st.session_state[key] = shown

    def changed() -> None:
        value = st.session_state[key]
        if value != BY_STORY:
            futures = "sampling" if shown == BY_STORY else state.current().futures
            one = state.one_radius(state.current())
            state.change(components=value, radii=one, futures=futures)

    help_words = wording.HELP["components"]
    if shown == BY_STORY:
        help_words += " Another K leaves the stories for luck alone."
    st.selectbox(
        "Components K",
        options,
        key=key,
        format_func=lambda option: named.get(option, str(option)),
        help=f"{help_words} {why}".strip(),
        on_change=changed,
        disabled=not linear,
    )
