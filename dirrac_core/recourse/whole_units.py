"""A plan in whole, sensible units: rounded, re-checked, and re-solved where rounding breaks it."""

import itertools
from dataclasses import replace

import numpy as np

from dirrac_core.arrays import Array
from dirrac_core.data.dataset import Dataset
from dirrac_core.data.schema.feature import Feature, Value
from dirrac_core.data.schema.rules import ProductRule
from dirrac_core.data.schema.schema import Schema
from dirrac_core.progress import look_up
from dirrac_core.recourse import Recourse, RecourseProblem, assess
from dirrac_core.recourse.find import promise_words
from dirrac_core.recourse.near_values import finest_neighbours, neighbours
from dirrac_core.recourse.result import Rounding
from dirrac_core.recourse.whole_numbers import column_of, solved_with, whole_number_plan

# A rounding that costs more probability than this is worth solving again.
SMALL_LOSS = 0.005
# One that costs more than this is worth a number that is less round.
LARGE_LOSS = 0.05
# Roundings of at most this many features are tried in every combination.
MOST_COMBINED = 6


def plan_in_real_units(
    dataset: Dataset, problem: RecourseProblem, plan: Recourse, level: float | None = None
) -> Recourse:
    """The best plan in real units near `plan` that passes the whole checklist.

    Every number the plan moves is rounded down or up; the combination with the smallest
    worst-case probability that passes is taken. If none passes, or the best one gives up more
    than SMALL_LOSS, the rounded numbers are fixed one after the other and the rest is solved
    again. If none passes even then, or LARGE_LOSS is given up, the finest units are tried where
    likeness to real people, an optional rule or a `level` may leave no room for rounder ones. The
    certificate stays valid: the lower bound covers rounded plans too.

    With a `level` the plan is one that is cheap rather than safe: of the combinations with a
    worst case of at most the level the cheapest is taken, and nothing is solved again.
    """
    look_up()
    if plan.x is None:
        return left_exact(plan, "There is no plan to round.")
    narrow = level is not None or _is_narrowed(problem)
    usual = _candidates(dataset.schema, problem.x0, plan.x)
    best = None if level is None else _cheapest(dataset, problem, plan.x, usual, level)
    if best is None:
        best = _best(dataset, problem, plan.x, usual)
        level = None
    promised = plan.worst_case_probability + SMALL_LOSS
    if level is None and (best is None or problem.objective.value(best) > promised):
        again = _solved_again(dataset, problem, plan.x)
        options = [x for x in (best, again) if x is not None]
        best = min(options, key=problem.objective.value, default=None)
    if narrow and (best is None or problem.objective.value(best) > promised + LARGE_LOSS):
        finer = _candidates(dataset.schema, problem.x0, plan.x, fine=True)
        found = _best(dataset, problem, plan.x, finer)
        options = [x for x in (best, found) if x is not None]
        best = min(options, key=problem.objective.value, default=None)
    rounded, note = True, "Rounded to whole units and checked again."
    if best is None:
        # Rather a plan a little further away than one that asks for half a car.
        best = whole_number_plan(dataset.schema, problem, plan.x)
        if best is not None and not np.array_equal(dataset.schema.rounded(best, problem.x0), best):
            rounded, note = False, "Whole numbers are whole; the other numbers are exact."
    if best is None:
        note = (
            "No plan in whole units keeps every condition, so the exact solution is shown. "
            "A little more budget usually makes room for one."
        )
        return left_exact(plan, note)
    shown = assess(problem, best)
    message = plan.message
    if message == promise_words(plan.worst_case_probability, plan.lower_bound):
        # What is said of a plan must be true of the one that is shown.
        message = promise_words(shown.worst_case_probability, plan.lower_bound)
    return replace(
        shown,
        status=plan.status,
        lower_bound=plan.lower_bound,
        gap=shown.worst_case_probability - plan.lower_bound,
        trace=plan.trace,
        solves=plan.solves,
        nodes=plan.nodes,
        seconds=plan.seconds,
        message=message,
        rounding=Rounding(plan, rounded, note),
    )


def left_exact(plan: Recourse, note: str) -> Recourse:
    """The exact plan, with the reason why it was not rounded."""
    return replace(plan, rounding=Rounding(plan, False, note))


def _is_narrowed(problem: RecourseProblem) -> bool:
    """Whether plans must be like real people or keep a rule of the domain."""
    actions = problem.unbounded.actions
    return actions.plausible is not None or any(rule.optional for rule in actions.linear)


def _best(
    dataset: Dataset, problem: RecourseProblem, exact: Array, candidates: list[Array]
) -> Array | None:
    """The candidate with the smallest worst-case probability that keeps every condition."""
    held = [rule.holds for rule in dataset.schema.check_rules(exact)]
    safest_first = sorted(candidates, key=problem.objective.value)
    return next((x for x in safest_first if _passes(dataset, problem, x, held)), None)


def _cheapest(
    dataset: Dataset,
    problem: RecourseProblem,
    exact: Array,
    candidates: list[Array],
    level: float,
) -> Array | None:
    """The cheapest candidate with a worst case ≤ level that keeps every condition."""
    held = [rule.holds for rule in dataset.schema.check_rules(exact)]
    cheapest_first = sorted(candidates, key=problem.unbounded.cost_of)
    lasting = (x for x in cheapest_first if problem.objective.value(x) <= level)
    return next((x for x in lasting if _passes(dataset, problem, x, held)), None)


def _passes(dataset: Dataset, problem: RecourseProblem, x: Array, held: list[bool]) -> bool:
    coherent = all(
        now.holds or not before
        for now, before in zip(dataset.schema.check_rules(x), held, strict=True)
    )
    return coherent and bool(problem.feasible_set.contains(x))


def _candidates(schema: Schema, x0: Array, x: Array, fine: bool = False) -> list[Array]:
    """The plan with its moved numbers rounded down or up, in every combination worth trying.

    `fine` rounds to the finest unit shown and also tries one unit less of a change.
    """
    moved = _moved_numbers(schema, x0, x)
    moved.sort(key=lambda f: -abs(x[column_of(schema, f)] - x0[column_of(schema, f)]))
    near = finest_neighbours if fine else neighbours
    options = [near(f, *_encoded(schema, f, x0, x)) for f in moved]
    rounder = schema.rounder(x0)
    nearest = rounder(x)
    combined = itertools.product(*options[:MOST_COMBINED])
    # Beyond the largest moves, towards the applicant: cheaper, and hardly weaker.
    rest = [towards_applicant for towards_applicant, *_ in options[MOST_COMBINED:]]
    real = schema.decode(x)
    exact = {name: np.array([value]) for name, value in real.items()}
    products = [r for r in schema.rules if isinstance(r, ProductRule) and r.holds(exact)[0]]
    rows = []
    for chosen in combined:
        changed = _with_values(schema, x, real, products, moved, (*chosen, *rest))
        rounded = rounder(changed)
        # Fine values stay as given: they are finer than the steps of the schema.
        rows.append(np.where(np.abs(changed - x) > 0.0, changed, rounded) if fine else rounded)
    return rows if fine else [nearest, *rows]


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


def _encoded(schema: Schema, feature: Feature, x0: Array, x: Array) -> tuple[float, float]:
    """A number of the applicant and of the plan, as encoded."""
    column = column_of(schema, feature)
    return float(x0[column]), float(x[column])


def _with_values(
    schema: Schema,
    x: Array,
    real: dict[str, Value],
    products: list[ProductRule],
    features: list[Feature],
    values: tuple[float, ...],
) -> Array:
    """x with the real values given, and the `products` that held at x restored.

    `real` is x in real units.
    """
    changed = np.array(x)
    given = dict(real)
    for feature, value in zip(features, values, strict=True):
        given[feature.name] = value
        changed[column_of(schema, feature)] = feature.scaled(value)
    for rule in products:
        result = schema.feature(rule.result)
        product = float(given[rule.factor]) * float(given[rule.base])
        changed[column_of(schema, result)] = result.scaled(product)
    return changed


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
            key=lambda f: abs(x[column_of(schema, f)] - problem.x0[column_of(schema, f)]),
        )
        tries = {
            value: solved_with(schema, problem, {**fixed, feature.name: value})
            for value in neighbours(feature, *_encoded(schema, feature, problem.x0, x))
        }
        solved = {value: point for value, point in tries.items() if point is not None}
        if not solved:
            return None
        value = min(solved, key=lambda v: problem.objective.value(solved[v]))
        fixed[feature.name], x = value, solved[value]
    return _best(dataset, problem, exact, [schema.rounded(x, problem.x0)])
