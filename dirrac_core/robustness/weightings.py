"""Weightings: how the K worst-case probabilities of the components become one number."""

from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np

from dirrac_core.arrays import Array, checked_choice, checked_number
from dirrac_core.errors import InvalidInput
from dirrac_core.robustness.divergences import divergence_named
from dirrac_core.robustness.weight_ball import solve_worst_weights


class Weighting(Protocol):
    """An increasing convex function of the component probabilities f."""

    @property
    def name(self) -> str:
        """The short name used in programs."""

    def evaluate(self, weights: Array, f: Array) -> tuple[float, Array]:
        """The value at f, and weights p* with value = p*ᵀf: a subgradient of the value in f."""


@dataclass(frozen=True)
class Nominal:
    """Σ p̂_k f_k: the estimated weights are taken as they are (equation 5)."""

    @property
    def name(self) -> str:
        return "nominal"

    def evaluate(self, weights: Array, f: Array) -> tuple[float, Array]:
        # Weights add up to one within rounding; an average lies between the smallest f and the
        # largest all the same.
        return min(max(float(weights @ f), float(f.min())), float(f.max())), weights


@dataclass(frozen=True)
class WorstComponent:
    """max_k f_k: whatever the weights are (Corollary on the component probability)."""

    @property
    def name(self) -> str:
        return "worst-component"

    def evaluate(self, weights: Array, f: Array) -> tuple[float, Array]:
        worst = int(f.argmax())
        indicator = np.zeros_like(f)
        indicator[worst] = 1.0
        return float(f[worst]), indicator


@dataclass(frozen=True)
class WeightBall:
    """max of pᵀf over weights within a φ-divergence `radius` of p̂ (Theorem on F)."""

    divergence: str = "kl"
    radius: float = 0.1

    def __post_init__(self) -> None:
        divergence_named(self.divergence)
        radius = checked_number("The weight radius", self.radius, low=0.0)
        object.__setattr__(self, "radius", radius)

    @property
    def name(self) -> str:
        return "weight-ball"

    def evaluate(self, weights: Array, f: Array) -> tuple[float, Array]:
        worst = solve_worst_weights(divergence_named(self.divergence), weights, f, self.radius)
        return worst.value, worst.weights


NAMED_WEIGHTINGS: Final[dict[str, Weighting]] = {
    "nominal": Nominal(),
    "worst-component": WorstComponent(),
}


def weighting_named(weighting: str | Weighting) -> Weighting:
    """The weighting with this name; an instance (such as a `WeightBall`) passes through."""
    if isinstance(weighting, str):
        return NAMED_WEIGHTINGS[checked_choice("The weighting", weighting, NAMED_WEIGHTINGS)]
    if not isinstance(weighting, Nominal | WorstComponent | WeightBall):
        message = (
            "The weighting must be 'nominal', 'worst-component' or a WeightBall, "
            f"got {type(weighting).__name__}"
        )
        raise InvalidInput(message)
    return weighting
