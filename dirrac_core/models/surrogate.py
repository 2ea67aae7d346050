"""A local linear stand-in for a non-linear classifier: LIME, read the way a solver needs it.

The paper ("Nonlinear models"): LIME explains the classifier around x0 ten times, each time with
1000 perturbed samples; the mean and covariance of the ten linear models are (θ̂, Σ̂). That
covariance is LIME's own noise: it vanishes as the samples grow. `retrained_surrogate` explains
other trainings of the classifier instead, all with the same samples.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
import numpy.typing as npt
from lime.lime_tabular import LimeTabularExplainer
from scipy.special import expit, logit
from scipy.stats.qmc import MultivariateNormalQMC
from sklearn.covariance import LedoitWolf

from dirrac_core.arrays import Array, checked_number, frozen_array
from dirrac_core.errors import InvalidInput
from dirrac_core.models.classifiers import CERTAIN, Classifier, LinearModel
from dirrac_core.models.estimate import one_component
from dirrac_core.models.mixture import ParameterMixture

SURROGATES = 10
SAMPLES = 1000
# A power of 2. With them today's surrogate and the spread of the re-trainings are nearer to what
# any number of points leads to than with 3,000 points of LIME's own (docs/benchmarks.md).
EVEN_POINTS = 2048
# LIME weighs a point at distance d, in spreads of the people, by exp(−d²/2w²) with w = ¾√columns.
WIDTH = 0.75
# "Near" means: numbers move by this part of their spread, and a category changes this often.
NEARBY = 0.25
FIDELITY_SAMPLES = 1000


@dataclass(frozen=True, eq=False)
class Surrogate:
    """The local linear models of a classifier around x0.

    `coefficients` (surrogates, D): θᵀ[x, 1] ≥ 0 exactly when that surrogate's probability is at
    least one half. `mixture` has one component, with their mean and covariance (that of a few
    re-trainings is shrunk, see `retrained_surrogate`). `fidelity` is the share of people near x0
    whom θ̂ and the classifier judge alike. A plan's validity is always judged by the classifier
    itself.
    """

    mixture: ParameterMixture
    coefficients: Array
    fidelity: float


def lime_surrogate(
    classifier: Classifier,
    X_train: npt.ArrayLike,
    x0: npt.ArrayLike,
    groups: Iterable[tuple[int, ...]] = (),
    n_surrogates: int = SURROGATES,
    n_samples: int = SAMPLES,
    seed: int = 0,
) -> Surrogate:
    """LIME around the applicant x0 (with or without the constant 1) as a K = 1 mixture.

    LIME explains label 1, without discretising and without selecting features. Its slopes are
    those of p ≈ b + Σ_j w_j (x_j − mean_j)/scale_j; undone here, and the probability needed (½
    unless the cut-off is another) is taken off, so that θ_j = w_j/scale_j and
    θ_D = b − Σ_j w_j mean_j/scale_j − ½. The samples lie around x0, not
    around the average person: on SBA that raises the agreement near x0 from 78 % to 92 %.
    """
    people = frozen_array("X_train", X_train, (None, None))
    columns = people.shape[1]
    x = _person(x0, columns)
    if n_surrogates < 2 or n_samples < 2:
        message = f"LIME needs at least 2 surrogates of 2 samples, got {n_surrogates}, {n_samples}"
        raise InvalidInput(message)

    needed = expit(classifier.threshold)
    explainer = _explainer(people, seed)
    coefficients = np.empty((n_surrogates, columns + 1))
    for row in range(n_surrogates):
        coefficients[row] = _explained(explainer, classifier, x, n_samples)
        coefficients[row, -1] -= needed
    theta, covariance = one_component(coefficients)
    return Surrogate(
        ParameterMixture([1.0], theta[None], covariance[None]),
        frozen_array("coefficients", coefficients, (n_surrogates, columns + 1)),
        local_fidelity(classifier, theta, x, people.std(axis=0), groups=groups, seed=seed),
    )


def retrained_surrogate(
    classifier: Classifier,
    retrained: Sequence[Classifier],
    X_train: npt.ArrayLike,
    x: npt.ArrayLike,
    groups: Iterable[tuple[int, ...]] = (),
    inflation: float = 2.0,
    seed: int = 0,
) -> Surrogate:
    """One local linear model of today's classifier and of each re-training around x, K = 1.

    They are LIME's but for the points they are fitted to (see `_fitted_nearby`), and that they are
    fitted to the log-odds of the favourable outcome, in which a linear model is linear
    everywhere; its probability is flat where a plan lies well inside, and a surrogate of it there
    would know little of where acceptance ends.
    θ̂ is today's surrogate and Σ̂ = `inflation`·Cov(surrogates of the re-trainings), where
    1 + n/n_f is the inflation for re-trainings on bootstrapped draws of n people. All are fitted to
    the same points, so that the noise of these is common to all and leaves the covariance. A
    handful of re-trainings spans only a few directions, and a plan would seek out the others; so
    the covariance of slopes and value at x is shrunk towards its own diagonal (Ledoit–Wolf, in
    units of each one's spread), by less and less the more re-trainings there are.
    """
    people = frozen_array("X_train", X_train, (None, None))
    point = _person(x, people.shape[1])
    checked_number("The inflation", inflation, low=1.0)
    if len(retrained) < 2:
        message = f"A spread needs at least 2 re-trainings, got {len(retrained)}"
        raise InvalidInput(message)
    log_odds = [partial(_log_odds, each) for each in (classifier, *retrained)]
    today, *others = _fitted_nearby(log_odds, people, point, seed)
    models = np.array(others)
    scatter = np.sqrt(inflation) * (models - models.mean(axis=0))
    covariance = _shrunk_covariance(scatter, np.append(point, 1.0))
    return Surrogate(
        ParameterMixture([1.0], today[None], covariance[None]),
        frozen_array("coefficients", today + scatter, models.shape),
        local_fidelity(classifier, today, point, people.std(axis=0), groups=groups, seed=seed),
    )


def _shrunk_covariance(scatter: Array, x: Array) -> Array:
    """The covariance of centred models (m, D), shrunk by Ledoit and Wolf.

    In the place of the bias stands the value at x (D,): the bias is the value at the origin, which
    moves against the slopes, and forgetting that would make the value at x look doubtful.
    """
    local = np.column_stack([scatter[:, :-1], scatter @ x])
    deviation = local.std(axis=0, ddof=1)
    # Nothing moved there but rounding.
    moving = deviation > 1e-12 * max(float(deviation.max()), np.finfo(float).tiny)
    covariance = np.zeros((x.size, x.size))
    if moving.any():
        units = local[:, moving] / deviation[moving]
        m = len(units)
        shrunk = LedoitWolf(assume_centered=True).fit(units).covariance_ * (m / (m - 1))
        covariance[np.ix_(moving, moving)] = shrunk * np.outer(deviation[moving], deviation[moving])
    # bias = value at x − slopes·x.
    back = np.eye(x.size)
    back[-1, :-1] = -x[:-1]
    returned: Array = back @ covariance @ back.T
    return (returned + returned.T) / 2.0


def _explainer(people: Array, seed: int) -> LimeTabularExplainer:
    return LimeTabularExplainer(
        people.copy(),
        discretize_continuous=False,
        feature_selection="none",
        sample_around_instance=True,
        random_state=seed,
    )


def _log_odds(classifier: Classifier, X: Array) -> Array:
    """The log-odds beyond those that the cut-off asks for."""
    p = classifier.probability(X)
    log_odds: Array = logit(np.clip(p, CERTAIN, 1.0 - CERTAIN)) - classifier.threshold
    return log_odds


def _explained(
    explainer: LimeTabularExplainer, classifier: Classifier, x: Array, n_samples: int
) -> Array:
    """(D,): LIME around x, probability ≈ θᵀ[x, 1] in x's units."""

    def columns(X: Array) -> Array:
        p = classifier.probability(X)
        return np.column_stack([1.0 - p, p])

    mean, scale = explainer.scaler.mean_, explainer.scaler.scale_
    explained = explainer.explain_instance(x, columns, num_features=x.size, num_samples=n_samples)
    theta = np.zeros(x.size + 1)
    for column, weight in explained.local_exp[1]:
        theta[column] = weight / scale[column]
    theta[-1] = explained.intercept[1] - theta[:-1] @ mean
    return theta


def _fitted_nearby(
    outputs: Sequence[Callable[[Array], Array]], people: Array, x: Array, seed: int
) -> Array:
    """(outputs, D): the linear model θᵀ[x, 1] nearest to each output around x, in x's units.

    As in LIME, normal points around x, as far apart as the people, and least squares weighted by
    nearness. But the points fill the space evenly (a Sobol sequence) and lie on both sides of x in
    pairs, so that curvature does not lean on the slopes; and all outputs are fitted at once.
    """
    spread = people.std(axis=0)
    scale = np.where(spread > 0.0, spread, 1.0)
    steps, root = _even_points(x.size, seed)
    values = np.column_stack([output(x + scale * steps) for output in outputs])
    rows = np.column_stack([steps, np.ones(len(steps))])
    fitted = np.linalg.lstsq(root * rows, root * values)[0].T
    slopes = fitted[:, :-1] / scale
    return np.column_stack([slopes, fitted[:, -1] - slopes @ x])


@lru_cache(maxsize=32)
def _even_points(columns: int, seed: int) -> tuple[Array, Array]:
    """(EVEN_POINTS, columns) normal steps in pairs ±g, and the root of the weight of each."""
    rng = np.random.default_rng(seed)
    half = MultivariateNormalQMC(np.zeros(columns), rng=rng).random(EVEN_POINTS // 2)
    steps = np.vstack([half, -half])
    root = np.exp(-np.square(steps).sum(axis=1) / (4.0 * WIDTH**2 * columns))[:, None]
    steps.setflags(write=False)
    root.setflags(write=False)
    return steps, root


def local_fidelity(
    classifier: Classifier,
    theta: npt.ArrayLike,
    center: npt.ArrayLike,
    scale: npt.ArrayLike,
    seed: int = 0,
    groups: Iterable[tuple[int, ...]] = (),
) -> float:
    """The share of people near `center` on whom θ and the classifier decide alike.

    Numbers get normal noise of NEARBY times `scale` (the spread of each column); the one-hot
    groups of columns keep their category or, NEARBY of the time, take another at random.
    Usable at x0 and at the plan alike, with or without their constant 1.
    """
    model = LinearModel(theta)
    x = _person(center, model.theta.size - 1)
    spread = frozen_array("scale", scale, (x.size,))
    rng, n = np.random.default_rng(seed), FIDELITY_SAMPLES
    near = x + NEARBY * spread * rng.standard_normal((n, x.size))
    for group in groups:
        columns = np.array(group)
        near[:, columns] = x[columns]
        changed = np.flatnonzero(rng.random(n) < NEARBY)
        category = rng.integers(columns.size, size=changed.size)
        near[changed[:, None], columns] = np.eye(columns.size)[category]
    return float(np.mean(model.decision(near) == classifier.decision(near)))


def _person(x: npt.ArrayLike, columns: int) -> Array:
    """The features of one person given with or without the constant last entry 1."""
    if np.shape(x) == (columns + 1,):
        whole = frozen_array("An applicant", x, (columns + 1,))
        if whole[-1] != 1.0:
            message = f"The constant last entry of an applicant must be 1, got {whole[-1]:g}"
            raise InvalidInput(message)
        return whole[:-1]
    return frozen_array("An applicant", x, (columns,))
