"""Numbers as people write them: 1,234.50 · 1.234,50 · 1 234 · $ 12 · 12 %; and dates."""

import re
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

Decimal = Literal[".", ","]

_SYMBOLS = {"$": "$", "€": "€", "£": "£", "%": "%"}
_SPACES = " '’\u00a0\u202f"
_EXPONENT = r"(?:[eE][+-]?\d+)?"
# Digits in groups of three with one separator throughout, or without any.
_GROUPED = r"(?:\d{{1,3}}(?:([{thousands}])\d{{3}})(?:\1\d{{3}})*|\d+)"
_PATTERNS: dict[Decimal, re.Pattern[str]] = {
    ".": re.compile(
        r"[+-]?(?:" + _GROUPED.format(thousands="," + _SPACES) + r"(?:\.\d*)?|\.\d+)" + _EXPONENT
    ),
    ",": re.compile(
        r"[+-]?(?:" + _GROUPED.format(thousands="." + _SPACES) + r"(?:,\d*)?|,\d+)" + _EXPONENT
    ),
}
_DATE = re.compile(
    r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?:[T ]\d{1,2}:\d{2}.*)?"
    r"|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2})(?: \d{1,2}:\d{2}.*)?"
    r"|\d{1,2}[- ][A-Za-z]{3,9}[- ](?:\d{4}|\d{2})"
)
_INFINITE = re.compile(r"[+-]?inf(?:inity)?", re.IGNORECASE)


@dataclass(frozen=True)
class ParsedNumbers:
    """A column read as numbers: values, the symbol beside them, and whether digits were grouped.

    `wrong` is the first text that is no number (values are then NaN there), `share` the share of
    rows that are numbers.
    """

    values: npt.NDArray[np.float64]
    symbol: str
    grouped: bool
    wrong: str | None
    share: float


def parse_numbers(texts: "pd.Series[str]", decimal: Decimal) -> ParsedNumbers:
    """Read every text as a number with the given decimal sign."""
    # Each different text is looked at once.
    codes, found = pd.factorize(np.asarray(texts, dtype=object))
    if decimal == ".":
        plain = np.asarray(pd.to_numeric(pd.Series(found), errors="coerce"), dtype=np.float64)
        if np.isfinite(plain).all():
            return ParsedNumbers(plain[codes], symbol="", grouped=False, wrong=None, share=1.0)
    symbols: set[str] = set()
    grouped = False
    known = np.full(len(found), np.nan)
    for place, text in enumerate(found):
        bare, symbol = _without_symbol(text)
        match = _PATTERNS[decimal].fullmatch(bare)
        if match is None:
            continue
        symbols.add(symbol)
        if match.group(1):
            grouped = True
            bare = bare.replace(match.group(1), "")
        known[place] = float(bare.replace(decimal, "."))
    values = known[codes]
    bad = np.isnan(values)
    return ParsedNumbers(
        values=values,
        symbol="".join(sorted(symbols)) if len(symbols) == 1 else "",
        grouped=grouped,
        wrong=str(texts.iloc[int(np.argmax(bad))]) if bad.any() else None,
        share=float(1.0 - bad.mean()) if bad.size else 0.0,
    )


def are_dates(texts: "pd.Series[str]") -> bool:
    """True when every text looks like a calendar date."""
    return all(_DATE.fullmatch(text) for text in texts.unique())


def first_infinity(texts: "pd.Series[str]") -> str | None:
    """The first text that spells an infinite number."""
    return next((text for text in texts.unique() if _INFINITE.fullmatch(text)), None)


def needs_decimal_comma(texts: "pd.Series[str]") -> bool:
    """True when the column is all numbers with decimal commas and not with decimal points."""
    if not texts.str.contains(",", regex=False).any():
        return False
    return parse_numbers(texts, ",").wrong is None and parse_numbers(texts, ".").wrong is not None


def _without_symbol(text: str) -> tuple[str, str]:
    for symbol, unit in _SYMBOLS.items():
        if text.startswith(symbol) or text.endswith(symbol):
            return text.strip(symbol).strip(), unit
        if text.startswith("-" + symbol):
            return "-" + text[2:].strip(), unit
    return text, ""
