"""The bins of a number as scorecards write them: “< 12”, “12 to 24”, “[12, 24)”, “36+”, “3”."""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from dirrac_core.arrays import Array
from dirrac_core.errors import InvalidInput

_NUMBER = r"[-+]?\d+(?:\.\d+)?"
_BELOW = re.compile(rf"(?:(<=|≤|<)|(?:below|under|less than))\s*({_NUMBER})")
_ABOVE = re.compile(rf"(?:(>=|≥|>)|(?:over|above|more than))\s*({_NUMBER})")
_FROM = re.compile(rf"({_NUMBER})\s*(?:\+|and (?:more|over|above)|or more)")
_BETWEEN = re.compile(rf"([\[(]?)\s*({_NUMBER})\s*(?:to|–|-|\.\.|,|;)\s*({_NUMBER})\s*([\])]?)")


@dataclass(frozen=True)
class Bin:
    """A range of a number as the card writes it; each end belongs to it or not."""

    text: str
    low: float
    high: float
    has_low: bool
    has_high: bool

    def holds(self, values: npt.ArrayLike) -> npt.NDArray[np.bool_]:
        """Which values lie in the bin."""
        numbers: Array = np.asarray(values, dtype=np.float64)
        above = numbers >= self.low if self.has_low else numbers > self.low
        below = numbers <= self.high if self.has_high else numbers < self.high
        inside: npt.NDArray[np.bool_] = above & below
        return inside


def read_bins(column: str, texts: Iterable[str]) -> tuple[Bin, ...]:
    """The bins of a number in their order; they may touch but not overlap."""
    bins = []
    for text in texts:
        found = _read_bin(text)
        if found is None:
            raise InvalidInput(
                f"A bin of {column!r} must be a range such as “< 12”, “12 to 24” or “>= 24”, a "
                f"number, or “missing”, got {text!r}"
            )
        bins.append(found)
    bins.sort(key=lambda each: (each.low, each.high))
    starts = {each.low for each in bins}
    # "12 to 24" leaves 24 to a bin that starts there, and keeps it otherwise.
    closed = [
        each
        if each.text[-1] in "])"
        else replace(each, has_high=each.high not in starts)
        if _BETWEEN.fullmatch(each.text.lower())
        else each
        for each in bins
    ]
    for one, other in zip(closed, closed[1:], strict=False):
        if one.high > other.low or (one.high == other.low and one.has_high and other.has_low):
            raise InvalidInput(
                f"The bins of {column!r} must not overlap, got {one.text!r} and {other.text!r}"
            )
    return tuple(closed)


def is_range(text: str) -> bool:
    """Whether the text is a bin of a number."""
    return _read_bin(text) is not None


def _read_bin(text: str) -> Bin | None:
    lower = text.lower()
    if found := _BELOW.fullmatch(lower):
        return Bin(text, -math.inf, float(found[2]), False, found[1] in ("<=", "≤"))
    if found := _ABOVE.fullmatch(lower):
        return Bin(text, float(found[2]), math.inf, found[1] in (">=", "≥"), False)
    if found := _FROM.fullmatch(lower):
        return Bin(text, float(found[1]), math.inf, True, False)
    if re.fullmatch(_NUMBER, lower):
        return Bin(text, float(lower), float(lower), True, True)
    if found := _BETWEEN.fullmatch(lower):
        low, high = float(found[2]), float(found[3])
        if low <= high:
            return Bin(text, low, high, found[1] != "(", found[4] == "]")
    return None


def in_bins(values: "pd.Series[float]", bins: tuple[Bin, ...], column: str) -> "pd.Series[str]":
    """The bin each value lies in, as the card writes it."""
    numbers = np.asarray(values, dtype=np.float64)
    names = np.full(numbers.size, "", dtype=object)
    for each in bins:
        names[each.holds(numbers)] = each.text
    outside = names == ""
    if outside.any():
        raise InvalidInput(
            f"Every value of {column!r} must lie in a bin, got {numbers[outside][0]:g}, "
            f"which lies in none of {', '.join(each.text for each in bins)}"
        )
    return pd.Series(names, index=values.index)
