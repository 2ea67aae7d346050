"""Mixtures estimated from observed parameters."""

import numpy as np
import pytest

from dirrac_core.data.load import load_dataset
from dirrac_core.errors import InvalidInput, InvalidMixture
from dirrac_core.models.estimate import PAPER_COMPONENTS, estimate_mixture, prior_mixture
from dirrac_core.models.futures.retraining import retrained_parameters


def clusters(sizes, distance=10.0, dimension=3):
    rng = np.random.default_rng(0)
    centres = distance * np.eye(dimension)[: len(sizes)]
    return np.vstack(
        [c + 0.1 * rng.standard_normal((n, dimension)) for c, n in zip(centres, sizes, strict=True)]
    )


def test_one_component_is_the_mean_and_the_empirical_covariance():
    parameters = retrained_parameters(load_dataset("german").present)
    mixture = estimate_mixture(parameters).mixture
    np.testing.assert_allclose(mixture.means[0], parameters.mean(axis=0), atol=1e-12)
    np.testing.assert_allclose(mixture.covariances[0], np.cov(parameters.T), atol=1e-12)


def test_the_elbow_finds_separate_groups_and_says_why():
    estimate = estimate_mixture(clusters([50, 30, 20]), "auto")
    assert estimate.components == 3
    assert "K = 3" in estimate.reason
    assert estimate.distortions is not None
    assert (np.diff(estimate.distortions) < 0).all()
    np.testing.assert_allclose(np.sort(estimate.mixture.weights), [0.2, 0.3, 0.5], atol=1e-6)
    np.testing.assert_array_equal(np.bincount(estimate.labels).max(), 50)
    for mean in estimate.mixture.means:
        assert np.isclose(np.sort(mean), [0, 0, 10], atol=0.1).all()


@pytest.mark.parametrize("name", sorted(PAPER_COMPONENTS))
def test_the_papers_k_and_the_elbow_work_on_the_real_data(name):
    parameters = retrained_parameters(load_dataset(name).present)
    for components in (PAPER_COMPONENTS[name], "auto"):
        estimate = estimate_mixture(parameters, components)
        assert estimate.components > 1
        # The law of total expectation: the components mix back to the overall mean.
        np.testing.assert_allclose(
            estimate.mixture.weights @ estimate.mixture.means, parameters.mean(axis=0), atol=1e-9
        )


def test_a_nearly_empty_component_is_merged_and_said_so():
    parameters = np.vstack([clusters([50, 49]), [[0.0, 0.0, 10.0]]])
    estimate = estimate_mixture(parameters, 3)
    assert estimate.components == 2
    assert any("too few" in note for note in estimate.notes)
    np.testing.assert_allclose(estimate.mixture.weights.sum(), 1.0)
    np.testing.assert_allclose(
        estimate.mixture.weights @ estimate.mixture.means, parameters.mean(axis=0), atol=1e-9
    )


def test_singular_groups_keep_a_singular_covariance_without_a_ridge():
    parameters = clusters([40, 40])
    parameters[:, 2] = 5.0  # a column that never varies
    mixture = estimate_mixture(parameters, 2).mixture
    assert mixture.components == 2
    assert np.abs(mixture.covariances[:, 2, :]).max() < 1e-12
    assert mixture.covariances[:, 0, 0].min() > 1e-3


def test_identical_models_form_one_component():
    parameters = np.ones((20, 3))
    for components in (4, "auto"):
        estimate = estimate_mixture(parameters, components)
        assert estimate.components == 1
        assert estimate_mixture([[0.0], [1.0]], 2).components == 1  # two models, one each
        assert np.abs(estimate.mixture.covariances).max() == 0.0
    assert "1 distinct" in estimate_mixture(parameters, 4).notes[0]


def test_estimates_are_deterministic_per_seed_and_read_only():
    parameters = retrained_parameters(load_dataset("student").present)
    first, again = (estimate_mixture(parameters, 5, seed=2) for _ in "ab")
    np.testing.assert_array_equal(first.mixture.covariances, again.mixture.covariances)
    with pytest.raises(ValueError, match="read-only"):
        first.labels[0] = 0


def test_the_prior_is_theta_zero_and_tau_times_the_identity():
    mixture = prior_mixture([1.0, -2.0], tau=0.3)
    np.testing.assert_array_equal(mixture.means, [[1.0, -2.0]])
    np.testing.assert_array_equal(mixture.covariances, [0.3 * np.eye(2)])


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: estimate_mixture([[1.0, 2.0]]), InvalidMixture, "at least two"),
        (lambda: estimate_mixture(np.ones((5, 2)), 0), InvalidInput, "between 1 and"),
        (lambda: estimate_mixture(np.ones((5, 2)), 6), InvalidInput, "between 1 and"),
        (lambda: estimate_mixture(np.ones((5, 2)), "many"), InvalidInput, "whole number"),
        (lambda: estimate_mixture(np.ones((5, 2)), True), InvalidInput, "whole number"),
        (lambda: estimate_mixture([[1.0], [np.inf]]), InvalidMixture, "finite"),
        (lambda: prior_mixture([1.0], tau=0.0), InvalidInput, "'tau'"),
    ],
)
def test_refusals_name_the_rule(call, error, words):
    with pytest.raises(error, match=words):
        call()


@pytest.mark.slow
def test_bic_answers_one_where_there_is_one_cloud_and_the_elbow_does_not():
    elbows = []
    for seed in range(36):
        rng = np.random.default_rng(seed)
        dimension = (4, 12, 19)[seed % 3]
        mixing = rng.standard_normal((dimension, dimension))
        cloud = rng.standard_normal((100, dimension)) @ mixing + rng.standard_normal(dimension)
        assert estimate_mixture(cloud, "bic", seed).components == 1
        if seed < 6:
            elbows.append(estimate_mixture(cloud, "auto", seed).components)
    assert min(elbows) > 1


def test_bic_finds_groups_that_are_there():
    rng = np.random.default_rng(0)
    centres = 8.0 * rng.standard_normal((3, 6))
    cloud = np.concatenate([centre + rng.standard_normal((40, 6)) for centre in centres])
    found = estimate_mixture(cloud, "bic")
    assert found.components == 3 and "Bayesian information criterion" in found.reason
    assert sorted(np.bincount(found.labels)) == [40, 40, 40]
    np.testing.assert_allclose(
        found.mixture.means[found.labels[[0, 40, 80]]],
        [cloud[:40].mean(0), cloud[40:80].mean(0), cloud[80:].mean(0)],
        atol=1e-6,
    )
    alike = estimate_mixture(np.ones((5, 3)), "bic")
    assert alike.components == 1 and "alike" in alike.reason


def test_bic_does_not_depend_on_the_units_of_the_parameters():
    rng = np.random.default_rng(1)
    cloud = np.concatenate([rng.standard_normal((50, 4)), 9 + rng.standard_normal((50, 4))])
    assert estimate_mixture(cloud * 1e-6, "bic").components == 2
    assert estimate_mixture(cloud * [1e3, 1.0, 1e-3, 10.0], "bic").components == 2
