"""Valid mixtures and points for the robustness properties, built rather than filtered."""

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from dirrac_core.models.mixture import ParameterMixture
from dirrac_core.robustness import METRICS, Doubt

seeds = st.integers(0, 2**32 - 1)
LEAST_RADIUS = 1e-150


def powers(low, high):
    """10^u with u uniform: numbers of every size."""
    return st.floats(low, high).map(lambda u: 10.0**u)


@dataclass(frozen=True)
class Case:
    x: np.ndarray
    mixture: ParameterMixture
    radii: np.ndarray
    metric: str | np.ndarray
    rng: np.random.Generator

    @property
    def doubt(self):
        """Radii and metric together."""
        return Doubt.of(self.mixture, self.radii, self.metric)

    def matrix(self, k):
        """M_k, written out."""
        if isinstance(self.metric, str):
            return np.eye(self.x.size) if self.metric == "weights" else self.mixture.covariances[k]
        return self.metric[k]


@st.composite
def cases(draw, valid=True, max_components=4, min_rank=0, min_radius=0.0):
    """A point and a mixture; `valid` puts every m above r, otherwise any sign of m − r occurs.

    Covariances have a drawn rank, so s may be 0 when the rank is. The metric is the paper's, the
    deviations, or a matrix of a drawn rank for each component.
    """
    rng = np.random.default_rng(draw(seeds))
    k = draw(st.integers(1, max_components))
    d = draw(st.integers(2, 6))
    rank = draw(st.integers(min_rank, d))
    # No numbers so small that a change of scale rounds them away: they are no radii either.
    radius = st.floats(max(min_radius, LEAST_RADIUS), 1.0)
    if min_radius == 0.0:
        radius = st.just(0.0) | radius
    radii = np.array(draw(st.lists(radius, min_size=k, max_size=k)))
    x = np.append(rng.normal(size=d - 1), 1.0)
    factors = rng.normal(size=(k, d, rank)) * draw(powers(-2, 1))
    means = rng.normal(size=(k, d))
    covariances = factors @ factors.transpose(0, 2, 1)
    metric = draw(st.sampled_from([*METRICS, "matrices"]))
    if metric == "matrices":
        roots = rng.normal(size=(k, d, draw(st.integers(1, d)))) * draw(powers(-1, 1))
        metric = roots @ roots.transpose(0, 2, 1)
    if valid:
        doubt = Doubt.of(ParameterMixture(np.full(k, 1 / k), means, covariances), radii, metric)
        wanted = doubt.terms(x) + np.array([draw(powers(-2, 1)) for _ in range(k)])
        means += ((wanted - means @ x) / (x @ x))[:, None] * x
    weights = rng.dirichlet(np.full(k, 2.0)) * 0.9 + 0.1 / k
    return Case(x, ParameterMixture(weights, means, covariances), radii, metric, rng)
