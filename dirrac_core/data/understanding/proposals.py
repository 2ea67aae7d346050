"""What is proposed for a column nobody has described yet; whatever is said of it comes first."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from dirrac_core.data.schema.feature import Feature, category_texts
from dirrac_core.data.schema.plan_rules import ShareRule
from dirrac_core.data.understanding import names
from dirrac_core.data.understanding.dates import dates_of, duration
from dirrac_core.data.understanding.values import (
    MOST_CATEGORIES,
    kept_categories,
    likely_order,
    missing_numbers,
    missing_words,
    spellings,
)
from dirrac_core.data.upload.columns import cell_texts, typed_column
from dirrac_core.data.upload.numbers_in_text import Decimal, are_dates, parse_numbers
from dirrac_core.errors import InvalidTable

# From this many rows on, a different value in every row is a name and no attribute.
ID_ROWS = 30
# Grouping must leave this share of the people in a category of their own.
FEWEST_COMMON = 0.1
# A plan keeps at least this share of the sum somebody asks for.
LEAST_SUM = 0.5
SUM_REASON = "Less than half the sum asked for is no answer to the application."


@dataclass(frozen=True)
class Proposal:
    """What is set for a column (as in `overrides`), or why it is left out."""

    wish: Mapping[str, Any] = field(default_factory=dict)
    left_out: str = ""


def proposal(name: str, values: "pd.Series[Any]", decimal: Decimal) -> Proposal:
    """How a column is best read, from its name and its values."""
    wish: dict[str, Any] = _lock(name)
    if is_dated(values):
        try:
            dates = dates_of(values, name)
        except InvalidTable as problem:
            return Proposal(left_out=f"not read: {problem}")
        known = dates.dropna()
        if known.nunique() < 2:
            return Proposal(left_out="left out because it always holds the same date")
        read_as = duration(known)
        read = {
            "kind": "integer",
            "date": read_as,
            "unit": f"{read_as['unit']} before {read_as['until']}",
        }
        return Proposal({"direction": "none", "reason": names.PAST_REASON, **wish, **read})
    reason = _identifier(name, values)
    if reason:
        return Proposal(left_out=reason)
    codes = _missing_codes(name, values, decimal)
    if codes:
        wish["missing"] = codes
    try:
        column = typed_column(name, without_codes(values, codes), None, decimal, [])
    except InvalidTable:
        # It is refused in the same words when the table is read.
        return Proposal(wish)
    known = column.values.dropna()
    if known.empty or column.order:
        return Proposal(wish)
    if not column.numeric:
        said = _as_words(known)
        return Proposal({**wish, **said}, _too_scattered(known, said))
    if names.is_code(name) and (known == known.round()).all() and known.nunique() > 2:
        texts = category_texts(known)
        kept = kept_categories(texts)
        said = {"kind": "unordered"} | ({} if kept is None else {"keep": kept})
        return Proposal({**wish, **said}, _too_scattered(texts, said))
    return Proposal(wish)


def proposed_rules(features: Iterable[Feature]) -> tuple[ShareRule, ...]:
    """The rules of the domain that names alone suggest: of a sum asked for, at least a half.

    Without it the safest advice to a borrower is to borrow next to nothing.
    """
    return tuple(
        ShareRule(f"share of {feature.name}", feature.name, least=LEAST_SUM, reason=SUM_REASON)
        for feature in features
        if not feature.is_categorical
        and feature.direction in ("both", "down")
        and feature.extremes[0] >= 0.0
        and names.is_sum_asked_for(feature.source or feature.name)
    )


def is_dated(values: "pd.Series[Any]") -> bool:
    """Whether the column holds dates."""
    if pd.api.types.is_datetime64_any_dtype(values) or isinstance(values.dtype, pd.PeriodDtype):
        return True
    if values.dtype.kind in "biufcm" or isinstance(values.dtype, pd.CategoricalDtype):
        return False
    known = values.dropna()
    if known.empty:
        return False
    if all(hasattr(cell, "isoformat") for cell in known.head(20)):
        return True
    if not isinstance(known.iloc[0], str) or not are_dates(known.head(20).astype(str)):
        return False
    return are_dates(known.astype(str).str.strip())


def may_be_time(name: str, values: "pd.Series[Any]") -> bool:
    """Whether the column may say when a row was recorded: dates, or years and the like."""
    if is_dated(values):
        return True
    return names.is_time(name) and pd.api.types.is_numeric_dtype(values) and values.nunique() > 1


def without_codes(values: "pd.Series[Any]", codes: object) -> "pd.Series[Any]":
    """The column with its codes for "missing" taken out; 999 and "999.0" are the same code."""
    listed = tuple(codes) if isinstance(codes, tuple | list) else ()
    if not listed:
        return values
    numbers = {n for n in (number_in(code) for code in listed) if n is not None}
    if pd.api.types.is_numeric_dtype(values.dtype) and values.dtype != bool:
        return values.mask(values.isin(numbers))
    words = {str(code).strip().casefold() for code in listed}

    def coded(cell: object) -> bool:
        text = str(cell).strip().casefold()
        return text in words or (bool(numbers) and number_in(text) in numbers)

    known = {cell: coded(cell) for cell in values.dropna().unique()}
    return values.mask(values.map(known, na_action="ignore").eq(True))


def _lock(name: str) -> dict[str, Any]:
    protected = names.protected_reason(name)
    if protected:
        return {"direction": "none", "protected": True, "reason": protected}
    if names.is_place(name):
        return {"direction": "none", "reason": names.ZIP_REASON}
    if names.is_past(name):
        return {"direction": "none", "reason": names.PAST_REASON}
    return {}


def _too_scattered(texts: "pd.Series[Any]", wish: Mapping[str, Any]) -> str:
    """Why grouping rare categories would leave nothing to learn from; empty when it would not."""
    if not wish.get("keep"):
        return ""
    common = texts.replace(wish.get("same", {})).isin(wish["keep"]).mean()
    if common >= FEWEST_COMMON:
        return ""
    return f"left out because it has {texts.nunique():,} different values and none is common"


def _identifier(name: str, values: "pd.Series[Any]") -> str:
    """Why the column is taken for an identifier; empty when it is not."""
    known = values.dropna()
    if isinstance(values.dtype, pd.CategoricalDtype) or len(known) < ID_ROWS:
        return ""
    try:
        distinct = known.nunique()
    except TypeError:
        # Lists and the like; they are refused by name when the table is read.
        return ""
    many = distinct > min(MOST_CATEGORIES, len(known) // 2)
    if many and names.names_a_person(name):
        return f"left out as {names.ID_REASON}"
    if distinct < len(known):
        return ""
    if pd.api.types.is_numeric_dtype(known):
        numbers = known.to_numpy(np.float64)
        counts = (np.diff(np.sort(numbers)) == 1.0).all()
        return "left out because it only counts the rows" if counts else ""
    if not isinstance(known.iloc[0], str):
        return ""
    texts = known.astype(str).str.strip()
    if (
        parse_numbers(texts, ".").share > 0.5
        or parse_numbers(texts, ",").share > 0.5
        or texts.str.len().max() > 200
    ):
        return ""
    return "left out because it is different in every row, like a name"


def _missing_codes(
    name: str, values: "pd.Series[Any]", decimal: Decimal
) -> tuple[str | float, ...]:
    if pd.api.types.is_bool_dtype(values) or isinstance(values.dtype, pd.CategoricalDtype):
        return ()
    if pd.api.types.is_numeric_dtype(values):
        if pd.api.types.is_complex_dtype(values):
            return ()
        return missing_numbers(values.to_numpy(np.float64, na_value=np.nan))
    try:
        texts = cell_texts(name, values).dropna()
    except InvalidTable:
        return ()
    words: tuple[str, ...] = ()
    parsed = parse_numbers(texts, decimal)
    if parsed.wrong is not None and parsed.share > 0.5:
        strays = [str(t) for t in texts[np.isnan(parsed.values)].unique()]
        words = missing_words(strays)
        if len(words) < len(strays):
            return ()
        texts = texts[~np.isnan(parsed.values)]
        parsed = parse_numbers(texts, decimal)
    if parsed.wrong is not None or texts.empty:
        return ()
    return (*words, *missing_numbers(parsed.values))


def _as_words(known: "pd.Series[Any]") -> dict[str, Any]:
    """Spellings joined, rare categories grouped, or an order."""
    wish: dict[str, Any] = {}
    same = spellings(known)
    if same:
        wish["same"] = same
        known = known.replace(same)
    kept = kept_categories(known)
    if kept is not None:
        return wish | {"kind": "unordered", "keep": kept}
    order = likely_order([str(text) for text in known.unique()])
    if order is not None:
        wish |= {"kind": "ordered", "categories": order}
    return wish


def number_in(text: object) -> float | None:
    """The number a cell holds; None for any other text."""
    try:
        return float(text)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None
