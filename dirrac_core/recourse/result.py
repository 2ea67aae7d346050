"""The answer to a problem: a plan with its certificate, or no plan with the reason."""

from dataclasses import dataclass

from dirrac_core.arrays import Array
from dirrac_core.feasible import Checklist, Explanation
from dirrac_core.solvers import Step

INFEASIBLE = "infeasible"
OUT_OF_REACH = "out of reach"
DECLINED = "declined"


@dataclass(frozen=True, eq=False)
class Rounding:
    """How a plan was brought to real units: from which exact one, and what came of it.

    `whole` is False where some number had to stay exact; `note` says what was done.
    """

    exact: "Recourse"
    whole: bool
    note: str


@dataclass(frozen=True, eq=False)
class Recourse:
    """A plan with its certificate, or no plan (x is None) with the explanation.

    Without a plan the status is "infeasible", which is proved, or "out of reach": the numbers of
    the problem lie too far apart for floating point to settle it either way. "declined": the
    model that the mixture approximates declines the plan.
    `worst_case_probability` is what the plan guarantees; the true optimum lies between
    `lower_bound` and it, `gap` apart. `worst_weights` are the mixture weights that attain it.
    """

    status: str
    x: Array | None
    cost: float
    delta_min: float
    delta: float
    component_probabilities: Array | None
    worst_weights: Array | None
    worst_case_probability: float
    lower_bound: float
    gap: float
    checks: Checklist | None
    trace: tuple[Step, ...]
    solves: int
    nodes: int
    seconds: float
    message: str
    explanation: Explanation | None = None
    rounding: Rounding | None = None

    @property
    def exact(self) -> "Recourse":
        """The exact solution that this plan in real units was rounded from, or the plan itself."""
        return self if self.rounding is None else self.rounding.exact

    @property
    def rounded(self) -> bool:
        """Whether every number of the plan is in whole units."""
        return self.rounding is not None and self.rounding.whole

    @property
    def rounding_note(self) -> str:
        """What was done to bring the plan to whole units, as text."""
        return "" if self.rounding is None else self.rounding.note

    @property
    def rounding_loss(self) -> float:
        """The worst-case probability given up by rounding."""
        return self.worst_case_probability - self.exact.worst_case_probability
