"""What each lever of an applicant may be set to: one whole-unit value per cell of thresholds.

A lever is one feature a person can move, with every column that follows from it. The thresholds of
all models cut its range into cells; within a cell no model can tell values apart, so the cheapest
allowed value stands for the cell. A number moves to multiples of its step. Where a rule ties
several levers together, a cell keeps all its values instead.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array
from dirrac_core.data.schema.actions import LinearRule
from dirrac_core.data.schema.feature import Feature
from dirrac_core.errors import InvalidInput
from dirrac_core.trees.cp_sat.lever_rules import (
    Following,
    broken_constants,
    following_columns,
    lever_columns,
    split_rules,
)
from dirrac_core.trees.problem import TreeProblem

Mask = npt.NDArray[np.bool_]
# Values on a bound belong to it, whatever their last digits.
ON_THE_BOUND = 1e-9
MOST_VALUES = 200_000
MOST_SQUARES = 3_000


@dataclass(frozen=True, eq=False)
class Choice:
    """One setting of a lever.

    `columns` (lever columns,) are the encoded values and `cost` their part of the cost (its square
    for ℓ2). `last` is the other end of a cell that keeps all its values in steps; None: this value
    alone.
    """

    columns: Array
    cost: float
    last: Array | None = None
    steps: int = 0


@dataclass(frozen=True, eq=False)
class Lever:
    """A feature that may move, its encoded `columns` and those that follow from it, and `choices`.

    The choices of a number come in increasing order. `own` is the choice that changes nothing,
    None where staying as one is forbidden.
    """

    feature: Feature
    columns: tuple[int, ...]
    choices: tuple[Choice, ...]
    own: int | None
    tied: bool = False


@dataclass(frozen=True, eq=False)
class Levers:
    """All levers of an applicant and the rules that tie several of them together."""

    levers: tuple[Lever, ...]
    tying: tuple[LinearRule, ...]
    contradiction: str | None


def levers_of(problem: TreeProblem) -> Levers:
    """The levers of one applicant; a feature with a single choice stays as it is."""
    if problem.bounds.contradiction is not None:
        return Levers((), (), problem.bounds.contradiction)
    following = following_columns(problem)
    groups = lever_columns(problem, following)
    place = {column: index for index, (_, columns) in enumerate(groups) for column in columns}
    alone, tying = split_rules(problem, place, {each.column for each in following})
    ellipsoid = problem.actions.plausible
    columns_tied = (int(c) for rule in tying for c in np.flatnonzero(rule.coefficients))
    tied = {place[c] for c in columns_tied if c in place}
    if ellipsoid is not None:
        reach = np.abs(ellipsoid.factor).sum(axis=0) > 0.0
        tied |= {place[int(c)] for c in np.flatnonzero(reach) if int(c) in place}
    levers = []
    for index, (feature, columns) in enumerate(groups):
        rules = [rule for rule in alone if any(rule.coefficients[c] for c in columns)]
        lever = (
            _category_lever(problem, feature, columns)
            if feature.is_categorical
            else _number_lever(problem, feature, columns, following, rules, index in tied)
        )
        if not lever.choices:
            return Levers((), (), f"no value of {feature.name} keeps every rule")
        levers.append(lever)
    return Levers(tuple(levers), tuple(tying), broken_constants(alone))


def _category_lever(problem: TreeProblem, feature: Feature, columns: tuple[int, ...]) -> Lever:
    bounds, own = problem.bounds, None
    choices: list[Choice] = []
    start = problem.x0[list(columns)]
    for place, column in enumerate(columns):
        values = np.eye(len(columns))[place]
        allowed = bounds.upper[column] >= 1.0 - ON_THE_BOUND and all(
            bounds.lower[c] <= ON_THE_BOUND for c in columns if c != column
        )
        if allowed:
            if start[place] == 1.0:
                own = len(choices)
            choices.append(Choice(values, _cost(problem, columns, values)))
    return Lever(feature, columns, tuple(choices), own)


def _number_lever(
    problem: TreeProblem,
    feature: Feature,
    columns: tuple[int, ...],
    following: list[Following],
    rules: list[LinearRule],
    tied: bool,
) -> Lever:
    rest = [next(e for e in following if e.column == c) for c in columns[1:]]
    base = columns[0]

    def encoded(values: Array) -> Array:
        return np.stack([values, *(e.slope * values + e.offset for e in rest)], axis=1)

    own = problem.x0[list(columns)]
    grid = _multiples(problem, feature, base)
    # The applicant's own numbers are taken as they are, to the last digit.
    rows = np.vstack([encoded(grid), own])
    stays = np.arange(len(rows)) == len(grid)
    order = np.argsort(rows[:, 0], kind="stable")
    rows, stays = rows[order], stays[order]
    # A multiple of the step that is the applicant's own value would only repeat it.
    kept = stays | (np.abs(rows[:, 0] - own[0]) > ON_THE_BOUND)
    kept &= _allowed(problem, columns, rows, rules)
    rows, stays = rows[kept], stays[kept]
    costs = costs_of(problem, columns, rows)
    cells = _cells(problem, columns, rows)
    choices: list[Choice] = []
    own_place = None
    for cell in np.unique(cells):
        members = np.flatnonzero(cells == cell)
        if tied:
            named = _tied_choices(problem, feature, rows[members], costs[members], stays[members])
        else:
            best = members[int(costs[members].argmin())]
            named = [(Choice(rows[best], float(costs[best])), bool(stays[best]))]
        for choice, is_own in named:
            if is_own:
                own_place = len(choices)
            choices.append(choice)
    if problem.cost == "l2" and tied and len(choices) > MOST_SQUARES:
        raise InvalidInput(
            f"With the cost 'l2' a rule may tie numbers of at most {MOST_SQUARES:,} steps, got "
            f"{len(choices):,} of {feature.name!r}; the cost 'l1' has no such limit"
        )
    return Lever(feature, columns, tuple(choices), own_place, tied)


def _tied_choices(
    problem: TreeProblem, feature: Feature, rows: Array, costs: Array, stays: Mask
) -> list[tuple[Choice, bool]]:
    """The values of one cell in order: runs of steps without a gap, and the applicant's own.

    Squares do not add up step by step: for the cost ℓ2 every value is a choice of its own.
    """
    longest = np.inf if problem.cost == "l1" else 1
    step = feature.step / feature.span
    named: list[tuple[Choice, bool]] = []
    run: list[int] = []

    def close() -> None:
        if run:
            first, last = rows[run[0]], rows[run[-1]]
            named.append((Choice(first, float(costs[run[0]]), last, len(run) - 1), False))
            run.clear()

    for m in range(len(rows)):
        if stays[m]:
            close()
            named.append((Choice(rows[m], float(costs[m])), True))
            continue
        if run and (rows[m, 0] - rows[run[-1], 0] > 1.5 * step or len(run) >= longest):
            close()
        run.append(m)
    close()
    return named


def _multiples(problem: TreeProblem, feature: Feature, base: int) -> Array:
    """The encoded multiples of the feature's step within its bounds."""
    low = max(float(problem.bounds.lower[base]), feature.scaled(feature.low - feature.step))
    high = min(float(problem.bounds.upper[base]), feature.scaled(feature.high + feature.step))
    first, last = feature.real(low), feature.real(high)
    if (last - first) / feature.step > MOST_VALUES:
        raise InvalidInput(
            f"{feature.name!r} must have at most {MOST_VALUES:,} steps in its range, got "
            f"{(last - first) / feature.step:,.0f} of {feature.step:g}"
        )
    steps = np.arange(np.floor(first / feature.step), np.ceil(last / feature.step) + 1)
    return np.array([feature.scaled(float(v)) for v in np.round(steps * feature.step, 10)])


def _allowed(
    problem: TreeProblem, columns: tuple[int, ...], rows: Array, rules: list[LinearRule]
) -> Mask:
    ends = list(columns)
    lower, upper = problem.bounds.lower[ends], problem.bounds.upper[ends]
    inside = (rows >= lower - ON_THE_BOUND) & (rows <= upper + ON_THE_BOUND)
    fits: Mask = np.logical_and.reduce(inside, axis=1)
    for rule in rules:
        level = rows @ rule.coefficients[ends]
        slack = ON_THE_BOUND * max(1.0, float(np.abs(rule.coefficients).max()))
        fits &= np.logical_and(level >= rule.low - slack, level <= rule.high + slack)
    return fits


def _cells(problem: TreeProblem, columns: tuple[int, ...], rows: Array) -> npt.NDArray[np.int64]:
    """A number per row, increasing with the value: equal where no model can tell rows apart."""
    people = np.tile(problem.x0[:-1], (len(rows), 1))
    people[:, list(columns)] = rows
    inputs = problem.view.inputs(people)
    changed = np.zeros(len(rows), dtype=bool)
    for m, driver in enumerate(problem.view.driver):
        if driver in columns:
            code = np.searchsorted(problem.thresholds[m], inputs[:, m], side="left")
            changed[1:] |= code[1:] != code[:-1]
    for condition in problem.actions.conditional:
        if condition.column in columns:
            values = rows[:, columns.index(condition.column)]
            inside = (values >= condition.low - ON_THE_BOUND) & (
                values <= condition.high + ON_THE_BOUND
            )
            changed[1:] |= inside[1:] != inside[:-1]
    cells: npt.NDArray[np.int64] = np.cumsum(changed)
    return cells


def costs_of(problem: TreeProblem, columns: tuple[int, ...], rows: Array) -> Array:
    """The part of the cost (its square for ℓ2) of each row (n, columns) of a lever's values."""
    ends = list(columns)
    change = problem.bounds.weights[ends] * (rows - problem.x0[ends])
    costs: Array = (np.abs(change) if problem.cost == "l1" else change**2).sum(axis=1)
    return costs


def _cost(problem: TreeProblem, columns: tuple[int, ...], values: Array) -> float:
    return float(costs_of(problem, columns, values[None, :])[0])
