"""A non-linear model made linear where it matters: at the plan, again until the plan stays."""

from dataclasses import dataclass, replace

import numpy as np

from dirrac_core.arrays import Array
from dirrac_core.data.schema.actions import Actions
from dirrac_core.methods.dirrac import Dirrac
from dirrac_core.models.stand_in import StandIn
from dirrac_core.models.surrogate import Surrogate
from dirrac_core.recourse import find_recourse

MOST_ROUNDS = 8
# Nobody looks further ahead than so many of the latest changes of the plan.
FURTHEST = 5.0
# In encoded units, where the range of a feature is 1.
TOLERANCE = 0.01


@dataclass(frozen=True, eq=False)
class Linearised:
    """The surrogate a plan rests on and how it was found.

    `rounds` plans were computed; the last one lay `moved` (largest change of a column) away from
    the point its surrogate was fitted around. `plan` (D,) is that plan, in exact units, None where
    there is none.
    """

    surrogate: Surrogate
    plan: Array | None
    rounds: int
    moved: float

    @property
    def settled(self) -> bool:
        """Whether the plan lies where its surrogate was fitted."""
        return self.moved <= TOLERANCE

    @property
    def sentence(self) -> str:
        """How the search for a plan and its approximation ended."""
        tries = "1 round" if self.rounds == 1 else f"{self.rounds} rounds"
        if self.plan is None:
            return f"After {tries} the approximation leaves no plan."
        if self.settled:
            return f"Approximation and plan agree after {tries}."
        return (
            f"Approximation and plan still moved after {tries}: the plan lies {self.moved:.2f} of "
            "a feature's range away from where its approximation was made."
        )


def linearised_at_plan(
    dirrac: Dirrac, x0: Array, actions: Actions, stand_in: StandIn, first: Surrogate
) -> Linearised:
    """Plan with the surrogate around x0 (`first`), fit it around that plan, plan again, and so on.

    From the third fit on it is made where the plans lead to, unless a category has just changed.
    It ends when the plan stays where its surrogate was fitted, when there is no plan, or after
    `MOST_ROUNDS`. A plan that keeps moving is answered by the round that moved least among those
    whose plan today's own model accepts, or among all when it accepts none.
    """
    surrogate, around = first, x0
    before: tuple[Array, Array] | None = None
    whole = [column for group in stand_in.groups for column in group]
    tried: list[Linearised] = []
    for rounds in range(1, MOST_ROUNDS + 1):
        problem = replace(dirrac, mixture=surrogate.mixture).problem(x0, actions)
        plan = find_recourse(problem, dirrac.solver, dirrac.gap).x
        if plan is None:
            return Linearised(surrogate, None, rounds, np.inf)
        found = Linearised(surrogate, plan, rounds, float(np.abs(plan - around).max()))
        if found.settled:
            return found
        tried.append(found)
        step = plan - around
        if before is None or (plan != before[0])[whole].any():
            around = plan
        else:
            around = where_plans_lead(plan, step, *before)
        before = plan, step
        surrogate = stand_in.around(around)
    accepted = [
        each
        for each in tried
        if each.plan is not None and stand_in.current.decision(each.plan[None, :-1])[0]
    ]
    best = min(accepted or tried, key=lambda each: each.moved)
    return replace(best, rounds=MOST_ROUNDS)


def where_plans_lead(plan: Array, step: Array, plan_before: Array, step_before: Array) -> Array:
    """The point that is likely to be its own plan, by the last two steps from a point to its plan.

    Were the plan linear in the point, the steps would shrink or turn from one to the next at a
    constant rate; p + θ(p − p') with the θ for which |s + θ(s − s')| is least is where they end
    (Anderson's acceleration with one step of memory).
    """
    turn = step - step_before
    square = float(turn @ turn)
    factor = -float(step @ turn) / square if square > 0.0 else 0.0
    if factor <= -1.0:
        # Steps that grow in one direction come from an end, and lead to none that is known.
        return plan
    lead: Array = plan + min(factor, FURTHEST) * (plan - plan_before)
    return lead
