"""One run of CP-SAT: the same answer for the same seed, better plans as they come, cancel."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dirrac_core.arrays import Array, checked_number
from dirrac_core.data.schema.actions import LinearRule
from dirrac_core.data.schema.plausible_set import LIKE_REAL_PEOPLE
from dirrac_core.errors import SolverFailure
from dirrac_core.loading import cp_sat
from dirrac_core.progress import Cancel, never
from dirrac_core.trees.answer import CANCELLED, FEASIBLE, INFEASIBLE, OPTIMAL, UNKNOWN
from dirrac_core.trees.cp_sat.program import Program

# Each round cuts off one plan that is not like real people.
MOST_CUTS = 200
ASK_CANCEL_EVERY = 0.05
# A plan found on the way: x (D,) and its cost.
Found = Callable[[Array, float], None]


@dataclass(frozen=True)
class Effort:
    """How long to search: `work` in CP-SAT's deterministic seconds, `seconds` on the clock.

    With `seconds` the answer may depend on the machine; without, equal questions have equal
    answers everywhere.
    """

    work: float = 30.0
    seconds: float | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        checked_number("work", self.work, low=0.0, strict=True)
        if self.seconds is not None:
            checked_number("seconds", self.seconds, low=0.0, strict=True)


@dataclass(frozen=True, eq=False)
class Run:
    """What one run ended with: the best point, its objective and bound, the work it took."""

    status: str
    x: Array | None
    objective: float
    bound: float
    work: float


def no_news(x: Array, cost: float) -> None:
    """No-op for plans found on the way."""


def run(program: Program, effort: Effort, cancel: Cancel = never, found: Found = no_news) -> Run:
    """Solve the program as it stands.

    The ellipsoid of real people is convex: a point outside is cut off by the tangent
    uᵀF(x − c) ≤ size with u = F(x − c)/‖F(x − c)‖ at that point, and the search goes on.
    """
    work, plausible = 0.0, program.problem.actions.plausible
    for _ in range(MOST_CUTS):
        left = Effort(max(effort.work - work, 1e-3), effort.seconds, effort.seed)
        outcome = _once(program, left, cancel, found)
        work += outcome.work
        x = outcome.x
        if x is None or plausible is None or plausible.distance(x) <= plausible.size * (1 + 1e-9):
            return Run(outcome.status, x, outcome.objective, outcome.bound, work)
        if outcome.status == CANCELLED or work >= effort.work:
            # The point is not like real people: there is a bound, but no plan.
            status = CANCELLED if outcome.status == CANCELLED else UNKNOWN
            return Run(status, None, np.nan, outcome.bound, work)
        gap = plausible.factor @ (x[:-1] - plausible.centre)
        normal = plausible.factor.T @ (gap / np.linalg.norm(gap))
        limit = plausible.size + float(normal @ plausible.centre)
        program.add_rule(LinearRule(normal, -np.inf, limit, LIKE_REAL_PEOPLE))
    return Run(UNKNOWN, None, np.nan, outcome.bound, work)


def _once(program: Program, effort: Effort, cancel: Cancel, found: Found) -> Run:
    cp_sat()
    from ortools.sat.python import cp_model

    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = effort.seed % (2**31 - 1)
    solver.parameters.max_deterministic_time = effort.work
    # Measured on the shipped datasets: on these programs, whose trees are reduced before they get
    # here, half the time goes without a gain into presolve and linear relaxations.
    solver.parameters.cp_model_presolve = False
    solver.parameters.linearization_level = 0
    if effort.seconds is not None:
        solver.parameters.max_time_in_seconds = effort.seconds

    class Watch(cp_model.CpSolverSolutionCallback):
        """Hands every better plan on; runs in the thread of the solver."""

        def on_solution_callback(self) -> None:
            x = program.point(self.value)
            found(x, program.problem.cost_of(x))

    stopped = _with_cancel(solver, cancel)
    with stopped:
        status = solver.solve(program.model, Watch())
    work = float(solver.response_proto.deterministic_time)
    names: dict[Any, str] = {
        cp_model.OPTIMAL: OPTIMAL,
        cp_model.FEASIBLE: FEASIBLE,
        cp_model.INFEASIBLE: INFEASIBLE,
        cp_model.UNKNOWN: UNKNOWN,
    }
    if status not in names:
        raise SolverFailure(f"CP-SAT refused the program: {solver.status_name(status)}")
    name = names[status]
    if stopped.cancelled and name != OPTIMAL and name != INFEASIBLE:
        name = CANCELLED
    if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        x = program.point(solver.value)
        return Run(name, x, solver.objective_value, solver.best_objective_bound, work)
    bound = np.inf if name == INFEASIBLE else solver.best_objective_bound
    return Run(name, None, np.nan, bound, work)


class _with_cancel:  # noqa: N801  reads as a phrase where it is used
    """Asks `cancel` from a thread of its own while the solver runs; leaves no thread behind."""

    def __init__(self, solver: Any, cancel: Cancel) -> None:
        self._solver, self._cancel = solver, cancel
        self._done = threading.Event()
        self._thread: threading.Thread | None = None
        self.cancelled = False

    def __enter__(self) -> None:
        if self._cancel is not never:
            self._thread = threading.Thread(target=self._watch, daemon=True)
            self._thread.start()

    def _watch(self) -> None:
        while not self._done.wait(ASK_CANCEL_EVERY):
            if self._cancel():
                self.cancelled = True
                # Asked until it is heard: a search that has not begun yet forgets the wish.
                self._solver.stop_search()

    def __exit__(self, *_: object) -> None:
        self._done.set()
        if self._thread is not None:
            self._thread.join()
