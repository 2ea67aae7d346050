"""The second way to ask: the cheapest plan with a worst case of at most x, whatever the effort.

No budget is given. The safest plan of a growing budget shows when the level can be reached; then
`solve_cheapest` finds the cheapest plan that does and a bound on what any such plan costs. Every
cheaper plan lies within the budget it searched, so that bound holds without any budget. For one
component and for the worst component it is exact; for other mixtures it is certified up to a gap.
"""

import math
import time
from dataclasses import dataclass, replace

import numpy as np

from dirrac_core.arrays import checked_number
from dirrac_core.errors import InvalidInput
from dirrac_core.recourse.find import find_recourse
from dirrac_core.recourse.kinds.alternatives import (
    AT_MOST,
    Alternative,
    cheapest_lasting,
    seconds_left,
)
from dirrac_core.recourse.problem import RecourseProblem
from dirrac_core.recourse.result import INFEASIBLE, Recourse
from dirrac_core.solvers.outcome import TIME_LIMIT
from dirrac_core.wording import at_most, out_of

# The level where none is stated.
USUAL_LEVEL = 0.1
# The first extra effort tried where the problem states none.
FIRST_EXTRA = 0.25
# A range without an end is searched this many times the size of its numbers.
FAR = 100.0
# The best level that can be reached is rounded up to this much.
FINEST_LEVEL = 1e-3


@dataclass(frozen=True, eq=False)
class LevelAnswer:
    """The cheapest plan with a worst case of at most `level`, or how close one can come.

    `found.least_cost` is what any such plan costs at least. Where none was found, `found` is None
    and `safest` the safest plan at any effort: with `proved`, its lower bound is above the level.
    `best` is then the cheapest plan at the best level that can be reached. `problem` has the
    budget of the answer, so that other things can be computed in the same set of plans.
    """

    level: float
    found: Alternative | None
    best: Alternative | None
    safest: Recourse
    problem: RecourseProblem

    @property
    def proved(self) -> bool:
        """Whether the answer is certain: a plan, or a proof that there is none."""
        return self.found is not None or self.safest.lower_bound > self.level

    @property
    def sentence(self) -> str:
        """What the cheapest such plan costs; or that there is none, with the best level."""
        asked = out_of(self.level, at_most=True)
        if self.found is not None:
            least = self.found.least_cost
            assert least is not None
            return (
                f"The cheapest plan with a worst case of at most {asked} takes an effort of "
                f"{self.found.plan.cost:.3f}; proven: none takes less than {least:.3f}."
            )
        if self.safest.x is None:
            return self.safest.message
        if self.safest.status == TIME_LIMIT:
            return f"The time limit passed before a plan with at most {asked} was found."
        sure = "No plan has" if self.proved else "No plan was found with"
        reached = ""
        if self.best is not None:
            assert self.best.level is not None
            reached = (
                f" The best that can be reached is {at_most(self.best.level)}, "
                f"at an effort of {self.best.plan.cost:.3f}."
            )
        return f"{sure} a worst case of at most {asked}, whatever the effort.{reached}"

    def as_alternative(self) -> Alternative:
        """The plan as one of the menu; without it, no plan and the sentence that says so."""
        if self.found is not None:
            return replace(self.found, plan=replace(self.found.plan, message=self.sentence))
        none = self.safest
        if none.x is not None:
            none = replace(
                none,
                status=TIME_LIMIT if none.status == TIME_LIMIT else INFEASIBLE,
                x=None,
                cost=math.nan,
                component_probabilities=None,
                worst_weights=None,
                worst_case_probability=1.0,
                gap=1.0 - none.lower_bound,
                checks=None,
                message=self.sentence,
            )
        return Alternative(AT_MOST, self.problem, none, (), self.level)


def cheapest_at_most(
    problem: RecourseProblem,
    level: float | None = None,
    gap: float = 1e-3,
    solver: str = "certified",
    time_limit: float | None = None,
) -> LevelAnswer:
    """The cheapest plan with a worst case of at most `level` (None: 1 in 10), at any effort.

    `gap` is that of the safest plans on the way; what is left between the cost of the answer and
    its bound is in the answer. After `time_limit` seconds the search for a budget ends.
    """
    goal = USUAL_LEVEL if level is None else checked_number("level", level, low=0.0, strict=True)
    if goal > 1.0:
        raise InvalidInput(f"The level must be a probability of at most 1, got {goal:g}")
    deadline = np.inf if time_limit is None else time.perf_counter() + time_limit
    highest = most_effort(problem)
    wider, extra = problem, 2.0 * problem.delta_add or FIRST_EXTRA
    while True:
        safest = find_recourse(wider, solver, gap, seconds_left(deadline))
        if safest.x is None:
            return LevelAnswer(goal, None, None, safest, wider)
        if safest.worst_case_probability <= goal:
            found = cheapest_lasting(wider, goal, safest, deadline)
            assert found is not None
            found = replace(found, kind=AT_MOST)
            return LevelAnswer(goal, found, None, safest, found.problem)
        if wider.feasible_set.delta >= highest or safest.status == TIME_LIMIT:
            break
        wider = problem.variant(delta=min(problem.delta_min + extra, highest))
        extra *= 2.0
    reachable = math.ceil(safest.worst_case_probability / FINEST_LEVEL) * FINEST_LEVEL
    best = cheapest_lasting(wider, min(reachable, 1.0), safest, deadline)
    return LevelAnswer(goal, None, best, safest, wider if best is None else best.problem)


def most_effort(problem: RecourseProblem) -> float:
    """More than any plan within the ranges costs; ranges without an end are cut far out."""
    bounds, x = problem.unbounded.bounds, problem.x0[:-1]
    far = FAR * bounds.sizes
    reach = np.maximum(
        np.where(np.isfinite(bounds.lower), np.abs(x - bounds.lower), far),
        np.where(np.isfinite(bounds.upper), np.abs(bounds.upper - x), far),
    )
    return float(bounds.weights @ reach)
