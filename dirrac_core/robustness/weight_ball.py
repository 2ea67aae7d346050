"""The worst mixture weights within a φ-divergence radius of p̂ (Theorem on F).

They maximise pᵀf over p in the simplex with D_φ(p‖p̂) ≤ ε. The theorem's dual
    min over λ ≥ 0, η of   η + ελ + λ Σ p̂ φ*((f − η)/λ)
gives their form, p = p̂·(φ*)'((f − η)/λ); what remains is one unknown, found exactly or by one
bracketed root. Everything is computed from the gaps g = (max f − f)/(max f − min f) in [0, 1],
so the answer does not depend on the level or the scale of f.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq

from dirrac_core.arrays import Array, checked_number, frozen_array
from dirrac_core.errors import InvalidInput
from dirrac_core.robustness.divergences import Divergence, divergence_named

# Below the smallest gap by these factors, the mass outside the best components is lost in rounding.
KL_SMALLEST = 1e-3
HELLINGER_SMALLEST = 1e-20
# The Burg ball never lets a weight reach 0; this keeps every weight a normal double.
BURG_SMALLEST = 1e-300
# The bounds below hold exactly; this keeps them on the right side after rounding.
BRACKET_SLACK = 1.001


@dataclass(frozen=True)
class DualPoint:
    """Ratios t = p/p̂, λ and the argument (max f − η)/λ of φ* at the largest f; f scaled to gaps."""

    ratios: Array
    multiplier: float
    top: float


@dataclass(frozen=True, eq=False)
class WorstWeights:
    """The worst weights p*, their value p*ᵀf, and the dual's value at the recovered (λ, η).

    λ = 0 when the ball lets all mass move to the largest f (tied ones keep their proportions);
    λ = ∞ when ε = 0, where the dual is approached in the limit and never attained.
    """

    weights: Array
    value: float
    dual_value: float
    multiplier: float
    shift: float


def worst_weights(
    divergence: str, weights: npt.ArrayLike, f: npt.ArrayLike, radius: float
) -> WorstWeights:
    """The weights within D_φ ≤ `radius` of p̂ = `weights` that make pᵀf largest, and their dual."""
    phi = divergence_named(divergence)
    p_hat = frozen_array("weights", weights, (None,))
    if (p_hat <= 0).any() or abs(p_hat.sum() - 1.0) > 1e-8:
        message = f"The weights must be > 0 and sum to 1, got {p_hat}"
        raise InvalidInput(message)
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
        return WorstWeights(p_hat, largest, largest, 0.0, largest)
    if radius == 0.0:
        value = float(p_hat @ f)
        return WorstWeights(p_hat, value, value, np.inf, value)
    gaps = (largest - f) / spread
    best = gaps == 0.0
    mass = float(p_hat[best].sum())
    rest = float(p_hat[~best].sum())
    farthest = mass * float(divergence.phi(np.array(1.0 / mass))) + rest * divergence.at_zero
    if radius >= farthest:
        return WorstWeights(np.where(best, p_hat / mass, 0.0), largest, largest, 0.0, largest)
    point = _SOLVERS[divergence.name](p_hat, gaps, radius)
    moved = p_hat * point.ratios
    moved /= moved.sum()
    arguments = point.top - gaps / point.multiplier
    surplus = radius - point.top + float(p_hat @ divergence.conjugate(arguments))
    return WorstWeights(
        weights=moved,
        value=largest - spread * float(moved @ gaps),
        dual_value=largest + spread * point.multiplier * surplus,
        multiplier=spread * point.multiplier,
        shift=largest - spread * point.multiplier * point.top,
    )


def _root(distance: Callable[[float], float], low: float, high: float, radius: float) -> float:
    """The z in [low, high] where the decreasing `distance` equals `radius`.

    In the logarithms of both sides the function is nearly straight, so few steps are needed. If
    rounding puts an end of the bracket on the wrong side, that end is the answer.
    """

    def excess(log_z: float) -> float:
        return math.log(max(distance(math.exp(log_z)), 1e-300) / radius)

    a, b = math.log(low), math.log(high)
    if excess(a) <= 0:
        return low
    if excess(b) >= 0:
        return high
    return math.exp(brentq(excess, a, b, xtol=1e-13, rtol=1e-14))


# The distances below are written with plain floats: for a handful of components that is several
# times faster than arrays. Each form avoids the cancellation of Σ p̂ φ(p/p̂) near p = p̂.


def _kl(p_hat: Array, gaps: Array, radius: float) -> DualPoint:
    """p ∝ p̂·exp(−g/λ). Var ≤ ¼ on [0, 1] gives D ≤ 1/(8λ²), hence the upper end."""
    pairs = list(zip(p_hat.tolist(), gaps.tolist(), strict=True))

    def distance(scale: float) -> float:
        excess = tilted = 0.0
        for p, g in pairs:
            z = -g / scale
            excess += p * math.expm1(z)
            tilted += p * z * math.exp(z)
        return tilted / (1.0 + excess) - math.log1p(excess)

    high = BRACKET_SLACK / math.sqrt(8.0 * radius)
    low = min(KL_SMALLEST * _smallest_gap(gaps), 0.5 * high)
    scale = _root(distance, low, high, radius)
    z = gaps / -scale
    log_total = math.log1p(float(p_hat @ np.expm1(z)))
    return DualPoint(np.exp(z - log_total), scale, -log_total)


def _hellinger(p_hat: Array, gaps: Array, radius: float) -> DualPoint:
    """p = p̂λ²/(ν − f)² with ν − f = δ + g.

    With v = δ/(δ + g) and n = √E[v²]: √(p/p̂) = v/n and D = 2 − 2E[v]/n = 2Var(v)/(n(n + E[v])).
    v in [δ/(1 + δ), 1] gives D ≤ 1/(4δ²), hence the upper end. The moments are those of w = 1 − v,
    which keeps its digits when v is close to 1.
    """
    pairs = list(zip(p_hat.tolist(), gaps.tolist(), strict=True))

    def moments(delta: float) -> tuple[float, float]:
        shares = [(p, g / (delta + g)) for p, g in pairs]
        mean = sum(p * w for p, w in shares)
        variance = sum(p * (w - mean) ** 2 for p, w in shares)
        return mean, variance

    def distance(delta: float) -> float:
        mean, variance = moments(delta)
        root = math.hypot(1.0 - mean, math.sqrt(variance))
        return 2.0 * variance / (root * (root + 1.0 - mean))

    high = BRACKET_SLACK / (2.0 * math.sqrt(radius))
    low = min(HELLINGER_SMALLEST * _smallest_gap(gaps), 0.5 * high)
    delta = _root(distance, low, high, radius)
    mean, variance = moments(delta)
    root = math.hypot(1.0 - mean, math.sqrt(variance))
    top = (2.0 * mean - mean * mean - variance) / (1.0 + root)  # 1 − √E[v²] without cancellation
    return DualPoint((delta / (delta + gaps) / root) ** 2, delta / root, top)


def _burg(p_hat: Array, gaps: Array, radius: float) -> DualPoint:
    """p = p̂λ/(ν − f) with ν − f = δ + g. D = log E[v] − E[log v] ≤ 1/(8δ²) for v = δ/(δ + g)."""
    pairs = list(zip(p_hat.tolist(), gaps.tolist(), strict=True))

    def distance(delta: float) -> float:
        mean = logs = 0.0
        for p, g in pairs:
            mean += p * g / (delta + g)
            logs += p * math.log1p(g / delta)
        return math.log1p(-mean) + logs

    high = BRACKET_SLACK / math.sqrt(8.0 * radius)
    low = min(BURG_SMALLEST, 0.5 * high)
    delta = _root(distance, low, high, radius)
    share = float(p_hat @ (delta / (delta + gaps)))  # E[v]
    mean = float(p_hat @ (gaps / (delta + gaps)))  # 1 − E[v]
    return DualPoint(delta / (delta + gaps) / share, delta / share, mean)


def _smallest_gap(gaps: Array) -> float:
    return float(gaps[gaps > 0].min())


def _chi2(p_hat: Array, gaps: Array, radius: float) -> DualPoint:
    """t = (1 + (f − η)/(2λ))₊: on the set A of positive entries (the smallest gaps), with
    P = p̂(A) and V the variance of g on A, D = (1/P − 1) + PV/(4λ²); A shrinks until it fits.
    """
    order = np.argsort(gaps, kind="stable")
    p, g = p_hat[order], gaps[order]
    for size in range(p.size, 0, -1):
        inside, gap = p[:size], g[:size]
        mass = float(inside.sum())
        mean = float(inside @ gap) / mass
        spread = float(inside @ (gap - mean) ** 2)  # P·V
        slope = math.sqrt(max(radius - float(p[size:].sum()) / mass, 0.0) / spread)  # 1/(2λ)
        if 1.0 / mass + (mean - gap[-1]) * slope >= 0.0:
            break
    ratios = np.maximum(1.0 / mass + (mean - gaps) * slope, 0.0)
    top = 2.0 * (float(p[size:].sum()) / mass + mean * slope)
    return DualPoint(ratios, float(0.5 / slope), top)


def _total_variation(p_hat: Array, gaps: Array, radius: float) -> DualPoint:
    """Take ε of mass from the smallest f upwards and give it to the largest f."""
    order = np.argsort(-gaps, kind="stable")
    taken = np.empty_like(p_hat)
    before = np.cumsum(p_hat[order]) - p_hat[order]
    taken[order] = np.clip(radius - before, 0.0, p_hat[order])
    best = gaps == 0.0
    taken[best] = 0.0
    ratios = 1.0 - taken / p_hat
    ratios[best] += float(taken.sum()) / float(p_hat[best].sum())
    last_donor = float(gaps[taken > 0].min())
    return DualPoint(ratios, last_donor, 0.5)


_SOLVERS: Final[dict[str, Callable[[Array, Array, float], DualPoint]]] = {
    "kl": _kl,
    "chi2": _chi2,
    "hellinger": _hellinger,
    "total-variation": _total_variation,
    "burg": _burg,
}
