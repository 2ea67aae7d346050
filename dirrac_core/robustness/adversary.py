"""The future model that would undo a plan, in closed form."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array
from dirrac_core.errors import InvalidInput
from dirrac_core.models.mixture import ParameterMixture, checked_radii
from dirrac_core.robustness.score import checked_applicant, score_terms, signed_score


@dataclass(frozen=True, eq=False)
class WorstCaseModel:
    """Mean and covariance of the worst future models of one component."""

    mean: Array
    covariance: Array


def worst_case_model(
    x: npt.ArrayLike, mixture: ParameterMixture, radii: npt.ArrayLike, component: int = 0
) -> WorstCaseModel:
    """The moments in the Gelbrich ball under which θᵀx has the smallest ratio mean/deviation.

    With a the signed score, cosφ = 1/√(1+a²) and sinφ = a/√(1+a²):
    mean θ̂ − ρ·cosφ·x/‖x‖,  covariance MΣ̂M with M = I + (c/s)·xxᵀ, c = ρ·sinφ/‖x‖. For Σ̂ = FFᵀ
    that is (F + cxuᵀ)(F + cxuᵀ)ᵀ with the unit vector u = Fᵀx/s; where s = 0 it is Σ̂ + c²xxᵀ.
    Along x the mean is m − r·cosφ and the deviation s + r·sinφ; their ratio is a, and the
    Gelbrich distance to (θ̂, Σ̂) is exactly ρ. This also holds at points that are not valid plans
    (m < r): there a < 0, and the adversary shrinks the deviation instead of growing it. Where the
    score is −∞ some model in the ball has θᵀx ≤ 0 with certainty; the nearest such model is
    returned (mean min(m, 0) and deviation 0 along x), at a distance of at most ρ.
    """
    vector = checked_applicant("x", x, mixture.dimension)
    rho = checked_radii(radii, mixture.components)
    if component not in range(mixture.components):
        message = f"component must be from 0 to {mixture.components - 1}, got {component!r}"
        raise InvalidInput(message)
    k = int(component)
    m, s, r = (float(term[k]) for term in score_terms(vector, mixture, rho))
    a = float(signed_score(m, s, r))
    squared_norm = float(vector @ vector)
    if a == -np.inf:
        mean_step, c = max(m, 0.0) / squared_norm, -s / squared_norm
    else:
        cosine = 1.0 / np.hypot(1.0, a)
        sine = 1.0 if a == np.inf else a * cosine
        step = rho[k] / np.sqrt(squared_norm)
        mean_step, c = step * cosine, step * sine
    factor = mixture.factors[k]
    if s > 0:
        factor = factor + c * np.outer(vector, factor.T @ vector / s)
    else:
        factor = np.column_stack([factor, c * vector])
    mean = mixture.means[k] - mean_step * vector
    covariance = factor @ factor.T
    mean.flags.writeable = False
    covariance.flags.writeable = False
    return WorstCaseModel(mean, covariance)
