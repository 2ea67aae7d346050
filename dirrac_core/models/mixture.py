"""The mixture of future models: weights p̂, means θ̂_k and covariances Σ̂_k (Section 2)."""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array, checked_number, frozen_array
from dirrac_core.errors import InvalidMixture

WEIGHT_SUM_TOLERANCE = 1e-8
# Weight balls are computed to the last digits down to here; squares and ratios stay doubles.
SMALLEST_WEIGHT = 1e-100
# Eigenvalues this far below zero, relative to the largest, are rounding; more is not PSD.
EIGENVALUE_TOLERANCE = 1e-8


@dataclass(frozen=True, eq=False)
class ParameterMixture:
    """K components of D-dimensional linear models; the last entry of each model is its bias.

    `factors[k]` is a D × D matrix F with Σ̂_k = F Fᵀ, from the eigenvalues, because Σ̂_k is
    often singular (one-hot columns and the constant are collinear) and no ridge is added.
    """

    weights: Array
    means: Array
    covariances: Array
    factors: Array = field(init=False, repr=False)

    def __init__(
        self, weights: npt.ArrayLike, means: npt.ArrayLike, covariances: npt.ArrayLike
    ) -> None:
        theta = frozen_array("means", means, (None, None), error=InvalidMixture)
        k, d = theta.shape
        p = checked_weights(weights, k)
        sigma = frozen_array("covariances", covariances, (k, d, d), error=InvalidMixture)
        factors = np.stack(
            [semidefinite_factor(f"Covariance {index}", m) for index, m in enumerate(sigma)]
        )
        factors.flags.writeable = False
        for name, value in (
            ("weights", p),
            ("means", theta),
            ("covariances", sigma),
            ("factors", factors),
        ):
            object.__setattr__(self, name, value)

    @property
    def components(self) -> int:
        """K, the number of components."""
        return int(self.means.shape[0])

    @property
    def dimension(self) -> int:
        """D, the number of parameters of a model, its bias included."""
        return int(self.means.shape[1])


def checked_weights(weights: npt.ArrayLike, components: int | None) -> Array:
    """p̂ as a (K,) array of positive numbers that sum to 1; None accepts any K."""
    p = frozen_array("weights", weights, (components,), error=InvalidMixture)
    if (p < SMALLEST_WEIGHT).any():
        message = (
            f"Every weight must be > 0 and at least {SMALLEST_WEIGHT:g} (drop an empty component), "
            f"got {p.min():g}"
        )
        raise InvalidMixture(message)
    if abs(p.sum() - 1.0) > WEIGHT_SUM_TOLERANCE:
        message = f"The weights must sum to 1, got a sum of {p.sum():.10g}"
        raise InvalidMixture(message)
    return p


def checked_radii(radii: npt.ArrayLike, components: int) -> Array:
    """ρ as a (K,) array from one number for all components or one for each."""
    if np.isscalar(radii) or radii is None or getattr(radii, "shape", None) == ():
        rho = checked_number("The radius 'rho'", radii, low=0.0)  # type: ignore[arg-type]
        return frozen_array("radii", np.full(components, rho), (components,))
    values = frozen_array("radii", radii, (components,))
    if (values < 0).any():
        message = f"Every radius 'rho' must be ≥ 0, got {values.min():g}"
        raise InvalidMixture(message)
    return values


def semidefinite_factor(name: str, matrix: Array) -> Array:
    """F (D, D) with F Fᵀ = `matrix`, which must be symmetric and positive semidefinite."""
    scale = float(np.abs(matrix).max())
    if not np.allclose(matrix, matrix.T, rtol=1e-8, atol=1e-10 * scale):
        skew = float(np.abs(matrix - matrix.T).max())
        message = f"{name} must be symmetric, got entries that differ by {skew:g}"
        raise InvalidMixture(message)
    eigenvalues, vectors = np.linalg.eigh((matrix + matrix.T) / 2)
    if eigenvalues[0] < -EIGENVALUE_TOLERANCE * max(eigenvalues[-1], 0.0) - 1e-300:
        message = f"{name} must be positive semidefinite, got an eigenvalue of {eigenvalues[0]:g}"
        raise InvalidMixture(message)
    # The eigenvalues of the correlations keep the digits of columns in much smaller units.
    deviations = np.sqrt(np.clip(np.diagonal(matrix), 0.0, None))
    units = np.where(deviations > 0.0, deviations, 1.0)
    eigenvalues, vectors = np.linalg.eigh((matrix + matrix.T) / 2 / np.outer(units, units))
    factor: Array = units[:, None] * vectors * np.sqrt(np.clip(eigenvalues, 0.0, None))
    return factor
