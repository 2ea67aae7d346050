"""The vectorised Newton method against scikit-learn, and its refusals."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from dirrac_core.data.load import load_dataset
from dirrac_core.errors import InvalidInput
from dirrac_core.models.futures.retraining import (
    SHIFTED_FRACTION,
    random_draws,
    retrained_parameters,
)
from dirrac_core.models.logistic import ROW_BLOCK, LogisticSettings, fit_logistic

SKLEARN = {"solver": "newton-cholesky", "tol": 1e-12, "max_iter": 1000}


def sklearn_fit(X, y, weights=None, C=1.0, penalise_bias=False):
    if penalise_bias:
        padded = np.column_stack([X, np.ones(len(X))])
        model = LogisticRegression(C=C, fit_intercept=False, **SKLEARN)
        return model.fit(padded, y, sample_weight=weights).coef_[0]
    model = LogisticRegression(C=C, **SKLEARN).fit(X, y, sample_weight=weights)
    return np.append(model.coef_[0], model.intercept_)


@pytest.mark.parametrize("name", ["german", "sba", "student", "synthetic"])
def test_every_draw_equals_scikit_learn(name):
    sample = load_dataset(name).present
    draws = random_draws(sample.y, 5, 0.8, np.random.default_rng(3))
    ours = fit_logistic(sample.X, sample.y, draws)
    for theta, draw in zip(ours, draws, strict=True):
        np.testing.assert_allclose(
            theta, sklearn_fit(sample.X[draw], sample.y[draw]), rtol=0, atol=1e-7
        )


@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("penalise_bias", [False, True])
def test_settings_and_weights_equal_scikit_learn(C, penalise_bias):
    rng = np.random.default_rng(0)
    n = 2 * ROW_BLOCK + 17  # three row blocks, the last one short
    X = rng.random((n, 4))
    y = (rng.random(n) < 0.2 + 0.6 * X[:, 0]).astype(float)
    weights = rng.random(n)
    ours = fit_logistic(X, y, weights=weights, settings=LogisticSettings(C, penalise_bias))[0]
    theirs = sklearn_fit(X, y, weights, C, penalise_bias)
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-7)


def test_separable_data_with_a_weak_penalty_settles():
    X = np.concatenate([np.linspace(-2, -1, 20), np.linspace(1, 2, 20)])[:, None]
    y = np.repeat([0, 1], 20)
    theta = fit_logistic(X, y, settings=LogisticSettings(C=1e6))[0]
    residual = 1 / (1 + np.exp(-(X[:, 0] * theta[0] + theta[1]))) - y
    assert theta[0] > 5
    assert abs(1e6 * residual @ X[:, 0] + theta[0]) < 1e-4
    assert abs(residual.sum()) < 1e-9


def test_a_weight_of_two_is_the_person_twice():
    rng = np.random.default_rng(1)
    X, y = rng.random((60, 3)), np.tile([0, 1, 1], 20)
    weights = np.ones(60)
    weights[:10] = 2
    twice = fit_logistic(np.vstack([X, X[:10]]), np.append(y, y[:10]))
    np.testing.assert_allclose(fit_logistic(X, y, weights=weights), twice, atol=1e-9)


def test_retrained_parameters_are_deterministic_and_read_only():
    sample = load_dataset("german").present
    first, again = retrained_parameters(sample, seed=4), retrained_parameters(sample, seed=4)
    assert first.shape == (100, sample.X.shape[1] + 1)
    np.testing.assert_array_equal(first, again)
    assert np.abs(first - retrained_parameters(sample, seed=5)).max() > 1e-3
    with pytest.raises(ValueError, match="read-only"):
        first[0, 0] = 1.0


def test_smaller_draws_spread_the_parameters_more():
    sample = load_dataset("german").present
    small = retrained_parameters(sample, fraction=SHIFTED_FRACTION)
    large = retrained_parameters(sample)
    assert small.var(axis=0).sum() > 4 * large.var(axis=0).sum()


def test_draws_have_the_stated_size_and_both_outcomes():
    y = np.zeros(50)
    y[:3] = 1  # rare: most draws of 10 people would miss it now and then
    draws = random_draws(y, 200, 0.2, np.random.default_rng(0))
    assert (draws.sum(axis=1) == 10).all()
    assert ((draws @ y) >= 1).all()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: fit_logistic([[1.0], [2.0]], [1, 1]), "both outcomes"),
        (lambda: fit_logistic([[1.0], [2.0]], [1, 2]), "0 or 1"),
        (lambda: fit_logistic([[1.0], [np.nan]], [0, 1]), "finite"),
        (lambda: fit_logistic([[1.0], [2.0]], [0, 1], weights=[1, -1]), "≥ 0"),
        (lambda: fit_logistic([[1.0], [2.0]], [0, 1], np.ones((3, 5), bool)), "draws"),
        (lambda: LogisticSettings(C=0.0), "'C'"),
        (lambda: random_draws([0, 1], 0, 0.5, np.random.default_rng(0)), "≥ 1"),
        (lambda: random_draws([0, 1], 3, 1.5, np.random.default_rng(0)), r"\(0, 1\]"),
        (lambda: random_draws([1, 1, 1], 3, 0.5, np.random.default_rng(0)), "3 favourable of 3"),
        (
            lambda: random_draws([1] + [0] * 99_999, 9, 2e-5, np.random.default_rng(0)),
            "Draws of 2 people",
        ),
    ],
)
def test_refusals_name_the_rule(call, words):
    with pytest.raises(InvalidInput, match=words):
        call()
