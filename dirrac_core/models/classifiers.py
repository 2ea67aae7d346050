"""Classifiers: one protocol for linear models, multilayer perceptrons and scikit-learn's own.

Everything that plans imports this module, most of it for the protocol alone. scikit-learn takes
longer to import than all the rest together, so it is imported where a model of its own is met.
"""

import warnings
from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, Self, cast, runtime_checkable

import numpy as np
import numpy.typing as npt
from scipy.special import expit, logit

from dirrac_core.arrays import Array, checked_number, frozen_array
from dirrac_core.errors import InvalidInput
from dirrac_core.models.logistic import LogisticSettings, checked_outcomes, fit_logistic

Decisions = npt.NDArray[np.bool_]
# A probability this close to 0 or 1 has the log-odds of this one.
CERTAIN = 1e-6


@runtime_checkable
class Classifier(Protocol):
    """Anything that judges encoded people X (n, D − 1); the constant 1 is not part of X."""

    def probability(self, X: npt.ArrayLike) -> Array:
        """The (n,) probabilities of the favourable outcome."""
        ...

    def log_odds(self, X: npt.ArrayLike) -> Array:
        """The (n,) log-odds of the favourable outcome, whatever the cut-off."""
        ...

    def decision(self, X: npt.ArrayLike) -> Decisions:
        """The (n,) decisions: True where the log-odds reach the `threshold`."""
        ...

    @property
    def threshold(self) -> float:
        """The log-odds a person needs; 0 is a probability of one half."""
        ...

    def at_threshold(self, threshold: float) -> "Classifier":
        """The same model, deciding at another threshold."""
        ...


@dataclass(frozen=True, eq=False)
class LinearModel:
    """x is accepted when θᵀ[x, 1] ≥ 0; the bias is the last entry of θ (D,).

    The `threshold` is part of θ: the log-odds are θᵀ[x, 1] + threshold.
    """

    theta: Array
    threshold: float = 0.0

    def __init__(self, theta: npt.ArrayLike, threshold: float = 0.0) -> None:
        object.__setattr__(self, "theta", frozen_array("theta", theta, (None,)))
        object.__setattr__(self, "threshold", checked_number("threshold", threshold))

    def score(self, X: npt.ArrayLike) -> Array:
        """θᵀ[x, 1] of each row of X."""
        people = frozen_array("X", X, (None, self.theta.size - 1))
        score: Array = people @ self.theta[:-1] + self.theta[-1]
        return score

    def log_odds(self, X: npt.ArrayLike) -> Array:
        """score + threshold of each row of X."""
        return self.score(X) + self.threshold

    def probability(self, X: npt.ArrayLike) -> Array:
        """1/(1 + exp(−log-odds)) of each row of X."""
        probability: Array = expit(self.log_odds(X))
        return probability

    def decision(self, X: npt.ArrayLike) -> Decisions:
        """True where the score is at least 0."""
        decision: Decisions = self.score(X) >= 0.0
        return decision

    def at_threshold(self, threshold: float) -> "LinearModel":
        """The same log-odds, accepted from `threshold` on."""
        theta = np.array(self.theta)
        theta[-1] += self.threshold - threshold
        return LinearModel(theta, threshold)


class ProbabilityModel(ABC):
    """A classifier that gives probabilities; a frozen dataclass with a `threshold`."""

    threshold: float

    @abstractmethod
    def probability(self, X: npt.ArrayLike) -> Array:
        """The (n,) probabilities of the favourable outcome."""

    def log_odds(self, X: npt.ArrayLike) -> Array:
        """The log-odds of each row, those of certainty cut off at a probability of `CERTAIN`."""
        log_odds: Array = logit(np.clip(self.probability(X), CERTAIN, 1.0 - CERTAIN))
        return log_odds

    def decision(self, X: npt.ArrayLike) -> Decisions:
        """True where the probability reaches that of the threshold."""
        decision: Decisions = self.probability(X) >= expit(self.threshold)
        return decision

    def at_threshold(self, threshold: float) -> Self:
        """The same model, accepting from other log-odds on."""
        # Every subclass is a dataclass; `replace` cannot know that from here.
        return replace(cast(Any, self), threshold=threshold)  # type: ignore[no-any-return]


@dataclass(frozen=True, eq=False)
class FittedClassifier(ProbabilityModel):
    """Any fitted scikit-learn classifier with `predict_proba` and the two classes 0 and 1."""

    estimator: Any
    threshold: float = 0.0
    _favourable: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        from sklearn.exceptions import NotFittedError
        from sklearn.utils.validation import check_is_fitted

        name = type(self.estimator).__name__
        if not hasattr(self.estimator, "predict_proba"):
            message = f"A classifier must offer predict_proba, got {name} without it"
            raise InvalidInput(message)
        try:
            check_is_fitted(self.estimator)
        except (NotFittedError, TypeError) as problem:
            message = f"A classifier must be a fitted scikit-learn estimator, got {name}: {problem}"
            raise InvalidInput(message) from None
        classes = list(self.estimator.classes_)
        if sorted(classes) != [0, 1]:
            message = f"The classes must be 0 (unfavourable) and 1 (favourable), got {classes}"
            raise InvalidInput(message)
        object.__setattr__(self, "_favourable", classes.index(1))

    def probability(self, X: npt.ArrayLike) -> Array:
        """The estimator's probability of class 1 of each row of X."""
        people = frozen_array("X", X, (None, int(self.estimator.n_features_in_)))
        probability: Array = np.asarray(self.estimator.predict_proba(people), dtype=np.float64)
        return probability[:, self._favourable]


@dataclass(frozen=True)
class MLPSettings:
    """The perceptron: three hidden layers of 64, weight decay 0.1, at most 100 passes (Adam).

    The paper names no architecture; these are the settings of its public code.
    """

    hidden_layers: tuple[int, ...] = (64, 64, 64)
    weight_decay: float = 0.1
    passes: int = 100


def train_logistic(
    X: npt.ArrayLike, y: npt.ArrayLike, settings: LogisticSettings | None = None
) -> LinearModel:
    """Logistic regression on everybody in X; deterministic, so there is no seed."""
    return LinearModel(fit_logistic(X, y, settings=settings)[0])


def train_mlp(
    X: npt.ArrayLike, y: npt.ArrayLike, seed: int, settings: MLPSettings | None = None
) -> FittedClassifier:
    """A scikit-learn multilayer perceptron on everybody in X."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.neural_network import MLPClassifier

    people = frozen_array("X", X, (None, None))
    outcome = checked_outcomes(y, len(people))
    if outcome.min() == outcome.max():
        message = f"A training set must hold both outcomes, got only {outcome[0]:g}"
        raise InvalidInput(message)
    settings = settings or MLPSettings()
    network = MLPClassifier(
        hidden_layer_sizes=settings.hidden_layers,
        alpha=settings.weight_decay,
        max_iter=settings.passes,
        random_state=seed,
    )
    with warnings.catch_warnings():
        # The number of passes is a setting; reaching it is the plan, not a surprise.
        warnings.simplefilter("ignore", ConvergenceWarning)
        network.fit(people, outcome)
    for layer in (*network.coefs_, *network.intercepts_):
        layer.flags.writeable = False
    return FittedClassifier(network)


def refit(
    classifier: FittedClassifier, X: npt.ArrayLike, y: npt.ArrayLike, seed: int
) -> FittedClassifier:
    """A fresh copy of the classifier's estimator, same settings, trained on X and y."""
    from sklearn.base import clone

    people = frozen_array("X", X, (None, None))
    estimator = clone(classifier.estimator)
    if "random_state" in estimator.get_params():
        estimator.set_params(random_state=seed)
    return FittedClassifier(estimator.fit(people, checked_outcomes(y, len(people))))


def accuracy(classifier: Classifier, X: npt.ArrayLike, y: npt.ArrayLike) -> float:
    """The share of people whose decision equals their outcome."""
    decision = classifier.decision(X)
    return float(np.mean(decision == (checked_outcomes(y, len(decision)) == 1.0)))
