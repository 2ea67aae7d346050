"""Effort against acceptance: the cheapest plan for more and more re-trainings."""

from collections.abc import Sequence
from dataclasses import dataclass

from dirrac_core.arrays import Array
from dirrac_core.models.boosted.tree_model import TreeModel
from dirrac_core.progress import Cancel, Progress, never, no_progress
from dirrac_core.trees.answer import OPTIMAL, TreePlan
from dirrac_core.trees.cp_sat.solving import Effort
from dirrac_core.trees.problem import TreeProblem
from dirrac_core.trees.search import cheapest_accepted

SHARES = (0.0, 0.5, 0.75, 0.9, 1.0)
PER_POINT = Effort(work=10.0)


@dataclass(frozen=True, eq=False)
class FrontierPoint:
    """The cheapest plan that at least `at_least` of `total` re-trainings accept.

    Of `fresh` re-trainings it was not planned on, `declined` decline it.
    """

    at_least: int
    total: int
    x: Array
    cost: float
    accepted: int
    declined: int
    fresh: int
    proved: bool


def frontier_plans(
    problem: TreeProblem,
    progress: Progress = no_progress,
    cancel: Cancel = never,
    effort: Effort = PER_POINT,
) -> dict[int, TreePlan]:
    """The plan for each share in SHARES, by how many re-trainings must accept.

    Ends at the first that has no plan, or when cancelled.
    """
    total = len(problem.retrainings)
    plans: dict[int, TreePlan] = {}
    for index, share in enumerate(SHARES):
        at_least = round(share * total)
        progress(index / len(SHARES), f"Cheapest plan for {at_least} of {total} re-trainings")
        if cancel():
            break
        plan = cheapest_accepted(problem, at_least, effort=effort, cancel=cancel)
        if plan.x is None:
            break
        plans[at_least] = plan
    return plans


def points_of(
    problem: TreeProblem, fresh: Sequence[TreeModel], plans: dict[int, TreePlan]
) -> tuple[FrontierPoint, ...]:
    """The points of some plans, with what fresh re-trainings decide on each."""
    points = []
    for at_least, plan in plans.items():
        assert plan.x is not None
        points.append(
            FrontierPoint(
                at_least,
                len(problem.retrainings),
                plan.x,
                plan.cost,
                plan.accepted,
                int((~problem.decisions(plan.x, fresh)).sum()),
                len(fresh),
                plan.status == OPTIMAL,
            )
        )
    return tuple(points)
