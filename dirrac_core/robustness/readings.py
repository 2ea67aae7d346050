"""Three readings of the future at one plan: as estimated, if Gaussian, in the worst case."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array
from dirrac_core.models.mixture import ParameterMixture
from dirrac_core.robustness.doubt import Metric
from dirrac_core.robustness.objective import Objective
from dirrac_core.robustness.score import checked_applicant
from dirrac_core.robustness.weightings import Weighting


@dataclass(frozen=True, eq=False)
class Readings:
    """Probabilities of failing: one of each component, then the total, in each (K + 1,).

    `estimated` is Φ(−a) at ρ = 0, `gaussian` Φ(−a) and `worst` 1/(1 + a²) at the radii. `weights`
    are p̂ and `worst_weights` the p* that the weighting picks in the worst case.
    """

    estimated: Array
    gaussian: Array
    worst: Array
    weights: Array
    worst_weights: Array


def readings_of(
    x: npt.ArrayLike,
    mixture: ParameterMixture,
    radii: npt.ArrayLike,
    weighting: str | Weighting = "nominal",
    metric: Metric = "weights",
) -> Readings:
    """The readings at the plan x (D,); each total uses `weighting`."""
    point = checked_applicant("x", x, mixture.dimension)
    none = np.zeros(mixture.components)

    def read(rho: npt.ArrayLike, link: str) -> tuple[Array, Objective]:
        objective = Objective(mixture, rho, link, weighting, metric)
        return np.append(objective.probabilities(point), objective.value(point)), objective

    worst, objective = read(radii, "chebyshev")
    return Readings(
        estimated=read(none, "gaussian")[0],
        gaussian=read(radii, "gaussian")[0],
        worst=worst,
        weights=mixture.weights,
        worst_weights=objective.worst_weights(point),
    )
