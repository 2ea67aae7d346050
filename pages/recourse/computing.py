"""What the workbench solves for a scenario: cached, shared by visitors, bounded, read-only."""

from contextlib import suppress
from dataclasses import replace

from dirrac_core.case.case import Case
from dirrac_core.case.scenario import Scenario
from dirrac_core.errors import InvalidInput
from dirrac_core.geometry.case_plane import telling_features
from dirrac_core.methods import Plan
from dirrac_core.recourse.kinds.alternatives import SAFEST
from dirrac_core.recourse.kinds.menu import MenuPlan
from dirrac_core.studies.quick_frontier import Point, dirrac_points, roar_plans
from pages.shared import computing
from pages.shared.defaults import LOGISTIC


def compute(scenario: Scenario) -> None:
    """All that the workbench solves for a linear model with its first part open."""
    case, plan = computing.case(scenario), computing.solution(scenario).plan
    computing.radius_ceiling(scenario)
    computing.plan_for_today(scenario)
    if plan.x is None:
        computing.no_plan(scenario)
        computing.own_ranges(scenario)
    else:
        computing.facts(scenario, tuple(plan.x))
        plan_menu(scenario)
        computing.room(scenario)
    with suppress(InvalidInput):
        computing.plane(scenario, telling_features(case, plan.x), True)
    small_dirrac(scenario)
    small_roar(scenario)


def plan_menu(scenario: Scenario) -> tuple[MenuPlan, ...] | None:
    """The plans to choose from, whichever of them is chosen; None where it would take long."""
    return computing.plan_menu(replace(scenario, plan_kind=SAFEST, level=None))


def small_dirrac(scenario: Scenario) -> tuple[Point, ...]:
    """DiRRAc's plans of the small frontier: whichever plan was chosen, and whatever δ_add is.

    A model that is made linear at the plan is another one for every δ_add.
    """
    key = replace(scenario, plan_kind=SAFEST, level=None)
    if scenario.model == LOGISTIC:
        key = replace(key, delta_add=0.0)
    return _dirrac(key, computing.case(scenario))


def small_roar(scenario: Scenario) -> tuple[Plan, ...]:
    """ROAR's plans of the small frontier."""
    return _roar(computing.made_today(scenario), computing.case(scenario))


@computing.kept(128)
def _dirrac(key: Scenario, _case: Case) -> tuple[Point, ...]:
    return dirrac_points(_case)


@computing.kept(128)
def _roar(key: tuple[Scenario, float], _case: Case) -> tuple[Plan, ...]:
    return roar_plans(_case)
