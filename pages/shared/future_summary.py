"""What the sidebar says of declared shifts, in the place of K and ρ."""

import streamlit as st

from dirrac_core.scenario import Scenario
from pages.shared import state
from pages.shared.navigation import file_of


def declared(scenario: Scenario) -> None:
    """The declared shifts, which decide K and ρ_k, with the ways to change or drop them."""
    count = len(scenario.shifts)
    total = sum(shift.weight for shift in scenario.shifts)
    lines = "\n".join(
        f"1. {shift.title}: {shift.weight / total:.0%}, ρ = {shift.radius:g}"
        for shift in scenario.shifts
    )
    st.markdown(
        f"**K = {count}**: one component for each declared shift, with its share and radius.\n\n"
        f"{lines}"
    )
    st.page_link(file_of("future_models"), label="Change the shifts", icon=":material/tune:")
    st.button(
        "Back to re-trainings",
        icon=":material/restart_alt:",
        on_click=state.change,
        kwargs={"shifts": ()},
        help="Drop the declared shifts: the components are estimated from re-trainings again.",
    )
