"""Plans for many people at once: the answers of `find_recourse`, by the batched kernel.

Whoever the kernel cannot settle, and everybody without a plan, is asked one by one by the certified
solver, and the result says who. An answer does not depend on who else is asked.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from dirrac_core.arrays import Array, checked_number
from dirrac_core.errors import InvalidInput
from dirrac_core.recourse.find import find_recourse
from dirrac_core.recourse.problem import RecourseProblem
from dirrac_core.recourse.result import Recourse
from dirrac_core.robustness import Objective
from dirrac_core.solvers.batch.crowd import Crowd, Places, crowd_of
from dirrac_core.solvers.batch.pieces import Mask
from dirrac_core.solvers.batch.search import CheapestPlans, best_plans, cheapest_plans
from dirrac_core.solvers.outcome import OPTIMAL


@dataclass(frozen=True, eq=False)
class ManyPlans:
    """One entry per person; plans are (people, D), NaN where there is none.

    The numbers are those of `Recourse`. `one_by_one` holds the answers of those who were left to
    the certified solver, by place: people without a plan, and people the kernel did not settle.
    """

    status: list[str]
    x: Array
    cost: Array
    delta_min: Array
    delta: Array
    worst_case_probability: Array
    lower_bound: Array
    one_by_one: dict[int, Recourse]

    @property
    def gap(self) -> Array:
        """How far each plan may be from the best one, in probability."""
        return self.worst_case_probability - self.lower_bound


def plan_many(problems: Sequence[RecourseProblem], gap: float = 1e-3) -> ManyPlans:
    """The plans of `find_recourse(problem, gap=gap)` for every problem.

    The problems must share mixture, cost, margin, categories, link and weighting.
    """
    if not problems:
        message = "At least one problem is needed, got none"
        raise InvalidInput(message)
    objective = problems[0].objective
    for problem in problems:
        other = problem.objective
        if (other.link, other.weighting) != (objective.link, objective.weighting):
            message = "People solved together must share link and weighting, got different ones"
            raise InvalidInput(message)
    parts = []
    for places in _by_likeness(problems):
        some = [problems[place] for place in places]
        crowd = crowd_of([problem.unbounded for problem in some], objective)
        extra = np.array([problem.delta_add for problem in some])
        fixed = np.array([np.nan if p.delta is None else p.delta for p in some])
        parts.append((places, plan_crowd(crowd, objective, extra, fixed, gap, some.__getitem__)))
    return parts[0][1] if len(parts) == 1 else _joined(parts)


def plan_crowd(
    crowd: Crowd,
    objective: Objective,
    delta_add: Array,
    delta: Array,
    gap: float,
    problem_of: Callable[[int], RecourseProblem],
    cheapest: CheapestPlans | None = None,
) -> ManyPlans:
    """The plans of a crowd with budgets δ_min + delta_add, or `delta` where that is not NaN.

    `problem_of` gives the problem of a person by place, for those who are asked one by one;
    `cheapest` are the cheapest plans, when they are known already.
    """
    gap = checked_number("gap", gap, low=0.0, strict=True)
    found = settle_crowd(crowd, objective, delta_add, delta, gap, cheapest)
    one_by_one = {
        place: find_recourse(problem_of(place), gap=gap)
        for place in map(int, np.flatnonzero(~found.settled))
    }
    plans = ManyPlans(
        [OPTIMAL] * crowd.people,
        np.ascontiguousarray(found.x.T),
        found.cost,
        found.delta_min,
        found.delta,
        found.value,
        found.lower_bound,
        one_by_one,
    )
    for place, recourse in plans.one_by_one.items():
        plans.status[place] = recourse.status
        plans.x[place] = np.nan if recourse.x is None else recourse.x
        plans.cost[place], plans.delta_min[place] = recourse.cost, recourse.delta_min
        plans.delta[place] = recourse.delta
        plans.worst_case_probability[place] = recourse.worst_case_probability
        plans.lower_bound[place] = recourse.lower_bound
    return plans


@dataclass(frozen=True, eq=False)
class Settled:
    """What the kernel says of a crowd: plans (D, people) and their numbers, where `settled`."""

    settled: Mask
    x: Array
    cost: Array
    delta_min: Array
    delta: Array
    value: Array
    lower_bound: Array


def settle_crowd(
    crowd: Crowd,
    objective: Objective,
    delta_add: Array,
    delta: Array,
    gap: float,
    cheapest: CheapestPlans | None = None,
) -> Settled:
    """The kernel's part of `plan_crowd`; NaN where it has no plan."""
    if cheapest is None:
        cheapest = cheapest_plans(crowd)
    budget = np.where(np.isnan(delta), cheapest.cost + delta_add, delta)
    able = np.flatnonzero(cheapest.settled & (cheapest.cost <= budget))
    some = crowd.chosen(able)
    best = best_plans(some, cheapest.chosen(able), budget[able], objective, gap)
    settled = np.zeros(crowd.people, dtype=bool)
    settled[able] = best.settled
    x = np.full(crowd.x0.shape, np.nan)
    cost, value, lower = (np.full(crowd.people, np.nan) for _ in range(3))
    x[:, able], cost[able] = best.x, some.cost_of(best.x)
    value[able], lower[able] = best.value, best.lower_bound
    return Settled(settled, x, cost, cheapest.cost.copy(), budget, value, lower)


def _by_likeness(problems: Sequence[RecourseProblem]) -> list[Places]:
    """The places of those who must be like the same real people, and of the others."""
    places: dict[tuple[bytes, bytes] | None, list[int]] = {}
    for place, problem in enumerate(problems):
        likeness = problem.unbounded.actions.plausible
        key = None if likeness is None else (likeness.factor.tobytes(), likeness.centre.tobytes())
        places.setdefault(key, []).append(place)
    return [np.array(each, dtype=np.intp) for each in places.values()]


def _joined(parts: list[tuple[Places, ManyPlans]]) -> ManyPlans:
    """The plans of several crowds, each in their places."""
    order = np.argsort(np.concatenate([places for places, _ in parts]), kind="stable")

    def all_of(name: str) -> Array:
        joined: Array = np.concatenate([getattr(plans, name) for _, plans in parts])[order]
        return joined

    status = [each for _, plans in parts for each in plans.status]
    return ManyPlans(
        status=[status[place] for place in order],
        x=all_of("x"),
        cost=all_of("cost"),
        delta_min=all_of("delta_min"),
        delta=all_of("delta"),
        worst_case_probability=all_of("worst_case_probability"),
        lower_bound=all_of("lower_bound"),
        one_by_one={
            int(places[place]): plan
            for places, plans in parts
            for place, plan in plans.one_by_one.items()
        },
    )
