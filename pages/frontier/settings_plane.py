"""The map of ρ and δ_add: what every pair would bring, and a click that sets both."""

from dataclasses import replace
from typing import Any

import streamlit as st

from dirrac_core.case.case import Case
from dirrac_core.case.scenario import Scenario
from dirrac_core.figures.plane.settings_map import settings_map_figure
from pages.frontier.computing import map_of
from pages.frontier.view import worst_word
from pages.shared import computing, state, wording
from pages.shared.navigation import file_of
from pages.shared.pictures import Mark, draw_picture, theme
from pages.shared.promise import promise_headline

# The height of title, verdict and controls in rem.
_ABOVE = 17.0
DIGITS = 3


def show_map(case: Case) -> None:
    """The map, what holds at the settings in force, and how to read it."""
    plan = computing.solution(case.scenario).plan
    rho, add = float(case.problem.radii.max()), case.scenario.delta_add
    here = f"At ρ = {wording.amount(rho)} and δ_add = {wording.amount(add)}"
    if plan.x is None:
        st.markdown(f"### {here} there is no plan")
        st.page_link(file_of("recourse"), label=wording.WHY_NO_PLAN, icon=":material/route:")
    else:
        st.markdown(f"### {here}: {_lower(promise_headline(plan.worst_case_probability))}")
    found = map_of(case.scenario)
    figure = settings_map_figure(found, rho, add, theme())
    draw_picture(figure, "settings map", on_mark=_clicked, above=_ABOVE)
    st.caption(
        "Colour: how many of 100 future models may decline the best plan "
        f"({worst_word(case.scenario)}). White lines part regions whose plans change different "
        "features. Click anywhere to set ρ and δ_add. Every pair is solved, with its proof."
    )


def _lower(words: str) -> str:
    return words[0].lower() + words[1:]


def _clicked(mark: Mark) -> None:
    # The mark of the settings in force stands for no others.
    if mark.data:
        rho, add = mark.data
        state.set_scenario(at_settings(state.current(), rho, add))


def at_settings(scenario: Scenario, rho: Any, add: Any) -> Scenario:
    """The scenario with another largest ρ, the other radii in their ratio, and another δ_add."""
    radius, budget = round(float(rho), DIGITS), round(float(add), DIGITS)
    own = [shift.radius for shift in scenario.shifts]
    listed = scenario.radii if isinstance(scenario.radii, tuple) else (scenario.radii,)
    declared_only = bool(own) and scenario.futures not in ("history", "stress")
    most = max(own if declared_only else (*listed, *own))

    def scaled(value: float) -> float:
        return round(radius * value / most, DIGITS) if most > 0.0 else radius

    radii = tuple(map(scaled, listed)) if isinstance(scenario.radii, tuple) else scaled(listed[0])
    return replace(
        scenario,
        radii=scenario.radii if declared_only else radii,
        shifts=tuple(replace(shift, radius=scaled(shift.radius)) for shift in scenario.shifts),
        delta_add=budget,
    )
