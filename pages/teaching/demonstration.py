"""What the demonstrations share: the plan at a chosen ρ, and what is said where there is none."""

from dataclasses import dataclass, replace

import streamlit as st

from dirrac_core.arrays import Array
from dirrac_core.case.case import Case
from dirrac_core.case.scenario import Scenario
from dirrac_core.case.settings import STORIED
from pages.shared import computing, notices, state, wording
from pages.shared.navigation import file_of
from pages.shared.numbers import in_text

MOST_RHO, MOST_EFFORT = 1.0, 3.0
# The paper's elbows are at 4, 5 and 6.
COMPONENTS, USUAL_K = (1, 2, 3, 4, 5, 6), 3


@dataclass(frozen=True, eq=False)
class FoundPlan:
    """A case that has a plan x (D,)."""

    case: Case
    x: Array


def rho_slider(scenario: Scenario) -> float:
    """ρ of a demonstration; it starts at the one set on the left, and leaves that alone."""
    notices.report_numbers(("claim_rho",))
    return st.slider(
        "ρ in this demonstration",
        0.0,
        MOST_RHO,
        min(state.one_radius(scenario), MOST_RHO),
        0.01,
        key="claim_rho",
        bind="query-params",
        help=wording.HELP["rho"],
    )


def effort_slider(key: str, usual: float) -> float:
    """δ_add of a demonstration, under its own name in the link."""
    notices.report_numbers((key,))
    return st.slider(
        "δ_add in this demonstration",
        0.0,
        MOST_EFFORT,
        usual,
        0.1,
        key=key,
        bind="query-params",
        help=wording.HELP["delta_add"],
    )


def components_slider(scenario: Scenario) -> Scenario:
    """The scenario of the logistic regression with the K of a demonstration."""
    if scenario.model != "logistic":
        st.caption("A neural network has one component; this is the logistic regression instead.")
    notices.report_choices({"claim_k": [str(k) for k in COMPONENTS]})
    k = st.select_slider(
        "K, the number of components",
        COMPONENTS,
        USUAL_K,
        key="claim_k",
        bind="query-params",
        help=wording.GLOSSARY["K"],
    )
    return replace(one_component(scenario), model="logistic", components=k)


def with_rho(scenario: Scenario, rho: float) -> Scenario:
    """The scenario with this ρ for every component."""
    shifts = tuple(replace(shift, radius=rho) for shift in scenario.shifts)
    return replace(scenario, radii=rho, shifts=shifts)


def one_component(scenario: Scenario) -> Scenario:
    """The scenario with K = 1, estimated from re-trainings: futures with stories have one each."""
    futures = "sampling" if scenario.futures in STORIED else scenario.futures
    radius = state.one_radius(scenario)
    return replace(scenario, futures=futures, components=1, shifts=(), radii=radius)


def find_plan(scenario: Scenario) -> FoundPlan | None:
    """The plan of a scenario; where it has none that is said, and None returned."""
    solution = computing.solution(scenario)
    if solution.plan.x is not None:
        return FoundPlan(solution.case, solution.plan.x)
    st.warning(
        f"{wording.applicant_name(scenario.applicant)} has no plan at "
        f"ρ = {wording.amount(state.one_radius(scenario))}: with these rules the largest ρ that "
        f"leaves one is {in_text(computing.largest_radius(scenario))}. Choose a smaller ρ.",
        icon=":material/block:",
    )
    st.page_link(file_of("recourse"), label=wording.WHY_NO_PLAN, icon=":material/route:")
    return None


def tiny(value: float) -> str:
    """A difference that may be a rounding error: "0" or "6e-17" in plain characters."""
    return "0" if value == 0.0 else f"{value:.1e}".replace("e-0", "e-").replace("-", "−")
