"""What a person may change, feature by feature in real units, and the Actions it stands for."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array, checked_choice, checked_number
from dirrac_core.data.coherence_rows import product_rules, threshold_rules
from dirrac_core.data.dataset import Dataset, closed_categories, unknown_columns
from dirrac_core.data.plausibility import RealPeople
from dirrac_core.data.rule_rows import check_rules_fit, closed_columns, rule_rows
from dirrac_core.data.schema.actions import Actions
from dirrac_core.data.schema.feature import Feature
from dirrac_core.data.schema.plan_rules import PlanRule
from dirrac_core.errors import InvalidActions

MOVES = ("no", "up", "down", "both")
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class FeatureRule:
    """How one feature may move.

    `move` is "no", "up", "down" or "both"; up is towards a later category for ordered ones.
    `low` and `high` bound it in real units (None: the present range). `effort` multiplies the
    cost of moving it: 2 means twice as hard as usual.
    """

    feature: str
    move: str
    low: float | None = None
    high: float | None = None
    effort: float = 1.0

    def __post_init__(self) -> None:
        checked_choice(f"How {self.feature!r} may move", self.move, MOVES)
        effort = checked_number(
            f"The effort of {self.feature!r}", self.effort, low=0.0, strict=True
        )
        object.__setattr__(self, "effort", effort)
        for end in ("low", "high"):
            value = getattr(self, end)
            if value is not None:
                number = checked_number(f"The {end}est {self.feature!r}", value)
                object.__setattr__(self, end, number)
        if self.low is not None and self.high is not None and self.low > self.high:
            raise InvalidActions(
                f"The range of {self.feature!r} needs least ≤ most, got {self.low:g} and "
                f"{self.high:g}"
            )


def preset_rules(dataset: Dataset, preset: str) -> dict[str, FeatureRule]:
    """Feature → its rule in the named preset."""
    chosen = dataset.preset(preset)

    def move(name: str) -> str:
        if name in chosen.locked:
            return "no"
        if name in chosen.only_up:
            return "up"
        return "down" if name in chosen.only_down else "both"

    return {f.name: FeatureRule(f.name, move(f.name)) for f in dataset.schema.features}


def edited_rules(
    dataset: Dataset, preset: str, edits: Iterable[FeatureRule]
) -> dict[str, FeatureRule]:
    """The preset's rules, each edit taking the place of the rule of its feature."""
    rules = preset_rules(dataset, preset)
    for edit in edits:
        checked_choice("A feature", edit.feature, rules)
        _check_fits(dataset.schema.feature(edit.feature), edit)
        rules[edit.feature] = edit
    return rules


def edited_actions(
    dataset: Dataset,
    preset: str,
    edits: Iterable[FeatureRule],
    x0: npt.ArrayLike,
    plan_rules: Iterable[PlanRule] = (),
    people: RealPeople | None = None,
) -> Actions:
    """The Actions of the preset with the edits, for the applicant x0; coherence rules included.

    `plan_rules` are the rules of the domain in force; plans must be like the real `people`.
    """
    rules, plan_rules = edited_rules(dataset, preset, edits), tuple(plan_rules)
    schema = dataset.schema
    check_rules_fit(schema, plan_rules)
    person = schema.without_constant(x0)
    lower, upper = np.zeros(person.size), np.ones(person.size)
    weights = np.ones(person.size)
    moves: dict[str, list[int]] = {move: [] for move in MOVES}
    for name, rule in rules.items():
        feature, columns = schema.feature(name), list(schema.columns_of(name))
        weights[columns] = rule.effort
        if rule.move == "no":
            moves["no"] += columns
        elif feature.is_categorical:
            upper[columns] = allowed_categories(person[columns], rule.move)
        else:
            moves[rule.move] += columns
            lower[columns], upper[columns], refused = encoded_ends(feature, rule, person[columns])
            if refused.any():
                raise InvalidActions(
                    f"{name!r} may only go {rule.move}, but its range ends before the "
                    "applicant's own value"
                )
    upper[closed_columns(schema, plan_rules, person)] = 0.0
    upper[closed_categories(schema, person)] = 0.0
    unknown = unknown_columns(schema, person)
    locked = [*moves["no"], *unknown]
    # Which coherence rules bind depends on what is locked.
    held = {name for name, rule in rules.items() if rule.move == "no"}
    return Actions(
        lower=lower,
        upper=upper,
        locked=locked,
        only_up=moves["up"],
        only_down=moves["down"],
        groups=schema.groups,
        linear=[
            *product_rules(schema, held, person),
            *rule_rows(schema, plan_rules, person),
        ],
        conditional=threshold_rules(schema, person),
        weights=weights,
        plausible=None if people is None else people.around(person, locked),
        not_advised=(*not_advised(dataset), *unknown),
    )


def not_advised(dataset: Dataset) -> tuple[int, ...]:
    """The columns nobody may be advised to change: those of protected attributes, and of what the
    sensible preset locks or lets move one way only, each with its reason."""
    schema = dataset.schema
    preset = schema.presets.get("sensible")
    reasons = {} if preset is None else preset.reasons()
    named = (f.name for f in schema.features if f.protected or f.name in reasons)
    return tuple(column for name in named for column in schema.columns_of(name))


def _check_fits(feature: Feature, rule: FeatureRule) -> None:
    bounded = rule.low is not None or rule.high is not None
    if feature.is_categorical and bounded:
        raise InvalidActions(f"{feature.name!r} is a category and has no least or most value")
    if feature.kind == "unordered" and rule.move in ("up", "down"):
        raise InvalidActions(
            f"The categories of {feature.name!r} have no order, got the move {rule.move!r}"
        )
    for value in (rule.low, rule.high):
        least, most = feature.extremes
        if value is not None and not least <= value <= most:
            raise InvalidActions(
                f"{feature.name!r} must stay within the present range, "
                f"{feature.format_value(least)} to {feature.format_value(most)}, "
                f"got {feature.format_value(value)}"
            )


def allowed_categories(chosen: Array, move: str) -> Array:
    """Upper bounds of the one-hot columns (categories,): 0 for those on the forbidden side.

    With a second axis, those of many people.
    """
    if move == "both":
        return np.ones_like(chosen)
    place, order = chosen.argmax(axis=0), np.arange(len(chosen))
    order = order.reshape(-1, *(1,) * (chosen.ndim - 1))
    return np.where(order >= place if move == "up" else order <= place, 1.0, 0.0)


def encoded_ends(feature: Feature, rule: FeatureRule, now: Array) -> tuple[Array, Array, Mask]:
    """The least and the most of a number for people who are at `now`, and whom the rule refuses:
    those who may go one way only and have no way to go."""
    # Who lies beyond the usual range need not come back into it.
    low = np.minimum(0.0, now) if rule.low is None else np.full_like(now, feature.scaled(rule.low))
    high = np.maximum(1.0, now)
    if rule.high is not None:
        high = np.full_like(now, feature.scaled(rule.high))
    refused = {"up": high < now, "down": low > now}.get(rule.move, np.zeros(now.shape, dtype=bool))
    return low, high, refused
