"""The recipes a given model may have been trained with: each kind with its likeliest ridge.

At the given coefficients the gradient of the loss tells how far one Newton step of a recipe would
move their scores; the ridge of each kind is the one under which that is least.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import expit

from dirrac_core.arrays import Array
from dirrac_core.data.dataset import Dataset
from dirrac_core.models.logistic import LogisticSettings

# log₁₀ of the ridges that are tried.
RIDGES = np.linspace(-4.0, 5.0, 28)


@dataclass(frozen=True, eq=False)
class Weighting:
    """How much the two outcomes count, and with it the loss at the given coefficients (κ·θ).

    `people` (n,) is how much each of them counts.
    """

    balanced: bool
    favourable: float
    people: Array
    gradient: Array
    hessian: Array


@dataclass(frozen=True)
class Guess:
    """A recipe before it is trained, and the gap that one Newton step leaves."""

    gap: float
    ridge: float
    units: str
    scales: tuple[float, ...]
    weighting: Weighting
    penalise_bias: bool

    @property
    def settings(self) -> LogisticSettings:
        """The same for a training."""
        return LogisticSettings(
            1.0 / self.ridge,
            self.penalise_bias,
            self.scales,
            self.weighting.favourable,
            self.weighting.balanced,
        )


def guesses(people: Array, y: Array, given: Array, spans: Array) -> Iterator[Guess]:
    """For each kind of recipe the ridge whose fit one Newton step puts closest to the given."""
    held = given[:-1] == 0.0
    moments = people.T @ people / len(people)
    free = np.append(~held, True)
    inside = np.ix_(free, free)
    kinds = product(
        (False, True), _weightings(people, y, given), list(_units(people[:, :-1], spans))
    )
    for penalise_bias, weighting, (units, scales) in kinds:
        parts = (
            weighting.gradient[free],
            weighting.hessian[inside],
            np.append(1.0 / scales**2, float(penalise_bias))[free],
            given[free],
            moments[inside],
        )
        gaps = _gap_after_step(RIDGES, *parts)
        gap, ridge = refined(partial(_gap_at, parts), RIDGES, gaps, 1e-5)
        kept = tuple(np.where(held, 0.0, scales).tolist())
        yield Guess(gap, 10.0**ridge, units, kept, weighting, penalise_bias)


def _gap_after_step(
    log_ridge: float | Array,
    gradient: Array,
    hessian: Array,
    pull: Array,
    given: Array,
    moments: Array,
) -> Array:
    """Root mean square of the change of scores by a Newton step from the given coefficients."""
    ridge = np.power(10.0, log_ridge)[..., None] * pull
    matrices = hessian + ridge[..., None] * np.eye(len(given))
    step = np.linalg.solve(matrices, (gradient + ridge * given)[..., None])[..., 0]
    changes: Array = np.sqrt(np.maximum(((step @ moments) * step).sum(axis=-1), 0.0))
    return changes


def _gap_at(parts: tuple[Array, ...], log_ridge: float) -> float:
    """The same at one ridge."""
    return float(_gap_after_step(log_ridge, *parts))


def refined(
    gap: Callable[[float], float], grid: Array, gaps: Array, within: float
) -> tuple[float, float]:
    """The smallest gap and its place: the best of the grid, or what lies between its neighbours."""
    place = int(np.argmin(gaps))
    near = grid[max(place - 1, 0)], grid[min(place + 1, len(grid) - 1)]
    finest = minimize_scalar(gap, bounds=near, method="bounded", options={"xatol": within})
    return min((float(finest.fun), float(finest.x)), (float(gaps[place]), float(grid[place])))


def _weightings(people: Array, y: Array, given: Array) -> Iterator[Weighting]:
    """Everybody counts alike; both outcomes do; or as the intercept tells.

    With a free intercept Σ w_i (p_i − y_i) = 0, which is one equation for the weight.
    """
    p = expit(people @ given)
    good = y == 1.0
    ratio = float(p[~good].sum() / max((1.0 - p[good]).sum(), 1e-12))
    for balanced, favourable in ((False, 1.0), (True, 1.0), (False, max(ratio, 1e-6))):
        weights = np.where(good, favourable, 1.0)
        if balanced:
            weights = np.where(good, 0.5 / y.mean(), 0.5 / (1.0 - y.mean()))
        gradient = (weights * (p - y)) @ people
        hessian = people.T @ ((weights * p * (1.0 - p))[:, None] * people)
        yield Weighting(balanced, favourable, weights, gradient, hessian)


def _units(X: Array, spans: Array) -> Iterator[tuple[str, Array]]:
    """By what a recipe may multiply the encoded columns before the ridge sees them."""
    numbers = ~np.isnan(spans)
    ones = np.ones(X.shape[1])
    spread, reach = X.std(axis=0), np.ptp(X, axis=0)
    standard = np.divide(1.0, spread, out=ones.copy(), where=spread > 0.0)
    whole = np.divide(1.0, reach, out=ones.copy(), where=reach > 0.0)
    yield "standardised numbers", np.where(numbers, standard, 1.0)
    yield "standardised columns", standard
    yield "numbers from 0 to 1", np.where(numbers, whole, 1.0)
    yield "the table's own units", np.where(numbers, spans, 1.0)
    yield "numbers over their usual range", ones


def spans_of(dataset: Dataset) -> Array:
    """What 1 is in the table's units for the column of each number; NaN for a category."""
    return np.array(
        [
            np.nan if feature.is_categorical else feature.span
            for feature in dataset.schema.features
            for _ in dataset.schema.columns_of(feature.name)
        ]
    )
