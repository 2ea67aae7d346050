"""A frontier of a few points, for a small picture beside the plan: DiRRAc against exact ROAR."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from dirrac_core.arrays import Array
from dirrac_core.case.case import Case
from dirrac_core.methods import Plan, Roar
from dirrac_core.recourse import find_recourse
from dirrac_core.studies.case_frontier import linear_stand_in

DELTA_ADDS = (0.0, 0.3, 0.8, 2.0)
LAMBDAS = (0.01, 0.03, 0.08, 0.2)
# Two efforts, or two probabilities, nearer than this are the same.
SAME = 1e-9


@dataclass(frozen=True, eq=False)
class Point:
    """One plan by its effort and its worst case; `broken` says that it breaks a rule."""

    x: Array
    cost: float
    worst_case: float
    broken: bool = False


def dirrac_points(case: Case) -> tuple[Point, ...]:
    """The safest plans of the case at a few δ_add; none where there is no plan."""
    problem, found = case.problem, []
    if not math.isfinite(problem.delta_min):
        return ()
    for add in DELTA_ADDS:
        other = problem.variant(delta=problem.delta_min + add)
        plan = find_recourse(other, gap=case.scenario.gap)
        if plan.x is None:
            return ()
        found.append(Point(plan.x, plan.cost, plan.worst_case_probability))
    return tuple(found)


def roar_plans(case: Case) -> tuple[Plan, ...]:
    """Exact ROAR at a few λ; it knows nothing of the case's future models."""
    method = Roar(linear_stand_in(case), categories=case.scenario.categories)
    plan = method.over_cost_weight(case.x0, case.actions)
    return tuple(plan(lam) for lam in LAMBDAS)


def roar_points(case: Case, plans: Sequence[Plan]) -> tuple[Point, ...]:
    """ROAR's plans judged by the future models of the case."""
    objective, cost_of = case.problem.objective, case.problem.unbounded.cost_of
    return tuple(
        Point(
            plan.x,
            cost_of(plan.x),
            objective.value(plan.x),
            plan.checks is not None and any(not check.ok for check in plan.checks.checks),
        )
        for plan in plans
        if plan.x is not None
    )


def efficient(points: Sequence[Point]) -> tuple[Point, ...]:
    """The points that no other one beats, by growing effort."""
    kept: list[Point] = []
    for point in sorted(points, key=lambda p: (p.cost, p.worst_case)):
        if not kept or point.worst_case < kept[-1].worst_case - SAME:
            kept.append(point)
    return tuple(kept)
