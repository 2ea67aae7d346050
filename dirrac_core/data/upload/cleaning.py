"""The cells of a column as its description says: codes out, spellings joined, dates as durations,
rare categories together. Everything done is said, with its count."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pandas as pd

from dirrac_core.data.schema.feature import CATEGORICAL
from dirrac_core.data.understanding.dates import as_durations
from dirrac_core.data.understanding.proposals import number_in, without_codes
from dirrac_core.data.understanding.values import OTHER
from dirrac_core.data.upload.columns import Column, as_categories, typed_column
from dirrac_core.data.upload.numbers_in_text import Decimal

# A column is never grouped into fewer categories than this to make room.
FEWEST_KEPT = 5

Wish = Mapping[str, Any]


def read_column(
    name: str, values: "pd.Series[Any]", wish: Wish, decimal: Decimal, notes: list[str]
) -> Column:
    """One column with one type, read as the wish says."""
    kind = wish.get("kind")
    date = wish.get("date")
    if date and kind not in CATEGORICAL:
        notes.append(
            f"Column {name!r} holds dates; each is read as the {date.get('unit')} before "
            f"{date.get('until')}."
        )
        return Column(name, as_durations(values, date, name), numeric=True)
    codes = wish.get("missing", ())
    bare = without_codes(values, codes)
    gone = int(bare.isna().sum() - values.isna().sum())
    if gone:
        shown = ", ".join(f"{code:g}" if isinstance(code, float) else str(code) for code in codes)
        notes.append(f"Column {name!r}: {shown} read as missing ({gone:,} values).")
    column = typed_column(name, bare, kind, decimal, notes)
    if column.numeric:
        return column
    if pd.api.types.is_numeric_dtype(values):
        column = _with_zeros(column, (*wish.get("categories", ()), *wish.get("keep", ())))
    return _grouped(_joined(column, wish.get("same") or {}, notes), wish.get("keep") or (), notes)


def _with_zeros(column: Column, listed: tuple[Any, ...]) -> Column:
    """Codes that pandas has read as numbers, as the description writes them: 1067 is 01067."""
    written = {number: str(text) for text in listed if (number := number_in(text)) is not None}
    numbers = {text: number_in(text) for text in column.values.dropna().unique()}
    met = {text: written[n] for text, n in numbers.items() if n in written}
    return replace(column, values=column.values.replace(met)) if met else column


def _joined(column: Column, same: Mapping[str, str], notes: list[str]) -> Column:
    met = {old: new for old, new in same.items() if old != new and (column.values == old).any()}
    if not met:
        return column
    several = ", ".join(f"“{old}” as “{new}”" for old, new in list(met.items())[:5])
    more = f" and {len(met) - 5} more" if len(met) > 5 else ""
    notes.append(f"Column {column.name!r} has several spellings: {several}{more}.")
    return replace(column, values=column.values.replace(met))


def _grouped(column: Column, keep: tuple[Any, ...], notes: list[str]) -> Column:
    if not keep:
        return column
    kept = set(map(str, keep))
    texts = column.values
    rare = texts.notna() & ~texts.isin(kept)
    if not rare.any():
        return column
    notes.append(
        f"Column {column.name!r} has {texts[rare].nunique():,} rare categories "
        f"({int(rare.sum()):,} people); they are put together as “{OTHER}”."
    )
    return replace(column, values=texts.mask(rare, OTHER))


def _width(column: Column) -> int:
    """How many columns it takes once encoded; a number with gaps brings an indicator."""
    gappy = bool(column.values.isna().any())
    distinct = column.values.nunique(dropna=True)
    # Two different numbers are read as categories.
    return 1 + 2 * gappy if column.numeric and distinct > 2 else distinct + gappy


def grouped_to_fit(
    columns: list[Column],
    wishes: dict[str, dict[str, Any]],
    widest: int,
    notes: list[str],
) -> list[Column]:
    """The columns with rare categories put together until all need at most `widest` columns.

    Columns whose categories were set keep them. What is kept is added to `wishes`.
    """
    fixed = {name for name, wish in wishes.items() if "categories" in wish}

    def free(column: Column) -> bool:
        return not column.numeric and column.name not in fixed and not column.order

    sizes = {column.name: _width(column) for column in columns}
    goal = dict(sizes)
    able = [column.name for column in columns if free(column)]
    while sum(goal.values()) > widest:
        name = max(able, key=lambda n: goal[n], default=None)
        if name is None or goal[name] <= FEWEST_KEPT:
            break
        goal[name] = max(FEWEST_KEPT, goal[name] // 2)
    done = []
    for column in columns:
        if goal[column.name] < sizes[column.name]:
            texts = as_categories(column).values
            counts = texts[texts != OTHER].value_counts()
            named = sorted(zip(-counts.to_numpy(), map(str, counts.index), strict=True))
            keep = tuple(name for _, name in named[: goal[column.name] - 1])
            wishes[column.name] = {**wishes.get(column.name, {}), "keep": keep}
            wishes[column.name].setdefault("kind", "unordered")
            column = _grouped(column, keep, notes)
        done.append(column)
    return done
