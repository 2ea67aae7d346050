"""Cached rows of the methods page, one method at a time; shared by visitors, bounded, read-only."""

from dataclasses import replace

import pandas as pd
import streamlit as st

from dirrac_core.evaluation.case_frontier import with_guarantee
from dirrac_core.evaluation.case_methods import DIRRAC_VARIANTS, base_name, method_row
from dirrac_core.scenario import Scenario
from pages.shared import computing

_SEEN = "methods already computed"


def asked_for(scenario: Scenario, name: str) -> Scenario:
    """The scenario with only the settings that the named method's plan depends on.

    A variant of DiRRAc has its own link and weighting; with one component the weights play no
    part. The others know nothing of ρ, budget, link or weights.
    """
    if base_name(name) in DIRRAC_VARIANTS:
        link, weighting = DIRRAC_VARIANTS[base_name(name)]
        several = computing.case(scenario).problem.mixture.components > 1
        return replace(scenario, link=link, weighting=weighting if several else "nominal")
    return Scenario(
        scenario.dataset,
        scenario.applicant,
        model=scenario.model,
        categories=scenario.categories,
        preset=scenario.preset,
        edits=scenario.edits,
        seed=scenario.seed,
    )


def row(scenario: Scenario, name: str) -> pd.DataFrame:
    """One row: the named method's plan, and its worst case under the scenario's future models."""
    asked = asked_for(scenario, name)
    solved = _solved(asked, name)
    _seen().add((asked, name))
    return with_guarantee(solved.assign(method=name), computing.case(scenario))


def is_ready(scenario: Scenario, name: str) -> bool:
    """Whether this visitor has had the method computed before, so that it comes at once."""
    return (asked_for(scenario, name), name) in _seen()


@st.cache_resource(max_entries=1024, show_spinner=False)
def _solved(asked: Scenario, name: str) -> pd.DataFrame:
    return method_row(computing.case(asked), name)


def _seen() -> set[tuple[Scenario, str]]:
    return st.session_state.setdefault(_SEEN, set())
