"""The LIME surrogate against models whose weights are known."""

import numpy as np
import pytest

from dirrac_core.data.load import load_dataset
from dirrac_core.errors import InvalidInput
from dirrac_core.models.classifiers import LinearModel, MLPSettings, train_logistic, train_mlp
from dirrac_core.models.surrogate import lime_surrogate, local_fidelity


def cosine(a, b):
    return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))


@pytest.mark.parametrize("name", ["german", "sba", "student", "synthetic"])
def test_the_surrogate_of_a_linear_model_is_that_model(name):
    dataset = load_dataset(name)
    sample = dataset.present
    model = train_logistic(sample.X, sample.y)
    scores = model.score(sample.X)
    declined = np.flatnonzero(scores < 0)
    for row in declined[np.argsort(-scores[declined])][:3]:  # the narrow declines
        found = lime_surrogate(model, sample.X, sample.X[row], dataset.schema.groups)
        theta = found.mixture.means[0]
        assert cosine(theta[:-1], model.theta[:-1]) > 0.95
        assert cosine(theta, model.theta) > 0.95
        assert found.fidelity > 0.9
        assert found.coefficients.shape == (10, model.theta.size)
        np.testing.assert_allclose(theta, found.coefficients.mean(axis=0))
        np.testing.assert_allclose(
            found.mixture.covariances[0], np.cov(found.coefficients.T), atol=1e-12
        )


class HalfPlane:
    """p = ½ + 0.2·(x₁ − 0.3) on any scale: LIME can be exact, intercept and units included."""

    threshold = 0.0

    def probability(self, X):
        return 0.5 + 0.2 * (np.asarray(X)[:, 0] - 0.3)

    def decision(self, X):
        return self.probability(X) >= 0.5


def test_slopes_are_in_the_units_of_x_and_zero_is_one_half():
    rng = np.random.default_rng(0)
    X = rng.random((300, 2)) * [0.2, 40.0]  # very different scales
    theta = lime_surrogate(HalfPlane(), X, [0.1, 20.0], n_samples=5000).mixture.means[0]
    assert theta[0] == pytest.approx(0.2, rel=0.01)
    assert theta[1] == pytest.approx(0.0, abs=1e-4)
    assert -theta[2] / theta[0] == pytest.approx(0.3, rel=0.02)


def test_the_surrogate_is_seeded_and_takes_the_constant():
    dataset = load_dataset("student")
    sample = dataset.present
    network = train_mlp(sample.X, sample.y, 0, MLPSettings((8,), passes=30))
    x0 = sample.X[0]
    first = lime_surrogate(network, sample.X, x0, n_surrogates=3)
    again = lime_surrogate(network, sample.X, np.append(x0, 1.0), n_surrogates=3)
    other = lime_surrogate(network, sample.X, x0, n_surrogates=3, seed=1)
    np.testing.assert_array_equal(first.coefficients, again.coefficients)
    assert np.abs(first.coefficients - other.coefficients).max() > 1e-6
    with pytest.raises(ValueError, match="read-only"):
        first.coefficients[0, 0] = 0.0


def test_fidelity_counts_agreement_near_the_centre():
    model = LinearModel([1.0, 0.0, 0.0, -0.5])
    opposite = LinearModel([-1.0, 0.0, 0.0, 0.5])
    at, spread = [0.5, 0.0, 1.0], [1.0, 1.0, 1.0]
    assert local_fidelity(model, model.theta, at, spread) == 1.0
    assert local_fidelity(model, opposite.theta, at, spread) == 0.0
    always = LinearModel([0.0, 0.0, 0.0, 1.0])
    assert local_fidelity(model, always.theta, at, spread) == pytest.approx(0.5, abs=0.05)
    assert local_fidelity(model, always.theta, [9.0, 0.0, 1.0], spread) == 1.0


def test_fidelity_only_tries_real_categories():
    class Recorder(LinearModel):
        def decision(self, X):
            self.seen.append(np.array(X))
            return super().decision(X)

    model = Recorder([1.0, 0.0, 0.0, 0.0])
    object.__setattr__(model, "seen", [])
    local_fidelity(model, model.theta, [0.2, 1.0, 0.0], [1.0, 1.0, 1.0], groups=[(1, 2)])
    categories = model.seen[0][:, 1:]
    assert set(np.unique(categories)) == {0.0, 1.0}
    assert (categories.sum(axis=1) == 1).all()
    assert 0.05 < categories[:, 1].mean() < 0.25


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: lime_surrogate(HalfPlane(), [[0.0, 1.0]], [0.0]), "shape"),
        (lambda: lime_surrogate(HalfPlane(), [[0.0], [1.0]], [0.0, 2.0]), "must be 1"),
        (lambda: lime_surrogate(HalfPlane(), [[0.0], [1.0]], [0.0], n_surrogates=1), "at least 2"),
        (lambda: local_fidelity(HalfPlane(), [1.0, 0.0], [0.0], [1.0, 2.0]), "scale"),
    ],
)
def test_refusals_name_the_rule(call, words):
    with pytest.raises(InvalidInput, match=words):
        call()
