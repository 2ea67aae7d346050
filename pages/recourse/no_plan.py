"""No plan: why, and the ways out, each one click away."""

import math
from dataclasses import replace

import streamlit as st

from dirrac_core.case.case import Case
from dirrac_core.case.no_plan import OwnRange, features_of, looser_share
from dirrac_core.case.realism import rules_in_force
from dirrac_core.case.scenario import Scenario
from dirrac_core.data.actionability import edited_rules
from dirrac_core.data.schema.plan_rules import without_limits
from dirrac_core.data.schema.plausible_set import LIKE_REAL_PEOPLE
from dirrac_core.feasible import Drop, Unlock
from dirrac_core.recourse.kinds.alternatives import AT_MOST
from dirrac_core.recourse.kinds.at_most import LevelAnswer
from dirrac_core.wording import joined
from pages.shared import computing, state, wording
from pages.shared.plain_text import plain

MOST_WAYS = 4


def show_no_plan(case: Case) -> None:
    """The explanation and its buttons."""
    scenario = case.scenario
    st.subheader("There is no plan under these conditions.")
    if case.at_most is not None and case.at_most.safest.x is not None:
        _level_out_of_reach(case.at_most)
        return
    explanation = computing.no_plan(scenario)
    own = computing.own_ranges(scenario)
    for way in own[:MOST_WAYS]:
        _range_button(case, way)
    if explanation is None or not explanation.blame:
        if not own:
            st.write(
                "What this person can change does not lead to acceptance, whatever the radius. "
                "More than one condition stands in the way: widen what may change, below."
            )
        return
    for drop in explanation.drops:
        _drop_button(case, drop)
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


def _level_out_of_reach(asked: LevelAnswer) -> None:
    st.write(asked.sentence)
    if asked.best is not None:
        level = asked.best.level
        st.button(
            "Ask for the best that can be reached",
            icon=":material/vertical_align_bottom:",
            on_click=state.change,
            kwargs={"plan_kind": AT_MOST, "level": level},
        )


def _unlock_button(case: Case, unlock: Unlock) -> None:
    names = features_of(case, unlock)
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


def _range_button(case: Case, way: OwnRange) -> None:
    scenario = case.scenario
    kept = [edit for edit in scenario.edits if edit.feature != way.rule.feature]
    st.write(f"{plain(way.words[:1].upper() + way.words[1:])} stands in the way.")
    st.button(
        f"Drop {plain(way.words)} (cheapest plan then: {wording.amount(way.delta_min)})",
        icon=":material/open_in_full:",
        on_click=state.change,
        kwargs={"edits": (*kept, way.rule)},
    )


def _drop_button(case: Case, drop: Drop) -> None:
    """One rule of the domain, or the dial of likeness, that alone stands in the way."""
    scenario = case.scenario
    if drop.name == LIKE_REAL_PEOPLE:
        share = looser_share(case)
        st.write("A plan exists, but it would not look like real people who were accepted.")
        label = "Allow more unusual plans" if share else "Allow plans unlike real people"
        changed: dict[str, object] = {"plausibility": share}
    else:
        st.write(f"The rule “{plain(drop.name)}” stands in the way.")
        label = f"Drop the rule “{plain(drop.name)}”"
        (rule,) = [r for r in rules_in_force(case.dataset, scenario) if r.name == drop.name]
        kept = [r for r in scenario.rules if r.name != drop.name]
        changed = {"rules": (*kept, without_limits(rule))}
    st.button(
        f"{label} (cheapest plan then: {wording.amount(drop.delta_min)})",
        icon=":material/rule:",
        on_click=state.change,
        kwargs=changed,
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
