"""The actionable and valid set stated in cvxpy, named constraint by named constraint.

What the second opinion is stated with; nothing is shared with the certified solver.
"""

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from dirrac_core.data.schema.plausible_set import LIKE_REAL_PEOPLE
from dirrac_core.feasible import FeasibleSet
from dirrac_core.loading import convex_programs
from dirrac_core.robustness import Doubt

Categories = tuple[int, ...] | None
Constraints = list[tuple[str, Any]]


def category_choices(feasible: FeasibleSet) -> Iterator[Categories]:
    """Every combination of whole categories, or None once when groups are relaxed."""
    return itertools.product(*feasible.actions.groups) if feasible.whole else iter([None])


def all_constraints(feasible: FeasibleSet, x: Any, categories: Categories) -> Constraints:
    """The actionable set, validity and the budget."""
    return [
        *action_constraints(feasible, x, categories),
        *validity_constraints(feasible, x),
        *budget_constraints(feasible, x),
    ]


def action_constraints(feasible: FeasibleSet, x: Any, categories: Categories) -> Constraints:
    """The actionable set, named constraint by named constraint."""
    cp = convex_programs()

    actions, x0 = feasible.actions, feasible.x0
    low, high = np.full(x0.size - 1, -np.inf), np.full(x0.size - 1, np.inf)
    low = low if actions.lower is None else actions.lower
    high = high if actions.upper is None else actions.upper
    rules: Constraints = [("constant", x[-1] == 1.0)]
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


def _like_real_people(feasible: FeasibleSet, x: Any) -> Constraints:
    """The ranges of real people for what may move, and ‖F(x − c)‖₂ ≤ size."""
    cp = convex_programs()

    people = feasible.actions.plausible
    if people is None:
        return []
    rules: Constraints = []
    for c in set(range(people.centre.size)) - set(feasible.actions.locked):
        if people.lower[c] > -np.inf:
            rules.append((LIKE_REAL_PEOPLE, x[c] >= people.lower[c]))
        if people.upper[c] < np.inf:
            rules.append((LIKE_REAL_PEOPLE, x[c] <= people.upper[c]))
    distance = cp.norm(people.factor @ (x[:-1] - people.centre))
    return [*rules, (LIKE_REAL_PEOPLE, distance <= people.size)]


def validity_constraints(feasible: FeasibleSet, x: Any) -> Constraints:
    """θ̂_kᵀx − r_k(x) ≥ ε_k for every component."""
    rules = []
    for k, theta in enumerate(feasible.mixture.means):
        r = feasible.radii[k] * stated_length(feasible.doubt, x, k)
        rules.append(
            ("validity", (theta @ x - r - feasible.margins[k]) / score_unit(feasible, k) >= 0)
        )
    return rules


def score_unit(feasible: FeasibleSet, k: int) -> float:
    """The unit of a score: 1, or the length of θ̂_k where only that gives scores a size."""
    if not feasible.doubt.in_deviations:
        return 1.0
    return float(np.linalg.norm(feasible.mixture.means[k])) or 1.0


def stated_length(doubt: Doubt, x: Any, k: int) -> Any:
    """√(xᵀM_k x)."""
    cp = convex_programs()

    return cp.norm(x) if doubt.factors is None else cp.norm(doubt.factors[k].T @ x)


def budget_constraints(feasible: FeasibleSet, x: Any) -> Constraints:
    """cost(x, x0) ≤ δ, with the trace of slack every solver gets."""
    return (
        [("budget", stated_cost(feasible, x) <= feasible.budget())]
        if feasible.delta < np.inf
        else []
    )


def stated_cost(feasible: FeasibleSet, x: Any) -> Any:
    """cost(x, x0), weighted."""
    cp = convex_programs()

    change = x[:-1] - feasible.x0[:-1]
    if feasible.actions.weights is not None:
        change = cp.multiply(feasible.actions.weights, change)
    return cp.norm(change, 1 if feasible.cost == "l1" else 2)
