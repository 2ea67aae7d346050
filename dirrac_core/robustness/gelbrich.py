"""The Gelbrich distance between two pairs of mean and covariance (Definition 1 of Section 3)."""

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array, frozen_array
from dirrac_core.models.mixture import ParameterMixture, semidefinite_factor

# Directions of a metric with less than this share of its largest scale count as no direction.
SMALLEST_SCALE = 1e-6
# What a difference of models may keep outside the range of a metric, relative to their size.
OUTSIDE = 1e-6


def gelbrich_distance(
    mean_a: npt.ArrayLike,
    cov_a: npt.ArrayLike,
    mean_b: npt.ArrayLike,
    cov_b: npt.ArrayLike,
    metric: npt.ArrayLike | None = None,
) -> float:
    """G = √(‖θ_a − θ_b‖² + Tr(Σ_a + Σ_b − 2(Σ_b^½ Σ_a Σ_b^½)^½)); singular covariances are fine.

    With factors Σ_a = A Aᵀ and Σ_b = B Bᵀ the trace is min over rotations Q of ‖A − B Q‖²
    (Frobenius), reached at the polar factor of Bᵀ A. The trace itself loses half the digits when
    the covariances are close; this form does not subtract squares.

    With a `metric` M (D, D) all lengths are those of M⁻¹, ‖v‖² = vᵀM⁻¹v, infinite where v leaves
    the range of M: a singular M allows no move outside it. Then A and B must agree there, which
    ties the part of Q that they have in common and leaves the rest free.
    """
    theta_a = frozen_array("mean_a", mean_a, (None,))
    d = theta_a.size
    theta_b = frozen_array("mean_b", mean_b, (d,))
    pair = ParameterMixture(
        (0.5, 0.5),
        (theta_a, theta_b),
        (frozen_array("cov_a", cov_a, (d, d)), frozen_array("cov_b", cov_b, (d, d))),
    )
    factor_a, factor_b = pair.factors
    if metric is None:
        return _distance(theta_a - theta_b, factor_a, factor_b)
    scale = MetricScale(frozen_array("The metric", metric, (d, d)))
    difference = scale.lengths(theta_a - theta_b, max(np.abs(theta_a).max(), np.abs(theta_b).max()))
    if not np.isfinite(difference):
        return np.inf
    outside_a, outside_b = scale.outside @ factor_a, scale.outside @ factor_b
    size = max(float(np.linalg.norm(factor_a)), float(np.linalg.norm(factor_b)))
    left, singular, _ = np.linalg.svd(np.hstack([outside_a, outside_b]), full_matrices=False)
    kept = singular > OUTSIDE * size
    whitened = (left[:, kept] / (singular[kept] / np.sqrt(2.0))).T
    # Orthonormal rows where A and B agree outside the range; they span what Q may not turn.
    tied_a, tied_b = whitened @ outside_a, whitened @ outside_b
    if not np.allclose(tied_a @ tied_a.T, tied_b @ tied_b.T, atol=OUTSIDE):
        return np.inf
    free_a = factor_a - factor_a @ tied_a.T @ tied_a
    free_b = factor_b - factor_b @ tied_b.T @ tied_b
    tied = scale.inside @ (factor_a @ tied_a.T - factor_b @ tied_b.T)
    spread = _distance(np.zeros(1), scale.inside @ free_a, scale.inside @ free_b)
    return float(np.hypot(np.hypot(difference, np.linalg.norm(tied)), spread))


class MetricScale:
    """Lengths ‖v‖ = √(vᵀM⁻¹v) of differences v of models.

    `inside` v are the coordinates of v in the range of M, in the metric's units; `outside` v are
    those in the directions in which M allows no move.
    """

    def __init__(self, matrix: Array) -> None:
        left, scales, _ = np.linalg.svd(semidefinite_factor("The metric", matrix))
        used = scales > SMALLEST_SCALE * scales[0]
        self.inside: Array = (left[:, used] / scales[used]).T
        self.outside: Array = left[:, ~used].T

    def lengths(self, differences: Array, size: float) -> Array:
        """The length of each of `differences` (…, D) of models of about this `size`."""
        missed = np.linalg.norm(differences @ self.outside.T, axis=-1)
        lengths = np.linalg.norm(differences @ self.inside.T, axis=-1)
        return np.where(missed > OUTSIDE * size, np.inf, lengths)


def _distance(difference: Array, factor_a: Array, factor_b: Array) -> float:
    left, _, right = np.linalg.svd(factor_b.T @ factor_a)
    rotation: Array = left @ right
    spread = np.linalg.norm(factor_a - factor_b @ rotation)
    return float(np.hypot(np.linalg.norm(difference), spread))
