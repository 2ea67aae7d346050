"""What cvxpy says, problem by problem: the second opinion and three questions only tests ask."""

import cvxpy as cp
import numpy as np

from dirrac_core.arrays import Array
from dirrac_core.feasible import FeasibleSet
from dirrac_core.solvers.second_opinion import (
    bisected,
    broken_constraints,
    optimum,
    second_opinion,
    solve_stated,
)
from dirrac_core.solvers.stated_set import (
    Categories,
    action_constraints,
    all_constraints,
    budget_constraints,
    category_choices,
    score_unit,
    stated_cost,
    stated_length,
    validity_constraints,
)

__all__ = ["broken_constraints", "cheapest_cost", "largest_radius", "projection", "second_opinion"]

# A radius this large that still leaves a plan has no ceiling.
LARGEST_RADIUS = 1e6


def cheapest_cost(feasible: FeasibleSet) -> float:
    """δ_min: the smallest cost of a valid plan, whatever the budget; infinite when none exists."""
    costs = [np.inf]
    for categories in category_choices(feasible):
        x = cp.Variable(feasible.x0.size)
        rules = action_constraints(feasible, x, categories) + validity_constraints(feasible, x)
        cost = solve_stated(cp.Minimize(stated_cost(feasible, x)), rules)
        costs.append(np.inf if cost is None else cost)
    return min(costs)


def projection(feasible: FeasibleSet, point: Array) -> Array | None:
    """The point of the set nearest to `point` in ℓ2; None when the set is empty."""
    shortest, nearest = np.inf, None
    for categories in category_choices(feasible):
        x = cp.Variable(feasible.x0.size)
        squared = solve_stated(
            cp.Minimize(cp.sum_squares(x - point)), all_constraints(feasible, x, categories)
        )
        if squared is not None and squared < shortest:
            shortest, nearest = squared, np.array(x.value)
    return nearest


def largest_radius(feasible: FeasibleSet) -> float:
    """The largest common ρ that leaves a valid plan within the budget, by bisection; 0 if none."""
    return max(
        _largest_radius_in(feasible, categories) for categories in category_choices(feasible)
    )


def _largest_radius_in(feasible: FeasibleSet, categories: Categories) -> float:
    x, rho = cp.Variable(feasible.x0.size), cp.Parameter(nonneg=True)
    rules = action_constraints(feasible, x, categories) + budget_constraints(feasible, x)
    slacks = [
        (theta @ x - margin - rho * stated_length(feasible.doubt, x, k)) / score_unit(feasible, k)
        for k, (theta, margin) in enumerate(
            zip(feasible.mixture.means, feasible.margins, strict=True)
        )
    ]
    problem = cp.Problem(cp.Maximize(cp.min(cp.hstack(slacks))), [rule for _, rule in rules])

    def reached(radius: float) -> bool:
        rho.value = radius
        slack = optimum(problem)
        return slack is not None and slack >= 0.0

    if not reached(0.0):
        return 0.0
    ceiling = 1.0
    while reached(ceiling):
        ceiling *= 2.0
        if ceiling > LARGEST_RADIUS:
            return np.inf
    return bisected(reached, 0.0, ceiling)[0]
