"""Cached calls of the geometry page; shared by visitors, bounded, read-only."""

from dirrac_core.arrays import Array
from dirrac_core.case.case import Case
from dirrac_core.case.scenario import Scenario
from dirrac_core.geometry.axes import Axis
from dirrac_core.geometry.case_plane import drawn_set, roar_plan
from dirrac_core.geometry.radius_frames import RadiusFrame, radius_frames
from dirrac_core.methods import Plan
from pages.shared import computing


@computing.kept(128)
def nearest_point(scenario: Scenario) -> Array | None:
    """The feasible point nearest to the applicant, where Algorithm 1 starts."""
    case = computing.case(scenario)
    return drawn_set(case).project(case.x0)


def solve_roar(scenario: Scenario) -> Plan:
    """ROAR's plan, solved exactly; it stays the same while ρ and δ_add are moved."""
    return _roar(computing.made_today(scenario), computing.case(scenario))


@computing.kept(128)
def _roar(key: tuple[Scenario, float], _case: Case) -> Plan:
    return roar_plan(_case)


@computing.kept(32, "Solving for every ρ")
def frames(
    scenario: Scenario, features: tuple[str, str], at_plan: bool
) -> tuple[tuple[Axis, Axis], tuple[RadiusFrame, ...]]:
    """The axes, and the slice, budget and plan at every ρ of the animation."""
    plane, found = radius_frames(computing.case(scenario), features, at_plan)
    return plane.axes, found
