"""Words in figures: probabilities as people count ("12 in 100"), and texts shown as they are."""

import html
import math

import numpy as np


def out_of(probability: float, at_most: bool = False) -> str:
    """A share as text: "12 in 100", "3 in 1,000", "fewer than 1 in 10,000".

    `at_most` rounds up, for a bound that must not be understated.
    """
    if probability <= 0.0:
        return "0 in 100"
    if probability < 1e-4:
        return "fewer than 1 in 10,000"
    # Two digits are enough: whole hundredths, and finer units for what would read as 0 or 1.
    base = 100 if probability >= 0.0195 else 1_000 if probability >= 0.00195 else 10_000
    scaled = probability * base
    count = int(np.ceil(scaled - 1e-9)) if at_most else round(scaled)
    return f"{count} in {base:,}"


def at_most(probability: float) -> str:
    """A bound: "at most 12 in 100", rounded up so that it stays true."""
    words = out_of(probability, at_most=True)
    return words if words.startswith("fewer") else f"at most {words}"


def no_fewer(probability: float) -> str:
    """A lower bound, rounded down so that it stays true: "17.1 in 100"."""
    return f"{math.floor(1000 * probability + 1e-9) / 10:g} in 100"


def in_100(probability: float) -> int:
    """A bound as a count of 100, rounded up so that it stays true: 0 only where nothing is left."""
    return max(math.ceil(100.0 * probability - 1e-9), 1 if probability > 0.0 else 0)


def per_hundred(probability: float) -> str:
    """The count in 100, rounded up to two digits: "18", "2.1", "< 0.01"; for axes in that unit."""
    count = 100.0 * probability
    if count <= 0.0:
        return "0"
    if count < 0.01:
        return "< 0.01"
    digits = 0 if count >= 10 else 1 if count >= 1 else 2
    return f"{np.ceil(count * 10**digits - 1e-9) / 10**digits:.{digits}f}"


def bound_in_100(probability: float, up: bool) -> str:
    """A bound on the count in 100 with three digits, rounded so that it stays true: "28.7"."""
    count = 100.0 * probability
    if count <= 0.0:
        return "0"
    unit = 10.0 ** (math.floor(math.log10(count)) - 2)
    whole = math.ceil(count / unit - 1e-6) if up else math.floor(count / unit + 1e-6)
    return f"{whole * unit:.3g}"


def joined(parts: list[str]) -> str:
    """ "a", "a and b", "a, b and c"."""
    *first, last = parts
    return f"{', '.join(first)} and {last}" if first else last


def as_it_is(text: str) -> str:
    """A name or value from a table for a text of plotly, which would read it as markup."""
    return html.escape(" ".join(text.split()), quote=False)
