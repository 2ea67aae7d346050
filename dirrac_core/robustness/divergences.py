"""The φ-divergences between mixture weights: φ, its conjugate, the worst weights, cvxpy's words.

Each `worst` has the form p = p̂·(φ*)'((f − η)/λ) of the theorem's dual; what remains is one unknown,
found exactly or by one bracketed root. The distances are written with plain floats: for a handful
of components that is several times faster than arrays. Near p = p̂ each form avoids the
cancellation of Σ p̂ φ(p/p̂); where almost no mass is left at the start, because the largest f has a
tiny weight, the moments are sums of positive terms instead of differences from 1.
"""

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np
from scipy.special import kl_div, xlogy

from dirrac_core.arrays import Array, checked_choice
from dirrac_core.loading import convex_programs
from dirrac_core.robustness.divergence import Divergence, DualPoint, bracketed_root

# Below the smallest gap by these factors, the mass outside the best components is lost in rounding.
KL_SMALLEST = 1e-3
HELLINGER_SMALLEST = 1e-20
# The Burg ball never lets a weight reach 0; this keeps every weight a normal double.
BURG_SMALLEST = 1e-300
# The bounds below hold exactly; this keeps them on the right side after rounding.
BRACKET_SLACK = 1.001
# 1 − E is formed as a difference while E is at most this; beyond it too few digits would be left.
MOST_MOVED = 0.99


def divergence_named(name: str) -> Divergence:
    """The divergence with this name."""
    return DIVERGENCES[checked_choice("The divergence", name, DIVERGENCES)]


def _smallest_gap(gaps: Array) -> float:
    return float(gaps[gaps > 0].min())


def _below_one(s: Array, conjugate: Callable[[Array], Array]) -> Array:
    inside = np.less(s, 1.0)
    return np.where(inside, conjugate(np.where(inside, s, 0.0)), np.inf)


def _kl(t: Array) -> Array:
    """t·log t − t + 1."""
    value: Array = xlogy(t, t) - t + 1.0
    return value


def _kl_conjugate(s: Array) -> Array:
    """exp(s) − 1."""
    with np.errstate(over="ignore"):  # +∞ is the right answer there
        value: Array = np.expm1(s)
    return value


def _kl_worst(p_hat: Array, gaps: Array, radius: float) -> DualPoint:
    """p ∝ p̂·exp(−g/λ). Var ≤ ¼ on [0, 1] gives D ≤ 1/(8λ²), hence the upper end."""
    pairs = list(zip(p_hat.tolist(), gaps.tolist(), strict=True))

    def distance(scale: float) -> float:
        excess = tilted = 0.0
        for p, g in pairs:
            z = -g / scale
            excess += p * math.expm1(z)
            tilted += p * z * math.exp(z)
        if excess >= -MOST_MOVED:
            return tilted / (1.0 + excess) - math.log1p(excess)
        total: float = sum(p * math.exp(-g / scale) for p, g in pairs)
        return tilted / total - math.log(total)

    high = BRACKET_SLACK / math.sqrt(8.0 * radius)
    low = min(KL_SMALLEST * _smallest_gap(gaps), 0.5 * high)
    scale = bracketed_root(distance, low, high, radius)
    z = gaps / -scale
    excess = float(p_hat @ np.expm1(z))
    kept = excess >= -MOST_MOVED
    log_total = math.log1p(excess) if kept else math.log(float(p_hat @ np.exp(z)))
    return DualPoint(np.exp(z - log_total), scale)


def _kl_stated(p: Any, nominal: Array) -> Any:
    cp = convex_programs()
    return cp.sum(cp.kl_div(p, nominal))


def _chi2(t: Array) -> Array:
    """(t − 1)²."""
    return (t - 1.0) ** 2


def _chi2_conjugate(s: Array) -> Array:
    """s + s²/4, flat at −1 below s = −2 where t = 0 is best."""
    u = np.maximum(s, -2.0)
    return u + u * u / 4.0


def _chi2_worst(p_hat: Array, gaps: Array, radius: float) -> DualPoint:
    """t = (1 + (f − η)/(2λ))₊: on the set A of positive entries (the smallest gaps), with
    P = p̂(A) and V the variance of g on A, D = (1/P − 1) + PV/(4λ²); A shrinks until it fits.

    Gaps are taken from that of the heaviest component, whose own is then 0: the mean keeps its
    digits when all the rest of A is tiny.
    """
    order = np.argsort(gaps, kind="stable")
    p, g = p_hat[order], gaps[order]
    for size in range(p.size, int(np.count_nonzero(gaps == 0.0)), -1):
        inside = p[:size]
        heaviest = g[inside.argmax()]
        gap = g[:size] - heaviest
        mass, rest = float(inside.sum()), float(p[size:].sum())
        mean = float(inside @ gap) / mass
        spread = float(inside @ (gap - mean) ** 2)  # P·V
        slope = math.sqrt(max(radius - rest / mass, 1e-300) / spread)  # 1/(2λ)
        if 1.0 / mass + (mean - float(gap[-1])) * slope >= 0.0:
            break
    ratios = np.maximum(1.0 / mass + (mean - (gaps - heaviest)) * slope, 0.0)
    return DualPoint(ratios, 0.5 / slope)


def _chi2_stated(p: Any, nominal: Array) -> Any:
    cp = convex_programs()
    return cp.sum_squares(cp.multiply(nominal**-0.5, p - nominal))


def _hellinger(t: Array) -> Array:
    """(√t − 1)²."""
    value: Array = (np.sqrt(t) - 1.0) ** 2
    return value


def _hellinger_conjugate(s: Array) -> Array:
    """s/(1 − s) for s < 1."""
    return _below_one(s, lambda u: u / (1.0 - u))


def _hellinger_worst(p_hat: Array, gaps: Array, radius: float) -> DualPoint:
    """p = p̂λ²/(ν − f)² with ν − f = δ + g.

    With v = δ/(δ + g) and n = √E[v²]: √(p/p̂) = v/n and D = 2 − 2E[v]/n = 2Var(v)/(n(n + E[v])).
    v in [δ/(1 + δ), 1] gives D ≤ 1/(4δ²), hence the upper end. The moments are those of w = 1 − v,
    which keeps its digits when v is close to 1.
    """
    pairs = list(zip(p_hat.tolist(), gaps.tolist(), strict=True))

    def moments(delta: float) -> tuple[float, float, float]:
        """E[v], Var(v) and n."""
        shares = [(p, g / (delta + g)) for p, g in pairs]
        moved = sum(p * w for p, w in shares)
        if moved <= MOST_MOVED:
            mean = 1.0 - moved
            variance = sum(p * (w - moved) ** 2 for p, w in shares)
        else:
            shares = [(p, delta / (delta + g)) for p, g in pairs]
            mean = sum(p * v for p, v in shares)
            variance = sum(p * (v - mean) ** 2 for p, v in shares)
        return mean, variance, math.hypot(mean, math.sqrt(variance))

    def distance(delta: float) -> float:
        mean, variance, root = moments(delta)
        return 2.0 * variance / (root * (root + mean))

    high = BRACKET_SLACK / (2.0 * math.sqrt(radius))
    # All mass is with the best components once δ² is far below their weight.
    smallest = min(HELLINGER_SMALLEST, 1e-10 * math.sqrt(float(p_hat.min())))
    low = min(smallest * _smallest_gap(gaps), 0.5 * high)
    delta = bracketed_root(distance, low, high, radius)
    root = moments(delta)[2]
    return DualPoint((delta / (delta + gaps) / root) ** 2, delta / root)


def _hellinger_stated(p: Any, nominal: Array) -> Any:
    cp = convex_programs()
    return 2 - 2 * cp.sum(cp.multiply(np.sqrt(nominal), cp.sqrt(p)))


def _total_variation(t: Array) -> Array:
    """½|t − 1|."""
    return 0.5 * np.abs(t - 1.0)


def _total_variation_conjugate(s: Array) -> Array:
    """max(s, −½) for s ≤ ½."""
    return np.where(s <= 0.5, np.maximum(s, -0.5), np.inf)


def _total_variation_worst(p_hat: Array, gaps: Array, radius: float) -> DualPoint:
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
    return DualPoint(ratios, last_donor)


def _total_variation_stated(p: Any, nominal: Array) -> Any:
    cp = convex_programs()
    return cp.norm1(p - nominal) / 2


def _burg(t: Array) -> Array:
    """−log t + t − 1."""
    return np.asarray(kl_div(1.0, t), dtype=np.float64)


def _burg_conjugate(s: Array) -> Array:
    """−log(1 − s) for s < 1."""
    return _below_one(s, lambda u: -np.log1p(-u))


def _burg_worst(p_hat: Array, gaps: Array, radius: float) -> DualPoint:
    """p = p̂λ/(ν − f) with ν − f = δ + g. D = log E[v] − E[log v] ≤ 1/(8δ²) for v = δ/(δ + g)."""
    pairs = list(zip(p_hat.tolist(), gaps.tolist(), strict=True))

    def distance(delta: float) -> float:
        moved = logs = 0.0
        for p, g in pairs:
            moved += p * g / (delta + g)
            logs += p * math.log1p(g / delta)
        if moved <= MOST_MOVED:
            return math.log1p(-moved) + logs
        return math.log(sum(p * (delta / (delta + g)) for p, g in pairs)) + logs

    high = BRACKET_SLACK / math.sqrt(8.0 * radius)
    low = min(BURG_SMALLEST, 0.5 * high)
    delta = bracketed_root(distance, low, high, radius)
    share = float(p_hat @ (delta / (delta + gaps)))  # E[v]
    return DualPoint(delta / (delta + gaps) / share, delta / share)


def _burg_stated(p: Any, nominal: Array) -> Any:
    cp = convex_programs()
    return -cp.sum(cp.multiply(nominal, cp.log(p) - np.log(nominal)))


DIVERGENCES: Final[dict[str, Divergence]] = {
    divergence.name: divergence
    for divergence in (
        Divergence(
            name="kl",
            label="Kullback–Leibler",
            phi=_kl,
            conjugate=_kl_conjugate,
            at_zero=1.0,
            domain_limit=np.inf,
            worst=_kl_worst,
            stated=_kl_stated,
        ),
        Divergence(
            name="chi2",
            label="χ²",
            phi=_chi2,
            conjugate=_chi2_conjugate,
            at_zero=1.0,
            domain_limit=np.inf,
            worst=_chi2_worst,
            stated=_chi2_stated,
        ),
        Divergence(
            name="hellinger",
            label="Hellinger",
            phi=_hellinger,
            conjugate=_hellinger_conjugate,
            at_zero=1.0,
            domain_limit=1.0,
            worst=_hellinger_worst,
            stated=_hellinger_stated,
        ),
        Divergence(
            name="total-variation",
            label="total variation",
            phi=_total_variation,
            conjugate=_total_variation_conjugate,
            at_zero=0.5,
            domain_limit=0.5,
            worst=_total_variation_worst,
            stated=_total_variation_stated,
        ),
        Divergence(
            name="burg",
            label="Burg",
            phi=_burg,
            conjugate=_burg_conjugate,
            at_zero=np.inf,
            domain_limit=1.0,
            worst=_burg_worst,
            stated=_burg_stated,
        ),
    )
}
