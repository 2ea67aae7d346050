"""Cached rows of the frontier page; shared by visitors, bounded, read-only."""

from dataclasses import replace

import pandas as pd
import streamlit as st

from dirrac_core.evaluation.case_frontier import case_frontier, current_setting
from dirrac_core.scenario import Scenario
from pages.shared import computing

_ANY_BUDGET = 0.0


def family_rows(scenario: Scenario, family: str) -> pd.DataFrame:
    """The rows of one family of methods; they do not depend on the δ_add that is set."""
    return _family_rows(replace(scenario, delta_add=_ANY_BUDGET), family)


@st.cache_resource(max_entries=1024, show_spinner=False)
def _family_rows(scenario: Scenario, family: str) -> pd.DataFrame:
    return case_frontier(computing.case(scenario), family)


@st.cache_resource(max_entries=128, show_spinner=False)
def current_row(scenario: Scenario) -> pd.DataFrame:
    """One row: DiRRAc at the δ_add that is set."""
    return current_setting(computing.case(scenario))
