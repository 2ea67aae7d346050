"""Cached rows of the frontier page; shared by visitors, bounded, read-only."""

from dataclasses import replace

import pandas as pd
import streamlit as st

from dirrac_core.evaluation.case_frontier import (
    DIRRAC,
    case_frontier,
    current_setting,
    with_guarantee,
)
from dirrac_core.scenario import Scenario
from pages.shared import computing

_ANY_BUDGET = 0.0


def family_rows(scenario: Scenario, family: str) -> pd.DataFrame:
    """The rows of one family of methods.

    DiRRAc is solved again for every setting but δ_add, over which it is swept. The others do not
    know about future models, so their plans are kept and only their guarantee is computed again.
    """
    if family == DIRRAC:
        return _solved(replace(scenario, delta_add=_ANY_BUDGET), family)
    plain = Scenario(
        scenario.dataset,
        scenario.applicant,
        model=scenario.model,
        components=scenario.components,
        categories=scenario.categories,
        preset=scenario.preset,
        edits=scenario.edits,
        seed=scenario.seed,
    )
    return with_guarantee(_solved(plain, family), computing.case(scenario))


@st.cache_resource(max_entries=1024, show_spinner=False)
def _solved(scenario: Scenario, family: str) -> pd.DataFrame:
    return case_frontier(computing.case(scenario), family)


@st.cache_resource(max_entries=128, show_spinner=False)
def current_row(scenario: Scenario) -> pd.DataFrame:
    """One row: DiRRAc at the δ_add that is set."""
    return current_setting(computing.case(scenario))
