"""Bad input to the robustness room: a named error that states the rule and what was given."""

import numpy as np
import pytest

from dirrac_core.errors import InvalidInput, InvalidMixture, UnknownName
from dirrac_core.models.mixture import ParameterMixture
from dirrac_core.robustness import (
    Objective,
    WeightBall,
    gelbrich_distance,
    link_named,
    robust_scores,
    weighting_named,
    worst_case_model,
    worst_weights,
)

X = np.array([0.5, -0.2, 1.0])
MIXTURE = ParameterMixture([0.4, 0.6], np.ones((2, 3)), np.stack([np.eye(3)] * 2))


@pytest.mark.parametrize("function", [robust_scores, worst_case_model])
@pytest.mark.parametrize(
    ("x", "radii", "said"),
    [
        ([0.5, 1.0], 0.1, r"x must have shape \(3\), got \(2,\)"),
        (np.ones((1, 3)), 0.1, r"x must have shape \(3\), got \(1, 3\)"),
        ([0.5, np.nan, 1.0], 0.1, r"x must be finite, got nan at \(1,\)"),
        ([0.5, np.inf, 1.0], 0.1, "x must be finite, got inf"),
        (["a", "b", "c"], 0.1, "x must be an array of numbers"),
        ([0.5, -0.2, 2.0], 0.1, "last entry of x must be the constant 1, got 2"),
        (X, -0.2, "'rho' must be ≥ 0 and finite, got -0.2"),
        (X, [0.1, -0.2], "'rho' must be ≥ 0, got -0.2"),
        (X, np.nan, "'rho' must be ≥ 0 and finite, got nan"),
        (X, [0.1, 0.1, 0.1], r"radii must have shape \(2\), got \(3,\)"),
        (X, "wide", "'rho' must be a number, got 'wide'"),
    ],
)
def test_points_and_radii(function, x, radii, said):
    with pytest.raises(InvalidInput, match=said):
        function(x, MIXTURE, radii)


@pytest.mark.parametrize("function", [robust_scores, worst_case_model])
@pytest.mark.parametrize(
    ("metric", "error", "said"),
    [
        ("metres", UnknownName, "The metric must be one of 'weights', 'deviations', got 'metres'"),
        (np.eye(3), InvalidInput, r"The metric must have shape \(2, 3, 3\), got \(3, 3\)"),
        ([-np.eye(3)] * 2, InvalidMixture, "Metric 0 must be positive semidefinite"),
        ([np.eye(3), np.tri(3)], InvalidMixture, "Metric 1 must be symmetric"),
        (np.full((2, 3, 3), np.nan), InvalidInput, "The metric must be finite, got nan"),
    ],
)
def test_metrics(function, metric, error, said):
    with pytest.raises(error, match=said):
        function(X, MIXTURE, 0.1, metric=metric)


@pytest.mark.parametrize("component", [-1, 2, 0.5, "first", None])
def test_component_out_of_range(component):
    with pytest.raises(InvalidInput, match="component must be from 0 to 1, got"):
        worst_case_model(X, MIXTURE, 0.1, component)


@pytest.mark.parametrize(
    ("mean", "covariance", "error", "said"),
    [
        ([0.0], np.eye(2), InvalidInput, r"mean_b must have shape \(2\), got \(1,\)"),
        ([0.0, 0.0], np.eye(3), InvalidInput, r"cov_b must have shape \(2, 2\), got \(3, 3\)"),
        ([0.0, np.nan], np.eye(2), InvalidInput, "mean_b must be finite, got nan"),
        ([0.0, 0.0], np.diag([1.0, -1.0]), InvalidMixture, "semidefinite, got an eigenvalue of -1"),
        ([0.0, 0.0], [[1.0, 0.5], [0.0, 1.0]], InvalidMixture, "must be symmetric, got .* 0.5"),
    ],
)
def test_gelbrich_distance_arguments(mean, covariance, error, said):
    with pytest.raises(error, match=said):
        gelbrich_distance([0.0, 0.0], np.eye(2), mean, covariance)


@pytest.mark.parametrize(
    ("weights", "f", "radius", "said"),
    [
        ([0.5, 0.4], [0.1, 0.2], 0.1, "weights must sum to 1, got a sum of 0.9"),
        ([1.0, 0.0], [0.1, 0.2], 0.1, "weight must be > 0 .* got 0"),
        ([0.5, 0.5], [0.1, 0.2, 0.3], 0.1, r"f must have shape \(2\), got \(3,\)"),
        ([0.5, 0.5], [0.1, np.nan], 0.1, "f must be finite, got nan"),
        ([0.5, 0.5], [0.1, 0.2], -0.1, "radius must be ≥ 0 and finite, got -0.1"),
        ([], [], 0.1, r"weights must have shape \(any\), got \(0,\)"),
    ],
)
def test_worst_weights_arguments(weights, f, radius, said):
    with pytest.raises(InvalidInput, match=said):
        worst_weights("kl", weights, f, radius)


def test_unknown_names_list_the_known_ones():
    with pytest.raises(UnknownName, match="'kl', 'chi2', .* got 'wasserstein'"):
        worst_weights("wasserstein", [1.0], [0.1], 0.1)
    with pytest.raises(UnknownName, match="divergence must be one of .* got 'KL'"):
        WeightBall(divergence="KL")
    with pytest.raises(UnknownName, match="'chebyshev', 'gaussian', got 'normal'"):
        link_named("normal")
    with pytest.raises(UnknownName, match="'nominal', 'worst-component', got 'ball'"):
        weighting_named("ball")


@pytest.mark.parametrize("radius", [-0.1, np.nan, np.inf, "wide"])
def test_weight_ball_radius(radius):
    with pytest.raises(InvalidInput, match="weight radius must be"):
        WeightBall("kl", radius)


def test_things_that_are_no_link_or_weighting():
    with pytest.raises(InvalidInput, match="weighting must be .* got float"):
        weighting_named(0.1)
    with pytest.raises(InvalidInput, match="link must be .* got float"):
        link_named(0.1)


def test_objective_checks_when_it_is_made():
    with pytest.raises(InvalidInput, match="'rho' must be ≥ 0"):
        Objective(MIXTURE, -1.0)
    with pytest.raises(UnknownName, match="link"):
        Objective(MIXTURE, 0.1, "normal")
    with pytest.raises(UnknownName, match="weighting"):
        Objective(MIXTURE, 0.1, "gaussian", "ball")


def test_inputs_are_not_changed_and_results_do_not_alias_them():
    x, radii = X.copy(), np.array([0.1, 0.2])
    weights, f = np.array([0.3, 0.7]), np.array([0.4, 0.1])
    mean, covariance = np.zeros(3), np.eye(3)
    robust_scores(x, MIXTURE, radii)
    worst_case_model(x, MIXTURE, radii, 1)
    gelbrich_distance(mean, covariance, mean, covariance)
    for name in ("kl", "chi2", "hellinger", "total-variation", "burg"):
        worst_weights(name, weights, f, 0.1)
        WeightBall(name).evaluate(weights, f)
    objective = Objective(MIXTURE, radii)
    objective.value_and_gradient(x)
    radii[0] = 5.0
    assert objective.radii.tolist() == [0.1, 0.2]
    assert np.array_equal(x, X)
    assert (weights.tolist(), f.tolist()) == ([0.3, 0.7], [0.4, 0.1])
    assert np.array_equal(covariance, np.eye(3))
    assert not mean.any()


def test_results_of_the_adversary_are_read_only():
    worst = worst_case_model(X, MIXTURE, 0.1)
    with pytest.raises(ValueError, match="read-only"):
        worst.mean[0] = 0.0
    with pytest.raises(ValueError, match="read-only"):
        worst.covariance[0, 0] = 0.0
