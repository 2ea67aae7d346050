"""No plan: why, and the ways out, each one click away."""

import math
from dataclasses import replace

import streamlit as st

from dirrac_core.actionability import edited_rules
from dirrac_core.feasible import Unlock
from dirrac_core.figures.wording import joined
from dirrac_core.scenario import Case, Scenario
from pages.shared import computing, state, wording
from pages.shared.plain_text import plain

MOST_WAYS = 4


def no_plan(case: Case) -> None:
    """The explanation and its buttons."""
    scenario = case.scenario
    st.subheader("There is no plan under these conditions.")
    explanation = computing.no_plan(scenario)
    if explanation is None or not explanation.blame:
        st.write(
            "The ranges, the rules between features and what may not change leave no acceptable "
            "point, whatever the radius. Widen what may change, below."
        )
        _free_everything(scenario)
        return
    if "radius" in explanation.blame:
        factor = explanation.radius_factor
        lowered = _lowered(scenario, factor)
        largest = max(_radii_of(lowered))
        st.write(
            f"The radius of doubt is too large: up to about ρ = {largest:g} a plan exists. A "
            "larger ρ asks the plan to survive futures that no allowed change can satisfy."
        )
        st.button(
            f"Lower ρ to {largest:g}",
            icon=":material/trending_down:",
            on_click=state.set_scenario,
            args=(lowered,),
        )
    if "locks" in explanation.blame:
        st.write("Features that may not change stand in the way. One of these would open a plan:")
        for unlock in explanation.unlocks[:MOST_WAYS]:
            _unlock_button(case, unlock)


def _unlock_button(case: Case, unlock: Unlock) -> None:
    names = _feature_names(case, unlock)
    st.button(
        f"Free {plain(joined(names))} (cheapest plan then: {wording.amount(unlock.delta_min)})",
        icon=":material/lock_open:",
        on_click=free_features,
        args=(case, names),
    )


def free_features(case: Case, names: list[str]) -> None:
    """Let these features move both ways; for a callback."""
    scenario = case.scenario
    rules = edited_rules(case.dataset, scenario.preset, scenario.edits)
    freed = [replace(rules[name], move="both") for name in names]
    kept = [edit for edit in scenario.edits if edit.feature not in names]
    state.change(edits=(*kept, *freed))


def _feature_names(case: Case, unlock: Unlock) -> list[str]:
    schema = case.dataset.schema
    columns = {column for feature in unlock.features for column in feature}
    return [f.name for f in schema.features if columns & set(schema.columns_of(f.name))]


def _free_everything(scenario: Scenario) -> None:
    st.button(
        "Let everything change",
        icon=":material/lock_open:",
        on_click=state.change,
        kwargs={"preset": "free", "edits": ()},
        disabled=scenario.preset == "free" and not scenario.edits,
    )


def _just_below(radius: float) -> float:
    """The radius rounded down, so that it really works."""
    return math.floor(radius * 100) / 100 if radius >= 0.02 else float(f"{radius * 0.9:.2g}")


def _lowered(scenario: Scenario, factor: float) -> Scenario:
    """The scenario with every radius multiplied by the factor: declared shifts have their own."""
    if scenario.shifts:
        shifts = [replace(s, radius=_just_below(s.radius * factor)) for s in scenario.shifts]
        return replace(scenario, shifts=tuple(shifts))
    if isinstance(scenario.radii, tuple):
        return replace(scenario, radii=tuple(_just_below(r * factor) for r in scenario.radii))
    return replace(scenario, radii=_just_below(scenario.radii * factor))


def _radii_of(scenario: Scenario) -> tuple[float, ...]:
    if scenario.shifts:
        return tuple(shift.radius for shift in scenario.shifts)
    return scenario.radii if isinstance(scenario.radii, tuple) else (scenario.radii,)
