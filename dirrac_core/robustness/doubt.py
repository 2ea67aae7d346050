"""How far the moments of each component may move: the radii ρ and the metric they are measured in.

The theorem holds in any linear coordinates of θ. With a metric matrix M_k = G_k G_kᵀ the model is
θ̃ = G⁻¹θ and the person x̃ = Gᵀx: θᵀx stays what it is, a distance of models is ‖θ̃_a − θ̃_b‖, and
the radius takes r_k(x) = ρ_k‖x̃‖ = ρ_k·√(xᵀM_k x) from every score.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array, checked_choice, frozen_array
from dirrac_core.models.mixture import ParameterMixture, checked_radii, semidefinite_factor

WEIGHTS, DEVIATIONS = "weights", "deviations"
METRICS = (WEIGHTS, DEVIATIONS)

Metric = str | npt.ArrayLike
"""A name in `METRICS`, or the matrices M_k themselves, (K, D, D)."""


@dataclass(frozen=True, eq=False)
class Doubt:
    """The radii ρ_k (K,) of a mixture and the metric that gives them their unit.

    "weights" is M = I, the paper's ball: ρ in units of the model's weights. "deviations" is
    M_k = Σ̂_k: ρ in standard deviations of a re-training, free of scale and unit. An array
    (K, D, D) of positive semidefinite matrices is any other metric. Where M_k is singular, no
    model of component k ever moves in the directions outside its range, and r is 0 there.

    `factors` (K, D, D) are the G_k; None for the identity, which then costs nothing.
    """

    radii: Array
    metric: str | Array
    factors: Array | None

    @classmethod
    def of(
        cls, mixture: ParameterMixture, radii: npt.ArrayLike, metric: Metric = WEIGHTS
    ) -> "Doubt":
        """The doubt about `mixture`; `radii` is one ρ for all components or one for each."""
        rho = checked_radii(radii, mixture.components)
        if isinstance(metric, str):
            name = checked_choice("The metric", metric, METRICS)
            return cls(rho, name, mixture.factors if name == DEVIATIONS else None)
        shape = (mixture.components, mixture.dimension, mixture.dimension)
        matrices = frozen_array("The metric", metric, shape)
        factors = [semidefinite_factor(f"Metric {k}", m) for k, m in enumerate(matrices)]
        return cls(rho, matrices, frozen_array("The metric", factors, shape))

    @cached_property
    def in_deviations(self) -> bool:
        """Whether M_k = Σ̂_k, so that √(xᵀM_k x) is the deviation s_k(x) itself."""
        return isinstance(self.metric, str) and self.metric == DEVIATIONS

    def matrix(self, k: int) -> Array | None:
        """M_k (D, D); None when it is the identity."""
        return None if self.factors is None else self.factors[k] @ self.factors[k].T

    def lengths(self, x: Array) -> Array | float:
        """√(xᵀM_k x) of every component (K,); the one number ‖x‖ when M = I."""
        if self.factors is None:
            return math.sqrt(x @ x)
        projected = x @ self.factors
        lengths: Array = np.sqrt(np.einsum("kd,kd->k", projected, projected))
        return lengths

    def terms(self, x: Array) -> Array:
        """r_k(x) = ρ_k·√(xᵀM_k x), (K,)."""
        return self.radii * self.lengths(x)

    def images(self, x: Array) -> Array:
        """M_k x, (K, D); (1, D) when M = I. The gradient of r_k is ρ_k·M_k x / √(xᵀM_k x)."""
        if self.factors is None:
            return x[None, :]
        projected: Array = np.matmul(self.factors, (x @ self.factors)[:, :, None])[:, :, 0]
        return projected

    def largest_lengths(self, sizes: Array) -> Array:
        """What √(xᵀM_k x) comes to at most, (K,), for any x with |x_c| ≤ sizes_c (D,)."""
        if self.factors is None:
            return np.full(self.radii.size, float(np.linalg.norm(sizes)))
        largest: Array = np.linalg.norm(sizes @ np.abs(self.factors), axis=1)
        return largest

    def diagonal_roots(self) -> Array:
        """√(M_k)_cc, (K, D) or (1, 1): what a unit of column c alone adds to √(xᵀM_k x)."""
        if self.factors is None:
            return np.ones((1, 1))
        roots: Array = np.linalg.norm(self.factors, axis=2)
        return roots

    def margins(self, margin: float, models: Array) -> Array:
        """The ε of validity θᵀx − r(x) ≥ ε for each of `models` (n, D).

        It is `margin` itself, in the units of θᵀx. In the metric "deviations" nothing else has a
        unit, so the margin has none either: it is relative, margin·‖θ‖, and multiplying all
        models by c > 0 leaves the same plans valid.
        """
        if self.in_deviations:
            relative: Array = margin * np.linalg.norm(models, axis=1)
            return relative
        return np.full(len(models), margin)
