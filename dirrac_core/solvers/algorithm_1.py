"""The paper's Algorithm 1: projected gradient descent with a backtracking line search."""

import time
from dataclasses import dataclass

import numpy as np

from dirrac_core.arrays import Array
from dirrac_core.errors import InvalidInput, SolverFailure
from dirrac_core.feasible import FeasibleSet, Piece, Projector
from dirrac_core.robustness import Objective
from dirrac_core.solvers.outcome import (
    CONVERGED,
    ITERATION_LIMIT,
    STALLED,
    TIME_LIMIT,
    Outcome,
    Step,
)


@dataclass(frozen=True)
class Algorithm1:
    """Settings of Algorithm 1 (Appendix "Projected Gradient Descent Algorithm").

    λ and ζ are the paper's defaults. It stops when the gradient mapping
    ‖x − Proj(x − ζ∇f(x))‖/ζ falls to `tolerance`, or after T = `iterations` steps.
    """

    shrink: float = 0.7
    first_step: float = 1.0
    iterations: int = 500
    backtracks: int = 60
    tolerance: float = 1e-6


def solve_projected_gradient(
    feasible: FeasibleSet,
    objective: Objective,
    settings: Algorithm1 | None = None,
    start: Array | None = None,
    time_limit: float | None = None,
) -> Outcome:
    """Run Algorithm 1 from the projection of x0 (or of `start`).

    With whole categories it runs once in every combination the budget allows, and the best end
    wins. It proves nothing, so its own lower bound is the trivial 0.
    """
    chosen = settings or Algorithm1()
    point = feasible.x0 if start is None else start
    deadline = np.inf if time_limit is None else time.perf_counter() + time_limit
    best: Outcome | None = None
    solves = runs = 0
    cut_short = False
    for piece in feasible.pieces():
        if best is not None and time.perf_counter() > deadline:
            cut_short = True
            break
        outcome = _descend(feasible, piece, objective, chosen, point, deadline)
        if outcome is None:
            continue
        solves, runs = solves + outcome.solves, runs + 1
        if best is None or outcome.value < best.value:
            best = outcome
    if best is None:
        best = _cheapest(feasible, objective)
    status = TIME_LIMIT if cut_short else best.status
    return Outcome(status, best.x, best.value, 0.0, best.trace, solves, runs)


def projected(project: Projector, point: Array) -> Array | None:
    """The projection; None also where the piece is too thin for the cone solver to find one."""
    try:
        return project(point)
    except SolverFailure:
        return None


def _cheapest(feasible: FeasibleSet, objective: Objective) -> Outcome:
    """The cheapest plan, where the set is too small for a projection to find a point in it."""
    cheapest = feasible.cheapest
    if cheapest is None or not feasible.affords(cheapest.cost):
        message = "Algorithm 1 needs a feasible set that is not empty, got an empty one"
        raise InvalidInput(message)
    value = objective.value(cheapest.x)
    trace = (Step(cheapest.x, value, 0.0, "cheapest valid plan"),)
    return Outcome(STALLED, cheapest.x, value, 0.0, trace, 1, 1)


def _descend(
    feasible: FeasibleSet,
    piece: Piece,
    objective: Objective,
    settings: Algorithm1,
    point: Array,
    deadline: float,
) -> Outcome | None:
    project = Projector(piece, feasible.budget())
    x = projected(project, point)
    if x is None:
        return None
    value, gradient = objective.value_and_gradient(x)
    trace = [Step(x, value, 0.0, "projection of the applicant")]
    status, solves = ITERATION_LIMIT, 1
    for _ in range(settings.iterations):
        if time.perf_counter() > deadline:
            status = TIME_LIMIT
            break
        size = settings.first_step
        accepted = None
        for backtrack in range(settings.backtracks):
            if time.perf_counter() > deadline:
                status = TIME_LIMIT
                break
            candidate = projected(project, x - size * gradient)
            solves += 1
            if candidate is None:
                break
            moved = float(np.sum((x - candidate) ** 2))
            if backtrack == 0 and np.sqrt(moved) / size <= settings.tolerance:
                status = CONVERGED
                break
            if objective.value(candidate) <= value - moved / (2.0 * size):
                accepted = candidate
                break
            size *= settings.shrink
        if status in (CONVERGED, TIME_LIMIT):
            break
        if accepted is None:
            status = STALLED
            break
        x = accepted
        value, gradient = objective.value_and_gradient(x)
        trace.append(Step(x, value, 0.0, f"step size {size:.3g}", size))
    while trace and not feasible.is_valid(trace[-1].x):
        # A projection is no more accurate than the largest numbers of its piece.
        trace.pop()
        status = STALLED
    if not trace:
        return None
    return Outcome(status, trace[-1].x, trace[-1].value, 0.0, tuple(trace), solves, 1)
