"""A second opinion: the same problems stated in cvxpy, line by line as the paper writes them.

Nothing is shared with the certified solver: constraints are stated in the full vector x, scores
come from bisection on their defining inequality. Slow and plain on purpose. Whole categories are
settled by trying every combination.
"""

import itertools
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import brentq

from dirrac_core.arrays import Array
from dirrac_core.data.schema.plausible_set import LIKE_REAL_PEOPLE
from dirrac_core.errors import SolverFailure
from dirrac_core.feasible import FeasibleSet
from dirrac_core.loading import convex_programs
from dirrac_core.progress import Progress
from dirrac_core.robustness import (
    Doubt,
    Objective,
    WeightBall,
    WorstComponent,
    divergence_named,
)

# cvxpy takes about a second to import and only a second opinion needs it, so every function that
# states a problem imports it itself.

# A constraint counts as broken when it is missed by more than this, relative to its scale.
VIOLATION = 2e-6
# Halvings of a bisection: an angle of π/2 shrinks to 1e-7.
HALVINGS = 24
# A radius this large that still leaves a plan has no ceiling.
LARGEST_RADIUS = 1e6

Categories = tuple[int, ...] | None


@dataclass(frozen=True, eq=False)
class SecondOpinion:
    """What cvxpy says about a plan.

    `value` is its worst-case probability, computed anew, and `broken` names the constraints it
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
    feasible: FeasibleSet, objective: Objective, plan: Array, progress: Progress | None = None
) -> SecondOpinion:
    """Check a plan independently, and bound what any plan of the set can reach.

    `progress` is told the part done before each bisection, and may raise to stop the work.
    """
    begin = time.perf_counter()
    count = objective.mixture.components
    value, broken = value_of(objective, plan), broken_constraints(feasible, plan)
    together = count == 1 or isinstance(objective.weighting, WorstComponent)
    questions = [tuple(range(count))] if together else [(k,) for k in range(count)]
    numbers, total = itertools.count(), len(questions) * sum(1 for _ in _choices(feasible))

    def told() -> None:
        if progress is not None:
            done = next(numbers)
            progress(done / total, f"Problem {done + 1} of {total}")

    best = [best_common_score(feasible, components, told) for components in questions]
    if together:
        lower, x = float(objective.link.probability(best[0].upper)), best[0].x
    else:
        tops = [score.upper for score in best]
        lower, x = _weigh(objective, objective.link.probability(tops)), None
    return SecondOpinion(value, broken, lower, x, time.perf_counter() - begin)


def cheapest_cost(feasible: FeasibleSet) -> float:
    """δ_min: the smallest cost of a valid plan, whatever the budget; infinite when none exists."""
    cp = convex_programs()

    costs = [np.inf]
    for categories in _choices(feasible):
        x = cp.Variable(feasible.x0.size)
        rules = _actions(feasible, x, categories) + _validity(feasible, x)
        cost = _solve(cp.Minimize(_cost(feasible, x)), rules)
        costs.append(np.inf if cost is None else cost)
    return min(costs)


def projection(feasible: FeasibleSet, point: Array) -> Array | None:
    """The point of the set nearest to `point` in ℓ2; None when the set is empty."""
    cp = convex_programs()

    shortest, nearest = np.inf, None
    for categories in _choices(feasible):
        x = cp.Variable(feasible.x0.size)
        squared = _solve(cp.Minimize(cp.sum_squares(x - point)), _all(feasible, x, categories))
        if squared is not None and squared < shortest:
            shortest, nearest = squared, np.array(x.value)
    return nearest


def best_common_score(
    feasible: FeasibleSet, components: Iterable[int], told: Callable[[], None] | None = None
) -> BestScore:
    """The largest a that all the named components reach at one point of the set, by bisection.

    `told` is called before each bisection: one for every combination of whole categories.
    """
    named = tuple(components)
    found = []
    for categories in _choices(feasible):
        if told is not None:
            told()
        found.append(_best_score_in(feasible, named, categories))
    return max(found, key=lambda best: best.upper)


def largest_radius(feasible: FeasibleSet) -> float:
    """The largest common ρ that leaves a valid plan within the budget, by bisection; 0 if none."""
    return max(_largest_radius_in(feasible, categories) for categories in _choices(feasible))


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
    rules = _all(feasible, x, categories)
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
    rules = _all(feasible, x, categories)
    for k in components:
        m = feasible.mixture.means[k] @ x
        s = cp.norm(feasible.mixture.factors[k].T @ x)
        r = feasible.radii[k] * _length(feasible.doubt, x, k)
        rules.append(("score", (cosine * m - sine * s - r) / _unit(feasible, k) >= least))
    problem = cp.Problem(cp.Maximize(least), [rule for _, rule in rules])
    plans: list[Array] = []

    def reached(angle: float) -> bool:
        cosine.value, sine.value = np.cos(angle), np.sin(angle)
        slack = _optimum(problem)
        if slack is None or slack < 0.0:
            return False
        plans.append(np.array(x.value))
        return True

    # At φ = 0 the condition is m ≥ r, which every valid plan meets.
    if not reached(0.0):
        return BestScore(-np.inf, -np.inf, None)
    low, high = _bisected(reached, 0.0, np.pi / 2)
    return BestScore(float(np.tan(low)), float(np.tan(high)), plans[-1])


def _largest_radius_in(feasible: FeasibleSet, categories: Categories) -> float:
    cp = convex_programs()

    x, rho = cp.Variable(feasible.x0.size), cp.Parameter(nonneg=True)
    rules = _actions(feasible, x, categories) + _budget(feasible, x)
    slacks = [
        (theta @ x - margin - rho * _length(feasible.doubt, x, k)) / _unit(feasible, k)
        for k, (theta, margin) in enumerate(
            zip(feasible.mixture.means, feasible.margins, strict=True)
        )
    ]
    problem = cp.Problem(cp.Maximize(cp.min(cp.hstack(slacks))), [rule for _, rule in rules])

    def reached(radius: float) -> bool:
        rho.value = radius
        slack = _optimum(problem)
        return slack is not None and slack >= 0.0

    if not reached(0.0):
        return 0.0
    ceiling = 1.0
    while reached(ceiling):
        ceiling *= 2.0
        if ceiling > LARGEST_RADIUS:
            return np.inf
    return _bisected(reached, 0.0, ceiling)[0]


def _choices(feasible: FeasibleSet) -> Iterator[Categories]:
    """Every combination of whole categories, or None once when groups are relaxed."""
    return itertools.product(*feasible.actions.groups) if feasible.whole else iter([None])


def _all(feasible: FeasibleSet, x: Any, categories: Categories) -> list[tuple[str, Any]]:
    return [
        *_actions(feasible, x, categories),
        *_validity(feasible, x),
        *_budget(feasible, x),
    ]


def _actions(feasible: FeasibleSet, x: Any, categories: Categories) -> list[tuple[str, Any]]:
    """The actionable set, named constraint by named constraint."""
    cp = convex_programs()

    actions, x0 = feasible.actions, feasible.x0
    low, high = np.full(x0.size - 1, -np.inf), np.full(x0.size - 1, np.inf)
    low = low if actions.lower is None else actions.lower
    high = high if actions.upper is None else actions.upper
    rules: list[tuple[str, Any]] = [("constant", x[-1] == 1.0)]
    rules += [("locked", x[c] == x0[c]) for c in actions.locked]
    rules += [("only up", x[c] >= x0[c]) for c in actions.only_up]
    rules += [("only down", x[c] <= x0[c]) for c in actions.only_down]
    for c in set(range(x0.size - 1)) - set(actions.locked):
        rules += [("range", x[c] >= low[c])] if low[c] > -np.inf else []
        rules += [("range", x[c] <= high[c])] if high[c] < np.inf else []
    for number, group in enumerate(actions.groups):
        members = [x[c] for c in group]
        rules += [("one category", sum(members) == 1.0), ("one category", cp.hstack(members) >= 0)]
        if categories is not None:
            chosen = [("one category", x[c] == float(c == categories[number])) for c in group]
            rules += chosen
    for rule in actions.linear:
        # Violations are judged by the size of x, so large coefficients must not swell them.
        unit = max(1.0, float(np.abs(rule.coefficients).max()))
        value = (rule.coefficients / unit) @ x[:-1]
        rules += [(rule.name, value >= rule.low / unit)] if rule.low > -np.inf else []
        rules += [(rule.name, value <= rule.high / unit)] if rule.high < np.inf else []
    if (people := actions.plausible) is not None:
        low, high = np.maximum(low, people.lower), np.minimum(high, people.upper)
    for condition in actions.conditional:
        # In force at z = 1, nothing beyond the column's own reach at z = 0, linear in between.
        c, z = condition.column, x[condition.category]
        still = c in actions.locked
        top = x0[c] if still or c in actions.only_down else max(high[c], x0[c])
        bottom = x0[c] if still or c in actions.only_up else min(low[c], x0[c])
        rules.append(("rule", x[c] <= top - max(top - condition.high, 0.0) * z))
        rules.append(("rule", x[c] >= bottom + max(condition.low - bottom, 0.0) * z))
    return rules + _like_real_people(feasible, x)


def _like_real_people(feasible: FeasibleSet, x: Any) -> list[tuple[str, Any]]:
    """The ranges of real people for what may move, and ‖F(x − c)‖₂ ≤ size."""
    cp = convex_programs()

    people = feasible.actions.plausible
    if people is None:
        return []
    rules: list[tuple[str, Any]] = []
    for c in set(range(people.centre.size)) - set(feasible.actions.locked):
        if people.lower[c] > -np.inf:
            rules.append((LIKE_REAL_PEOPLE, x[c] >= people.lower[c]))
        if people.upper[c] < np.inf:
            rules.append((LIKE_REAL_PEOPLE, x[c] <= people.upper[c]))
    distance = cp.norm(people.factor @ (x[:-1] - people.centre))
    return [*rules, (LIKE_REAL_PEOPLE, distance <= people.size)]


def _validity(feasible: FeasibleSet, x: Any) -> list[tuple[str, Any]]:
    """θ̂_kᵀx − r_k(x) ≥ ε_k for every component."""
    rules = []
    for k, theta in enumerate(feasible.mixture.means):
        r = feasible.radii[k] * _length(feasible.doubt, x, k)
        rules.append(("validity", (theta @ x - r - feasible.margins[k]) / _unit(feasible, k) >= 0))
    return rules


def _unit(feasible: FeasibleSet, k: int) -> float:
    """The unit of a score: 1, or the length of θ̂_k where only that gives scores a size."""
    if not feasible.doubt.in_deviations:
        return 1.0
    return float(np.linalg.norm(feasible.mixture.means[k])) or 1.0


def _length(doubt: Doubt, x: Any, k: int) -> Any:
    """√(xᵀM_k x)."""
    cp = convex_programs()

    return cp.norm(x) if doubt.factors is None else cp.norm(doubt.factors[k].T @ x)


def _budget(feasible: FeasibleSet, x: Any) -> list[tuple[str, Any]]:
    """cost(x, x0) ≤ δ, with the trace of slack every solver gets."""
    return [("budget", _cost(feasible, x) <= feasible.budget())] if feasible.delta < np.inf else []


def _cost(feasible: FeasibleSet, x: Any) -> Any:
    cp = convex_programs()

    change = x[:-1] - feasible.x0[:-1]
    if feasible.actions.weights is not None:
        change = cp.multiply(feasible.actions.weights, change)
    return cp.norm(change, 1 if feasible.cost == "l1" else 2)


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
    value = _solve(cp.Maximize(probabilities @ p), ball)
    if value is None:
        message = f"A weight ball holds its centre, got none for radius {weighting.radius:g}"
        raise SolverFailure(message)
    return value


def _bisected(reached: Callable[[float], bool], low: float, high: float) -> tuple[float, float]:
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if reached(middle) else (low, middle)
    return low, high


def _solve(objective: Any, rules: list[tuple[str, Any]]) -> float | None:
    cp = convex_programs()

    return _optimum(cp.Problem(objective, [rule for _, rule in rules]))


def _optimum(problem: Any) -> float | None:
    """The optimal value; None when there is no point."""
    cp = convex_programs()

    problem.solve(solver=cp.CLARABEL)
    if problem.status in (cp.OPTIMAL, cp.OPTIMAL_INACCURATE):
        return float(problem.value)
    if problem.status in (cp.INFEASIBLE, cp.INFEASIBLE_INACCURATE):
        return None
    message = f"cvxpy must end optimal or infeasible, got {problem.status}"
    raise SolverFailure(message)
