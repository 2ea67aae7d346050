"""Whether observed models lie where a mixture and its radii expect them."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array, frozen_array
from dirrac_core.errors import InvalidInput
from dirrac_core.models.mixture import ParameterMixture
from dirrac_core.robustness.doubt import WEIGHTS, Doubt, Metric
from dirrac_core.robustness.gelbrich import MetricScale, gelbrich_distance


@dataclass(frozen=True, eq=False)
class Coverage:
    """How n observed models lie to the K components of a mixture.

    `distances` (n, K) are ‖θ_i − θ̂_k‖, model by model. `group_distances` (K,) are the Gelbrich
    distances from (mean, covariance) of all n models together to (θ̂_k, Σ̂_k): the group belongs
    to the ambiguity set of component k when its distance is at most ρ_k (Section 2). Both are in
    the metric of the radii. A distance is infinite where a model differs from the component in a
    direction in which the metric allows no move: for "deviations", one in which no re-training
    ever moved.
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
    parameters: npt.ArrayLike,
    mixture: ParameterMixture,
    radii: npt.ArrayLike,
    metric: Metric = WEIGHTS,
) -> Coverage:
    """Where the observed models (n, D), at least two, lie to the balls of the mixture."""
    theta = frozen_array("parameters", parameters, (None, mixture.dimension))
    if len(theta) < 2:
        message = f"The scatter of a group needs at least two models, got {len(theta)}"
        raise InvalidInput(message)
    doubt = Doubt.of(mixture, radii, metric)
    mean = theta.mean(axis=0)
    covariance = np.atleast_2d(np.cov(theta, rowvar=False))
    group = [
        gelbrich_distance(
            mean, covariance, mixture.means[k], mixture.covariances[k], doubt.matrix(k)
        )
        for k in range(mixture.components)
    ]
    distances = np.column_stack(
        [_distances(theta, mixture.means[k], doubt.matrix(k)) for k in range(mixture.components)]
    )
    return Coverage(
        doubt.radii,
        frozen_array("distances", distances, distances.shape, finite=False),
        frozen_array("group_distances", group, doubt.radii.shape, finite=False),
    )


def _distances(theta: Array, centre: Array, matrix: Array | None) -> Array:
    """The distance of each model (n, D) from `centre` in the metric; M = I when it is None."""
    if matrix is None:
        plain: Array = np.linalg.norm(theta - centre, axis=1)
        return plain
    size = float(max(np.abs(theta).max(), np.abs(centre).max()))
    return MetricScale(matrix).lengths(theta - centre, size)
