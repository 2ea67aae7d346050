"""The robust score a_k(x): the one number every worst-case probability is a function of."""

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array, checked_instance, frozen_array
from dirrac_core.errors import InvalidInput
from dirrac_core.models.mixture import ParameterMixture
from dirrac_core.robustness.doubt import WEIGHTS, Doubt, Metric

# ∇a divides by the worst deviation along x; below this the quotient may overflow.
STEEPEST = 1e-200


def signed_score(m: npt.ArrayLike, s: npt.ArrayLike, r: npt.ArrayLike) -> Array:
    """The largest real a with  m ≥ a·s + √(1 + a²)·r   (S), entry by entry, for s, r ≥ 0.

    It is the smallest ratio mean/deviation of θᵀx over the Gelbrich ball: the ball is seen as the
    half disc of radius r around the point (m, s), deviation ≥ 0, and the score is the cotangent
    of the tangent's angle, a = cot(α + β) with α = atan2(s, m), β = arcsin(r/√(m² + s²)).
    So a ≥ 0 exactly when m ≥ r, and for m > r it is the paper's g_k (Theorem on Gaussian DiRRAc).
    With L = √(m² + s² − r²), always formed without squares, it is

        m > 0:  a = (m − r)(m + r) / (m·s + r·L)        m ≤ 0:  a = (m·s − r·L) / ((s − r)(s + r))

    neither of which cancels, at any scale. Corners: +∞ for m > 0 = s = r; −∞ when no real a
    satisfies (S), which is r > √(m² + s²), or m ≤ 0 and r ≥ s; 0 at m = r, also when s = 0 or when
    all three are 0 (there every a satisfies (S); such a point is on the edge of validity and never
    a plan).
    """
    m, s, r = (np.asarray(v, dtype=np.float64) for v in (m, s, r))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        ratio = r / m
        slack = np.hypot(np.sqrt(m - r) * np.sqrt(m + r), s)  # L
        a: Array = (m - r) * (1.0 + ratio) / (s + ratio * slack)
        if not (m > r).all():
            slack = _tangent_length(np.abs(m), s, r)
            unsafe = (m - r) * ((m + r) / r) / ((m / r) * s + slack)
            losing = (m - (r / s) * slack) / ((s - r) * ((s + r) / s))
            a = np.select(
                [m == r, m > r, (m > 0) & (slack >= 0), (m <= 0) & (s > r)],
                [0.0, a, unsafe, losing],
                default=-np.inf,
            )
    return a


def _tangent_length(m: Array, s: Array, r: Array) -> Array:
    """L = √(m² + s² − r²), NaN when r is too large. Taking r from the larger of m and s first
    leaves a difference that cancels only where L itself is badly determined by m, s and r.
    """
    large, small = np.maximum(m, s), np.minimum(m, s)
    root = np.sqrt(np.abs(large - r)) * np.sqrt(large + r)
    outside = np.sqrt(small - root) * np.sqrt(small + root)
    length: Array = np.where(large >= r, np.hypot(small, root), outside)
    return length


def score_terms(x: Array, mixture: ParameterMixture, doubt: Doubt) -> tuple[Array, Array, Array]:
    """m = θ̂ᵀx, s = √(xᵀΣ̂x), r = ρ√(xᵀMx) of every component; nothing is checked (hot path)."""
    projected = x @ mixture.factors
    s = np.sqrt(np.einsum("kd,kd->k", projected, projected))
    return mixture.means @ x, s, doubt.radii * s if doubt.in_deviations else doubt.terms(x)


def score_gradients(x: Array, mixture: ParameterMixture, doubt: Doubt) -> tuple[Array, Array]:
    """The scores (K,) and their gradients (K, D) at x; nothing is checked (hot path).

    Differentiating (S) where it holds with equality:
    ∇a = (∇m − a∇s − √(1+a²)∇r) / (s + a·r/√(1+a²)),  ∇m = θ̂, ∇s = Σ̂x/s, ∇r = ρMx/√(xᵀMx).
    Where s = 0, 0 stands for ∇s (a subgradient), and likewise for ∇r. Where a is infinite, or has
    no finite slope (m = r with s = 0, or a score beyond `STEEPEST`), the gradient is returned as 0.
    """
    projected = x @ mixture.factors
    s = np.sqrt(np.einsum("kd,kd->k", projected, projected))
    lengths = s if doubt.in_deviations else np.broadcast_to(doubt.lengths(x), s.shape)
    r = doubt.radii * lengths
    scores = signed_score(mixture.means @ x, s, r)
    finite = np.isfinite(scores)
    a = np.where(finite, scores, 0.0)
    hypotenuse = np.hypot(1.0, a)
    slope = np.divide(a, s, out=np.zeros_like(s), where=s > 0)
    spread = np.matmul(mixture.factors, (slope[:, None] * projected)[:, :, None])[:, :, 0]
    pull = np.divide(hypotenuse * doubt.radii, lengths, out=np.zeros_like(s), where=lengths > 0)
    numerator = mixture.means - spread - pull[:, None] * doubt.images(x)
    denominator = s + a / hypotenuse * r
    usable = (finite & (denominator > STEEPEST))[:, None]
    gradients = np.zeros_like(numerator)
    np.divide(numerator, denominator[:, None], out=gradients, where=usable)
    return scores, gradients


def checked_applicant(name: str, x: npt.ArrayLike, dimension: int | None) -> Array:
    """`x` as a read-only D-vector whose last entry is the constant 1; None accepts any D."""
    vector = frozen_array(name, x, (dimension,))
    if vector[-1] != 1.0:
        message = f"The last entry of {name} must be the constant 1, got {vector[-1]:g}"
        raise InvalidInput(message)
    return vector


def robust_scores(
    x: npt.ArrayLike, mixture: ParameterMixture, radii: npt.ArrayLike, metric: Metric = WEIGHTS
) -> Array:
    """The robust score a_k(x) of every component (K,): how many deviations x is from failing.

    x is a D-vector with trailing 1; radii is one number or one for each component, in the unit of
    the `metric` (see `Doubt`). Negative values mean that x is not valid in the worst case (see
    `signed_score`).
    """
    checked_instance("mixture", mixture, ParameterMixture)
    vector = checked_applicant("x", x, mixture.dimension)
    return signed_score(*score_terms(vector, mixture, Doubt.of(mixture, radii, metric)))
