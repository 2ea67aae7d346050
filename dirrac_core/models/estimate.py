"""From re-trained parameters to a mixture (p̂, θ̂, Σ̂): how many components, and which moments.

Experimental settings of the paper, "Choice of number of components K": K-means and the elbow
method choose K, a Gaussian mixture model gives the weights, means and covariances.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.special import logsumexp
from sklearn.cluster import KMeans
from sklearn.mixture import GaussianMixture

from dirrac_core.arrays import Array, checked_number, frozen_array
from dirrac_core.errors import InvalidInput, InvalidMixture
from dirrac_core.models.mixture import ParameterMixture

MAX_COMPONENTS = 10
# A component that explains fewer observations than this has no covariance worth the name.
SMALLEST_COMPONENT = 3.0
KMEANS_STARTS = 10
# scikit-learn's floor on variances while the mixture is fitted, relative to the average variance
# of the parameters. It steers the fit only: the moments reported carry no ridge.
FIT_FLOOR = 1e-6
# Directions whose scatter is this small beside the largest are rounding.
PRINCIPAL = 1e-6

Components = int | Literal["auto", "bic"]
PAPER_COMPONENTS = MappingProxyType({"german": 5, "sba": 4, "student": 6})
"""K found by the paper's elbow method (Nguyen, Bui, Nguyen: Distributionally Robust Recourse
Action, appendix, "Choice of number of components K for real-world datasets")."""


@dataclass(frozen=True, eq=False)
class MixtureEstimate:
    """A mixture estimated from observed parameters, and how its K came about.

    `labels` (n,) names the most likely component of each observation. `distortions` holds the
    K-means distortion for K = 1, 2, … when the elbow chose K, else None. `notes` says what was
    dropped on the way, if anything.
    """

    mixture: ParameterMixture
    labels: npt.NDArray[np.int64]
    distortions: Array | None
    reason: str
    notes: tuple[str, ...] = ()

    @property
    def components(self) -> int:
        """K, the number of components of the mixture."""
        return self.mixture.components


def estimate_mixture(
    parameters: npt.ArrayLike, components: Components = 1, seed: int = 0
) -> MixtureEstimate:
    """The mixture of the observed parameters (n, D) with k, the elbow's ("auto") or the "bic"'s
    number of components."""
    observed = frozen_array("parameters", parameters, (None, None), error=InvalidMixture)
    n = len(observed)
    if n < 2:
        message = f"A covariance needs at least two observed models, got {n}"
        raise InvalidMixture(message)
    distortions: Array | None = None
    if components == "auto":
        distortions = _distortions(observed, seed)
        k, reason = _elbow(distortions)
    elif components == "bic":
        k, reason = _by_bic(observed, seed)
    else:
        k = _checked_components(components, n)
        reason = "One component: mean and covariance." if k == 1 else f"K = {k} was chosen."
    shares, notes = _responsibilities(observed, k, seed)
    mixture = ParameterMixture(
        shares.mean(axis=0),
        (shares.T @ observed) / shares.sum(axis=0)[:, None],
        np.stack([_covariance(observed, share) for share in shares.T]),
    )
    labels = shares.argmax(axis=1)
    labels.flags.writeable = False
    return MixtureEstimate(mixture, labels, distortions, reason, notes)


def one_component(parameters: npt.ArrayLike) -> tuple[Array, Array]:
    """Mean θ̂ and empirical covariance Σ̂ of the observed parameters (n, D)."""
    mixture = estimate_mixture(parameters).mixture
    return mixture.means[0], mixture.covariances[0]


def known_mixture(groups: Sequence[Array], weights: npt.ArrayLike) -> ParameterMixture:
    """The components of parameters (n_k, D) that are known to belong together, with weights p̂."""
    moments = [one_component(group) for group in groups]
    return ParameterMixture(
        weights,
        np.stack([mean for mean, _ in moments]),
        np.stack([covariance for _, covariance in moments]),
    )


def prior_mixture(theta0: npt.ArrayLike, tau: float = 0.1) -> ParameterMixture:
    """θ̂ = θ₀ and Σ̂ = τI, for when there is no training data (the paper takes τ = 0.1)."""
    theta = frozen_array("theta0", theta0, (None,))
    variance = checked_number("The prior variance 'tau'", tau, low=0.0, strict=True)
    return ParameterMixture([1.0], theta[None, :], variance * np.eye(theta.size)[None])


def _covariance(observed: Array, share: Array) -> Array:
    return np.atleast_2d(np.cov(observed, rowvar=False, aweights=share))


def _checked_components(components: int | str, n: int) -> int:
    if isinstance(components, bool) or not isinstance(components, int | np.integer):
        message = f'components must be a whole number, "auto" or "bic", got {components!r}'
        raise InvalidInput(message)
    if not 1 <= components <= n:
        message = f"components must be between 1 and the {n} observed models, got {components}"
        raise InvalidInput(message)
    return int(components)


def _distortions(observed: Array, seed: int) -> Array:
    """K-means distortion (sum of squared distances to the nearest centre) for K = 1, 2, …."""
    distinct = len(np.unique(observed, axis=0))
    largest = min(MAX_COMPONENTS, distinct)
    curve = [
        KMeans(k, n_init=KMEANS_STARTS, random_state=seed).fit(observed).inertia_
        for k in range(1, largest + 1)
    ]
    return frozen_array("distortions", curve, (None,))


def _elbow(distortions: Array) -> tuple[int, str]:
    """K whose point lies furthest below the line from the first to the last distortion.

    Both axes run from 0 to 1, so the rule does not depend on the unit of the parameters.
    """
    drop = distortions[0] - distortions[-1]
    if distortions.size < 3 or drop <= 0.0:
        return 1, "One component: the observed models are too alike to form groups."
    height = (distortions - distortions[-1]) / drop
    line = np.linspace(1.0, 0.0, distortions.size)
    k = int(np.argmax(line - height)) + 1
    left = distortions[k - 1] / distortions[0]
    return k, (
        f"K = {k}: the elbow, the point furthest below the straight line between the distortions "
        f"of K = 1 and K = {distortions.size}; {left:.0%} of the spread stays inside the groups."
    )


def _by_bic(observed: Array, seed: int) -> tuple[int, str]:
    """K with the smallest Bayesian information criterion: −2·log-likelihood + parameters·log n.

    In D dimensions a covariance alone has D(D + 1)/2 numbers, more than a hundred models can
    carry, so the groups differ in their means and share one covariance. All is done where
    the whole cloud has the covariance I, so no unit matters. Unlike the elbow this can answer one.
    """
    n = len(observed)
    centred = observed - observed.mean(axis=0)
    _, sizes, axes = np.linalg.svd(centred, full_matrices=False)
    spread = sizes > PRINCIPAL * max(float(sizes[0]), np.finfo(float).tiny)
    if not spread.any():
        return 1, "One component: the observed models are alike."
    scores = centred @ axes[spread].T
    scores *= np.sqrt(n) / sizes[spread]
    distinct = len(np.unique(scores, axis=0))
    largest = min(MAX_COMPONENTS, distinct, n // int(np.ceil(SMALLEST_COMPONENT)))
    values = [_bic(scores, k, seed) for k in range(1, max(1, largest) + 1)]
    k = int(np.argmin(values)) + 1
    if k == 1:
        return 1, (
            "One component: by the Bayesian information criterion the models form a single cloud."
        )
    gain = values[0] - values[k - 1]
    return k, f"K = {k}: the Bayesian information criterion is {gain:.0f} below that of one cloud."


def _bic(scores: Array, k: int, seed: int) -> float:
    """BIC of k groups with means of their own and one covariance W, found by K-means.

    What all k have in common, the numbers in W and (2π)^(D/2), is left out.
    """
    n, d = scores.shape
    fitted = KMeans(k, n_init=KMEANS_STARTS, random_state=seed).fit(scores)
    within = scores - fitted.cluster_centers_[fitted.labels_]
    variances, axes = np.linalg.eigh(within.T @ within / n)
    variances = np.maximum(variances, FIT_FLOOR)
    away = (scores[:, None, :] - fitted.cluster_centers_) @ axes
    distance = (away**2 / variances).sum(axis=2)
    shares = np.bincount(fitted.labels_, minlength=k) / n
    likelihood = logsumexp(np.log(shares) - distance / 2, axis=1) - np.log(variances).sum() / 2
    return float(-2.0 * likelihood.sum() + (k - 1 + k * d) * np.log(n))


def _responsibilities(observed: Array, k: int, seed: int) -> tuple[Array, tuple[str, ...]]:
    """(n, K) shares of each observation in the components of a Gaussian mixture; rows sum to 1."""
    n = len(observed)
    scale = float(np.sqrt(observed.var(axis=0).mean()))
    distinct = len(np.unique(observed, axis=0))
    if k == 1:
        return np.ones((n, 1)), ()
    if distinct < k:
        note = f"{distinct} distinct models cannot fill {k} components: one component is used."
        return np.ones((n, 1)), (note,)
    fitted = GaussianMixture(k, reg_covar=FIT_FLOOR, random_state=seed, max_iter=500)
    scaled = (observed - observed.mean(axis=0)) / scale
    shares: Array = fitted.fit(scaled).predict_proba(scaled)
    notes: list[str] = []
    while True:
        sizes = shares.sum(axis=0)
        smallest = int(sizes.argmin())
        if sizes[smallest] >= SMALLEST_COMPONENT or shares.shape[1] == 1:
            return shares, tuple(notes)
        notes.append(
            f"A component held {sizes[smallest]:.1f} of {n} models, too few for a covariance: "
            "its models went to the nearest other component."
        )
        shares = _without_component(shares, smallest, observed)


def _without_component(shares: Array, gone: int, observed: Array) -> Array:
    """The shares after component `gone` gave its part of each observation to the nearest other."""
    kept = np.delete(shares, gone, axis=1)
    centres = (kept.T @ observed) / kept.sum(axis=0)[:, None]
    nearest = ((observed[:, None, :] - centres[None]) ** 2).sum(axis=2).argmin(axis=1)
    kept[np.arange(len(kept)), nearest] += shares[:, gone]
    return kept
