"""A linear model given by its coefficients, as today's model; text only, nothing is unpickled.

The convention is the table's own units: score = intercept + Σ coefficient · value over the numbers
+ the coefficient of each person's category, and a score ≥ 0 is the favourable decision. The score
is read as log-odds, as scikit-learn's LogisticRegression has it.
"""

import csv
import io
import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pandas as pd

from dirrac_core.arrays import Array, frozen_array
from dirrac_core.data.dataset import Dataset
from dirrac_core.data.safe_csv import FORMULA_STARTS, safe_csv
from dirrac_core.data.schema.feature import YES_NO, Feature
from dirrac_core.data.schema.presets import Preset
from dirrac_core.data.schema.schema import Schema
from dirrac_core.data.upload.reading import read_text
from dirrac_core.errors import InvalidInput
from dirrac_core.models.futures.carry_over import spread_of_scores
from dirrac_core.models.given.categories import as_number, by_category
from dirrac_core.models.given.scorecard import (
    Scorecard,
    is_scorecard,
    read_scorecard,
    with_scorecard,
)

LARGEST_FILE = 1_000_000
INTERCEPT = "(intercept)"
HEADER = ("feature", "category", "coefficient")
UNUSED_REASON = "Today's model does not use it, so changing it helps nobody."
_WHAT = "The file of coefficients"

# (column of the table, category or "" for a number) → coefficient; INTERCEPT is one of them.
Coefficients = Mapping[tuple[str, str], float]


def read_coefficients(content: bytes) -> Coefficients:
    """The coefficients in a CSV with the columns of `HEADER`, or in a JSON object
    {"intercept": number, "coefficients": {column: number or {category: number}}}."""
    text = _read(content)
    entries = _from_json(text) if text.lstrip().startswith("{") else _from_csv(text)
    found: dict[tuple[str, str], float] = {}
    for column, category, number in entries:
        if (column, category) in found:
            named = _named(column, category)
            message = f"{_WHAT} must name each coefficient once, got {named} twice"
            raise InvalidInput(message)
        found[column, category] = _finite(number, _named(column, category))
    return found


def _read(content: bytes) -> str:
    if len(content) > LARGEST_FILE:
        message = f"{_WHAT} must be at most {LARGEST_FILE / 1e6:g} MB, got {len(content) / 1e6:.1f}"
        raise InvalidInput(message)
    return read_text(content, "coefficient", [])


def coefficient_template(schema: Schema) -> str:
    """A CSV with a row for every coefficient that the schema asks for, each of them 0."""
    rows = [(INTERCEPT, "", 0.0)]
    for feature in schema.features:
        categories = feature.categories if feature.is_categorical else ("",)
        rows += [(_column(feature), category, 0.0) for category in categories]
    return safe_csv(pd.DataFrame(rows, columns=list(HEADER)))


def given_theta(coefficients: Coefficients, schema: Schema) -> tuple[Array, tuple[str, ...]]:
    """θ (D,), bias last, on the encoded scale, and what had to be assumed.

    A number is encoded as (value − low) / (high − low), so its coefficient c becomes
    c · (high − low) and c · low goes to the bias. Every feature needs a coefficient; a category
    that is not mentioned (such as the one an encoder drops) counts 0, and one that nobody in the
    table has is left out. Categories are matched by their text, then as numbers ("1.0" is "1").
    One coefficient for a column whose categories are numbers, or no and yes, is that of its value.
    Whether a number is missing counts 0 where it has none.
    """
    left = dict(coefficients)
    notes: list[str] = []
    if (INTERCEPT, "") not in left:
        message = f"{_WHAT} must hold the intercept as {INTERCEPT!r}, got none"
        raise InvalidInput(message)
    bias = left.pop((INTERCEPT, ""))
    theta: list[float] = []
    numbers: set[str] = set()
    for feature in schema.features:
        column = _column(feature)
        if feature.is_categorical:
            named = {key[1]: left.pop(key) for key in list(left) if key[0] == column}
            given, unknown = _by_category(named, feature)
            absent = [category for category in feature.categories if category not in given]
            if not given and column in numbers:
                notes.append(f"Whether {column!r} is missing counts 0; a typical value stands in.")
            elif not given:
                raise InvalidInput(_missing(column))
            elif absent:
                notes.append(f"Categories of {column!r} without a coefficient count 0: {absent}.")
            if unknown:
                notes.append(f"Categories of {column!r} that nobody has are left out: {unknown}.")
            theta += [given.get(category, 0.0) for category in feature.categories]
        else:
            numbers.add(column)
            if (column, "") not in left:
                raise InvalidInput(_missing(column))
            slope = left.pop((column, ""))
            theta.append(slope * feature.span)
            bias += slope * feature.low
    if left:
        known = ", ".join(_column(feature) for feature in schema.features)
        message = (
            f"{_WHAT} may only name the columns in use and their categories ({known}), "
            f"got {_named(*next(iter(left)))}"
        )
        raise InvalidInput(message)
    if not any(theta):
        message = f"{_WHAT} must tell people apart, got 0 for every column"
        raise InvalidInput(message)
    return frozen_array("The given model", [*theta, bias], (None,)), tuple(notes)


def _by_category(
    named: Mapping[str, float], feature: Feature
) -> tuple[dict[str, float], list[str]]:
    """Category of the table → coefficient, and the named categories that the table does not have.

    A coefficient without a category stands for the value of the column.
    """
    values = _values(feature.categories)
    if set(named) == {""} and values is not None:
        return {category: named[""] * value for category, value in values.items()}, []
    return by_category(named, feature, f"{_WHAT} must name each coefficient")


def _values(categories: tuple[str, ...]) -> dict[str, float] | None:
    """The number each category stands for; None where they are no numbers and not no and yes."""
    if {category.lower() for category in categories} == set(YES_NO):
        return {category: float(category.lower() == YES_NO[1]) for category in categories}
    numbers = {category: as_number(category) for category in categories}
    known = {category: number for category, number in numbers.items() if number is not None}
    return known if len(known) == len(categories) else None


def with_given_model(dataset: Dataset, content: bytes) -> tuple[Dataset, tuple[str, ...]]:
    """The dataset with the model in `content` as today's, and what was assumed.

    A scorecard (see `scorecard`) also turns numbers into bins. Plans leave alone what the model
    does not use.
    """
    card = _scorecard(content)
    if card is not None:
        changed, notes = with_scorecard(dataset, card)
    else:
        theta, notes = given_theta(read_coefficients(content), dataset.schema)
        changed = replace(dataset, given_model=theta)
    given = changed.given_model
    assert given is not None
    spread_of_scores(given, changed.present.X)
    return replace(changed, schema=_unused_held(changed.schema, given)), notes


def _unused_held(schema: Schema, theta: Array) -> Schema:
    """Features without weight are locked, or a plan might change them for nothing.

    Those in a rule stay free: they may have to move with another one.
    """
    unused = [f.name for f in schema.features if not theta[list(schema.columns_of(f.name))].any()]
    presets = {}
    for title, preset in schema.presets.items():
        ruled = {name for rule in preset.rules for name in rule.features}
        held = {name: UNUSED_REASON for name in unused if name not in ruled}
        up, down = (
            {name: why for name, why in way.items() if name not in held}
            for way in (preset.only_up, preset.only_down)
        )
        presets[title] = Preset({**held, **preset.locked}, up, down, preset.rules)
    return replace(schema, presets=presets)


def described_model(content: bytes) -> str:
    """What a file of a model holds: “12 coefficients”, or “a scorecard of 20 bins”."""
    card = _scorecard(content)
    if card is not None:
        return f"a scorecard of {card.bins} bins"
    return f"{len(read_coefficients(content))} coefficients"


def _scorecard(content: bytes) -> Scorecard | None:
    text = _read(content)
    return read_scorecard(text) if is_scorecard(text) else None


def _from_csv(text: str) -> Iterator[tuple[str, str, Any]]:
    separator = ";" if ";" in text.lstrip().split("\n", 1)[0] else ","
    try:
        rows = [row for row in csv.reader(io.StringIO(text), delimiter=separator) if any(row)]
    except csv.Error as problem:
        message = f"{_WHAT} must be a CSV or JSON text, got a problem: {problem}"
        raise InvalidInput(message) from None
    if not rows or tuple(cell.strip().lower() for cell in rows[0]) != HEADER:
        message = f"The first line must be {','.join(HEADER)}, got {separator.join(rows[0])[:60]!r}"
        raise InvalidInput(message)
    for number, row in enumerate(rows[1:], start=2):
        if len(row) != len(HEADER):
            message = f"Every line must have {len(HEADER)} entries, got {len(row)} in line {number}"
            raise InvalidInput(message)
        column, category, coefficient = (_unguarded(cell.strip()) for cell in row)
        yield column, category, coefficient.replace(",", ".") if separator == ";" else coefficient


def _unguarded(cell: str) -> str:
    """Without the apostrophe that keeps a spreadsheet from running the cell."""
    return cell[1:] if cell[:1] == "'" and cell[1:].startswith(FORMULA_STARTS) else cell


def _from_json(text: str) -> Iterator[tuple[str, str, Any]]:
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as problem:
        message = f"{_WHAT} must be a CSV or JSON text, got a problem: {str(problem)[:100]}"
        raise InvalidInput(message) from None
    named = content.get("coefficients")
    if set(content) != {"intercept", "coefficients"} or not isinstance(named, dict):
        message = (
            f"{_WHAT} must be an object with “intercept” and “coefficients”, "
            f"got {', '.join(map(repr, list(content)[:5]))}"
        )
        raise InvalidInput(message)
    yield INTERCEPT, "", content["intercept"]
    for column, value in named.items():
        entries = value if isinstance(value, dict) else {"": value}
        yield from ((column, category, number) for category, number in entries.items())


def _finite(value: Any, what: str) -> float:
    try:
        number = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        message = f"A coefficient must be a finite number, got {str(value)[:40]!r} for {what}"
        raise InvalidInput(message)
    return number


def _column(feature: Feature) -> str:
    return feature.source or feature.name


def _named(column: str, category: str) -> str:
    return f"{column!r}, {category!r}" if category else repr(column)


def _missing(column: str) -> str:
    return (
        f"{_WHAT} must hold a coefficient for every column in use, got none for {column!r}; "
        "give it 0, or leave the column out of the table"
    )
