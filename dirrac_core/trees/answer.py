"""The answer to a tree problem: a plan with its proof or gap, or no plan with the reason."""

from dataclasses import dataclass

import numpy as np

from dirrac_core.arrays import Array
from dirrac_core.feasible import Checklist
from dirrac_core.models.classifiers import Decisions

OPTIMAL = "optimal"
FEASIBLE = "feasible"
INFEASIBLE = "infeasible"
UNKNOWN = "unknown"
CANCELLED = "cancelled"


@dataclass(frozen=True, eq=False)
class TreePlan:
    """A plan x (D,) accepted by today's model and by `accepted` of the N re-trainings, or None.

    Status "optimal": proved. "feasible": the effort ran out first; no plan within the budget is
    accepted by more than `accepted_bound` re-trainings. "infeasible": proved that there is no
    plan. "unknown": the effort ran out before any plan was found or excluded. "cancelled": stopped
    by the caller.
    `delta_min` is the cost of the cheapest plan that today's model accepts, `delta` the budget.
    `work` is the solver's deterministic time, the same on every machine.
    """

    status: str
    x: Array | None
    cost: float
    decisions: Decisions
    accepted_bound: int
    delta_min: float
    delta: float
    checks: Checklist | None
    seconds: float
    work: float
    message: str

    @property
    def accepted(self) -> int:
        """How many of the N re-trainings accept the plan."""
        return int(self.decisions.sum())

    @property
    def proved(self) -> bool:
        """Whether the answer is proved: the best plan, or that there is none."""
        return self.status in (OPTIMAL, INFEASIBLE)


def no_plan(
    status: str, delta_min: float, delta: float, seconds: float, work: float, message: str
) -> TreePlan:
    """An answer without a plan."""
    return TreePlan(
        status=status,
        x=None,
        cost=np.nan,
        decisions=np.zeros(0, dtype=bool),
        accepted_bound=0,
        delta_min=delta_min,
        delta=delta,
        checks=None,
        seconds=seconds,
        work=work,
        message=message,
    )
