"""The features of a table of one's own: ranges, locks with reasons, gaps; and its people."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from dirrac_core.data.dataset import Labels
from dirrac_core.data.schema.derived import Ratio
from dirrac_core.data.schema.feature import Feature
from dirrac_core.data.schema.plan_rules import PlanRule, RatioRule
from dirrac_core.data.schema.presets import Preset
from dirrac_core.data.schema.rules import UnknownRule
from dirrac_core.data.schema.schema import Schema
from dirrac_core.data.understanding.proposals import proposed_rules
from dirrac_core.data.understanding.values import OTHER
from dirrac_core.data.upload.columns import Column, as_categories, settled
from dirrac_core.data.upload.feature_guess import inferred_feature
from dirrac_core.data.upload.gaps import (
    NOT_STATED,
    Filled,
    gap_texts,
    indicator,
    stand_in_of,
    unknown_rule,
    with_stand_ins,
)
from dirrac_core.data.upload.reading import Limits
from dirrac_core.errors import InvalidTable

Wishes = Mapping[str, Mapping[str, Any]]
# Training takes work in proportion to rows × encoded columns²; this much takes a few seconds.
TRAINING_WORK = 40_000_000
FEWEST_TRAINED = 3_000
# A column with this share of all encoded columns is to blame for their number.
BLAMED = 0.25
DIRECTION_REASONS = {
    "none": "Marked as something a person cannot change.",
    "up": "Marked as something that can only grow.",
    "down": "Marked as something that can only shrink.",
}
GAP_REASON = "Whether something is known is no advice."


@dataclass(frozen=True, eq=False)
class People:
    """Some rows of a table: their columns, gaps included, and outcomes (1 is favourable)."""

    columns: list[Column]
    y: Labels


@dataclass(frozen=True, eq=False)
class Made:
    """The schema, and the people in real units with their outcomes: present, then shifted."""

    schema: Schema
    people: tuple[tuple[pd.DataFrame, Labels], ...]


def features_of(
    now: People,
    later: People | None,
    wishes: Wishes,
    fixed: frozenset[str],
    rules: Iterable[PlanRule] | None,
    notes: list[str],
) -> Made:
    """Every column as a feature; a number with gaps brings a second one that says so.

    Where no `rules` are given (None), those that are proposed hold.
    """
    both = [now] if later is None else [now, later]
    parts = [{} for _ in both]  # type: list[dict[str, pd.Series[Any]]]
    features: list[Feature] = []
    indicators: list[Feature] = []
    unknown: list[UnknownRule] = []
    taken = [wishes.get(c.name, {}).get("name", c.name) for c in now.columns]
    reasons: dict[str, str] = {}
    for place, present in enumerate(now.columns):
        wish = dict(wishes.get(present.name, {}))
        columns = [settled(people.columns[place], present, wish, notes) for people in both]
        gappy = any(bool(column.values.isna().any()) for column in columns)
        stand_in = stand_in_of(columns[0])
        filled = [with_stand_ins(column, gappy, stand_in) for column in columns]
        feature = _feature(filled[0], wish, present.name in fixed, notes)
        features.append(feature)
        reasons[feature.name] = str(wish.get("reason") or DIRECTION_REASONS.get(feature.direction))
        switch = None
        if gappy:
            missing = sum(int(column.values.isna().sum()) for column in columns)
            if not feature.is_categorical:
                switch = indicator(feature, taken)
                features.append(switch)
                indicators.append(switch)
                taken.append(switch.name)
            unknown.append(unknown_rule(feature, switch, stand_in))
            notes.append(_gap_note(feature, missing, sum(len(c.values) for c in columns), switch))
        for part, whole in zip(parts, filled, strict=True):
            column = as_categories(whole.column) if feature.is_categorical else whole.column
            part[feature.name] = column.values
            if switch is not None and whole.gaps is not None:
                part[switch.name] = gap_texts(whole.gaps)
    listed = proposed_rules(features) if rules is None else tuple(rules)
    if rules is None:
        notes += [f"A proposed rule, “{rule.name}”: {rule.reason}" for rule in listed]
    schema = Schema(
        tuple(features),
        tuple(unknown),
        _presets(features, indicators, reasons, listed),
        tuple(Ratio(r.name, r.top, r.bottom) for r in listed if isinstance(r, RatioRule)),
    )
    _check_column_names(schema)
    people = [(pd.DataFrame(part), who.y) for part, who in zip(parts, both, strict=True)]
    return Made(schema, tuple(people))


def _feature(filled: Filled, wish: dict[str, Any], fixed: bool, notes: list[str]) -> Feature:
    column = filled.column
    if column.numeric:
        known = column if filled.gaps is None else _known(column, filled.gaps)
        return inferred_feature(known, wish, notes)
    if wish.get("categories"):
        listed = [str(category) for category in wish["categories"]]
        found = [*column.values.unique(), *column.only_later]
        if fixed:
            found = [name for name in found if name == NOT_STATED and filled.gaps is not None]
        wish["categories"] = (*listed, *(str(n) for n in dict.fromkeys(found) if n not in listed))
    feature = inferred_feature(column, wish, notes)
    closed = [OTHER] if wish.get("keep") and OTHER in feature.categories else []
    if filled.gaps is not None and NOT_STATED in feature.categories:
        closed.append(NOT_STATED)
    last = tuple(name for name in feature.categories if name in closed)
    first = tuple(name for name in feature.categories if name not in closed)
    return replace(feature, categories=(*first, *last), closed=tuple(closed))


def _known(column: Column, gaps: "pd.Series[bool]") -> Column:
    return replace(column, values=column.values[~gaps].reset_index(drop=True))


def _gap_note(feature: Feature, missing: int, rows: int, switch: Feature | None) -> str:
    if switch is None:
        return (
            f"{missing:,} of {rows:,} values of {feature.name!r} are missing; they are a category "
            f"of their own, “{NOT_STATED}”, that no plan moves into or out of."
        )
    return (
        f"{missing:,} of {rows:,} values of {feature.name!r} are missing; {switch.name!r} says "
        "so, a typical value stands in, and no plan changes it for these people."
    )


def _presets(
    features: list[Feature],
    indicators: list[Feature],
    reasons: Mapping[str, str],
    rules: tuple[PlanRule, ...],
) -> dict[str, Preset]:
    gaps = {feature.name: GAP_REASON for feature in indicators}

    def chosen(direction: str) -> dict[str, str]:
        return {
            f.name: gaps.get(f.name) or reasons[f.name]
            for f in features
            if f.direction == direction
        }

    sensible = Preset(chosen("none"), chosen("up"), chosen("down"), rules)
    return {"sensible": sensible, "free": Preset(locked=gaps)}


def _check_column_names(schema: Schema) -> None:
    repeated = [name for name, count in Counter(schema.columns).items() if count > 1]
    if repeated:
        message = f"A category and a column must not share a name, got {repeated[0]!r} twice"
        raise InvalidTable(message)


def check_size(schema: Schema, rows: int, limits: Limits) -> None:
    """Refuse a table that is too large once encoded, and say what makes it so."""
    columns = len(schema.columns)
    widest = max(schema.features, key=lambda feature: feature.width)
    cause = f"; leave out some of the {len(schema.features)} columns"
    if widest.is_categorical and widest.width > BLAMED * columns:
        cause = f"; the widest column is {widest.source!r} with {widest.width} categories"
    for most, got, what, why in (
        (limits.encoded_columns, columns, "columns", cause),
        (limits.entries, rows * columns, "entries", f" in {rows:,} rows{cause}"),
    ):
        if got > most:
            message = (
                f"The table may have at most {most:,} {what} once every category has a column of "
                f"its own, got {got:,}{why}"
            )
            raise InvalidTable(message)


def rows_to_train(schema: Schema, y: Labels) -> npt.NDArray[np.intp] | None:
    """Rows drawn at random, each outcome in its share, when everybody is too many; else None."""
    size = max(FEWEST_TRAINED, TRAINING_WORK // len(schema.columns) ** 2)
    if size >= len(y):
        return None
    rng = np.random.default_rng(0)
    drawn = []
    for outcome in (0, 1):
        rows = np.flatnonzero(y == outcome)
        count = max(min(rows.size, 50), round(size * rows.size / len(y)))
        drawn.append(rng.choice(rows, count, replace=False))
    return np.sort(np.concatenate(drawn))
