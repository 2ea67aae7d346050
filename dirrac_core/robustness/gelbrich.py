"""The Gelbrich distance between two pairs of mean and covariance (Definition 1 of Section 3)."""

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array, frozen_array
from dirrac_core.models.mixture import ParameterMixture


def gelbrich_distance(
    mean_a: npt.ArrayLike, cov_a: npt.ArrayLike, mean_b: npt.ArrayLike, cov_b: npt.ArrayLike
) -> float:
    """G = √(‖θ_a − θ_b‖² + Tr(Σ_a + Σ_b − 2(Σ_b^½ Σ_a Σ_b^½)^½)); singular covariances are fine.

    With factors Σ_a = A Aᵀ and Σ_b = B Bᵀ the trace is min over rotations Q of ‖A − B Q‖²
    (Frobenius), reached at the polar factor of Bᵀ A. The trace itself loses half the digits when
    the covariances are close; this form does not subtract squares.
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
    left, _, right = np.linalg.svd(factor_b.T @ factor_a)
    rotation: Array = left @ right
    spread = np.linalg.norm(factor_a - factor_b @ rotation)
    return float(np.hypot(np.linalg.norm(theta_a - theta_b), spread))
