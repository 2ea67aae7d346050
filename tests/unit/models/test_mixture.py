"""The parameter mixture: what it refuses, what it keeps, how it factors."""

import numpy as np
import pytest

from dirrac_core.errors import InvalidInput, InvalidMixture
from dirrac_core.models.mixture import ParameterMixture, checked_radii

EYE = np.eye(2)


@pytest.mark.parametrize(
    ("weights", "means", "covariances", "said"),
    [
        ([0.5, 0.4], [[0, 0], [1, 1]], [EYE, EYE], "weights must sum to 1, got a sum of 0.9"),
        ([1.0, 0.0], [[0, 0], [1, 1]], [EYE, EYE], "weight must be > 0 .* got 0"),
        ([1.5, -0.5], [[0, 0], [1, 1]], [EYE, EYE], "weight must be > 0 .* got -0.5"),
        ([1.0], [[0, 0], [1, 1]], [EYE, EYE], r"weights must have shape \(2\), got \(1,\)"),
        ([1.0], [0.0, 0.0], [EYE], r"means must have shape \(any, any\), got \(2,\)"),
        ([1.0], [[0.0, 0.0]], [np.eye(3)], r"covariances must have shape \(1, 2, 2\)"),
        ([1.0], [[0.0, 0.0]], EYE, r"covariances must have shape \(1, 2, 2\), got \(2, 2\)"),
        ([], np.empty((0, 2)), np.empty((0, 2, 2)), r"means must have shape .* got \(0, 2\)"),
        ([1.0], np.empty((1, 0)), np.empty((1, 0, 0)), r"means must have shape .* got \(1, 0\)"),
        ([1.0], [[np.nan, 0.0]], [EYE], r"means must be finite, got nan at \(0, 0\)"),
        ([1.0], [[0.0, 0.0]], [[[np.inf, 0], [0, 1]]], "covariances must be finite, got inf"),
        ([np.nan], [[0.0, 0.0]], [EYE], "weights must be finite, got nan"),
        ([1.0], [["a", 0.0]], [EYE], "means must be an array of numbers"),
        ([1.0], [[0.0], [1.0, 2.0]], [EYE], "means must be an array of numbers"),
        (
            [1.0],
            [[0.0, 0.0]],
            [np.diag([1.0, -0.5])],
            "Covariance 0 must be positive semidefinite, got an eigenvalue of -0.5",
        ),
        ([1.0], [[0.0, 0.0]], [-EYE], "Covariance 0 must be positive semidefinite"),
        (
            [0.5, 0.5],
            [[0, 0], [1, 1]],
            [EYE, [[1.0, 0.3], [0.1, 1.0]]],
            "Covariance 1 must be symmetric, got entries that differ by 0.2",
        ),
    ],
)
def test_what_is_refused(weights, means, covariances, said):
    with pytest.raises(InvalidMixture, match=said):
        ParameterMixture(weights, means, covariances)


@pytest.mark.parametrize("scale", [1e-140, 1e-20, 1.0, 1e20, 1e140])
def test_refusal_does_not_depend_on_the_scale(scale):
    with pytest.raises(InvalidMixture, match="positive semidefinite"):
        ParameterMixture([1.0], [[0.0, 0.0]], [scale * np.diag([1.0, -0.01])])
    with pytest.raises(InvalidMixture, match="symmetric"):
        ParameterMixture([1.0], [[0.0, 0.0]], [scale * np.array([[1.0, 0.2], [0.1, 1.0]])])


@pytest.mark.parametrize("rank", range(5))
def test_factors_rebuild_singular_covariances_without_a_ridge(rank):
    rng = np.random.default_rng(rank)
    factors = rng.normal(size=(3, 4, rank))
    covariances = factors @ factors.transpose(0, 2, 1)
    mixture = ParameterMixture([0.2, 0.3, 0.5], rng.normal(size=(3, 4)), covariances)
    rebuilt = mixture.factors @ mixture.factors.transpose(0, 2, 1)
    np.testing.assert_allclose(rebuilt, covariances, atol=1e-13)
    assert (mixture.components, mixture.dimension) == (3, 4)


def test_factors_keep_the_digits_of_columns_in_small_units():
    """Variances from 1e-16 to 1e16: every entry is rebuilt, relative to its own row and column."""
    units = np.array([1e8, 1.0, 1e-8])
    correlation = np.array([[1.0, 0.5, -0.2], [0.5, 1.0, 0.3], [-0.2, 0.3, 1.0]])
    sigma = correlation * np.outer(units, units)
    factor = ParameterMixture([1.0], np.zeros((1, 3)), [sigma]).factors[0]
    rebuilt = factor @ factor.T / np.outer(units, units)
    assert rebuilt == pytest.approx(correlation, abs=1e-12)


def test_rounding_below_zero_is_accepted():
    nearly = np.outer([1.0, 1.0], [1.0, 1.0]) - 1e-12 * EYE
    mixture = ParameterMixture([1.0], [[0.0, 0.0]], [nearly])
    assert np.isfinite(mixture.factors).all()


def test_everything_is_a_read_only_copy():
    weights, means, covariances = np.array([1.0]), np.zeros((1, 2)), np.stack([EYE])
    mixture = ParameterMixture(weights, means, covariances)
    weights[0], means[0, 0], covariances[0, 0, 0] = 9.0, 9.0, 9.0
    assert mixture.weights[0] == 1.0
    assert mixture.means[0, 0] == 0.0
    assert mixture.covariances[0, 0, 0] == 1.0
    for array in (mixture.weights, mixture.means, mixture.covariances, mixture.factors):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0.0


def test_radii_one_for_all_or_one_each():
    assert checked_radii(0.2, 3).tolist() == [0.2, 0.2, 0.2]
    assert checked_radii([0.1, 0.0], 2).tolist() == [0.1, 0.0]
    for bad in (-0.1, np.inf, np.nan, "wide", None, [0.1], [0.1, -0.1], [[0.1, 0.1]]):
        with pytest.raises(InvalidInput, match="rho|radii"):
            checked_radii(bad, 2)
