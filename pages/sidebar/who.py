"""Who the plan is for: dataset, applicant with the ways to others, and today's model."""

import streamlit as st

from dirrac_core import DATASETS
from dirrac_core.case.scenario import Scenario
from dirrac_core.models.bundle import MODELS
from pages.runs import network_training
from pages.shared import computing, state, wording
from pages.sidebar.finder import open_finder
from pages.sidebar.setting_widgets import choice

MOST_APPLICANTS = 1_000
# Pixels that leave room for three buttons in the same line.
ROOM_FOR_A_ROW = 98


def show_who(scenario: Scenario) -> None:
    """Dataset, applicant and model."""
    offered = {**DATASETS, **state.own_tables()}
    choice("Dataset", "dataset", list(offered), offered, apply=state.change_dataset)
    _applicant(scenario)
    choice("Model", "model", MODELS, wording.MODELS, apply=state.change_model)


def _applicant(scenario: Scenario) -> None:
    declined: tuple[int, ...] = ()
    if network_training.is_ready(scenario):
        declined = computing.declined_rows(scenario)
    # A list of thousands would slow every reaction down; “Find” reaches everybody.
    near = sorted(declined, key=lambda row: abs(row - scenario.applicant))[:MOST_APPLICANTS]
    options = sorted({*near, scenario.applicant})
    with st.container(horizontal=True, vertical_alignment="bottom", gap="xxsmall"):
        choice("Applicant", "applicant", options, {}, width=ROOM_FOR_A_ROW)
        before = [row for row in declined if row < scenario.applicant]
        after = [row for row in declined if row > scenario.applicant]
        _step("Applicant before", ":material/chevron_left:", before[-1] if before else None)
        _step("Applicant after", ":material/chevron_right:", after[0] if after else None)
        found = st.button(
            "Search applicants",
            icon=":material/search:",
            key="icon search",
            help="Find a declined applicant by what they are like.",
            disabled=not declined,
        )
    if found:
        open_finder()


def _step(label: str, icon: str, row: int | None) -> None:
    # The shell's style shows the icon of such a key alone; a screen reader says the label.
    st.button(
        label,
        icon=icon,
        key=f"icon {label}",
        disabled=row is None,
        on_click=lambda: state.change(applicant=row),
        help=f"{label} this one, among the declined.",
    )
