"""What the values of a column say: codes for "missing", spellings, an order, rare categories."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from dirrac_core.arrays import Array

# Words that stand for a missing number; in a column of categories they are answers of their own.
MISSING_WORDS = (
    *("unknown", "missing", "not available", "not known", "not stated", "not applicable"),
    *("n.a.", "n.a", "none", "nil", "-", "--", ".", "xna", "n.k."),
)
MOST_CODES = 5
# Nines count as a code only when they lie this far beyond every other value.
FAR_BEYOND = 1.5
FEWEST_NINES = 2
# More categories than this are grouped: the most common stay.
MOST_CATEGORIES = 30
KEPT_CATEGORIES = 20
OTHER = "other"
# From here on a column alone tells the outcome suspiciously well.
LEAK = 0.97
_NEGATIVE_CODE = re.compile(r"-(?:[1-9]|7+|8+|9+)")
_NINES = re.compile(r"9{3,}")
_SCALES = (
    ("none", "very low", "low", "rather low", "medium", "moderate", "rather high", "high"),
    ("very low", "low", "medium", "high", "very high"),
    ("little", "moderate", "quite rich", "rich"),
    ("very poor", "poor", "fair", "average", "good", "very good", "excellent"),
    ("very bad", "bad", "fair", "average", "good", "very good", "excellent"),
    ("never", "rarely", "sometimes", "often", "always"),
    ("unskilled", "skilled", "highly skilled"),
    ("small", "medium", "large"),
    ("junior", "senior"),
    ("primary", "secondary", "tertiary"),
)
_RANGE = re.compile(
    r"(?P<below>under|below|up to|less than|<=?|≤)?\s*[$€£]?\s*(?P<first>\d[\d ,.]*(?:k\b)?)"
    r"\s*(?:(?:-|–|to|\.\.+|<=?|≤)\s*(?:[a-z]\s*)?(?:<=?|≤)?\s*[$€£]?\s*"
    r"(?P<last>\d[\d ,.]*(?:k\b)?))?"
    r"\s*(?P<above>\+|and more|or more|and over|or over)?\s*[a-z€$£%]*",
    re.IGNORECASE,
)
_ABOVE = re.compile(
    r"(?:over|above|more than|>=?|≥)\s*[$€£]?\s*(\d[\d ,.]*(?:k\b)?)\s*[a-z€$£%]*", re.I
)


def missing_numbers(values: npt.ArrayLike) -> tuple[float, ...]:
    """Numbers that are probably codes for "missing": −7/−8/−9 below, 999 beyond all others.

    Negative codes count when no other value is negative; nines when they occur more than once and
    far beyond the largest other value.
    """
    known = np.asarray(values, dtype=np.float64)
    known = known[np.isfinite(known)]
    found, counts = np.unique(known, return_counts=True)
    if found.size < 3:
        return ()
    codes: list[float] = []
    negative = found[found < 0.0]
    coded = [value for value in negative if _NEGATIVE_CODE.fullmatch(f"{value:g}")]
    rest_positive = found[found >= 0.0].size >= 2
    if negative.size and len(coded) == negative.size <= MOST_CODES and rest_positive:
        # A single −1 may be a number; two codes or a code that repeats may not.
        if negative.size > 1 or counts[found < 0.0].max() >= FEWEST_NINES:
            codes += coded
    largest, second = float(found[-1]), float(found[-2])
    nines = _NINES.fullmatch(f"{largest:.0f}") and largest.is_integer()
    if nines and counts[-1] >= FEWEST_NINES and largest > FAR_BEYOND * max(second, 1.0):
        codes.append(largest)
    return tuple(float(code) for code in codes)


def missing_words(texts: Sequence[str]) -> tuple[str, ...]:
    """The texts that stand for a missing number."""
    return tuple(text for text in texts if text.casefold() in MISSING_WORDS)


def spellings(texts: "pd.Series[Any]") -> dict[str, str]:
    """Other spelling → the most common one, for texts that differ in case, spaces or hyphens."""
    counts = {str(text): int(count) for text, count in texts.value_counts().items()}
    alike: dict[str, list[str]] = {}
    for text in counts:
        key = " ".join(re.split(r"[\s_\-]+", text.strip().casefold()))
        alike.setdefault(key, []).append(text)
    joined = {}
    for group in alike.values():
        best = max(group, key=lambda text: (counts[text], text))
        joined.update({text: best for text in group if text != best})
    return joined


def likely_order(categories: Sequence[str]) -> tuple[str, ...] | None:
    """The categories in order when they are a scale or ranges of numbers; None when not."""
    if len(categories) < 3:
        return None
    plain = {" ".join(re.split(r"[\s_\-]+", c.strip().casefold())): c for c in categories}
    if len(plain) < len(categories):
        return None
    for scale in _SCALES:
        if set(plain) <= set(scale):
            return tuple(plain[word] for word in scale if word in plain)
    keys = [_range_key(category) for category in categories]
    known = [key for key in keys if key is not None]
    if len(known) < len(categories) or len(set(known)) < len(known):
        return None
    order = sorted(range(len(categories)), key=lambda place: known[place])
    return tuple(categories[place] for place in order)


def kept_categories(texts: "pd.Series[Any]") -> tuple[str, ...] | None:
    """The most common categories when there are too many; None when all can stay."""
    counts = texts.value_counts()
    if len(counts) <= MOST_CATEGORIES:
        return None
    named = sorted(zip(-counts.to_numpy(), map(str, counts.index), strict=True))
    return tuple(name for _, name in named[:KEPT_CATEGORIES])


def leak_warnings(
    columns: Mapping[str, "pd.Series[Any]"], y: npt.NDArray[np.int64]
) -> tuple[str, ...]:
    """The columns that alone tell the outcome almost always, as warnings."""
    right = {name: told_apart(values, y) for name, values in columns.items()}
    return tuple(
        f"Column {name!r} alone tells the outcome right for {share * 100:.0f} of "
        "100 people (both outcomes counted equally). It is probably known only after the "
        "outcome; leave it out unless you know better."
        for name, share in right.items()
        if share >= LEAK
    )


def told_apart(values: "pd.Series[Any]", y: npt.NDArray[np.int64]) -> float:
    """How well a column alone tells the outcome: ½ + ½·TV of its values given each outcome.

    Both outcomes count equally, so ½ is no better than guessing and 1 is never wrong. Numbers are
    put into bins of at least 30 people, a number as common as that has a bin of its own, rare
    categories are put together, and missing is a value like others.
    """
    rows = len(values)
    bins = int(np.clip(rows // 30, 2, 20))
    if pd.api.types.is_numeric_dtype(values):
        codes = _binned(values, bins)
    else:
        counts = values.map(values.value_counts(dropna=True))
        rare = counts < max(5, rows // 200)
        codes = pd.factorize(values.mask(rare, OTHER))[0]
    codes = codes - codes.min()
    given = [_shares(codes[y == outcome], int(codes.max()) + 1) for outcome in (0, 1)]
    return 0.5 + 0.25 * float(np.abs(given[0] - given[1]).sum())


def _binned(values: "pd.Series[Any]", bins: int) -> npt.NDArray[np.int64]:
    counts = values.map(values.value_counts(dropna=True))
    common = (counts >= len(values) / bins) | values.isna()
    codes = pd.factorize(values.where(common))[0].astype(np.int64)
    rest = values[~common]
    if len(rest) >= 2 * bins:
        parts = pd.qcut(rest.rank(method="first"), bins, labels=False)
        codes[(~common).to_numpy()] = codes.max() + 1 + parts.to_numpy(np.int64)
    return codes


def _shares(codes: npt.NDArray[np.int64], size: int) -> Array:
    return np.bincount(codes, minlength=size) / max(len(codes), 1)


def _range_key(text: str) -> tuple[float, float] | None:
    """(from, to) of a range such as "< 100", "100 - 200", "10+ years"; None for other texts."""
    above = _ABOVE.fullmatch(text.strip())
    if above:
        return (_number(above.group(1)) + 0.5, np.inf)
    match = _RANGE.fullmatch(text.strip())
    if match is None:
        return None
    first = _number(match["first"])
    if match["below"] and not match["last"]:
        return (-np.inf, first)
    last = np.inf if match["above"] else first
    return (first, _number(match["last"]) if match["last"] else last)


def _number(text: str) -> float:
    digits = text.rstrip("kK")
    return float(re.sub(r"[ ,]", "", digits).strip(".") or 0) * (1.0 if digits == text else 1e3)
