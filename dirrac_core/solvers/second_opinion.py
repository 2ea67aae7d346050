"""A second opinion: the same problems stated in cvxpy, line by line as the paper writes them.

Nothing is shared with the certified solver: constraints are stated in the full vector x, scores
come from bisection on their defining inequality. Slow and plain on purpose. Whole categories are
settled by trying every combination.
"""

import itertools
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import brentq

from dirrac_core.arrays import Array
from dirrac_core.errors import SolverFailure
from dirrac_core.feasible import FeasibleSet
from dirrac_core.loading import convex_programs
from dirrac_core.progress import Progress, no_progress
from dirrac_core.robustness import Objective, WeightBall, WorstComponent, divergence_named
from dirrac_core.solvers.stated_set import (
    Categories,
    all_constraints,
    category_choices,
    score_unit,
    stated_length,
)

# cvxpy takes about a second to import and only a second opinion needs it, so every function that
# states a problem imports it itself.

# A constraint counts as broken when it is missed by more than this, relative to its scale.
VIOLATION = 2e-6
# Halvings of a bisection: an angle of π/2 shrinks to 1e-7.
HALVINGS = 24


@dataclass(frozen=True, eq=False)
class SecondOpinion:
    """What cvxpy says about a plan.

    `value` is its worst-case probability, computed again, and `broken` names the constraints it
    misses. No plan has a value below `lower_bound`. With one component, or under the worst
    component, `x` is the oracle's own best plan and the bound is the optimum; for mixtures `x` is
    None and the bound weighs each component's own optimum.
    """

    value: float
    broken: tuple[str, ...]
    lower_bound: float
    x: Array | None
    seconds: float


@dataclass(frozen=True, eq=False)
class BestScore:
    """The largest common score lies between `score`, reached at x, and `upper`.

    An empty set has the scores −∞ and no x.
    """

    score: float
    upper: float
    x: Array | None


def second_opinion(
    feasible: FeasibleSet, objective: Objective, plan: Array, progress: Progress = no_progress
) -> SecondOpinion:
    """Check a plan independently, and bound what any plan of the set can reach.

    `progress` gets the part done before each bisection, and may raise to stop the work.
    """
    begin = time.perf_counter()
    count = objective.mixture.components
    value, broken = value_of(objective, plan), broken_constraints(feasible, plan)
    together = objective.is_one_score
    questions = [tuple(range(count))] if together else [(k,) for k in range(count)]
    numbers, total = itertools.count(), len(questions) * sum(1 for _ in category_choices(feasible))

    def before_each() -> None:
        done = next(numbers)
        progress(done / total, f"Problem {done + 1} of {total}")

    best = [best_common_score(feasible, components, before_each) for components in questions]
    if together:
        lower, x = float(objective.link.probability(best[0].upper)), best[0].x
    else:
        tops = [score.upper for score in best]
        lower, x = _weigh(objective, objective.link.probability(tops)), None
    return SecondOpinion(value, broken, lower, x, time.perf_counter() - begin)


def best_common_score(
    feasible: FeasibleSet, components: Iterable[int], before_each: Callable[[], None] | None = None
) -> BestScore:
    """The largest a that all the named components reach at one point of the set, by bisection.

    `before_each` is called before each bisection: one for every combination of whole categories.
    """
    named = tuple(components)
    found = []
    for categories in category_choices(feasible):
        if before_each is not None:
            before_each()
        found.append(_best_score_in(feasible, named, categories))
    return max(found, key=lambda best: best.upper)


def value_of(objective: Objective, x: Array) -> float:
    """The worst-case probability of failing at x, from the definition of the score.

    A component for which x is not valid (m ≤ r) counts with score 0.
    """
    mixture = objective.mixture
    m, matrices = mixture.means @ x, [objective.doubt.matrix(k) for k in range(len(mixture.means))]
    squares = [float(x @ x if matrix is None else x @ matrix @ x) for matrix in matrices]
    r = objective.radii * np.sqrt(np.maximum(squares, 0.0))
    s = np.sqrt([max(float(x @ sigma @ x), 0.0) for sigma in mixture.covariances])
    scores = [_score(*terms) for terms in zip(m, s, r, strict=True)]
    return _weigh(objective, objective.link.probability(scores))


def broken_constraints(feasible: FeasibleSet, plan: Array) -> tuple[str, ...]:
    """The names of the constraints the plan misses, each once, in the order of the checklist."""
    cp = convex_programs()

    categories = None
    if feasible.whole:
        # The category each group is closest to; an undecided group breaks "one category".
        groups = feasible.actions.groups
        categories = tuple(group[int(np.argmax(plan[list(group)]))] for group in groups)
    x = cp.Variable(feasible.x0.size)
    rules = all_constraints(feasible, x, categories)
    x.value = plan
    scale = VIOLATION * max(1.0, float(np.abs(plan).max()))
    broken = (name for name, rule in rules if np.max(rule.violation()) > scale)
    return tuple(dict.fromkeys(broken))


def _best_score_in(
    feasible: FeasibleSet, components: tuple[int, ...], categories: Categories
) -> BestScore:
    """With a = tan φ, (S) reads cosφ·m − sinφ·s − r ≥ 0: second-order cones for a fixed φ.

    The largest smallest left side over the set is ≥ 0 exactly when the score a is reached.
    """
    cp = convex_programs()

    x, least = cp.Variable(feasible.x0.size), cp.Variable()
    cosine, sine = cp.Parameter(nonneg=True), cp.Parameter(nonneg=True)
    rules = all_constraints(feasible, x, categories)
    for k in components:
        m = feasible.mixture.means[k] @ x
        s = cp.norm(feasible.mixture.factors[k].T @ x)
        r = feasible.radii[k] * stated_length(feasible.doubt, x, k)
        rules.append(("score", (cosine * m - sine * s - r) / score_unit(feasible, k) >= least))
    problem = cp.Problem(cp.Maximize(least), [rule for _, rule in rules])
    plans: list[Array] = []

    def reached(angle: float) -> bool:
        cosine.value, sine.value = np.cos(angle), np.sin(angle)
        slack = optimum(problem)
        if slack is None or slack < 0.0:
            return False
        plans.append(np.array(x.value))
        return True

    # At φ = 0 the condition is m ≥ r, which every valid plan meets.
    if not reached(0.0):
        return BestScore(-np.inf, -np.inf, None)
    low, high = bisected(reached, 0.0, np.pi / 2)
    return BestScore(float(np.tan(low)), float(np.tan(high)), plans[-1])


def _score(m: float, s: float, r: float) -> float:
    """The root of cosφ·m − sinφ·s − r, as tan φ."""
    if m <= r:
        return 0.0
    if s + r == 0.0:
        return np.inf
    angle = brentq(lambda phi: np.cos(phi) * m - np.sin(phi) * s - r, 0.0, np.pi / 2, xtol=1e-15)
    return float(np.tan(angle))


def _weigh(objective: Objective, probabilities: Array) -> float:
    """The weighting's value: a sum, a maximum, or max pᵀf over the weight ball."""
    cp = convex_programs()

    nominal, weighting = objective.mixture.weights, objective.weighting
    if not isinstance(weighting, WeightBall):
        worst = isinstance(weighting, WorstComponent)
        return float(probabilities.max() if worst else nominal @ probabilities)
    p = cp.Variable(nominal.size, nonneg=True)
    distance = divergence_named(weighting.divergence).stated(p, nominal)
    ball = [("weights", cp.sum(p) == 1), ("weights", distance <= weighting.radius)]
    value = solve_stated(cp.Maximize(probabilities @ p), ball)
    if value is None:
        message = f"A weight ball holds its centre, got none for radius {weighting.radius:g}"
        raise SolverFailure(message)
    return value


def bisected(reached: Callable[[float], bool], low: float, high: float) -> tuple[float, float]:
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if reached(middle) else (low, middle)
    return low, high


def solve_stated(objective: Any, rules: list[tuple[str, Any]]) -> float | None:
    cp = convex_programs()

    return optimum(cp.Problem(objective, [rule for _, rule in rules]))


def optimum(problem: Any) -> float | None:
    """The optimal value; None when there is no point."""
    cp = convex_programs()

    problem.solve(solver=cp.CLARABEL)
    if problem.status in (cp.OPTIMAL, cp.OPTIMAL_INACCURATE):
        return float(problem.value)
    if problem.status in (cp.INFEASIBLE, cp.INFEASIBLE_INACCURATE):
        return None
    message = f"cvxpy must end optimal or infeasible, got {problem.status}"
    raise SolverFailure(message)
