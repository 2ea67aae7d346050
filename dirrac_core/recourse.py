"""One applicant's problem, its solution and its proof: wiring only."""

import time
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array, checked_choice, checked_number, frozen_array
from dirrac_core.data.actions import Actions, LinearRule
from dirrac_core.errors import BrokenPlan, SolverFailure
from dirrac_core.feasible import Checklist, Explanation, FeasibleSet, explain
from dirrac_core.models.mixture import ParameterMixture
from dirrac_core.robustness import Objective, Weighting
from dirrac_core.solvers import Outcome, Step, solve_certified, solve_projected_gradient

INFEASIBLE = "infeasible"
OUT_OF_REACH = "out of reach"
SOLVERS = ("certified", "projected_gradient")


@dataclass(frozen=True, eq=False)
class RecourseProblem:
    """What is asked for one applicant.

    x0 is the D-vector with trailing 1. The budget is δ = δ_min + delta_add, or `delta` when that
    is given. `radii` is one ρ for all components or one each; `link` is "chebyshev" (DiRRAc) or
    "gaussian" (Gaussian DiRRAc); `weighting` is "nominal", "worst-component" or a WeightBall.
    When `current_model` is given, a plan must also be accepted by it with the same margin.
    """

    x0: Array
    mixture: ParameterMixture
    radii: Array
    delta_add: float
    delta: float | None
    current_model: Array | None
    objective: Objective = field(repr=False)
    unbounded: FeasibleSet = field(repr=False)

    def __init__(
        self,
        x0: npt.ArrayLike,
        mixture: ParameterMixture,
        radii: npt.ArrayLike = 0.1,
        delta_add: float = 1.0,
        cost: str = "l1",
        link: str = "chebyshev",
        weighting: str | Weighting = "nominal",
        actions: Actions | None = None,
        categories: str = "relaxed",
        margin: float = 1e-3,
        delta: float | None = None,
        current_model: npt.ArrayLike | None = None,
    ) -> None:
        allowed = Actions() if actions is None else actions
        margin = checked_number("margin", margin, low=0.0)
        today = None
        if current_model is not None:
            today = frozen_array("current_model", current_model, (mixture.dimension,))
            rule = LinearRule(today[:-1], margin - float(today[-1]), np.inf, "today's model")
            allowed = replace(allowed, linear=(*allowed.linear, rule))
        unbounded = FeasibleSet(
            x0, mixture, radii, allowed, cost, margin=margin, categories=categories
        )
        set_field = object.__setattr__
        set_field(self, "x0", unbounded.x0)
        set_field(self, "mixture", mixture)
        set_field(self, "radii", unbounded.radii)
        set_field(self, "delta_add", checked_number("delta_add", delta_add, low=0.0))
        set_field(self, "delta", None if delta is None else checked_number("delta", delta, low=0.0))
        set_field(self, "current_model", today)
        set_field(self, "objective", Objective(mixture, unbounded.radii, link, weighting))
        set_field(self, "unbounded", unbounded)

    @cached_property
    def delta_min(self) -> float:
        """The cost of the cheapest valid plan; infinite when there is none."""
        return self.unbounded.delta_min()

    @cached_property
    def feasible_set(self) -> FeasibleSet:
        """X_ε with the budget of this problem."""
        budget = self.delta_min + self.delta_add if self.delta is None else self.delta
        return self.unbounded.with_delta(budget)


@dataclass(frozen=True, eq=False)
class Recourse:
    """A plan with its certificate, or no plan (x is None) with the explanation.

    Without a plan the status is "infeasible", which is proved, or "out of reach": the numbers of
    the problem lie too far apart for floating point to settle it either way.
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


def find_recourse(
    problem: RecourseProblem,
    solver: str = "certified",
    gap: float = 1e-3,
    time_limit: float | None = None,
) -> Recourse:
    """The plan with the smallest worst-case probability of failing, verified from scratch.

    `gap` is the absolute probability the certified solver may leave between the plan and its
    lower bound; `time_limit` (seconds) keeps the best verified plan and reports the gap reached.
    Work that has begun, such as the cheapest plan, is always finished.
    """
    begin = time.perf_counter()
    checked_choice("solver", solver, SOLVERS)
    gap = checked_number("gap", gap, low=0.0, strict=True)
    if time_limit is not None:
        time_limit = checked_number("time_limit", time_limit, low=0.0)
    try:
        cheapest = problem.unbounded.cheapest
    except SolverFailure as failure:
        return _out_of_reach(str(failure), begin)
    feasible = problem.feasible_set
    if cheapest is None or cheapest.cost > feasible.budget():
        return _no_plan(problem, begin, time_limit)
    if solver == "certified":
        outcome = solve_certified(feasible, problem.objective, cheapest.x, gap, time_limit)
    else:
        outcome = solve_projected_gradient(feasible, problem.objective, time_limit=time_limit)
        # Algorithm 1 proves nothing; the first pass of the certified solver bounds its answer.
        left = None if time_limit is None else max(begin + time_limit - time.perf_counter(), 0.0)
        first_pass = solve_certified(feasible, problem.objective, cheapest.x, 1.0, left)
        outcome = replace(outcome, lower_bound=min(first_pass.lower_bound, outcome.value))
    return _verified(problem, outcome, cheapest.x, begin)


def assess(problem: RecourseProblem, x: npt.ArrayLike) -> Recourse:
    """The numbers and the checklist of any point x, feasible or not: a what-if."""
    begin = time.perf_counter()
    point = frozen_array("x", x, (problem.x0.size,))
    checks = problem.feasible_set.contains(point)
    value = problem.objective.value(point)
    outcome = Outcome("assessed", point, value, 0.0, (), 0, 0)
    return _recourse(problem, outcome, checks, begin, "Assessed as given, not optimised.")


def _verified(
    problem: RecourseProblem, outcome: Outcome, cheapest: Array, begin: float
) -> Recourse:
    checks = problem.feasible_set.contains(outcome.x)
    if not checks:
        broken = checks.broken[0]
        message = (
            f"A plan must pass its own checklist, got {broken.name} = {broken.value:.9g} outside "
            f"[{broken.low:.9g}, {broken.high:.9g}]"
        )
        if not problem.feasible_set.contains(cheapest):
            # Not even the plan that only had to be valid is accurate enough.
            return _out_of_reach(message, begin)
        raise BrokenPlan(message)
    words = (
        f"In the worst case at most {100 * outcome.value:.3g} in 100 future models decline this "
        f"plan; no plan within the budget can guarantee fewer than "
        f"{100 * outcome.lower_bound:.3g} in 100."
    )
    return _recourse(problem, outcome, checks, begin, words)


def _recourse(
    problem: RecourseProblem, outcome: Outcome, checks: Checklist, begin: float, message: str
) -> Recourse:
    return Recourse(
        status=outcome.status,
        x=outcome.x,
        cost=problem.unbounded.cost_of(outcome.x),
        delta_min=problem.delta_min,
        delta=problem.feasible_set.delta,
        component_probabilities=problem.objective.probabilities(outcome.x),
        worst_weights=problem.objective.worst_weights(outcome.x),
        worst_case_probability=outcome.value,
        lower_bound=outcome.lower_bound,
        gap=outcome.value - outcome.lower_bound,
        checks=checks,
        trace=outcome.trace,
        solves=outcome.solves,
        nodes=outcome.nodes,
        seconds=time.perf_counter() - begin,
        message=message,
    )


def _no_plan(problem: RecourseProblem, begin: float, time_limit: float | None) -> Recourse:
    deadline = np.inf if time_limit is None else begin + time_limit
    try:
        explanation = explain(problem.feasible_set, deadline)
    except SolverFailure as failure:
        explanation = None
        message = f"No plan satisfies all conditions; the ways out could not be computed: {failure}"
    else:
        message = "" if explanation is None else explanation.message
    return Recourse(
        status=INFEASIBLE,
        x=None,
        cost=np.nan,
        delta_min=problem.delta_min,
        delta=problem.feasible_set.delta,
        component_probabilities=None,
        worst_weights=None,
        worst_case_probability=1.0,
        lower_bound=1.0,
        gap=0.0,
        checks=None,
        trace=(),
        solves=0,
        nodes=0,
        seconds=time.perf_counter() - begin,
        message=message,
        explanation=explanation,
    )


def _out_of_reach(reason: str, begin: float) -> Recourse:
    return Recourse(
        status=OUT_OF_REACH,
        x=None,
        cost=np.nan,
        delta_min=np.nan,
        delta=np.nan,
        component_probabilities=None,
        worst_weights=None,
        worst_case_probability=1.0,
        lower_bound=0.0,
        gap=1.0,
        checks=None,
        trace=(),
        solves=0,
        nodes=0,
        seconds=time.perf_counter() - begin,
        message=(
            "Whether there is a plan could not be settled: the numbers of this problem lie too "
            f"far apart, or the conditions leave too little room, to be computed with. {reason}."
        ),
    )
