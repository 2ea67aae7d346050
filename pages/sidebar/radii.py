"""ρ in the sidebar: one for all components, up to the applicant's ceiling, or one for each."""

import math

import streamlit as st

from dirrac_core.case.scenario import Scenario
from dirrac_core.errors import DirracError
from dirrac_core.figures.drawing.palette import component_colour, component_name
from pages.shared import computing, notices, state, wording
from pages.shared.address.links import MOST_RADII
from pages.shared.defaults import LOGISTIC, TREES
from pages.shared.plain_text import plain
from pages.sidebar.setting_widgets import slider

# A track longer than this is walked in coarse steps.
LONG_TRACK, COARSE, FINE = 1.0, 0.05, 0.01


def show_radii(scenario: Scenario, names: tuple[str, ...]) -> None:
    """One ρ, or ρ_k beside the colour of each component."""
    if isinstance(scenario.radii, tuple):
        _each(scenario.radii, names, scenario.radius_unit)
    else:
        _one(scenario, scenario.radii)


def _one(scenario: Scenario, rho: float) -> None:
    most = MOST_RADII[scenario.radius_unit]
    if scenario.model != LOGISTIC:
        # The approximation of a network moves with its plan, and so does the ceiling.
        slider("Radius of doubt ρ", "radii", "set radii", rho, *track(most, rho, most))
        if scenario.model == TREES:
            st.caption("Boosted trees have no ρ: it moves their linear approximation (LIME) alone.")
        return
    try:
        ceiling = computing.radius_ceiling(scenario)
    except DirracError as problem:
        st.error(notices.error_sentence(problem), icon=":material/error:")
        return
    end, step = track(ceiling, rho, most)
    slider("Radius of doubt ρ", "radii", "set radii", rho, end, step)
    st.html(f"<p class='ceiling'>{ceiling_words(ceiling, rho, end)}</p>")


def track(ceiling: float, rho: float, most: float) -> tuple[float, float]:
    """The end of the slider, one step above the ceiling, and its step.

    It depends on ρ only where ρ lies beyond, so that the slider stays the same while it is moved.
    """
    wanted = ceiling if 0.0 < ceiling < most else min(LONG_TRACK, most)
    if ceiling >= most:
        wanted = most
    step = COARSE if wanted > LONG_TRACK else FINE
    end = min(step * (math.floor(wanted / step) + 1), most)
    # Rounded, because a multiple of the step has digits of its own at the end.
    return round(max(end, rho), 6), step


def ceiling_words(ceiling: float, rho: float, end: float) -> str:
    """What stands below the end of the track."""
    if not ceiling > 0.0:
        return "no plan at any ρ"
    if ceiling > end:
        return f"a plan at every ρ up to {end:g}"
    # Rounded down: at the number shown there still is a plan.
    shown = f"{math.floor(100 * ceiling) / 100:g}"
    return f"beyond the ceiling, {shown}" if rho > ceiling else f"ceiling {shown} ▴"


def show_switch(components: int, each: bool) -> None:
    """Between one ρ and one for each component."""
    st.session_state["rho each"] = each

    def toggled() -> None:
        one = state.one_radius(state.current())
        several = st.session_state["rho each"]
        state.change(radii=(one,) * components if several else one)

    st.toggle("ρ_k per component", key="rho each", help=wording.HELP["rho_each"], on_change=toggled)


def _each(radii: tuple[float, ...], names: tuple[str, ...], unit: str) -> None:
    for k, radius in enumerate(radii):
        key = f"set radius {k}"
        st.session_state[key] = radius

        def changed(k: int = k, key: str = key) -> None:
            kept = state.current().radii
            others = list(kept if isinstance(kept, tuple) else radii)
            others[k] = float(st.session_state[key])
            state.change(radii=tuple(others))

        name = plain(component_name(k, names or None))
        left, right = st.columns([3, 2], vertical_alignment="center", gap="xsmall")
        left.markdown(
            f"<span style='color:{component_colour(k)}'>●</span> <small>{name}</small>",
            unsafe_allow_html=True,
        )
        right.number_input(
            f"ρ of component {k + 1}",
            0.0,
            MOST_RADII[unit],
            step=COARSE,
            key=key,
            on_change=changed,
            label_visibility="collapsed",
        )
