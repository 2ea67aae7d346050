"""What the schema says of one person, for many at once: rounding, coherence, sentences.

Encoded people are (n, D − 1) arrays.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array
from dirrac_core.data.schema.feature import Feature
from dirrac_core.data.schema.rules import ProductRule
from dirrac_core.data.schema.schema import CHANGE_TOLERANCE, Schema, told

Mask = npt.NDArray[np.bool_]
Values = dict[str, npt.NDArray[Any]]


def real_values(schema: Schema, X: Array) -> Values:
    """Feature → the (n,) real values, as `decode` gives them."""
    return {f.name: f.decode(X[:, list(schema.columns_of(f.name))]) for f in schema.features}


def rules_held(schema: Schema, X: Array) -> Mask:
    """Whether each coherence rule holds for each person, (rules, n)."""
    values = real_values(schema, X)
    held = [rule.holds(values) for rule in schema.rules]
    return np.stack(held) if held else np.zeros((0, len(X)), dtype=bool)


def moved(schema: Schema, feature: Feature, X0: Array, X: Array) -> Mask:
    """Who is moved in a numeric feature, (n,)."""
    (column,) = schema.columns_of(feature.name)
    far: Mask = np.abs(X[:, column] - X0[:, column]) > CHANGE_TOLERANCE
    return far


def within_range(feature: Feature, values: Array, *reached: Array) -> Array:
    """`Feature.within_range` for many values."""
    low: Array = np.minimum(feature.low, np.min(reached, axis=0))
    high: Array = np.maximum(feature.high, np.max(reached, axis=0))
    return np.minimum(np.maximum(values, low), high)


def rounded_people(schema: Schema, X: Array, X0: Array) -> Array:
    """`Schema.rounded` for the plans X of the applicants X0."""
    before, wanted = real_values(schema, X0), real_values(schema, X)
    after: Values = {}
    for feature in schema.features:
        old, new = before[feature.name], wanted[feature.name]
        after[feature.name] = new
        if not feature.is_categorical:
            near = np.where(moved(schema, feature, X0, X), _nearest(feature, new, old), old)
            after[feature.name] = near
    for rule in schema.rules:
        if isinstance(rule, ProductRule):
            _restore_product(schema, rule, before, wanted, after)
    result = X.copy()
    for feature in schema.features:
        columns = list(schema.columns_of(feature.name))
        new, same = after[feature.name], after[feature.name] == before[feature.name]
        if feature.is_categorical:
            chosen = X[:, columns].argmax(axis=1)
            encoded = np.eye(feature.width)[chosen]
        else:
            encoded = feature.scaled(new)[:, None]
        result[:, columns] = np.where(same[:, None], X0[:, columns], encoded)
    return result


def _nearest(feature: Feature, values: Array, before: Array) -> Array:
    """`Feature.rounded` for many values."""
    result, open_ = before.copy(), values != before
    for step in (feature.step, 10.0**-feature.decimals):
        near = np.round(np.rint(values / step) * step, 10)
        near = within_range(feature, near, values, before)
        ahead = open_ & ((near - before) * (values - before) > 0)
        result, open_ = np.where(ahead, near, result), open_ & ~ahead
    return result


def _restore_product(
    schema: Schema, rule: ProductRule, before: Values, wanted: Values, after: Values
) -> None:
    held = rule.holds(wanted) & (after[rule.base] != before[rule.base])
    factor, base = after[rule.factor], after[rule.base]
    product = factor * base
    kept = within_range(schema.feature(rule.result), product, wanted[rule.result])
    with np.errstate(divide="ignore", invalid="ignore"):
        after[rule.base] = np.where(held & (kept != product), kept / factor, base)
    after[rule.result] = np.where(held, kept, after[rule.result])


def changed_count(schema: Schema, X0: Array, X: Array) -> Array:
    """How many features each plan changes, (n,); the columns of a category are one feature."""
    far = np.abs(X - X0) > CHANGE_TOLERANCE
    count = np.zeros(len(X))
    for feature in schema.features:
        count += far[:, list(schema.columns_of(feature.name))].any(axis=1)
    return count


def sentences(schema: Schema, X0: Array, X: Array) -> list[str]:
    """`Schema.sentence` of the plans X of the applicants X0."""
    before, after = real_values(schema, X0), real_values(schema, X)
    phrases: list[list[str]] = [[] for _ in range(len(X))]
    for feature in schema.features:
        old, new = before[feature.name], after[feature.name]
        far = old != new if feature.is_categorical else moved(schema, feature, X0, X)
        who = np.flatnonzero(far)
        # Python numbers are formatted several times as fast as those of an array.
        pairs = zip(old[who].tolist(), new[who].tolist(), strict=True)
        for place, (was, then) in zip(who.tolist(), pairs, strict=True):
            phrases[place].append(feature.change_phrase(was, then))
    return [told(each) for each in phrases]
