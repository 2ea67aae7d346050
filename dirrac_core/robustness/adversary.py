"""The future model that would undo a plan, in closed form."""

from dataclasses import dataclass
from numbers import Integral

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array, checked_instance
from dirrac_core.errors import InvalidInput
from dirrac_core.models.mixture import ParameterMixture
from dirrac_core.robustness.doubt import WEIGHTS, Doubt, Metric
from dirrac_core.robustness.score import checked_applicant, score_terms, signed_score


@dataclass(frozen=True, eq=False)
class WorstCaseModel:
    """Mean and covariance of the worst future models of one component."""

    mean: Array
    covariance: Array


def worst_case_model(
    x: npt.ArrayLike,
    mixture: ParameterMixture,
    radii: npt.ArrayLike,
    component: int = 0,
    metric: Metric = WEIGHTS,
) -> WorstCaseModel:
    """The moments in the Gelbrich ball under which θᵀx has the smallest ratio mean/deviation.

    With a the signed score, cosφ = 1/√(1+a²), sinφ = a/√(1+a²), M the matrix of the `metric` (the
    identity for "weights") and n = √(xᵀMx):
    mean θ̂ − ρ·cosφ·Mx/n,  covariance (F + c·Mx·uᵀ)(F + c·Mx·uᵀ)ᵀ with Σ̂ = FFᵀ, c = ρ·sinφ/n and
    the unit vector u = Fᵀx/s; where s = 0 it is Σ̂ + c²·Mx(Mx)ᵀ. It is the adversary of x̃ = Gᵀx in
    the coordinates θ̃ = G⁻¹θ, M = GGᵀ, carried back by θ = Gθ̃ (the paper's has G = I).
    Along x the mean is m − r·cosφ and the deviation s + r·sinφ; their ratio is a, and the
    Gelbrich distance to (θ̂, Σ̂) in the metric is exactly ρ (0 where n is, because then no model
    in the ball moves θᵀx). This also holds at points that are not valid plans
    (m < r): there a < 0, and the adversary shrinks the deviation instead of growing it. Where the
    score is −∞ some model in the ball has θᵀx ≤ 0 with certainty; the nearest such model is
    returned (mean min(m, 0) and deviation 0 along x), at a distance of at most ρ.
    """
    checked_instance("mixture", mixture, ParameterMixture)
    vector = checked_applicant("x", x, mixture.dimension)
    doubt = Doubt.of(mixture, radii, metric)
    if not isinstance(component, Integral) or component not in range(mixture.components):
        message = f"component must be from 0 to {mixture.components - 1}, got {component!r}"
        raise InvalidInput(message)
    k = int(component)
    m, s, r = (float(term[k]) for term in score_terms(vector, mixture, doubt))
    a = float(signed_score(m, s, r))
    image = np.broadcast_to(doubt.images(vector), mixture.means.shape)[k]
    squared = float(vector @ image)
    if squared <= 0.0:
        mean_step = c = 0.0
    elif a == -np.inf:
        mean_step, c = max(m, 0.0) / squared, -s / squared
    else:
        cosine = 1.0 / np.hypot(1.0, a)
        sine = 1.0 if a == np.inf else a * cosine
        step = doubt.radii[k] / np.sqrt(squared)
        mean_step, c = step * cosine, step * sine
    factor = mixture.factors[k]
    if s > 0:
        factor = factor + c * np.outer(image, factor.T @ vector / s)
    else:
        factor = np.column_stack([factor, c * image])
    mean = mixture.means[k] - mean_step * image
    covariance = factor @ factor.T
    mean.flags.writeable = False
    covariance.flags.writeable = False
    return WorstCaseModel(mean, covariance)
