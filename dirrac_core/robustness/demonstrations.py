"""The formulas made visible at one point: who attains a bound, and the dual as a curve."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize_scalar

from dirrac_core.arrays import Array, checked_number, frozen_array
from dirrac_core.errors import InvalidInput
from dirrac_core.models.mixture import checked_weights
from dirrac_core.robustness.divergences import divergence_named
from dirrac_core.robustness.weight_ball import worst_weights

# The curve runs from this share of its minimiser to the inverse of it.
CURVE_SHARE = 0.15
CURVE_POINTS = 61


@dataclass(frozen=True)
class TwoPointLaw:
    """A distribution of scores on two points: `declined` at 0 and the rest at `accepted_at`."""

    declined: float
    accepted_at: float


def two_point_law(m: float, s: float) -> TwoPointLaw:
    """The distribution with mean m and deviation s that declines as often as any can.

    It puts 1/(1 + a²) at 0 and the rest at m + s²/m, where a = m/s: the case of equality in
    Cantelli's inequality, so the worst case 1/(1 + a²) of Proposition "Worst-case probability"
    is attained. A score of exactly 0 counts as declined here, the limit of scores just below it.
    """
    mean = checked_number("m", m, low=0.0)
    deviation = checked_number("s", s, low=0.0)
    if mean == 0.0 or deviation == 0.0:
        raise InvalidInput(f"m and s must be > 0, got {mean:g} and {deviation:g}")
    return TwoPointLaw(deviation**2 / (mean**2 + deviation**2), mean + deviation**2 / mean)


@dataclass(frozen=True, eq=False)
class DualCurve:
    """The dual of the weight ball as a function of λ, and the weights it meets from below.

    `values` (n,) at `multipliers` (n,) never fall below `primal`, and touch it at `best`.
    """

    multipliers: Array
    values: Array
    best: float
    primal: float
    weights: Array


def dual_curve(
    divergence: str, weights: npt.ArrayLike, f: npt.ArrayLike, radius: float
) -> DualCurve | None:
    """The dual of the Theorem on F along λ, its inner minimum over η taken numerically.

    For each λ it is min over η of η + ελ + λ Σ p̂ φ*((f − η)/λ). None where there is nothing to
    draw: equal f, ε = 0, or a ball so large that all weight moves to the largest f.
    """
    phi = divergence_named(divergence)
    p_hat = checked_weights(weights, None)
    values = frozen_array("f", f, p_hat.shape)
    found = worst_weights(divergence, p_hat, values, radius)
    if not 0.0 < found.multiplier < np.inf:
        return None
    low, high, spread = float(values.min()), float(values.max()), float(np.ptp(values))

    def inner(multiplier: float) -> float:
        def at(eta: float) -> float:
            return float(eta + multiplier * (p_hat @ phi.conjugate((values - eta) / multiplier)))

        # φ* is finite below its limit alone, which bounds η from below.
        least = high - multiplier * phi.domain_limit if np.isfinite(phi.domain_limit) else -np.inf
        start = max(low - 2.0 * spread - 2.0 * multiplier, least)
        bounds = (start, high + spread + multiplier)
        return float(
            minimize_scalar(at, bounds=bounds, method="bounded", options={"xatol": 1e-12}).fun
        )

    multipliers = found.multiplier * np.geomspace(CURVE_SHARE, 1.0 / CURVE_SHARE, CURVE_POINTS)
    curve = np.array([radius * each + inner(each) for each in multipliers])
    return DualCurve(multipliers, curve, found.multiplier, found.value, found.weights)
