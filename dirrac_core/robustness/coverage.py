"""Whether observed models lie where a mixture and its radii expect them."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array, frozen_array
from dirrac_core.errors import InvalidInput
from dirrac_core.models.mixture import ParameterMixture, checked_radii
from dirrac_core.robustness.gelbrich import gelbrich_distance


@dataclass(frozen=True, eq=False)
class Coverage:
    """How n observed models lie to the K components of a mixture.

    `distances` (n, K) are ‖θ_i − θ̂_k‖, model by model. `group_distances` (K,) are the Gelbrich
    distances from (mean, covariance) of all n models together to (θ̂_k, Σ̂_k): the group belongs
    to the ambiguity set of component k when its distance is at most ρ_k (Section 2).
    """

    radii: Array
    distances: Array
    group_distances: Array

    @property
    def inside(self) -> int:
        """How many models lie within the radius ρ_k of the mean of some component k."""
        return int((self.distances <= self.radii).any(axis=1).sum())

    @property
    def nearest(self) -> int:
        """The component whose ball the group is deepest inside, or least far outside."""
        return int((self.group_distances - self.radii).argmin())

    @property
    def group_distance(self) -> float:
        """The distance of the group from the nearest component."""
        return float(self.group_distances[self.nearest])

    @property
    def group_inside(self) -> bool:
        """Whether the group lies within the ball of the nearest component."""
        return self.group_distance <= float(self.radii[self.nearest])


def coverage(
    parameters: npt.ArrayLike, mixture: ParameterMixture, radii: npt.ArrayLike
) -> Coverage:
    """Where the observed models (n, D), at least two, lie to the balls of the mixture."""
    theta = frozen_array("parameters", parameters, (None, mixture.dimension))
    if len(theta) < 2:
        message = f"The scatter of a group needs at least two models, got {len(theta)}"
        raise InvalidInput(message)
    rho = checked_radii(radii, mixture.components)
    mean = theta.mean(axis=0)
    covariance = np.atleast_2d(np.cov(theta, rowvar=False))
    group = [
        gelbrich_distance(mean, covariance, mixture.means[k], mixture.covariances[k])
        for k in range(mixture.components)
    ]
    distances = np.linalg.norm(theta[:, None, :] - mixture.means, axis=2)
    return Coverage(
        rho,
        frozen_array("distances", distances, distances.shape),
        frozen_array("group_distances", group, rho.shape),
    )
