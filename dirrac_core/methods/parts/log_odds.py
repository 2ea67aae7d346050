"""Log-odds beyond the cut-off and their gradient: linear models, perceptrons, boosted trees."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np
from scipy.special import expit
from sklearn.neural_network import MLPClassifier

from dirrac_core.arrays import Array
from dirrac_core.errors import InvalidInput
from dirrac_core.models.boosted.soft import soft_log_odds
from dirrac_core.models.boosted.tree_model import TreeModel
from dirrac_core.models.classifiers import Classifier, FittedClassifier, LinearModel

LogOdds = Callable[[Array], tuple[float, Array]]

# Activation → (its value, its derivative in terms of its value).
_Elementwise = Callable[[Array], Array]
_ACTIVATIONS: Mapping[str, tuple[_Elementwise, _Elementwise]] = MappingProxyType(
    {
        "identity": (lambda z: z, np.ones_like),
        "relu": (lambda z: np.maximum(z, 0.0), lambda a: (a > 0.0).astype(np.float64)),
        "tanh": (np.tanh, lambda a: 1.0 - a**2),
        "logistic": (expit, lambda a: a * (1.0 - a)),
    }
)


def log_odds(classifier: Classifier) -> LogOdds:
    """x (D, with the trailing 1) ↦ log p/(1 − p) − threshold and its gradient (D,), last entry 0.

    It is ≥ 0 exactly where the classifier accepts.
    A perceptron's gradient is back-propagated through its fitted weights; boosted trees have that
    of their softened questions.
    """
    if isinstance(classifier, LinearModel):
        theta = classifier.theta
        slope = np.append(theta[:-1], 0.0)
        return lambda x: (float(theta @ x), slope)
    if isinstance(classifier, FittedClassifier) and isinstance(classifier.estimator, MLPClassifier):
        return _perceptron(classifier.estimator, classifier.threshold)
    if isinstance(classifier, TreeModel):
        return soft_log_odds(classifier)
    kind = type(getattr(classifier, "estimator", classifier)).__name__
    raise InvalidInput(
        f"Gradients are known for linear models, MLPClassifier and boosted trees, got {kind}"
    )


def _perceptron(network: MLPClassifier, threshold: float) -> LogOdds:
    activate, derivative = _ACTIVATIONS[network.activation]
    weights, biases = network.coefs_, network.intercepts_

    def value_and_gradient(x: Array) -> tuple[float, Array]:
        layers = [x[:-1]]
        for w, b in zip(weights[:-1], biases[:-1], strict=True):
            layers.append(activate(layers[-1] @ w + b))
        value = float((layers[-1] @ weights[-1] + biases[-1])[0]) - threshold
        backward = weights[-1][:, 0]
        for w, layer in zip(weights[-2::-1], layers[:0:-1], strict=True):
            backward = w @ (backward * derivative(layer))
        return value, np.append(backward, 0.0)

    return value_and_gradient
