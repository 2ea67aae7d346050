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


@dataclass(frozen=True)
class _Following:
    """Column `column` = slope · x[base] + offset, from an equality rule."""

    base: int
    column: int
    slope: float
    offset: float


def levers_of(problem: TreeProblem) -> Levers:
    """The levers of one applicant; a feature with a single choice stays as it is."""
    if problem.bounds.contradiction is not None:
        return Levers((), (), problem.bounds.contradiction)
    following = _followings(problem)
    groups = _lever_columns(problem, following)
    place = {column: index for index, (_, columns) in enumerate(groups) for column in columns}
    alone, tying = _split_rules(problem, place, {each.column for each in following})
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
    return Levers(tuple(levers), tuple(tying), _broken_constants(alone))


def _followings(problem: TreeProblem) -> list[_Following]:
    """Equality rules between two free numbers: the first listed coefficient follows the second."""
    free = problem.bounds.lower < problem.bounds.upper
    found: list[_Following] = []
    used: set[int] = set()
    for rule in problem.actions.linear:
        if rule.low != rule.high:
            continue
        columns = [int(c) for c in np.flatnonzero(rule.coefficients) if free[c]]
        fixed = np.where(free, 0.0, rule.coefficients) @ problem.x0[:-1]
        if len(columns) != 2 or used & set(columns):
            if len(columns) > 1:
                raise InvalidInput(
                    f"Boosted trees understand equalities of two numbers, got {rule.name!r} "
                    f"with {len(columns)}"
                )
            continue
        # The column with the larger coefficient is the one the rule was scaled by: the result.
        base, result = sorted(columns, key=lambda c: abs(rule.coefficients[c]))
        scale = rule.coefficients[result]
        slope, offset = -rule.coefficients[base] / scale, (rule.low - fixed) / scale
        found.append(_Following(base, result, float(slope), float(offset)))
        used |= set(columns)
    return found


def _lever_columns(
    problem: TreeProblem, following: list[_Following]
) -> list[tuple[Feature, tuple[int, ...]]]:
    """Each feature that may move with its columns and those that follow from it."""
    bounds, derived = problem.bounds, {each.column for each in following}
    groups = []
    for feature in problem.schema.features:
        columns = problem.schema.columns_of(feature.name)
        if columns[0] in derived or all(bounds.lower[c] >= bounds.upper[c] for c in columns):
            continue
        more = tuple(each.column for each in following if each.base in columns)
        groups.append((feature, (*columns, *more)))
    return groups


def _split_rules(
    problem: TreeProblem, place: dict[int, int], derived: set[int]
) -> tuple[list[LinearRule], list[LinearRule]]:
    """Rules about one lever alone, and rules that tie several; locked columns become numbers."""
    alone: list[LinearRule] = []
    tying: list[LinearRule] = []
    for rule in problem.actions.linear:
        free = np.array([c in place for c in range(rule.coefficients.size)])
        touched = [int(c) for c in np.flatnonzero(free & (rule.coefficients != 0.0))]
        if rule.low == rule.high and any(c in derived for c in touched) and len(touched) == 2:
            continue
        fixed = float(np.where(free, 0.0, rule.coefficients) @ problem.x0[:-1])
        folded = LinearRule(
            np.where(free, rule.coefficients, 0.0), rule.low - fixed, rule.high - fixed, rule.name
        )
        several = len({place[c] for c in touched}) > 1
        (tying if several else alone).append(folded)
    return alone, tying


def _broken_constants(alone: list[LinearRule]) -> str | None:
    """A rule about locked values only that does not hold leaves no plan."""
    for rule in alone:
        if not rule.coefficients.any() and not rule.low - 1e-6 <= 0.0 <= rule.high + 1e-6:
            return f"the rule {rule.name} cannot be kept while everything it is about is locked"
    return None


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
    following: list[_Following],
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
    costs = _costs(problem, columns, rows)
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
    step = feature.step / (feature.high - feature.low)
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
    span = feature.high - feature.low
    first, last = (feature.low + end * span for end in (low, high))
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


def _costs(problem: TreeProblem, columns: tuple[int, ...], rows: Array) -> Array:
    ends = list(columns)
    change = problem.bounds.weights[ends] * (rows - problem.x0[ends])
    costs: Array = (np.abs(change) if problem.cost == "l1" else change**2).sum(axis=1)
    return costs


def _cost(problem: TreeProblem, columns: tuple[int, ...], values: Array) -> float:
    return float(_costs(problem, columns, values[None, :])[0])
