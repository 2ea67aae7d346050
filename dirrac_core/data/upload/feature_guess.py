"""The feature a column of a stranger's table most likely is: kind, range, unit, categories."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from dirrac_core.data.schema.feature import CATEGORICAL, Feature, Kind, category_texts
from dirrac_core.data.upload.columns import Column
from dirrac_core.data.upload.reading import LONGEST_TEXT
from dirrac_core.errors import InvalidTable

MOST_CATEGORIES = 200
# Effort is measured by the range that holds all but this share of the people at either end; of few
# people even the extremes are not far out.
TAIL = 0.025
ENOUGH_FOR_TAILS = 200
FEW_CODES = 10
ID_ROWS = 30
# Of a range this narrow a thousandth still has no more than nine decimals; of one this wide a
# float still tells whole numbers apart.
SMALLEST_SPAN, LARGEST_SPAN = 1e-6, 1e15
# What may be set for a column and becomes part of its feature.
FEATURE_KEYS = (
    *("name", "kind", "unit", "low", "high", "categories", "direction", "explanation"),
    *("decimals", "step", "protected", "closed"),
)
_UNIT_IN_BRACKETS = re.compile(r".*[(\[]\s*([^()\[\]]{1,12}?)\s*[)\]]")
_UNIT_WORDS = {
    "age": "years",
    "years": "years",
    "months": "months",
    "weeks": "weeks",
    "days": "days",
    "hours": "hours",
    "minutes": "minutes",
    "eur": "€",
    "euro": "€",
    "usd": "US$",
    "dollars": "US$",
    "gbp": "£",
    "percent": "%",
    "pct": "%",
    "km": "km",
    "kg": "kg",
    "cm": "cm",
}


def inferred_feature(column: Column, override: Mapping[str, Any], notes: list[str]) -> Feature:
    """The feature of a column without missing values; `override` wins over every guess."""
    kind: Kind = override.get("kind") or _kind(column)
    if kind in CATEGORICAL:
        guess: dict[str, Any] = {"categories": _categories(column)}
    else:
        if not column.numeric:
            message = f"Column {column.name!r} must hold numbers to be {kind}, got text"
            raise InvalidTable(message)
        guess = _numeric_guess(column, kind)
    if "kind" not in override:
        _note_doubtful(column, kind, notes)
    guess |= {"name": column.name, "kind": kind, "source": column.name}
    guess |= {key: value for key, value in override.items() if key in FEATURE_KEYS}
    if "categories" in override:
        guess["categories"] = tuple(map(str, override["categories"]))
    feature = Feature(**guess)
    if feature.kind == "unordered" and feature.direction in ("up", "down"):
        message = (
            f"The categories of {column.name!r} have no order and cannot go only "
            f"{feature.direction}; read them as ordered categories"
        )
        raise InvalidTable(message)
    if not feature.is_categorical:
        ends = float(column.values.min()), float(column.values.max())
        if ends[0] < feature.low or ends[1] > feature.high:
            feature = replace(feature, seen=ends)
        if "low" in override or "high" in override:
            outside = int((~column.values.between(feature.low, feature.high)).sum())
            if outside > 2 * TAIL * len(column.values):
                notes.append(
                    f"{outside} values of {column.name!r} lie outside the range that was set."
                )
    return feature


def _kind(column: Column) -> Kind:
    if column.order:
        return "ordered"
    if not column.numeric:
        return "unordered"
    distinct = np.unique([*column.values.dropna().unique(), *column.only_later])
    return "integer" if (distinct == np.round(distinct)).all() else "continuous"


def _categories(column: Column) -> tuple[str, ...]:
    values = [*column.values.unique(), *column.only_later]
    found = set(category_texts(pd.Series(values, dtype=object)))
    if len(found) > MOST_CATEGORIES:
        message = (
            f"Column {column.name!r} must have at most {MOST_CATEGORIES} categories, "
            f"got {len(found)}; leave it out, or group its values"
        )
        raise InvalidTable(message)
    longest = max(found, key=len)
    if len(longest) > LONGEST_TEXT:
        message = (
            f"The categories of column {column.name!r} may have at most {LONGEST_TEXT} characters, "
            f"got {len(longest):,} in {longest[:40] + '…'!r}; leave the column out"
        )
        raise InvalidTable(message)
    rank = {category: place for place, category in enumerate(column.order)}
    return tuple(sorted(found, key=lambda text: (rank.get(text, len(rank)), _natural(text))))


def _natural(text: str) -> tuple[int, float, str]:
    try:
        return (0, float(text), text)
    except ValueError:
        return (1, 0.0, text)


def _numeric_guess(column: Column, kind: Kind) -> dict[str, Any]:
    values = column.values.to_numpy(np.float64)
    tail = TAIL if values.size >= ENOUGH_FOR_TAILS else 0.0
    low = float(np.quantile(values, tail, method="lower"))
    high = float(np.quantile(values, 1.0 - tail, method="higher"))
    if not high - low >= SMALLEST_SPAN:
        # Almost everybody has the same value, so that only the extremes say what is far.
        low, high = float(values.min()), float(values.max())
    span, whole = high - low, float(values.max()) - float(values.min())
    if not SMALLEST_SPAN <= whole <= LARGEST_SPAN:
        message = (
            f"The range of column {column.name!r} must be {SMALLEST_SPAN:g} to {LARGEST_SPAN:g} "
            f"wide, got {whole:g}; give it in another unit"
        )
        raise InvalidTable(message)
    magnitude = int(np.floor(np.log10(span)))
    decimals = 0
    if kind == "continuous":
        # As many digits as the data have, and no more than a thousandth of the range.
        finest = max(0, 3 - magnitude)
        while decimals < finest and not np.allclose(values, values.round(decimals), atol=0.0):
            decimals += 1
    step = max(10.0**-decimals, 10.0 ** (magnitude - 3))
    unit = column.symbol or _unit(column.name)
    return {"low": low, "high": high, "decimals": decimals, "step": step, "unit": unit}


def _unit(name: str) -> str:
    bracketed = _UNIT_IN_BRACKETS.fullmatch(name)
    if bracketed:
        return bracketed.group(1)
    last = re.split(r"[\s_.-]+", name.lower())[-1]
    return _UNIT_WORDS.get(last, "")


def _note_doubtful(column: Column, kind: Kind, notes: list[str]) -> None:
    distinct = column.values.nunique()
    if kind != "continuous" and distinct == len(column.values) and distinct >= ID_ROWS:
        notes.append(
            f"Column {column.name!r} has a different value in every row. If it is a name or an "
            "identifier, leave it out."
        )
    elif kind == "integer" and distinct <= FEW_CODES:
        notes.append(
            f"Column {column.name!r} has only {distinct} different whole numbers and is read as "
            "a number. If they are codes, say that it holds categories."
        )
