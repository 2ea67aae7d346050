"""The objective of all formulations: its value is its parts, its gradient is its slope."""

import numpy as np
import pytest
from hypothesis import given, settings

from dirrac_core.models.mixture import ParameterMixture
from dirrac_core.robustness import (
    DIVERGENCES,
    LINKS,
    Objective,
    WeightBall,
    link_named,
    robust_scores,
    weighting_named,
    worst_weights,
)
from tests.robustness_cases import cases

pytestmark = pytest.mark.filterwarnings("error")

DIFFERENCE_STEP = 1e-6
DIFFERENCE_TOLERANCE = 1e-6

WEIGHTINGS = ["nominal", "worst-component", *(WeightBall(name, 0.05) for name in DIVERGENCES)]
each_link = pytest.mark.parametrize("link", LINKS)
each_weighting = pytest.mark.parametrize("weighting", WEIGHTINGS, ids=str)


@each_link
@each_weighting
@given(case=cases(valid=False))
def test_value_is_the_weighting_of_the_links_of_the_scores(link, weighting, case):
    objective = Objective(case.mixture, case.radii, link, weighting, case.metric)
    scores = robust_scores(case.x, case.mixture, case.radii, case.metric)
    f = link_named(link).probability(scores)
    value, picked = weighting_named(weighting).evaluate(case.mixture.weights, f)
    assert np.array_equal(objective.scores(case.x), scores)
    assert np.array_equal(objective.probabilities(case.x), f)
    assert objective.value(case.x) == value == objective.value_and_gradient(case.x)[0]
    assert np.array_equal(objective.worst_weights(case.x), picked)
    assert 0.0 <= value <= 1.0 + 1e-12


@each_link
@each_weighting
@settings(max_examples=40)
@given(case=cases(min_rank=1))
def test_gradient_by_central_differences(link, weighting, case):
    objective = Objective(case.mixture, case.radii, link, weighting, case.metric)
    x = case.x
    value, gradient = objective.value_and_gradient(x)
    steps = DIFFERENCE_STEP * np.eye(x.size)
    above, below = (np.array([objective.value(x + sign * e) for e in steps]) for sign in (1, -1))
    numeric = (above - below) / (2 * DIFFERENCE_STEP)
    # At a kink (two components tie, or a total-variation donor runs empty) the two sides differ
    # by a jump of the slope; elsewhere by the curvature times the step.
    jump = np.abs(above - 2 * value + below) / DIFFERENCE_STEP
    size = 1.0 + np.abs(gradient).max()
    assert np.all(np.abs(numeric - gradient) <= DIFFERENCE_TOLERANCE * size**3 + jump)


def test_gradient_at_a_smooth_point_without_allowance():
    """The same check where no kink is near, so that the allowance above hides nothing."""
    rng = np.random.default_rng(3)
    x = np.append(rng.normal(size=3), 1.0)
    factors = rng.normal(size=(3, 4, 4)) * 0.5
    means = rng.normal(size=(3, 4)) * 0.1 + np.array([[0.5], [0.8], [1.3]]) * x
    mixture = ParameterMixture([0.2, 0.5, 0.3], means, factors @ factors.transpose(0, 2, 1))
    for link in LINKS:
        for weighting in WEIGHTINGS:
            objective = Objective(mixture, [0.05, 0.1, 0.2], link, weighting)
            assert np.ptp(objective.probabilities(x)) > 0.01
            steps = DIFFERENCE_STEP * np.eye(4)
            numeric = [(objective.value(x + e) - objective.value(x - e)) for e in steps]
            _, gradient = objective.value_and_gradient(x)
            np.testing.assert_allclose(
                np.array(numeric) / (2 * DIFFERENCE_STEP), gradient, rtol=1e-6, atol=1e-8
            )
            assert np.abs(gradient).max() > 1e-3


@pytest.mark.parametrize("radius", [0.0, 5e-324, 1e-310, 1e-307, 1e-250, 1e-100])
def test_nothing_overflows_without_variance_and_hardly_a_radius(radius):
    """At 1e-307 the score is still finite and its slope is not."""
    mixture = ParameterMixture([1.0], [[100.0, -49.0]], [np.zeros((2, 2))])
    for link in LINKS:
        value, gradient = Objective(mixture, radius, link).value_and_gradient(np.array([0.5, 1.0]))
        assert value == pytest.approx(0.0, abs=1e-199)
        np.testing.assert_allclose(gradient, 0.0, atol=1e-99)


@given(case=cases())
def test_one_component_makes_the_weightings_equal(case):
    mixture = ParameterMixture([1.0], case.mixture.means[:1], case.mixture.covariances[:1])
    for link in LINKS:
        values = {
            Objective(mixture, case.radii[0], link, weighting).value(case.x)
            for weighting in WEIGHTINGS
        }
        assert len(values) == 1


@given(case=cases())
def test_the_two_extremes_enclose_every_ball(case):
    f = Objective(case.mixture, case.radii, metric=case.metric).probabilities(case.x)
    for name in DIVERGENCES:
        ball = Objective(case.mixture, case.radii, "chebyshev", WeightBall(name, 0.2), case.metric)
        low = Objective(case.mixture, case.radii, "chebyshev", "nominal", case.metric).value(case.x)
        high = Objective(
            case.mixture, case.radii, "chebyshev", "worst-component", case.metric
        ).value(case.x)
        value = ball.value(case.x)
        assert low - 1e-12 <= value <= high + 1e-12
        assert value == worst_weights(name, case.mixture.weights, f, 0.2).value


@given(case=cases())
def test_gaussian_never_exceeds_chebyshev_at_valid_points(case):
    for weighting in WEIGHTINGS:
        chebyshev, gaussian = (
            Objective(case.mixture, case.radii, link, weighting, case.metric).value(case.x)
            for link in LINKS
        )
        assert gaussian <= chebyshev + 1e-12
