"""What a φ-divergence between mixture weights consists of (Section on weights)."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq

from dirrac_core.arrays import Array


@dataclass(frozen=True)
class DualPoint:
    """The ratios t = p/p̂ and λ, with f scaled to gaps."""

    ratios: Array
    multiplier: float


@dataclass(frozen=True)
class Divergence:
    """D_φ(p‖p̂) = Σ p̂ φ(p/p̂), with the conjugate φ*(s) = sup over t ≥ 0 of ts − φ(t).

    `at_zero` is φ(0). φ* is finite below `domain_limit` and +∞ above it. `worst`(p̂, gaps, ε) are
    the weights of the ball with the smallest pᵀg for gaps g in [0, 1]: some 0, some 1, and ε below
    what moves all mass to the zeros. `stated`(p, p̂) is D_φ once more in cvxpy, p a variable, for
    the second opinion.
    """

    name: str
    label: str
    phi: Callable[[Array], Array]
    conjugate: Callable[[Array], Array]
    at_zero: float
    domain_limit: float
    worst: Callable[[Array, Array, float], DualPoint]
    stated: Callable[[Any, Array], Any]

    def between(self, p: npt.ArrayLike, nominal: npt.ArrayLike) -> float:
        """D_φ(p‖p̂), for p̂ > 0."""
        p_hat = np.asarray(nominal, dtype=np.float64)
        return float(p_hat @ self.phi(np.asarray(p, dtype=np.float64) / p_hat))


def bracketed_root(
    distance: Callable[[float], float], low: float, high: float, radius: float
) -> float:
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
