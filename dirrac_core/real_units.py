"""A plan in whole, sensible units: rounded, re-checked, and re-solved where rounding breaks it."""

import itertools
import math
from dataclasses import dataclass, replace

import numpy as np

from dirrac_core.arrays import Array
from dirrac_core.data.dataset import Dataset
from dirrac_core.data.feature import Feature
from dirrac_core.data.rules import ProductRule
from dirrac_core.data.schema import Schema
from dirrac_core.recourse import Recourse, RecourseProblem, assess
from dirrac_core.solvers import solve_certified

# A rounding that costs more probability than this is worth solving again.
SMALL_LOSS = 0.005
# Roundings of at most this many features are tried in every combination.
MOST_COMBINED = 6
RESOLVE_GAP = 1e-3
GRID_TOLERANCE = 1e-9


@dataclass(frozen=True, eq=False)
class RealPlan:
    """A plan to hand over: `plan` is in real units when `rounded`, else the exact solution.

    `loss` is the worst-case probability given up by rounding; `note` says in words what was done.
    """

    plan: Recourse
    exact: Recourse
    rounded: bool
    loss: float
    note: str


def plan_in_real_units(dataset: Dataset, problem: RecourseProblem, plan: Recourse) -> RealPlan:
    """The best plan in real units near `plan` that passes the whole checklist.

    Every number the plan moves is rounded down or up; the combination with the smallest
    worst-case probability that passes is taken. If none passes, or the best one gives up more
    than SMALL_LOSS, the rounded numbers are fixed one after the other and the rest is solved
    again. The certificate stays valid: the lower bound covers rounded plans too.
    """
    if plan.x is None:
        return RealPlan(plan, plan, False, 0.0, "There is no plan to round.")
    best = _best(dataset, problem, plan.x, _candidates(dataset.schema, problem.x0, plan.x))
    if best is None or problem.objective.value(best) > plan.worst_case_probability + SMALL_LOSS:
        again = _solved_again(dataset, problem, plan.x)
        options = [x for x in (best, again) if x is not None]
        best = min(options, key=problem.objective.value, default=None)
    if best is None:
        note = (
            "No plan in whole units keeps every condition, so the exact solution is shown. "
            "A little more budget usually makes room for one."
        )
        return RealPlan(plan, plan, False, 0.0, note)
    shown = assess(problem, best)
    kept = replace(
        shown,
        status=plan.status,
        lower_bound=plan.lower_bound,
        gap=shown.worst_case_probability - plan.lower_bound,
        trace=plan.trace,
        solves=plan.solves,
        nodes=plan.nodes,
        seconds=plan.seconds,
        message=plan.message,
    )
    loss = kept.worst_case_probability - plan.worst_case_probability
    return RealPlan(kept, plan, True, loss, "Rounded to whole units and checked again.")


def _best(
    dataset: Dataset, problem: RecourseProblem, exact: Array, candidates: list[Array]
) -> Array | None:
    """The candidate with the smallest worst-case probability that keeps every condition."""
    held = [rule.holds for rule in dataset.schema.check_rules(exact)]
    passing = [x for x in candidates if _passes(dataset, problem, x, held)]
    return min(passing, key=problem.objective.value, default=None)


def _passes(dataset: Dataset, problem: RecourseProblem, x: Array, held: list[bool]) -> bool:
    coherent = all(
        now.holds or not before
        for now, before in zip(dataset.schema.check_rules(x), held, strict=True)
    )
    return coherent and bool(problem.feasible_set.contains(x))


def _candidates(schema: Schema, x0: Array, x: Array) -> list[Array]:
    """The plan with its moved numbers rounded down or up, in every combination worth trying."""
    moved = _moved_numbers(schema, x0, x)
    moved.sort(key=lambda f: -abs(x[_column(schema, f)] - x0[_column(schema, f)]))
    options = [_neighbours(schema, f, x0, x) for f in moved]
    nearest = schema.rounded(x, x0)
    combined = itertools.product(*options[:MOST_COMBINED])
    # Beyond the largest moves, towards the applicant: cheaper, and hardly weaker.
    rest = [towards_applicant for towards_applicant, *_ in options[MOST_COMBINED:]]
    rows = [_with_values(schema, x0, x, moved, (*chosen, *rest)) for chosen in combined]
    return [nearest, *rows]


def _moved_numbers(schema: Schema, x0: Array, x: Array) -> list[Feature]:
    """The numeric features a plan moves, without those that follow from others."""
    derived = {rule.result for rule in schema.rules if isinstance(rule, ProductRule)}
    changed = {change.feature for change in schema.describe_change(x0, x)}
    follows = derived if all(check.holds for check in schema.check_rules(x)) else set()
    return [
        feature
        for feature in schema.features
        if feature.name in changed and not feature.is_categorical and feature.name not in follows
    ]


def _column(schema: Schema, feature: Feature) -> int:
    (column,) = schema.columns_of(feature.name)
    return column


def _neighbours(schema: Schema, feature: Feature, x0: Array, x: Array) -> tuple[float, ...]:
    """The real values just below and above the plan's, nearest to the applicant first."""
    column = _column(schema, feature)
    span = feature.high - feature.low
    before, value = (feature.low + float(v[column]) * span for v in (x0, x))
    for step in (feature.step, 10.0**-feature.decimals):
        below = math.floor(value / step + GRID_TOLERANCE) * step
        above = math.ceil(value / step - GRID_TOLERANCE) * step
        sides = {feature.within_range(round(end, 10), value) for end in (below, above)}
        ahead = [end for end in sides if (end - before) * (value - before) > 0]
        if ahead:
            return tuple(sorted(ahead, key=lambda end: abs(end - before)))
    return (before,)


def _with_values(
    schema: Schema, x0: Array, x: Array, features: list[Feature], values: tuple[float, ...]
) -> Array:
    """x with the real values given, products that held restored, rounded as the schema rounds."""
    changed = np.array(x)
    real = schema.decode(x)
    exact = {name: np.array([value]) for name, value in real.items()}
    for feature, value in zip(features, values, strict=True):
        real[feature.name] = value
        changed[_column(schema, feature)] = feature.scaled(value)
    for rule in schema.rules:
        if isinstance(rule, ProductRule) and rule.holds(exact)[0]:
            result = schema.feature(rule.result)
            product = float(real[rule.factor]) * float(real[rule.base])
            changed[_column(schema, result)] = result.scaled(product)
    return schema.rounded(changed, x0)


def _solved_again(dataset: Dataset, problem: RecourseProblem, exact: Array) -> Array | None:
    """Fix one rounded number after the other, solving for the rest each time."""
    schema, x = dataset.schema, exact
    fixed: dict[str, float] = {}
    for _ in schema.features:
        open_numbers = [f for f in _moved_numbers(schema, problem.x0, x) if f.name not in fixed]
        if not open_numbers:
            break
        feature = max(
            open_numbers,
            key=lambda f: abs(x[_column(schema, f)] - problem.x0[_column(schema, f)]),
        )
        tries = {
            value: _solve_with(schema, problem, {**fixed, feature.name: value})
            for value in _neighbours(schema, feature, problem.x0, x)
        }
        solved = {value: point for value, point in tries.items() if point is not None}
        if not solved:
            return None
        value = min(solved, key=lambda v: problem.objective.value(solved[v]))
        fixed[feature.name], x = value, solved[value]
    return _best(dataset, problem, exact, [schema.rounded(x, problem.x0)])


def _solve_with(schema: Schema, problem: RecourseProblem, fixed: dict[str, float]) -> Array | None:
    """The best plan of the problem with some numbers fixed at real values; None if none exists."""
    allowed = problem.unbounded.actions
    size = problem.x0.size - 1
    lower = np.full(size, -np.inf) if allowed.lower is None else allowed.lower.copy()
    upper = np.full(size, np.inf) if allowed.upper is None else allowed.upper.copy()
    for name, value in fixed.items():
        feature = schema.feature(name)
        column = _column(schema, feature)
        lower[column] = upper[column] = feature.scaled(value)
    free = replace(problem.unbounded, actions=replace(allowed, lower=lower, upper=upper))
    narrowed = free.with_delta(problem.feasible_set.delta)
    cheapest = free.cheapest
    if cheapest is None or cheapest.cost > narrowed.budget():
        return None
    return solve_certified(narrowed, problem.objective, cheapest.x, RESOLVE_GAP).x
