"""Algorithm 1 as a walk to look at: every step with its gradient, as long as it gains something."""

from dataclasses import dataclass

import numpy as np

from dirrac_core.arrays import Array
from dirrac_core.case.case import Case
from dirrac_core.solvers import solve_projected_gradient
from dirrac_core.solvers.algorithm_1 import Algorithm1

# The walk is for the eye: later steps move by less than a pixel.
MOST_STEPS = 60
# Steps that together gain less than this probability are left out at the end.
NO_GAIN = 5e-5


@dataclass(frozen=True, eq=False)
class WalkStep:
    """Where the algorithm stands, its worst case there, and the step that led to it.

    x^t = Proj(`trial`) with trial = x^(t−1) − λ^i·ζ·∇f(x^(t−1)), where `size` = λ^i·ζ and i =
    `backtracks`. At the start (t = 0) trial is the applicant and size is 0.
    """

    x: Array
    value: float
    trial: Array
    size: float
    backtracks: int


@dataclass(frozen=True, eq=False)
class Walk:
    """The steps that gain something, how it ended, and how many that gain nothing are left out."""

    steps: tuple[WalkStep, ...]
    status: str
    left_out: int

    @property
    def points(self) -> list[Array]:
        """The points in order."""
        return [step.x for step in self.steps]


def walk(case: Case, steps: int = MOST_STEPS) -> Walk | None:
    """At most so many steps of the paper's Algorithm 1; None without a plan."""
    if not np.isfinite(case.problem.delta_min):
        return None
    settings = Algorithm1(iterations=steps)
    objective = case.problem.objective
    outcome = solve_projected_gradient(case.problem.feasible_set, objective, settings)
    values = np.array([step.value for step in outcome.trace])
    kept = int(np.flatnonzero(values <= values[-1] + NO_GAIN)[0])
    found = [WalkStep(outcome.trace[0].x, float(values[0]), case.x0, 0.0, 0)]
    for before, after in zip(outcome.trace[:kept], outcome.trace[1 : kept + 1], strict=True):
        gradient = objective.value_and_gradient(before.x)[1]
        tries = round(np.log(after.size / settings.first_step) / np.log(settings.shrink))
        trial = before.x - after.size * gradient
        found.append(WalkStep(after.x, after.value, trial, after.size, int(tries)))
    return Walk(tuple(found), outcome.status, len(values) - 1 - kept)
