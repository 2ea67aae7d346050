"""A local linear stand-in for a non-linear classifier: LIME, read the way a solver needs it.

The paper ("Nonlinear models"): LIME explains the classifier around x0 ten times, each time with
1000 perturbed samples; the mean and covariance of the ten linear models are (θ̂, Σ̂). That
covariance is LIME's own noise: it vanishes as the samples grow. `retrained_surrogate` explains
other trainings of the classifier instead, all with the same samples.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt
from lime.lime_tabular import LimeTabularExplainer
from scipy.special import expit, logit
from sklearn.covariance import LedoitWolf

from dirrac_core.arrays import Array, checked_number, frozen_array
from dirrac_core.errors import InvalidInput
from dirrac_core.models.classifiers import CERTAIN, Classifier, LinearModel
from dirrac_core.models.estimate import one_component
from dirrac_core.models.mixture import ParameterMixture

SURROGATES = 10
SAMPLES = 1000
# Today's own surrogate is the mean, so here LIME's noise is worth more samples.
SHARED_SAMPLES = 3000
# "Near" means: numbers move by this part of their spread, and a category changes this often.
NEARBY = 0.25
FIDELITY_SAMPLES = 1000
# Today's own surrogate is the mean, so here LIME's noise is worth more samples.
SHARED_SAMPLES = 3000


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
        (coefficients[row],) = _explained(explainer, [classifier.probability], x, n_samples)
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
    """One LIME surrogate of today's classifier and of each re-training around x, K = 1.

    They are fitted to the log-odds of the favourable outcome, in which a linear model is linear
    everywhere; its probability is flat where a plan lies well inside, and a surrogate of it there
    would know little of where acceptance ends.
    θ̂ is today's surrogate and Σ̂ = `inflation`·Cov(surrogates of the re-trainings), where
    1 + n/n_f is the inflation for re-trainings on bootstrapped draws of n people. All are fitted to
    the same samples, so that LIME's own noise is common to all and leaves the covariance. A
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
    explained = _explained(_explainer(people, seed), log_odds, point, SHARED_SAMPLES)
    today, models = explained[0], explained[1:]
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
    explainer: LimeTabularExplainer,
    outputs: Sequence[Callable[[Array], Array]],
    x: Array,
    n_samples: int,
) -> Array:
    """(outputs, D): LIME around x with the same samples for all, output ≈ θᵀ[x, 1] in x's units."""

    def columns(X: Array) -> Array:
        # LIME wants one column per label, adding up to 1: the first makes up for the others.
        values = np.column_stack([output(X) for output in outputs])
        return np.column_stack([1.0 - values.sum(axis=1), values])

    mean, scale = explainer.scaler.mean_, explainer.scaler.scale_
    labels = range(1, len(outputs) + 1)
    explained = explainer.explain_instance(
        x, columns, labels=labels, num_features=x.size, num_samples=n_samples
    )
    thetas = np.zeros((len(outputs), x.size + 1))
    for theta, label in zip(thetas, labels, strict=True):
        for column, weight in explained.local_exp[label]:
            theta[column] = weight / scale[column]
        theta[-1] = explained.intercept[label] - theta[:-1] @ mean
    return thetas


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
