"""From a problem to its verified answer: wiring only."""

import time
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import (
    Array,
    brief,
    checked_choice,
    checked_instance,
    checked_number,
    frozen_array,
)
from dirrac_core.errors import BrokenPlan, InvalidInput, SolverFailure
from dirrac_core.feasible import Checklist, explain
from dirrac_core.models.classifiers import Classifier
from dirrac_core.recourse.problem import RecourseProblem
from dirrac_core.recourse.result import DECLINED, INFEASIBLE, OUT_OF_REACH, Recourse
from dirrac_core.solvers import Outcome, solve_certified, solve_projected_gradient
from dirrac_core.wording import bound_in_100

SOLVERS = ("certified", "projected_gradient")


def find_recourse(
    problem: RecourseProblem,
    solver: str = "certified",
    gap: float = 1e-3,
    time_limit: float | None = None,
    model: Classifier | None = None,
) -> Recourse:
    """The plan with the smallest worst-case probability of failing, verified from scratch.

    Where the mixture only approximates a `model` of another kind, that model has the last word: a
    plan it declines is no plan (status "declined").

    `gap` is the absolute probability the certified solver may leave between the plan and its
    lower bound; `time_limit` (seconds) keeps the best verified plan and reports the gap reached.
    Work that has begun, such as the cheapest plan, is always finished.
    """
    begin = time.perf_counter()
    checked_instance("problem", problem, RecourseProblem)
    checked_choice("solver", solver, SOLVERS)
    gap = checked_number("gap", gap, low=0.0, strict=True)
    if time_limit is not None:
        time_limit = checked_number("time_limit", time_limit, low=0.0)
    if model is not None and not isinstance(model, Classifier):
        message = f"model must be a classifier with a decision, got {brief(model)}"
        raise InvalidInput(message)
    try:
        cheapest = problem.unbounded.cheapest
    except SolverFailure as failure:
        return _out_of_reach(str(failure), begin)
    feasible = problem.feasible_set
    left = None if time_limit is None else max(begin + time_limit - time.perf_counter(), 0.0)
    if cheapest is None or not feasible.affords(cheapest.cost):
        if cheapest is not None and not cheapest.proved and feasible.affords(cheapest.bound):
            return _out_of_reach(
                f"The cheapest plan found costs {cheapest.cost:.6g}, proved is only that none "
                f"costs less than {cheapest.bound:.6g}",
                begin,
            )
        return _no_plan(problem, begin, time_limit)
    if solver == "certified":
        outcome = solve_certified(feasible, problem.objective, cheapest.x, gap, left)
    else:
        outcome = solve_projected_gradient(feasible, problem.objective, time_limit=left)
        # Algorithm 1 proves nothing; the first pass of the certified solver bounds its answer.
        left = None if time_limit is None else max(begin + time_limit - time.perf_counter(), 0.0)
        first_pass = solve_certified(feasible, problem.objective, cheapest.x, 1.0, left)
        outcome = replace(outcome, lower_bound=min(first_pass.lower_bound, outcome.value))
    found = _verified(problem, outcome, cheapest.x, begin)
    if model is None or found.x is None or bool(model.decision(found.x[None, :-1])[0]):
        return found
    return replace(
        _out_of_reach("", begin),
        status=DECLINED,
        message=(
            "The linear approximation leads to a plan that the model itself declines, so there is "
            "no plan to give."
        ),
    )


def assess(problem: RecourseProblem, x: npt.ArrayLike) -> Recourse:
    """The numbers and the checklist of any point x, feasible or not: a what-if."""
    begin = time.perf_counter()
    checked_instance("problem", problem, RecourseProblem)
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
    words = promise_words(outcome.value, outcome.lower_bound)
    return _recourse(problem, outcome, checks, begin, words)


def promise_words(value: float, lower_bound: float) -> str:
    """What a plan with this worst case promises, and what no plan could."""
    return (
        f"In the worst case at most {bound_in_100(value, up=True)} of 100 future models decline "
        "this plan; no plan within the budget can promise fewer than "
        f"{bound_in_100(lower_bound, up=False)}."
    )


def _recourse(
    problem: RecourseProblem, outcome: Outcome, checks: Checklist, begin: float, message: str
) -> Recourse:
    probabilities = problem.objective.probabilities(outcome.x)
    return Recourse(
        status=outcome.status,
        x=outcome.x,
        cost=problem.unbounded.cost_of(outcome.x),
        delta_min=problem.delta_min,
        delta=problem.feasible_set.delta,
        component_probabilities=probabilities,
        worst_weights=problem.objective.weigh(probabilities)[1],
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
