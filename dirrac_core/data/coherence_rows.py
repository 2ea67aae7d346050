"""Coherence rules as linear rows and limits over the encoded columns, of one person or of many.

A person is (D − 1,) encoded columns; many have the people as the last axis.
"""

from collections.abc import Container

import numpy as np

from dirrac_core.arrays import Array
from dirrac_core.data.schema.actions import ConditionalRule, LinearRule
from dirrac_core.data.schema.rules import ProductRule, ThresholdRule
from dirrac_core.data.schema.schema import Schema


def product_rules(schema: Schema, locked: Container[str], person: Array) -> list[LinearRule]:
    """The product rules with a locked factor, for one person: only then are they linear."""
    found = []
    for rule in schema.rules:
        if isinstance(rule, ProductRule) and rule.factor in locked:
            row, constant = product_row(schema, rule, person)
            row.flags.writeable = False
            found.append(LinearRule(row, float(constant), float(constant), rule.sentence))
    return found


def threshold_rules(schema: Schema, person: Array | None) -> list[ConditionalRule]:
    """The threshold rules for one person, or for anyone within the present range."""
    usual = np.full(len(schema.columns), 0.5) if person is None else person
    return [
        ConditionalRule(category, column, float(low), float(high))
        for rule in schema.rules
        if isinstance(rule, ThresholdRule)
        for category, column, low, high in threshold_limits(schema, rule, usual)
    ]


def product_row(schema: Schema, rule: ProductRule, people: Array) -> tuple[Array, Array]:
    """result = p·base with each one's own p, as row · x = constant.

    With both scaled: w_r·x_r − p·w_b·x_b = p·low_b − low_r, over w_r.
    """
    result, base, factor = (schema.feature(n) for n in (rule.result, rule.base, rule.factor))
    columns = (schema.columns_of(name)[0] for name in (rule.result, rule.base, rule.factor))
    result_column, base_column, factor_column = columns
    p = factor.real(people[factor_column])
    row = np.zeros_like(people)
    row[result_column] = 1.0
    row[base_column] = -p * base.span / result.span
    return row, (p * base.low - result.low) / result.span


def threshold_limits(
    schema: Schema, rule: ThresholdRule, people: Array
) -> list[tuple[int, int, Array, Array]]:
    """(one-hot column, column, low, high) for each category of the switch.

    The category bounds the feature from below, every other category from above. An applicant
    outside the present range who keeps the feature must still obey the rule.
    """
    feature, (column,) = schema.feature(rule.feature), schema.columns_of(rule.feature)
    low, high = np.minimum(0.0, people[column]), np.maximum(1.0, people[column])
    reached = np.full_like(low, feature.scaled(rule.at_least))
    short = np.full_like(low, feature.scaled(rule.at_least - 10.0**-feature.decimals))
    switch = schema.feature(rule.switch)
    return [
        (category, column, *((reached, high) if name == rule.category else (low, short)))
        for category, name in zip(schema.columns_of(rule.switch), switch.categories, strict=True)
    ]
