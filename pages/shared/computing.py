"""Cached calls from a scenario to results of the core; shared by visitors, bounded, read-only."""

import streamlit as st

from dirrac_core.appraisal import (
    Facts,
    Price,
    UnlockValue,
    facts_of,
    price_of_robustness,
    value_of_unlocking,
    why_no_plan,
)
from dirrac_core.arrays import Array, frozen_array
from dirrac_core.feasible import Explanation
from dirrac_core.models.bundle import ModelBundle
from dirrac_core.models.reasons import Reason, main_reasons
from dirrac_core.outlook import Outlook, outlook_of
from dirrac_core.scenario import Case, Scenario, Solution, bundle_of, make_case, solve_scenario

# Long enough for every shipped dataset; a table with very many categories stops here and says so.
TIME_LIMIT = 20.0


def bundle(scenario: Scenario) -> ModelBundle:
    """The trained models of a scenario; the core keeps the last ones."""
    if scenario.model == "logistic":
        return bundle_of(scenario)
    place = st.empty()
    bar = place.progress(0.0, "Training the neural networks of this dataset (once)")
    trained = bundle_of(scenario, lambda part, words: bar.progress(part, words))
    place.empty()
    return trained


@st.cache_resource(max_entries=64, show_spinner=False)
def case(scenario: Scenario) -> Case:
    """The problem of a scenario without its solution."""
    return make_case(scenario)


@st.cache_resource(max_entries=128, show_spinner=False)
def solution(scenario: Scenario) -> Solution:
    """The plan of a scenario."""
    return solve_scenario(scenario, time_limit=TIME_LIMIT)


@st.cache_resource(max_entries=128, show_spinner=False)
def facts(scenario: Scenario, x: tuple[float, ...]) -> Facts:
    """The guarantee, the Gaussian figure and what re-trained models said of x."""
    return facts_of(case(scenario), point(x))


@st.cache_resource(max_entries=64, show_spinner=False)
def price(scenario: Scenario) -> Price:
    """What robustness costs."""
    return price_of_robustness(case(scenario))


@st.cache_resource(max_entries=64, show_spinner=False)
def unlock_values(scenario: Scenario, delta: float) -> tuple[UnlockValue, ...]:
    """What freeing each restricted feature would bring at budget delta."""
    return value_of_unlocking(case(scenario), delta)


@st.cache_resource(max_entries=64, show_spinner=False)
def no_plan(scenario: Scenario) -> Explanation | None:
    """Why there is no plan."""
    return why_no_plan(case(scenario))


@st.cache_resource(max_entries=64, show_spinner=False)
def outlook(scenario: Scenario) -> Outlook | None:
    """The models and components the scenario reckons with; None for a network."""
    return outlook_of(case(scenario))


@st.cache_resource(max_entries=64, show_spinner=False)
def reasons(scenario: Scenario) -> tuple[Reason, ...]:
    """The main reasons of today's decision."""
    this = case(scenario)
    if this.surrogate is None:
        return this.bundle.reasons(this.x0)
    theta = this.surrogate.mixture.means[0]
    return main_reasons(theta, this.x0, this.dataset.present, this.dataset.schema)


@st.cache_resource(max_entries=16, show_spinner=False)
def declined_rows(dataset: str, model: str, seed: int) -> tuple[int, ...]:
    """The rows of the present people whom today's model declines."""
    kept = bundle_of(Scenario(dataset, 0, model=model, seed=seed))
    return tuple(int(row) for row in kept.declined)


def point(x: tuple[float, ...]) -> Array:
    """A plan kept as a tuple, as the read-only vector it was."""
    return frozen_array("x", x, (None,))
