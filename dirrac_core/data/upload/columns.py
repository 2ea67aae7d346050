"""One column of a stranger's table: read as numbers or as categories, or refused by name."""

import numbers
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal as DecimalNumber
from typing import Any

import numpy as np
import pandas as pd

from dirrac_core.data.schema.feature import CATEGORICAL, Kind, category_texts
from dirrac_core.data.upload.numbers_in_text import (
    Decimal,
    ParsedNumbers,
    are_dates,
    first_infinity,
    needs_decimal_comma,
    parse_numbers,
)
from dirrac_core.data.upload.reading import MISSING
from dirrac_core.errors import InvalidTable

# From this share of numbers on, a stray text is a mistake rather than a category.
MOSTLY_NUMBERS = 0.5


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
        return as_categories(column) if kind in CATEGORICAL else column
    return _from_texts(name, cell_texts(name, values), kind, decimal, notes)


def _from_texts(
    name: str, texts: "pd.Series[Any]", kind: Kind | None, decimal: Decimal, notes: list[str]
) -> Column:
    present = texts.dropna()
    if kind in CATEGORICAL or present.empty:
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
