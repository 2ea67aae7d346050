"""Three statements that the Learn page explains and lets one try: here in one sentence each."""

import streamlit as st

from dirrac_core.case.scenario import Scenario
from pages.shared.address.links import to_query
from pages.shared.navigation import file_of

# What was set for a statement goes along with the link.
_CONTROLS = ("claim_rho", "claim_k", "claim_of", "claim_gap", "claim_share")


def show_certificate(scenario: Scenario) -> None:
    """The lower bound that comes with every plan."""
    _statement(
        "The paper's algorithm can only say where it stopped. Here every plan comes with a proven "
        "lower bound: no plan within the budget can promise less.",
        "certificate",
        scenario,
    )


def show_adversary(scenario: Scenario) -> None:
    """Who attains the worst case."""
    _statement(
        "The worst case is attained: by one average model and one scatter, given by a formula, at "
        "a distance of exactly ρ.",
        "adversary",
        scenario,
    )


def show_ceiling(scenario: Scenario) -> None:
    """How large ρ can be."""
    _statement(
        "Beyond some ρ no plan is left, whatever the effort, and a cone program finds where.",
        "ceiling",
        scenario,
    )


def _statement(words: str, name: str, scenario: Scenario) -> None:
    st.markdown(words)
    carried = {key: st.query_params[key] for key in _CONTROLS if key in st.query_params}
    st.page_link(
        file_of("learn"),
        label=f"Explained and tried on the Learn page: the {name}",
        icon=":material/school:",
        query_params=to_query(scenario) | carried | {f"try_{name}": "true"},
    )
