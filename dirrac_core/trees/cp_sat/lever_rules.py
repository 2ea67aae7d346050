"""Which columns move together, and which rules are about one lever or tie several together.

An equality between two numbers lets one column follow the other; every other rule is about the
columns of one lever alone, or about several.
"""

from dataclasses import dataclass

import numpy as np

from dirrac_core.data.schema.actions import LinearRule
from dirrac_core.data.schema.feature import Feature
from dirrac_core.errors import InvalidInput
from dirrac_core.trees.problem import TreeProblem


@dataclass(frozen=True)
class Following:
    """Column `column` = slope · x[base] + offset, from an equality rule."""

    base: int
    column: int
    slope: float
    offset: float


def following_columns(problem: TreeProblem) -> list[Following]:
    """Equality rules between two free numbers: the first listed coefficient follows the second."""
    free = problem.bounds.lower < problem.bounds.upper
    found: list[Following] = []
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
        found.append(Following(base, result, float(slope), float(offset)))
        used |= set(columns)
    return found


def lever_columns(
    problem: TreeProblem, following: list[Following]
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


def split_rules(
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


def broken_constants(alone: list[LinearRule]) -> str | None:
    """A rule about locked values only that does not hold leaves no plan."""
    for rule in alone:
        if not rule.coefficients.any() and not rule.low - 1e-6 <= 0.0 <= rule.high + 1e-6:
            return f"the rule {rule.name} cannot be kept while everything it is about is locked"
    return None
