"""Rules of the domain as linear rows over the encoded columns of one applicant."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from dirrac_core.arrays import Array, checked_choice
from dirrac_core.data.schema.actions import LinearRule
from dirrac_core.data.schema.feature import Feature
from dirrac_core.data.schema.plan_rules import (
    ClosedRule,
    PlanRule,
    RatioRule,
    ShareRule,
    StepRule,
    SumRule,
)
from dirrac_core.data.schema.schema import Schema
from dirrac_core.errors import InvalidActions


class Limits(NamedTuple):
    """low ≤ row · x ≤ high with the row (D − 1,) of one rule and the limits (n,) of n people.

    `give` is how much `high` grows when the limits of what is usual are doubled.
    """

    row: Array
    low: Array
    high: Array
    name: str
    give: float = 0.0


def check_rules_fit(schema: Schema, rules: Iterable[PlanRule]) -> None:
    """Refuse a rule about a feature the schema lacks, or of the wrong kind."""
    for rule in rules:
        for name in rule.features:
            checked_choice(
                f"A feature of the rule {rule.name!r}", name, [f.name for f in schema.features]
            )
            feature = schema.feature(name)
            if feature.is_categorical != isinstance(rule, ClosedRule):
                kind = "a category" if feature.is_categorical else "a number"
                message = (
                    f"The rule {rule.name!r} is of the kind {rule.kind}, but {name!r} is {kind}"
                )
                raise InvalidActions(message)
            if isinstance(rule, ClosedRule):
                for category in rule.categories:
                    checked_choice(f"A category of {name!r}", category, feature.categories)


def rule_rows(schema: Schema, rules: Iterable[PlanRule], person: Array) -> list[LinearRule]:
    """The rows of all rules about numbers, for the applicant `person` (D − 1,)."""
    return [
        LinearRule(each.row, float(each.low[0]), float(each.high[0]), each.name, True, each.give)
        for each in rule_limits(schema, rules, person[None])
    ]


def rule_limits(schema: Schema, rules: Iterable[PlanRule], X: Array) -> list[Limits]:
    """The rows of all rules about numbers, with the limits of the people X (n, D − 1).

    A limit on one feature is stretched to the applicant's own value, like a range. A ratio is
    not: an instalment beyond what real people carry has to come down with any plan.
    """
    rows = []
    for rule in rules:
        row, low, high = np.zeros(len(schema.columns)), -np.inf, np.inf
        if isinstance(rule, RatioRule):
            rows += _ratio_rows(schema, rule, len(X))
            continue
        if isinstance(rule, ClosedRule) or (rule.least is None and rule.most is None):
            continue
        lows, highs, give = np.full(len(X), -np.inf), np.full(len(X), np.inf), 0.0
        if isinstance(rule, SumRule):
            give = abs(rule.most) if rule.yields and rule.most is not None else 0.0
            low = -np.inf if rule.least is None else rule.least
            high = np.inf if rule.most is None else rule.most
            for name, coefficient in rule.terms:
                feature, (column,) = schema.feature(name), schema.columns_of(name)
                row[column] += coefficient * feature.span
                low, high = low - coefficient * feature.low, high - coefficient * feature.low
            lows[:], highs[:] = low, high
            if len(rule.terms) == 1:
                own = row[column] * X[:, column]
                lows, highs = np.minimum(low, own), np.maximum(high, own)
        else:
            feature, (column,) = schema.feature(rule.feature), schema.columns_of(rule.feature)
            row[column] = 1.0
            lows, highs = _own_limits(rule, feature, X[:, column])
        size = float(np.abs(row).max())
        if size > 0.0:
            rows.append(Limits(row / size, lows / size, highs / size, rule.name, give / size))
    return rows


def closed_columns(schema: Schema, rules: Iterable[PlanRule], person: Array) -> list[int]:
    """The one-hot columns no plan may move into."""
    return [
        column
        for rule in rules
        if isinstance(rule, ClosedRule)
        for name, column in zip(
            schema.feature(rule.feature).categories, schema.columns_of(rule.feature), strict=True
        )
        if name in rule.categories and person[column] < 0.5
    ]


def _ratio_rows(schema: Schema, rule: RatioRule, people: int) -> list[Limits]:
    """top − q·bottom on one side of 0 for each limit q, with both features scaled."""
    top, bottom = schema.feature(rule.top), schema.feature(rule.bottom)
    (top_column,), (bottom_column,) = schema.columns_of(rule.top), schema.columns_of(rule.bottom)
    rows = []
    for q, most in ((rule.least, False), (rule.most, True)):
        if q is None:
            continue
        row = np.zeros(len(schema.columns))
        row[top_column] = top.span
        row[bottom_column] -= q * bottom.span
        limit = q * bottom.low - top.low
        size = float(np.abs(row).max())
        ends = (-np.inf, limit / size) if most else (limit / size, np.inf)
        low, high = (np.full(people, end) for end in ends)
        rows.append(Limits(row / size, low, high, rule.name))
    return rows


def _own_limits(rule: ShareRule | StepRule, feature: Feature, now: Array) -> tuple[Array, Array]:
    """The encoded limits around everybody's own value."""
    own = feature.real(now)
    low, high = np.full_like(own, -np.inf), np.full_like(own, np.inf)
    if rule.least is not None:
        low = rule.least * own if isinstance(rule, ShareRule) else own - rule.least
    if rule.most is not None:
        high = rule.most * own if isinstance(rule, ShareRule) else own + rule.most
    return np.minimum(feature.scaled(low), now), np.maximum(feature.scaled(high), now)
