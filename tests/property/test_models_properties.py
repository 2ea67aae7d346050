"""Properties of re-training, estimation and shift stories on any valid input."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dirrac_core.data.load import load_dataset
from dirrac_core.models.estimate import estimate_mixture
from dirrac_core.models.futures.compose import future_pool
from dirrac_core.models.futures.shift import Shift
from dirrac_core.models.logistic import LogisticSettings, fit_logistic

seeds = st.integers(0, 2**32 - 1)


@st.composite
def training_data(draw):
    """(X, y, weights) with both outcomes, any scale of the columns."""
    rng = np.random.default_rng(draw(seeds))
    n, d = draw(st.integers(4, 60)), draw(st.integers(1, 6))
    X = rng.standard_normal((n, d)) * 10.0 ** draw(st.integers(-2, 2))
    y = (rng.random(n) < draw(st.floats(0.1, 0.9))).astype(float)
    y[:2] = 0.0, 1.0
    return X, y, rng.random(n) + 0.1


@given(training_data(), st.floats(1e-2, 1e3), st.booleans())
def test_the_gradient_vanishes_at_the_fit(data, C, penalise_bias):
    X, y, weights = data
    theta = fit_logistic(X, y, weights=weights, settings=LogisticSettings(C, penalise_bias))[0]
    A = np.column_stack([X, np.ones(len(X))])
    residual = weights * (1 / (1 + np.exp(-A @ theta)) - y)
    penalty = theta / C
    if not penalise_bias:
        penalty[-1] = 0.0
    scale = max(1.0, np.abs(A).max()) * len(X)
    assert np.abs(A.T @ residual + penalty).max() < 1e-6 * scale


@given(training_data(), seeds)
def test_many_fits_at_once_equal_each_fit_alone(data, seed):
    X, y, weights = data
    draws = np.random.default_rng(seed).random((4, len(y))) < 0.7
    draws[:, :2] = True
    together = fit_logistic(X, y, draws, weights)
    for theta, draw in zip(together, draws, strict=True):
        alone = fit_logistic(X[draw], y[draw], weights=weights[draw])[0]
        np.testing.assert_allclose(theta, alone, rtol=1e-5, atol=1e-6)


@given(seeds, st.integers(6, 60), st.integers(1, 5), st.integers(1, 6))
def test_components_mix_back_to_the_observed_mean(seed, n, dimension, components):
    rng = np.random.default_rng(seed)
    observed = rng.standard_normal((n, dimension)) + 4.0 * rng.integers(0, 3, n)[:, None]
    estimate = estimate_mixture(observed, min(components, n))
    mixture = estimate.mixture
    assert 1 <= mixture.components <= components
    assert mixture.components == components or estimate.notes
    np.testing.assert_allclose(
        mixture.weights @ mixture.means, observed.mean(axis=0), rtol=1e-9, atol=1e-9
    )
    assert estimate.labels.max() < mixture.components


@given(st.floats(0.0, 1.0), st.sampled_from(["Status", "Personal status"]), st.integers(0, 3))
def test_drift_gives_a_category_exactly_its_share(strength, name, index):
    dataset = load_dataset("german")
    category = dataset.schema.feature(name).categories[index]
    inside = (dataset.present.people[name] == category).to_numpy()
    scenario = Shift("population-drift", strength, feature=name, value=category)
    weights = future_pool(dataset, scenario)[0].weights
    goal = inside.mean() + strength * (1 - inside.mean())
    assert np.isclose(weights[inside].sum() / weights.sum(), goal)
    assert np.isclose(weights.sum(), len(inside))


@given(st.floats(0.0, 0.9), st.integers(20, 74))
def test_drift_gives_a_number_exactly_its_average(strength, value):
    dataset = load_dataset("german")
    age = dataset.present.people["Age"].to_numpy(float)
    scenario = Shift("population-drift", strength, feature="Age", value=float(value))
    weights = future_pool(dataset, scenario)[0].weights
    goal = age.mean() + strength * (value - age.mean())
    assert np.isclose(np.average(age, weights=weights), goal, atol=1e-6)
    assert (weights >= 0).all()


@given(st.floats(0.0, 1.0), seeds)
def test_a_correction_keeps_everybody_in_exactly_one_category(strength, seed):
    dataset = load_dataset("german")
    pool, _ = future_pool(dataset, Shift("coding-correction", strength), seed % 1000)
    for group in dataset.schema.groups:
        block = pool.X[:, list(group)]
        assert (block.sum(axis=1) == 1).all()
        assert set(np.unique(block)) <= {0.0, 1.0}
    changed = (pool.X != dataset.present.X).any(axis=1).mean()
    assert abs(changed - strength) < 0.08
