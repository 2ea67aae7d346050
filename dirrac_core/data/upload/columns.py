"""One column of a stranger's table: read as numbers or as categories, or refused by name."""

import numbers
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal as DecimalNumber
from typing import Any

import numpy as np
import pandas as pd

from dirrac_core.data.schema.feature import Feature, Kind, category_texts
from dirrac_core.data.upload.numbers_in_text import (
    Decimal,
    ParsedNumbers,
    are_dates,
    first_infinity,
    needs_decimal_comma,
    parse_numbers,
)
from dirrac_core.data.upload.reading import LONGEST_TEXT, MISSING
from dirrac_core.errors import InvalidTable

MOST_CATEGORIES = 200
# Effort is measured by the range that holds all but this share of the people at either end; of few
# people even the extremes are not far out.
TAIL = 0.025
ENOUGH_FOR_TAILS = 200
# From this share of numbers on, a stray text is a mistake rather than a category.
MOSTLY_NUMBERS = 0.5
FEW_CODES = 10
ID_ROWS = 30
# Of a range this narrow a thousandth still has no more than nine decimals; of one this wide a
# float still tells whole numbers apart.
SMALLEST_SPAN, LARGEST_SPAN = 1e-6, 1e15
_CATEGORICAL = ("ordered", "unordered")
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


@dataclass(frozen=True, eq=False)
class Column:
    """A column with one type: floats or texts, NaN where the value is missing.

    `only_later` holds the values that occur in the shifted table only.
    """

    name: str
    values: "pd.Series[Any]"
    numeric: bool
    symbol: str = ""
    order: tuple[str, ...] = ()
    only_later: tuple[Any, ...] = ()


def table_decimal(frame: pd.DataFrame) -> Decimal:
    """The decimal sign of a text table: a comma when some column cannot be read otherwise."""
    for name in frame.columns:
        if isinstance(frame[name].dtype, pd.StringDtype):
            if needs_decimal_comma(cell_texts(str(name), frame[name]).dropna()):
                return ","
    return "."


def typed_column(
    name: str,
    values: "pd.Series[Any]",
    kind: Kind | None,
    decimal: Decimal,
    notes: list[str],
) -> Column:
    """The column as numbers or texts; `kind` decides when it is given."""
    dtype = values.dtype
    if pd.api.types.is_datetime64_any_dtype(dtype) or isinstance(dtype, pd.PeriodDtype):
        raise InvalidTable(_date_message(name, values.iloc[0]))
    if pd.api.types.is_complex_dtype(dtype) or pd.api.types.is_timedelta64_dtype(dtype):
        message = f"Column {name!r} must hold numbers or categories, got {dtype}"
        raise InvalidTable(message)
    if isinstance(dtype, pd.CategoricalDtype):
        order = tuple(map(str, dtype.categories)) if dtype.ordered else ()
        texts = values.astype(object)
        return Column(name, texts.where(texts.isna(), texts.map(str)), False, order=order)
    if pd.api.types.is_numeric_dtype(dtype) and not pd.api.types.is_bool_dtype(dtype):
        numbers_ = pd.Series(values.to_numpy(np.float64, na_value=np.nan))
        _refuse_infinite(name, numbers_)
        column = Column(name, numbers_, numeric=True)
        return as_categories(column) if kind in _CATEGORICAL else column
    return _from_texts(name, cell_texts(name, values), kind, decimal, notes)


def _from_texts(
    name: str, texts: "pd.Series[Any]", kind: Kind | None, decimal: Decimal, notes: list[str]
) -> Column:
    present = texts.dropna()
    if kind in _CATEGORICAL or present.empty:
        return Column(name, texts, numeric=False)
    parsed = parse_numbers(present, decimal)
    if parsed.wrong is not None:
        # One column may follow the other convention; the better reading counts.
        other: Decimal = "," if decimal == "." else "."
        second = parse_numbers(present, other)
        if second.wrong is None:
            parsed, decimal = second, other
    if parsed.wrong is None:
        _note_number_format(name, parsed, present, decimal, notes)
        values = pd.Series(np.nan, index=texts.index)
        values[present.index] = parsed.values
        _refuse_infinite(name, values)
        return Column(name, values, True, parsed.symbol)
    infinity = first_infinity(present)
    if infinity is not None and (parsed.share > 0 or kind is not None):
        message = f"Column {name!r} must hold finite numbers, got {infinity!r}"
        raise InvalidTable(message)
    if are_dates(present):
        raise InvalidTable(_date_message(name, present.iloc[0]))
    if kind is not None or parsed.share >= MOSTLY_NUMBERS:
        message = (
            f"Column {name!r} must not mix numbers and text, got {parsed.wrong!r} among numbers; "
            "correct it, or say that the column holds categories"
        )
        raise InvalidTable(message)
    if parsed.share > 0:
        notes.append(f"Column {name!r} holds text and some numbers; all are read as categories.")
    return Column(name, texts, numeric=False)


def inferred_feature(column: Column, override: Mapping[str, Any], notes: list[str]) -> Feature:
    """The feature of a column without missing values; `override` wins over every guess."""
    kind: Kind = override.get("kind") or _kind(column)
    if kind in _CATEGORICAL:
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


def settled(column: Column, present: Column, wish: Mapping[str, Any], notes: list[str]) -> Column:
    """The column as categories when it holds numbers of which the present one has just two."""
    if not column.numeric or wish.get("kind"):
        return column
    distinct = np.unique([*present.values.dropna().unique(), *present.only_later])
    if distinct.size != 2:
        return column
    notes.append(f"Column {column.name!r} has two values; they are read as categories.")
    return as_categories(replace(column, only_later=()))


def as_categories(column: Column) -> Column:
    """The column with its values as category texts."""
    texts = category_texts(column.values.dropna()).reindex(column.values.index)
    return replace(column, values=texts, numeric=False)


def cell_texts(name: str, values: "pd.Series[Any]") -> "pd.Series[Any]":
    """Stripped texts, NaN for what is missing; anything but text, numbers and truth is refused."""
    if isinstance(values.dtype, pd.StringDtype):
        cells = values.str.strip()
    else:
        cells = values.astype(object).map(_cell_text, na_action="ignore")
        for cell in cells.dropna():
            if isinstance(cell, type):
                message = f"Column {name!r} must hold numbers or text, got {cell.__name__}"
                raise InvalidTable(message)
    return cells.mask(cells.isin(MISSING), np.nan)


def _cell_text(cell: object) -> str | type:
    if isinstance(cell, str):
        return cell.strip()
    if isinstance(cell, bool | np.bool_):
        return str(bool(cell))
    if isinstance(cell, DecimalNumber):
        return str(cell)
    if isinstance(cell, numbers.Real):
        try:
            number = float(cell)
        except OverflowError:
            # A whole number beyond all floats; as text it is refused like other infinite ones.
            return "inf"
        return str(int(number)) if number.is_integer() else repr(number)
    if hasattr(cell, "isoformat"):
        return str(cell.isoformat())
    return type(cell)


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


def _note_number_format(
    name: str, parsed: ParsedNumbers, texts: "pd.Series[str]", decimal: Decimal, notes: list[str]
) -> None:
    if parsed.grouped:
        example = next(text for text in texts if re.search(r"\d[^\d\-+eE]\d{3}", text))
        notes.append(f"Column {name!r} has thousands separators ({example!r}); they were removed.")
    if decimal == "," and texts.str.contains(",", regex=False).any():
        notes.append(f"Column {name!r} has decimal commas.")
    if parsed.symbol:
        notes.append(f"Column {name!r} is in {parsed.symbol}; the sign was removed.")


def _refuse_infinite(name: str, values: "pd.Series[float]") -> None:
    if np.isinf(values.to_numpy(np.float64)).any():
        message = f"Column {name!r} must hold finite numbers, got an infinite one"
        raise InvalidTable(message)


def _date_message(name: str, example: object) -> str:
    return (
        f"Column {name!r} must not hold dates, got {str(example)!r}; give a number such as an age "
        "in years, or leave the column out"
    )
