"""The interval of every share and every mean."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from scipy import stats

from dirrac_core.arrays import frozen_array
from dirrac_core.errors import InvalidInput

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Interval:
    """An estimate from n observations, its confidence interval, and their standard deviation."""

    value: float
    low: float
    high: float
    n: int
    spread: float


NOTHING = Interval(np.nan, np.nan, np.nan, 0, np.nan)


def share_interval(outcomes: npt.NDArray[np.bool_]) -> Interval:
    """The share of True among n outcomes, with the Wilson score interval."""
    decisions = np.asarray(outcomes, dtype=bool).ravel()
    if not decisions.size:
        return NOTHING
    share = float(decisions.mean())
    test = stats.binomtest(int(decisions.sum()), decisions.size)
    ends = test.proportion_ci(CONFIDENCE, method="wilson")
    return Interval(share, float(ends.low), float(ends.high), decisions.size, decisions.std())


@lru_cache
def share_of(count: int, n: int) -> Interval:
    """The `share_interval` of `count` among n, which many plans have in common."""
    return share_interval(np.arange(n) < count)


def exact_interval(count: int, n: int, confidence: float = CONFIDENCE) -> Interval:
    """The share of `count` among n, with the Clopper–Pearson interval.

    Its ends are the shares p with P(Bin(n, p) ≥ count) = P(Bin(n, p) ≤ count) = (1 − confidence)/2.
    """
    if not n:
        return NOTHING
    _check(confidence)
    ends = stats.binomtest(count, n).proportion_ci(confidence, method="exact")
    share = count / n
    spread = float(np.sqrt(share * (1.0 - share)))
    return Interval(share, float(ends.low), float(ends.high), n, spread)


def more_often_than(count: int, n: int, tolerated: float) -> float:
    """The exact p-value of "it happens more often than `tolerated`" after `count` times in n.

    P(Bin(n, tolerated) ≤ count); 1 when nothing was tried. It holds for independent trials, and
    also when their probabilities differ and `tolerated` is meant as their mean, as long as
    count ≤ n·tolerated − 1 (Hoeffding 1956, Theorem 4).
    """
    if not 0.0 < tolerated < 1.0:
        message = f"The tolerated share must lie between 0 and 1, got {tolerated:g}"
        raise InvalidInput(message)
    return float(stats.binom.cdf(count, n, tolerated)) if n else 1.0


def mean_interval(values: npt.ArrayLike, shares: bool = False) -> Interval:
    """The mean of n numbers, with Student's t interval; no interval from a single number.

    The interval of a mean of `shares` is cut to [0, 1].
    """
    if not np.size(values):
        return NOTHING
    numbers = frozen_array("values", values, (None,))
    mean, spread = float(numbers.mean()), float(numbers.std())
    if numbers.size < 2:
        return Interval(mean, np.nan, np.nan, 1, spread)
    half = float(stats.sem(numbers) * stats.t.ppf(0.5 + CONFIDENCE / 2, numbers.size - 1))
    low, high = mean - half, mean + half
    if shares:
        low, high = max(low, 0.0), min(high, 1.0)
    return Interval(mean, low, high, numbers.size, spread)


def _check(confidence: float) -> None:
    if not 0.0 < confidence < 1.0:
        raise InvalidInput(f"The confidence must lie between 0 and 1, got {confidence:g}")
