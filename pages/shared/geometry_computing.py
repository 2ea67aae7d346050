"""Cached calls of the geometry page; shared by visitors, bounded, read-only."""

import streamlit as st

from dirrac_core.arrays import Array
from dirrac_core.baselines import Plan
from dirrac_core.figures.case_plane import (
    CasePlane,
    algorithm1,
    animated_radii,
    case_plane,
    drawn_set,
    roar_plan,
)
from dirrac_core.scenario import Scenario
from dirrac_core.solvers import Outcome
from pages.shared import computing


@st.cache_resource(max_entries=128, show_spinner=False)
def plane(scenario: Scenario, features: tuple[str, str], at_plan: bool) -> CasePlane:
    """The slice in two features, the others held at the plan or at the applicant."""
    case = computing.case(scenario)
    found = computing.solution(scenario).real.plan.x
    return case_plane(case, features, found if at_plan and found is not None else case.x0)


@st.cache_resource(max_entries=128, show_spinner=False)
def nearest(scenario: Scenario) -> Array | None:
    """The feasible point nearest to the applicant, where Algorithm 1 starts."""
    case = computing.case(scenario)
    return drawn_set(case).project(case.x0)


@st.cache_resource(max_entries=128, show_spinner=False)
def path(scenario: Scenario) -> Outcome | None:
    """The path of Algorithm 1."""
    return algorithm1(computing.case(scenario))


@st.cache_resource(max_entries=128, show_spinner=False)
def roar(scenario: Scenario) -> Plan:
    """ROAR's plan, solved exactly."""
    return roar_plan(computing.case(scenario))


@st.cache_resource(max_entries=128, show_spinner=False)
def radii(scenario: Scenario) -> tuple[float, ...]:
    """The radii an animation runs through."""
    return tuple(float(rho) for rho in animated_radii(computing.case(scenario)))
