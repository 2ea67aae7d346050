"""What the sidebar says of declared shifts: beside the stories, or in place of K and ρ."""

import streamlit as st

from dirrac_core.case.scenario import Scenario
from dirrac_core.case.settings import STORIED
from pages.shared import state
from pages.shared.navigation import file_of
from pages.shared.plain_text import plain


def show_declared_shifts(scenario: Scenario) -> None:
    """The declared shifts in a few lines, with the ways to change or drop them."""
    storied, total = scenario.futures in STORIED, sum(shift.weight for shift in scenario.shifts)
    lines = [
        f"- {plain(shift.title)}: "
        + ("" if storied else f"{shift.weight / total:.0%}, ")
        + f"ρ = {shift.radius:g}"
        for shift in scenario.shifts
    ]
    head = "Declared besides:" if storied else f"Declared, K = {len(lines)}:"
    st.caption("\n".join((head, *lines)))
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="center"):
        st.page_link(file_of("future_models"), label="Change", icon=":material/tune:")
        st.button(
            "Drop the shifts",
            icon=":material/restart_alt:",
            type="tertiary",
            on_click=state.change,
            kwargs={"shifts": ()},
            help="Without the declared shifts, as before.",
        )
