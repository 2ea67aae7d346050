"""What many people of one dataset may change, as arrays: `edited_actions` without a loop.

The people are the last axis of every array.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array
from dirrac_core.data.actionability import (
    MOVES,
    FeatureRule,
    allowed_categories,
    edited_rules,
    encoded_ends,
)
from dirrac_core.data.coherence_rows import product_row, threshold_limits
from dirrac_core.data.dataset import Dataset, closed_categories, is_chosen
from dirrac_core.data.plausibility import LEAST_DEVIATION, RealPeople, Shape
from dirrac_core.data.rule_rows import closed_columns, rule_limits
from dirrac_core.data.schema.plan_rules import PlanRule
from dirrac_core.data.schema.rules import ProductRule, ThresholdRule, UnknownRule

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class ManyRule:
    """low ≤ coefficients · x ≤ high, with coefficients (D − 1, people) and limits (people,).

    `give` is that of `LinearRule`.
    """

    coefficients: Array
    low: Array
    high: Array
    give: float = 0.0


@dataclass(frozen=True, eq=False)
class ManyConditions:
    """low ≤ x[column] ≤ high, (people,), where the one-hot column `category` is chosen."""

    category: int
    column: int
    low: Array
    high: Array


@dataclass(frozen=True, eq=False)
class Likeness:
    """The plausible sets of people of one kind: ranges (D − 1, people), ‖F(x − c)‖₂ ≤ sizes."""

    lower: Array
    upper: Array
    factor: Array
    centre: Array
    sizes: Array


@dataclass(frozen=True, eq=False)
class ManyActions:
    """The `Actions` of many people, but for those `refused`, who have to be looked at one by one:
    a range contradicts a direction, or something is not known of them."""

    lower: Array
    upper: Array
    weights: Array
    locked: tuple[int, ...]
    only_up: tuple[int, ...]
    only_down: tuple[int, ...]
    groups: tuple[tuple[int, ...], ...]
    linear: tuple[ManyRule, ...]
    conditional: tuple[ManyConditions, ...]
    plausible: Likeness | None
    refused: Mask


def many_actions(
    dataset: Dataset,
    preset: str,
    edits: Iterable[FeatureRule],
    X: Array,
    plan_rules: tuple[PlanRule, ...] = (),
    people: RealPeople | None = None,
) -> ManyActions:
    """The actions of the people X (n, D − 1); with `people`, all X must be of one kind."""
    schema = dataset.schema
    rules = edited_rules(dataset, preset, edits)
    x = np.ascontiguousarray(X.T)
    lower, upper, weights = np.zeros_like(x), np.ones_like(x), np.ones_like(x)
    refused = np.zeros(len(X), dtype=bool)
    moves: dict[str, list[int]] = {move: [] for move in MOVES}
    for name, rule in rules.items():
        feature, columns = schema.feature(name), list(schema.columns_of(name))
        weights[columns] = rule.effort
        if rule.move == "no":
            moves["no"] += columns
        elif feature.is_categorical:
            upper[columns] = allowed_categories(x[columns], rule.move)
        else:
            moves[rule.move] += columns
            ends = encoded_ends(feature, rule, x[columns])
            lower[columns], upper[columns] = ends[:2]
            refused |= ends[2][0]
    nobody = np.zeros(len(x))
    for column in (*closed_columns(schema, plan_rules, nobody), *closed_categories(schema, nobody)):
        upper[column] = np.where(x[column] < 0.5, 0.0, upper[column])
    for each in schema.rules:
        if isinstance(each, UnknownRule):
            # It is locked for these people alone, and with it other shapes count for them.
            refused |= is_chosen(schema, each.switch, each.category, x)
    products = []
    for each in schema.rules:
        if isinstance(each, ProductRule) and rules[each.factor].move == "no":
            row, constant = product_row(schema, each, x)
            products.append(ManyRule(row, constant, constant))
    bounds = [
        ManyRule(np.repeat(each.row[:, None], len(X), axis=1), each.low, each.high, each.give)
        for each in rule_limits(schema, plan_rules, X)
    ]
    return ManyActions(
        lower=lower,
        upper=upper,
        weights=weights,
        locked=tuple(moves["no"]),
        only_up=tuple(moves["up"]),
        only_down=tuple(moves["down"]),
        groups=schema.groups,
        linear=(*products, *bounds),
        conditional=tuple(
            ManyConditions(*limits)
            for each in schema.rules
            if isinstance(each, ThresholdRule)
            for limits in threshold_limits(schema, each, x)
        ),
        plausible=None if people is None else _likeness(people, x, moves["no"]),
        refused=refused,
    )


def widened_by(actions: ManyActions, factors: Array) -> ManyActions:
    """The same actions with the limits of what is usual widened by each one's factor (people,)."""
    if actions.plausible is None:
        return actions
    return replace(
        actions,
        plausible=replace(actions.plausible, sizes=factors * actions.plausible.sizes),
        linear=tuple(
            replace(rule, high=rule.high + (factors - 1.0) * rule.give) for rule in actions.linear
        ),
    )


def kinds(people: RealPeople | None, X: Array) -> list[npt.NDArray[np.intp]]:
    """The places of the people X (n, D − 1) of each kind that has a shape of its own."""
    if people is None:
        return [np.arange(len(X))] if len(X) else []
    schema = people.schema
    named = [schema.feature(name) for name in people.kind]
    texts = [f.decode(X[:, list(schema.columns_of(f.name))]) for f in named]
    keys = list(zip(*texts, strict=True)) if texts else [()] * len(X)
    places: dict[tuple[str, ...], list[int]] = {}
    for place, key in enumerate(keys):
        places.setdefault(key if key in people.shapes else (), []).append(place)
    return [np.array(places[key], dtype=np.intp) for key in sorted(places)]


def _likeness(people: RealPeople, x: Array, locked: list[int]) -> Likeness | None:
    """`RealPeople.around` for people of one kind."""
    columns = people.schema.number_columns
    movable = ~np.isin(columns, locked)
    if not movable.any():
        return None
    shape: Shape = people.shape_of(x[:, 0])
    narrow = shape.whitening(movable)
    factor, centre = np.zeros((len(narrow), len(x))), np.zeros(len(x))
    factor[:, columns], centre[columns] = narrow, shape.mean
    image = (factor[:, :, None] * (x - centre[:, None])).sum(axis=1)
    own = np.sqrt((image * image).sum(axis=0))
    lower, upper = np.full_like(x, -np.inf), np.full_like(x, np.inf)
    moving = np.array(columns)[movable]
    lower[moving] = np.minimum(people.lower[moving, None], x[moving])
    upper[moving] = np.maximum(people.upper[moving, None], x[moving])
    size = max(shape.size(narrow, people.share), LEAST_DEVIATION)
    return Likeness(lower, upper, factor, centre, np.maximum(own, size))
