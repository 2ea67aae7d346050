"""The shift stories: each one turns the present training data into a possible future one.

A `Pool` is weighted training data. A story maps the present pool to the future pool; re-trained
models are then drawn from that pool exactly as they are from the present data. At strength 0
every story leaves the pool as it is: only sampling noise is left.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.optimize import brentq

from dirrac_core.arrays import Array
from dirrac_core.data.dataset import Sample
from dirrac_core.data.schema.feature import Feature, Value
from dirrac_core.errors import InvalidInput

Rows = npt.NDArray[np.bool_]
# At strength 1 the odds of the unfavourable outcome are multiplied by this.
ODDS_AT_FULL_STRENGTH = 10.0


@dataclass(frozen=True, eq=False)
class Pool:
    """Training data: people X (n, D − 1), outcomes y (n,), and how often each one counts."""

    X: Array
    y: Array
    weights: Array


def present_pool(present: Sample, rows: Rows) -> Pool:
    """Some or all (`rows`) of the present people, each counted once."""
    return Pool(present.X[rows], present.y[rows].astype(np.float64), np.ones(int(rows.sum())))


def population_drift(
    pool: Pool, people: pd.DataFrame, feature: Feature, value: Value, strength: float
) -> tuple[Pool, str]:
    """Re-weight towards a category, or until a number's mean has moved towards `value`.

    The category's share grows by `strength` of what it lacks to 1. A number's mean moves by
    `strength` of its way to `value`, by the exponential tilt exp(t·x): of all re-weightings with
    that mean, the one closest to the present data (smallest Kullback–Leibler divergence).
    """
    if feature.is_categorical:
        _, weights, share, goal = _towards(people, feature, value, strength)
        story = f"people with {feature.name} “{value}” grow from {share:.0%} to {goal:.0%}"
    else:
        numbers = people[feature.name].to_numpy(dtype=np.float64)
        if isinstance(value, str) or not numbers.min() < value < numbers.max():
            low, high = feature.format_value(feature.low), feature.format_value(feature.high)
            message = f"{feature.name!r} must drift to a number inside {low} – {high}, got {value}"
            raise InvalidInput(message)
        mean = float(numbers.mean())
        goal = mean + strength * (value - mean)
        weights = _tilt(numbers, goal)
        # Two averages may differ by less than people do.
        digits = feature.decimals
        digits += round(mean, digits) == round(goal, digits)
        before, after = (f"{v:,.{digits}f} {feature.unit}".strip() for v in (mean, goal))
        story = f"the average {feature.name} moves from {before} to {after}"
    return Pool(pool.X, pool.y, pool.weights * weights), story


def site(
    pool: Pool, people: pd.DataFrame, feature: Feature, value: Value, strength: float
) -> tuple[Pool, str]:
    """Let the people of one category take over: at strength 1 nobody else is left.

    The re-weighting is that of a drift; what is wanted is the model of a place where the
    group's way of succeeding is the rule, so the group must have both outcomes.
    """
    if not feature.is_categorical:
        message = f"A group that takes over must be a category, got the number {feature.name!r}"
        raise InvalidInput(message)
    inside, weights, share, goal = _towards(people, feature, value, strength)
    favourable = int(pool.y[inside].sum())
    if favourable in (0, int(inside.sum())):
        message = (
            f"A group that takes over must have both outcomes, got {favourable} favourable of "
            f"{int(inside.sum())} people with {feature.name} {value!r}"
        )
        raise InvalidInput(message)
    words = f"all are people with {feature.name} “{value}”, as {share:.0%} are today"
    if strength < 1.0:
        words = f"people with {feature.name} “{value}” are {goal:.0%} instead of {share:.0%}"
    kept = weights > 0.0
    weighed = pool.weights[kept] * weights[kept]
    return Pool(pool.X[kept], pool.y[kept], weighed), words


def _towards(
    people: pd.DataFrame, feature: Feature, value: Value, strength: float
) -> tuple[Rows, Array, float, float]:
    """Who is in the category, everybody's weight, and the category's share before and after."""
    if value not in feature.categories:
        allowed = ", ".join(feature.categories)
        message = f"{feature.name!r} must drift to one of {allowed}, got {value!r}"
        raise InvalidInput(message)
    inside: Rows = people[feature.name].astype(str).to_numpy() == value
    share = float(inside.mean())
    if share == 0.0:
        message = f"Nobody has {feature.name} {value!r}, so the people cannot drift there"
        raise InvalidInput(message)
    goal = share + strength * (1.0 - share)
    outside = (1.0 - goal) / (1.0 - share) if share < 1.0 else 1.0
    return inside, np.where(inside, goal / share, outside), share, goal


def prior_shift(pool: Pool, unfavourable: str, strength: float) -> tuple[Pool, str]:
    """Multiply the odds of the unfavourable outcome by 10^strength, by re-weighting outcomes."""
    share = float(1.0 - pool.y.mean())
    odds = share / (1.0 - share) * ODDS_AT_FULL_STRENGTH**strength
    goal = odds / (1.0 + odds)
    weights = np.where(pool.y == 1.0, (1.0 - goal) / (1.0 - share), goal / share)
    story = f"the outcome “{unfavourable}” goes from {share:.0%} to {goal:.0%} of people"
    return Pool(pool.X, pool.y, pool.weights * weights), story


def covariance_growth(
    pool: Pool, numeric: Sequence[int], rng: np.random.Generator, strength: float
) -> tuple[Pool, str]:
    """Add noise to the numbers: the variance of each grows by the factor 1 + strength."""
    if not numeric:
        message = "Growing noise needs at least one feature that is a number, got categories only"
        raise InvalidInput(message)
    X = pool.X.copy()
    columns = list(numeric)
    noise = rng.standard_normal((len(X), len(columns)))
    X[:, columns] += np.sqrt(strength) * X[:, columns].std(axis=0) * noise
    story = f"the numbers get noisier: the variance of each grows by {strength:.0%}"
    return Pool(X, pool.y, pool.weights), story


def coding_correction(
    pool: Pool,
    feature: Feature,
    columns: tuple[int, ...],
    correction: Mapping[str, str],
    rng: np.random.Generator,
    strength: float,
) -> tuple[Pool, str]:
    """Re-read a category's codes for a random `strength` of the people.

    `correction` maps what was read to what it really was, and must permute the categories.
    """
    names = feature.categories
    if sorted(correction) != sorted(names) or sorted(correction.values()) != sorted(names):
        message = (
            f"A correction of {feature.name!r} must permute its categories {', '.join(names)}, "
            f"got {dict(correction)}"
        )
        raise InvalidInput(message)
    read = np.array(columns)
    really = read[[names.index(correction[name]) for name in names]]
    corrected = np.flatnonzero(rng.random(len(pool.X)) < strength)[:, None]
    X = pool.X.copy()
    X[corrected, really] = pool.X[corrected, read]
    moved = "; ".join(f"“{old}” was “{new}”" for old, new in correction.items() if old != new)
    story = f"the codes of {feature.name} are corrected for {strength:.0%} of people: {moved}"
    return Pool(X, pool.y, pool.weights), story


def blend(pool: Pool, later: Sample, source: str, strength: float) -> tuple[Pool, str]:
    """Mix in other people so that they carry `strength` of the weight of the training data."""
    n = len(pool.X)
    counts = np.concatenate(
        [pool.weights * (1.0 - strength), np.full(len(later), strength * n / len(later))]
    )
    kept = counts > 0.0
    X = np.concatenate([pool.X, later.X])[kept]
    y = np.concatenate([pool.y, later.y])[kept]
    return Pool(X, y, counts[kept]), f"{strength:.0%} of the training data comes from {source}"


def _tilt(numbers: Array, goal: float) -> Array:
    """Weights ∝ exp(t·x) with average 1, t such that the weighted mean of x is `goal`."""
    spread = float(numbers.std())
    z = (numbers - numbers.mean()) / spread
    wanted = (goal - float(numbers.mean())) / spread

    def tilted(t: float) -> Array:
        weights = np.exp(t * z - (t * z).max())
        scaled: Array = weights / weights.mean()
        return scaled

    def miss(t: float) -> float:
        return float((tilted(t) * z).mean()) - wanted

    reach = 1.0
    while miss(-reach) > 0.0 or miss(reach) < 0.0:
        reach *= 2.0
    return tilted(float(brentq(miss, -reach, reach)))
