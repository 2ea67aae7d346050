"""The φ-divergences between mixture weights, each with its conjugate (Section on weights)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.special import kl_div, xlogy

from dirrac_core.arrays import Array, checked_choice


@dataclass(frozen=True)
class Divergence:
    """D_φ(p‖p̂) = Σ p̂ φ(p/p̂), with the conjugate φ*(s) = sup over t ≥ 0 of ts − φ(t).

    `at_zero` is φ(0). φ* is finite below `domain_limit` and +∞ above it.
    """

    name: str
    label: str
    phi: Callable[[Array], Array]
    conjugate: Callable[[Array], Array]
    at_zero: float
    domain_limit: float

    def between(self, p: npt.ArrayLike, nominal: npt.ArrayLike) -> float:
        """D_φ(p‖p̂), for p̂ > 0."""
        p_hat = np.asarray(nominal, dtype=np.float64)
        return float(p_hat @ self.phi(np.asarray(p, dtype=np.float64) / p_hat))


def divergence_named(name: str) -> Divergence:
    """The divergence with this name."""
    return DIVERGENCES[checked_choice("The divergence", name, DIVERGENCES)]


def _kl(t: Array) -> Array:
    """t·log t − t + 1."""
    value: Array = xlogy(t, t) - t + 1.0
    return value


def _kl_conjugate(s: Array) -> Array:
    """exp(s) − 1."""
    with np.errstate(over="ignore"):  # +∞ is the right answer there
        value: Array = np.expm1(s)
    return value


def _chi2(t: Array) -> Array:
    """(t − 1)²."""
    return (t - 1.0) ** 2


def _chi2_conjugate(s: Array) -> Array:
    """s + s²/4, flat at −1 below s = −2 where t = 0 is best."""
    u = np.maximum(s, -2.0)
    return u + u * u / 4.0


def _hellinger(t: Array) -> Array:
    """(√t − 1)²."""
    value: Array = (np.sqrt(t) - 1.0) ** 2
    return value


def _hellinger_conjugate(s: Array) -> Array:
    """s/(1 − s) for s < 1."""
    return _below_one(s, lambda u: u / (1.0 - u))


def _total_variation(t: Array) -> Array:
    """½|t − 1|."""
    return 0.5 * np.abs(t - 1.0)


def _total_variation_conjugate(s: Array) -> Array:
    """max(s, −½) for s ≤ ½."""
    return np.where(s <= 0.5, np.maximum(s, -0.5), np.inf)


def _burg(t: Array) -> Array:
    """−log t + t − 1."""
    return np.asarray(kl_div(1.0, t), dtype=np.float64)


def _burg_conjugate(s: Array) -> Array:
    """−log(1 − s) for s < 1."""
    return _below_one(s, lambda u: -np.log1p(-u))


def _below_one(s: Array, conjugate: Callable[[Array], Array]) -> Array:
    inside = np.less(s, 1.0)
    return np.where(inside, conjugate(np.where(inside, s, 0.0)), np.inf)


DIVERGENCES: Final[dict[str, Divergence]] = {
    divergence.name: divergence
    for divergence in (
        Divergence("kl", "Kullback–Leibler", _kl, _kl_conjugate, 1.0, np.inf),
        Divergence("chi2", "χ²", _chi2, _chi2_conjugate, 1.0, np.inf),
        Divergence("hellinger", "Hellinger", _hellinger, _hellinger_conjugate, 1.0, 1.0),
        Divergence(
            "total-variation",
            "total variation",
            _total_variation,
            _total_variation_conjugate,
            0.5,
            0.5,
        ),
        Divergence("burg", "Burg", _burg, _burg_conjugate, np.inf, 1.0),
    )
}
