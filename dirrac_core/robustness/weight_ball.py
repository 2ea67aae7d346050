"""The worst mixture weights within a φ-divergence radius of p̂ (Theorem on F).

They maximise pᵀf over p in the simplex with D_φ(p‖p̂) ≤ ε. The theorem's dual
    min over λ ≥ 0, η of   η + ελ + λ Σ p̂ φ*((f − η)/λ)
gives their form, which each divergence solves for itself. Everything is computed from the gaps
g = (max f − f)/(max f − min f) in [0, 1], so the answer does not depend on the level or the scale
of f.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array, checked_number, frozen_array
from dirrac_core.models.mixture import checked_weights
from dirrac_core.robustness.divergence import Divergence
from dirrac_core.robustness.divergences import divergence_named


@dataclass(frozen=True, eq=False)
class WorstWeights:
    """The worst weights p*, their value p*ᵀf, and the dual's λ.

    λ = 0 when the ball lets all mass move to the largest f (tied ones keep their proportions);
    λ = ∞ when ε = 0, where the dual is approached in the limit and never attained.
    """

    weights: Array
    value: float
    multiplier: float


def worst_weights(
    divergence: str, weights: npt.ArrayLike, f: npt.ArrayLike, radius: float
) -> WorstWeights:
    """The weights within D_φ ≤ `radius` of p̂ = `weights` that make pᵀf largest, and λ."""
    phi = divergence_named(divergence)
    p_hat = checked_weights(weights, None)
    values = frozen_array("f", f, p_hat.shape)
    return solve_worst_weights(phi, p_hat, values, checked_number("radius", radius, low=0.0))


def solve_worst_weights(
    divergence: Divergence, weights: Array, f: Array, radius: float
) -> WorstWeights:
    """`worst_weights` without the checks (hot path)."""
    p_hat = weights / weights.sum()
    largest = float(f.max())
    spread = largest - float(f.min())
    if spread == 0.0:
        return WorstWeights(p_hat, largest, 0.0)
    if radius == 0.0:
        return WorstWeights(p_hat, float(p_hat @ f), np.inf)
    gaps = (largest - f) / spread
    best = gaps == 0.0
    mass = float(p_hat[best].sum())
    rest = float(p_hat[~best].sum())
    farthest = mass * float(divergence.phi(np.array(1.0 / mass))) + rest * divergence.at_zero
    if radius >= farthest:
        return WorstWeights(np.where(best, p_hat / mass, 0.0), largest, 0.0)
    point = divergence.worst(p_hat, gaps, radius)
    moved = p_hat * point.ratios
    moved /= moved.sum()
    return WorstWeights(
        weights=moved,
        value=largest - spread * float(moved @ gaps),
        multiplier=spread * point.multiplier,
    )
