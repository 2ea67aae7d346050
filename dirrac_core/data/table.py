"""Your own table: a dataset from a DataFrame or a CSV file, and a report of what was done to it."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from dirrac_core.arrays import checked_choice
from dirrac_core.data.columns import (
    Column,
    as_categories,
    inferred_feature,
    table_decimal,
    typed_column,
)
from dirrac_core.data.dataset import Dataset, Labels, Sample, make_sample
from dirrac_core.data.feature import KINDS, Feature
from dirrac_core.data.labels import classes, good_values, label_texts
from dirrac_core.data.numbers_in_text import Decimal
from dirrac_core.data.presets import FREE, Preset
from dirrac_core.data.reading import USUAL_LIMITS, Limits, Source, read_table
from dirrac_core.data.schema import Schema
from dirrac_core.errors import InvalidTable

FEWEST_ROWS = 20
MOST_MISSING = 0.5
OVERRIDES = (
    "drop",
    "name",
    "kind",
    "unit",
    "low",
    "high",
    "categories",
    "direction",
    "explanation",
    "decimals",
    "step",
)
Overrides = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class TableReport:
    """What was read, what was left out and why, and every assumption in words."""

    rows_read: int
    rows_used: int
    columns: tuple[str, ...]
    left_out: Mapping[str, str]
    notes: tuple[str, ...]


def table_dataset(
    present: Source,
    shifted: Source | None = None,
    *,
    label: str,
    favourable: object,
    overrides: Overrides | None = None,
    decimal: Decimal | None = None,
    title: str = "Your table",
    limits: Limits = USUAL_LIMITS,
) -> tuple[Dataset, TableReport]:
    """A dataset from a DataFrame, a path, bytes or an open binary file, and a report in words.

    `label` is the column of the outcome, `favourable` the value (or collection of values) that is
    good. `overrides` maps a column to {"drop": True} or to any of name, kind, unit, low, high,
    categories, direction, explanation, decimals, step; a direction of "none", "up" or "down" also
    locks the feature or lets it move one way in the preset "sensible". `decimal` fixes the decimal
    sign. What cannot be used is refused with InvalidTable, which names the rule and the column.
    """
    notes: list[str] = []
    wishes = _checked_overrides(overrides)
    kinds = {name: wish.get("kind") for name, wish in wishes.items()}
    frame = read_table(present, "present", notes, _categorical(kinds), limits)
    _check_columns(frame, label, wishes)
    rows_read = len(frame)
    left_out = {name: "left out as asked" for name, wish in wishes.items() if wish.get("drop")}
    used = [str(name) for name in frame.columns if name != label and name not in left_out]
    columns = _typed(frame[used], kinds, decimal, notes)
    columns = _without_useless(columns, left_out)
    columns, outcome = _complete(columns, label_texts(frame[label]), "present", notes)
    columns = _without_useless(columns, left_out)
    notes += [f"Column {name!r} was {why}." for name, why in left_out.items()]
    if not columns:
        message = f"The present table needs a column besides the label {label!r} that varies"
        raise InvalidTable(message)
    good = good_values(favourable, outcome, label)
    y = classes(outcome, good, label, "present")

    later: tuple[list[Column], Labels] | None = None
    if shifted is not None:
        frame = read_table(shifted, "shifted", notes, _categorical(kinds), limits)
        later = _shifted_columns(frame, label, good, columns, kinds, decimal, notes)
        columns = [
            _aware_of(column, other, notes) for column, other in zip(columns, later[0], strict=True)
        ]
    else:
        notes.append(
            "No shifted table was given: the future is simulated from scenarios, not observed."
        )
    wish_of = {name: {k: v for k, v in w.items() if k != "drop"} for name, w in wishes.items()}
    features = tuple(inferred_feature(c, wish_of.get(c.name, {}), notes) for c in columns)
    schema = Schema(features, presets=_presets(features))
    _check_column_names(schema)
    # Both tables may need the same handling; say it once.
    said = tuple(dict.fromkeys(notes))
    _check_size(schema, max(len(y), 0 if later is None else len(later[1])), limits)
    dataset = Dataset(
        name="table",
        title=title,
        schema=schema,
        present=_sample(schema, columns, y),
        shifted=None if later is None else _sample(schema, later[0], later[1]),
        favourable=f"{label} is {' or '.join(good)}",
        unfavourable=f"{label} is not {' or '.join(good)}",
        shift_description=(
            "Simulated from scenarios; no later data were given."
            if later is None
            else "The second table, given as the data after the shift."
        ),
        years="not stated",
        notes=said,
    )
    names = tuple(feature.name for feature in features)
    return dataset, TableReport(rows_read, len(y), names, left_out, said)


def _checked_overrides(overrides: Overrides | None) -> Overrides:
    wishes = {} if overrides is None else overrides
    for column, wish in wishes.items():
        for key in wish:
            checked_choice(f"What is set for column {column!r}", key, OVERRIDES)
        if "kind" in wish:
            checked_choice(f"The kind of column {column!r}", wish["kind"], KINDS)
    return wishes


def _check_columns(frame: pd.DataFrame, label: str, wishes: Overrides) -> None:
    names = [str(name) for name in frame.columns]
    for column in (label, *wishes):
        if column not in names:
            what = "label" if column == label else "overridden column"
            message = f"The {what} must be a column of the table, got {column!r}, not in {names}"
            raise InvalidTable(message)
    if label in wishes:
        message = f"The label {label!r} is no feature, so nothing can be set for it"
        raise InvalidTable(message)


def _categorical(kinds: Mapping[str, Any]) -> list[str]:
    return [name for name, kind in kinds.items() if kind in ("ordered", "unordered")]


def _typed(
    frame: pd.DataFrame,
    kinds: Mapping[str, Any],
    decimal: Decimal | None,
    notes: list[str],
) -> list[Column]:
    sign = table_decimal(frame) if decimal is None else decimal
    checked_choice("The decimal sign", sign, (".", ","))
    return [
        typed_column(str(name), frame[name], kinds.get(str(name)), sign, notes)
        for name in frame.columns
    ]


def _without_useless(columns: Iterable[Column], left_out: dict[str, str]) -> list[Column]:
    kept = []
    for column in columns:
        distinct = column.values.nunique(dropna=True)
        if distinct == 0:
            left_out[column.name] = "empty and left out"
        elif distinct == 1:
            value = column.values.dropna().iloc[0]
            shown = f"{value:g}" if column.numeric else repr(value)
            left_out[column.name] = f"left out because it is always {shown}"
        else:
            kept.append(column)
    return kept


def _complete(
    columns: list[Column], outcome: "pd.Series[Any]", which: str, notes: list[str]
) -> tuple[list[Column], "pd.Series[Any]"]:
    """Without the rows that miss a value; too many of them are refused."""
    gaps = {column.name: column.values.isna().to_numpy() for column in columns}
    gaps["the label"] = outcome.isna().to_numpy()
    rows = len(outcome)
    for name, missing in gaps.items():
        if rows and missing.mean() > MOST_MISSING:
            way_out = "choose another" if name == "the label" else "leave the column out"
            message = (
                f"At most half of the values of a column may be missing, got {int(missing.sum())} "
                f"of {rows} in {name!r} of the {which} table; {way_out}"
            )
            raise InvalidTable(message)
    broken = np.logical_or.reduce(list(gaps.values()))
    if rows and broken.mean() > MOST_MISSING:
        worst = max(gaps, key=lambda name: int(gaps[name].sum()))
        message = (
            f"At most half of the rows of the {which} table may miss a value, got "
            f"{int(broken.sum())} of {rows}, most in column {worst!r}"
        )
        raise InvalidTable(message)
    if broken.any():
        where = ", ".join(f"{name} ({int(m.sum())})" for name, m in gaps.items() if m.any())
        notes.append(
            f"{int(broken.sum())} of {rows} rows of the {which} table miss a value and were left "
            f"out; missing in: {where}."
        )
    kept = rows - int(broken.sum())
    if kept < FEWEST_ROWS:
        message = f"The {which} table needs at least {FEWEST_ROWS} complete rows, got {kept}"
        raise InvalidTable(message)
    whole = [
        replace(column, values=column.values[~broken].reset_index(drop=True)) for column in columns
    ]
    return whole, outcome[~broken].reset_index(drop=True)


def _shifted_columns(
    frame: pd.DataFrame,
    label: str,
    good: tuple[str, ...],
    columns: list[Column],
    kinds: Mapping[str, Any],
    decimal: Decimal | None,
    notes: list[str],
) -> tuple[list[Column], Labels]:
    """The same columns of the shifted table, read the way the present ones were."""
    names = [column.name for column in columns]
    for name in (*names, label):
        if name not in frame.columns:
            message = f"The shifted table needs every column of the present one, {name!r} is absent"
            raise InvalidTable(message)
    wanted = {
        column.name: kinds.get(column.name) or ("continuous" if column.numeric else "unordered")
        for column in columns
    }
    typed = _typed(frame[names], wanted, decimal, notes)
    for before, after in zip(columns, typed, strict=True):
        if before.numeric and not after.numeric:
            message = (
                f"Column {before.name!r} holds numbers at present but not in the shifted table"
            )
            raise InvalidTable(message)
    whole, outcome = _complete(typed, label_texts(frame[label]), "shifted", notes)
    return whole, classes(outcome, good, label, "shifted")


def _aware_of(column: Column, later: Column, notes: list[str]) -> Column:
    """The present column, aware of values that only the shifted table has."""
    new = tuple(set(later.values) - set(column.values))
    if new and not column.numeric:
        notes.append(
            f"Column {column.name!r} has categories only in the shifted table: "
            f"{', '.join(sorted(map(str, new))[:10])}."
        )
    return replace(column, only_later=new)


def _presets(features: tuple[Feature, ...]) -> dict[str, Preset]:
    def chosen(direction: str, reason: str) -> dict[str, str]:
        return {f.name: reason for f in features if f.direction == direction}

    return {
        "sensible": Preset(
            locked=chosen("none", "Marked as something a person cannot change."),
            only_up=chosen("up", "Marked as something that can only grow."),
            only_down=chosen("down", "Marked as something that can only shrink."),
        ),
        "free": FREE,
    }


def _check_column_names(schema: Schema) -> None:
    repeated = [name for name, count in Counter(schema.columns).items() if count > 1]
    if repeated:
        message = f"A category and a column must not share a name, got {repeated[0]!r} twice"
        raise InvalidTable(message)


def _check_size(schema: Schema, rows: int, limits: Limits) -> None:
    columns = len(schema.columns)
    widest = max(schema.features, key=lambda feature: feature.width)
    wide = f"; the widest column is {widest.source!r} with {widest.width} categories"
    for most, got, what in (
        (limits.encoded_columns, columns, "columns"),
        (limits.entries, rows * columns, "entries"),
    ):
        if got > most:
            message = (
                f"The table may have at most {most:,} {what} once every category has a column of "
                f"its own, got {got:,}{wide if widest.is_categorical else ''}"
            )
            raise InvalidTable(message)


def _sample(schema: Schema, columns: list[Column], y: Labels) -> Sample:
    people = pd.DataFrame(
        {
            feature.name: (as_categories(column) if feature.is_categorical else column).values
            for feature, column in zip(schema.features, columns, strict=True)
        }
    )
    return make_sample(schema, people, y)
