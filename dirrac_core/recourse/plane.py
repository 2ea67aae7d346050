"""The (ρ, δ_add) plane of one applicant: a certified plan for every pair, at once."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array, frozen_array
from dirrac_core.errors import InvalidInput
from dirrac_core.recourse.many import ManyPlans, plan_crowd
from dirrac_core.recourse.problem import RecourseProblem
from dirrac_core.solvers.batch.crowd import Places, crowd, crowd_of
from dirrac_core.solvers.batch.search import cheapest_plans


@dataclass(frozen=True, eq=False)
class Plane:
    """Rows are radii, columns are budgets δ_add; probability 1 and NaN where there is no plan.

    `x` (radii, budgets, D) are the plans.
    """

    radii: Array
    delta_adds: Array
    x: Array
    worst_case_probability: Array
    lower_bound: Array
    cost: Array
    delta_min: Array
    one_by_one: int


def radius_profile(problem: RecourseProblem) -> Array:
    """The radii ρ_k of the problem in parts of the largest; equal where all are 0."""
    own = problem.radii
    profile: Array = own / own.max() if own.any() else np.ones_like(own)
    return profile


def problem_at(problem: RecourseProblem, radii: Array, delta_add: float) -> RecourseProblem:
    """The same question at other radii and another budget."""
    kept = problem.unbounded
    return RecourseProblem(
        problem.x0,
        problem.mixture,
        radii=radii,
        delta_add=delta_add,
        cost=kept.cost,
        link=problem.objective.link.name,
        weighting=problem.objective.weighting,
        # Today's model is among these rules already.
        actions=kept.actions,
        categories=kept.categories,
        margin=kept.margin,
        metric=kept.metric,
    )


def plan_plane(
    problem: RecourseProblem,
    radii: npt.ArrayLike,
    delta_adds: npt.ArrayLike,
    gap: float = 1e-3,
) -> Plane:
    """The plans of the applicant of `problem` for every ρ and every budget δ_add.

    ρ is the largest ρ_k; the others keep their ratio to it. The largest budget is solved first:
    where its plan costs no more than a smaller budget allows, it is the best there too, and the
    bound proved for it holds there as well. `one_by_one` counts the pairs, among those solved, that
    the batched kernel left to the certified solver; all of them where plans must be like those of
    real people.
    """
    rho = frozen_array("radii", radii, (None,))
    extra = frozen_array("delta_adds", delta_adds, (None,))
    if (rho < 0.0).any() or (extra < 0.0).any():
        message = f"Radii and budgets must be ≥ 0, got {min(rho.min(), extra.min()):g}"
        raise InvalidInput(message)
    solved = _solver(problem, rho, gap)
    everyone = np.arange(rho.size)
    most = solved(everyone, np.full(rho.size, extra.max()))
    # Without a plan at the largest budget there is none at a smaller one.
    spent = np.where(np.isnan(most.cost), -np.inf, most.cost - most.delta_min)
    rows, columns = np.nonzero(extra[None] < spent[:, None])
    rest = solved(rows, extra[columns]) if rows.size else None

    def grid(name: str) -> Array:
        values = np.asarray(getattr(most, name), dtype=np.float64)
        filled = np.repeat(values[:, None], extra.size, axis=1)
        if rest is not None:
            filled[rows, columns] = getattr(rest, name)
        return filled

    return Plane(
        radii=rho,
        delta_adds=extra,
        x=grid("x"),
        worst_case_probability=grid("worst_case_probability"),
        lower_bound=grid("lower_bound"),
        cost=grid("cost"),
        delta_min=grid("delta_min"),
        one_by_one=len(most.one_by_one) + (0 if rest is None else len(rest.one_by_one)),
    )


def _solver(
    problem: RecourseProblem, rho: Array, gap: float
) -> Callable[[Places, Array], ManyPlans]:
    """The plans at some rows of `rho`, each with its budget δ_add."""
    profile = radius_profile(problem)

    def asked(rows: Places, budgets: Array, place: int) -> RecourseProblem:
        return problem_at(problem, rho[rows[place]] * profile, float(budgets[place]))

    one = crowd_of([problem.unbounded], problem.objective)
    same = one.chosen(np.zeros(rho.size, dtype=np.intp))
    by_radius = crowd(
        *(same.shared, same.groups, same.whole, same.x0, same.lower, same.upper, same.weights),
        *(same.sizes, same.rows, same.limits, same.kinds),
        rho[None] * profile[:, None],
        same.cone_limit,
    )
    # The cheapest plan does not depend on the budget.
    cheapest = cheapest_plans(by_radius)
    return lambda rows, budgets: plan_crowd(
        *(by_radius.chosen(rows), problem.objective, budgets, np.full(rows.size, np.nan), gap),
        partial(asked, rows, budgets),
        cheapest.chosen(rows),
    )
