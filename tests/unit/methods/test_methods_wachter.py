"""Wachter: flips what can be flipped, keeps to the bounds, gradients through the network."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.neural_network import MLPClassifier

from dirrac_core.data.schema.actions import Actions
from dirrac_core.errors import InvalidInput
from dirrac_core.methods.parts.log_odds import log_odds
from dirrac_core.methods.wachter import Wachter
from dirrac_core.models.classifiers import FittedClassifier, LinearModel, train_mlp

STEP = 1e-6
GRADIENT_TOLERANCE = 1e-5


@pytest.fixture(scope="module")
def people():
    rng = np.random.default_rng(0)
    X = rng.random((300, 4))
    return X, (X[:, 0] + X[:, 1] ** 2 - X[:, 2] > 0.5).astype(float)


@pytest.mark.parametrize("activation", ["identity", "relu", "tanh", "logistic"])
def test_the_network_gradient_by_central_differences(people, activation):
    X, y = people
    network = MLPClassifier((7, 5), activation=activation, max_iter=30, random_state=0)
    with pytest.warns(UserWarning, match="iterations"):
        network.fit(X, y)
    classifier = FittedClassifier(network)
    odds = log_odds(classifier)
    for row in X[:5]:
        x = np.append(row, 1.0)
        value, gradient = odds(x)
        probability = classifier.probability(row[None])[0]
        assert value == pytest.approx(np.log(probability / (1 - probability)))
        for c in range(4):
            ahead, behind = x.copy(), x.copy()
            ahead[c] += STEP
            behind[c] -= STEP
            slope = (odds(ahead)[0] - odds(behind)[0]) / (2 * STEP)
            assert gradient[c] == pytest.approx(slope, abs=GRADIENT_TOLERANCE)
        assert gradient[-1] == 0.0


def test_a_classifier_without_gradient_is_refused(people):
    X, y = people
    classifier = FittedClassifier(LogisticRegression().fit(X, y))
    with pytest.raises(InvalidInput, match="LogisticRegression"):
        Wachter(classifier).recourse(np.append(X[0], 1.0), Actions())


@pytest.mark.parametrize("seed", range(12))
def test_it_flips_exactly_what_can_be_flipped(seed):
    rng = np.random.default_rng(seed)
    theta = rng.normal(size=6)
    x0 = np.concatenate([np.eye(3)[rng.integers(3)], rng.random(2), [1.0]])
    actions = Actions([0.0] * 5, [1.0] * 5, only_up=(3,), groups=[(0, 1, 2)])
    low = np.array([x0[3], 0.0])
    reach = theta[:3].max() + np.where(theta[3:5] > 0, theta[3:5], theta[3:5] * low).sum()
    theta[5] = -reach + (0.05 if seed % 2 else -0.05)
    plan = Wachter(LinearModel(theta), categories="relaxed").recourse(x0, actions)
    if seed % 2:
        assert plan.accepted and plan.keeps_rules
    else:
        assert plan.x is None and "λ = 0" in plan.message


def test_it_stops_at_the_first_accepted_point():
    model = LinearModel([1.0, -0.5])
    plan = Wachter(model, learning_rate=0.01).recourse([0.0, 1.0], Actions([0.0], [1.0]))
    assert 0.5 <= plan.x[0] <= 0.5 + 0.011


def test_a_large_lambda_is_lowered_and_never_below_zero():
    # At λ = 1 staying put is optimal; the second round (λ = 0.4) or the third (0) must flip.
    model = LinearModel([1.0, -0.5])
    plan = Wachter(model, lam=1.0, lam_step=0.6).recourse([0.0, 1.0], Actions([0.0], [1.0]))
    assert plan.accepted
    assert "round 2" in plan.message and "λ = 0.4" in plan.message


def test_it_flips_a_perceptron(people):
    X, y = people
    network = train_mlp(X, y, 0)
    declined = X[~network.decision(X)][:10]
    actions = Actions([0.0] * 4, [1.0] * 4, locked=(2,))
    for row in declined:
        plan = Wachter(network).recourse(np.append(row, 1.0), actions)
        assert plan.accepted and plan.keeps_rules
