"""The adversary: inside the Gelbrich ball, attaining the probability, and never beaten."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import sqrtm
from scipy.stats import norm

from dirrac_core.models.mixture import ParameterMixture
from dirrac_core.robustness import (
    LINKS,
    gelbrich_distance,
    robust_scores,
    score_terms,
    worst_case_model,
)
from tests.robustness_cases import cases, powers, seeds

# Half the digits are lost where a covariance is singular: a square root has no slope at 0.
DISTANCE_TOLERANCE = 1e-6


def along(x, model):
    """Mean and deviation of θᵀx."""
    return model.mean @ x, np.sqrt(max(x @ model.covariance @ x, 0.0))


def random_moments(rng, d, rank):
    factor = rng.normal(size=(d, rank))
    return rng.normal(size=d), factor @ factor.T


@given(seed=seeds, d=st.integers(1, 5))
def test_gelbrich_distance_is_the_printed_formula(seed, d):
    rng = np.random.default_rng(seed)
    (mean_a, cov_a), (mean_b, cov_b) = random_moments(rng, d, d + 2), random_moments(rng, d, d + 2)
    root = sqrtm(cov_b)
    trace = np.trace(cov_a + cov_b - 2 * sqrtm(root @ cov_a @ root).real)
    printed = np.sqrt(np.sum((mean_a - mean_b) ** 2) + trace)
    assert gelbrich_distance(mean_a, cov_a, mean_b, cov_b) == pytest.approx(printed, rel=1e-6)


@given(seed=seeds, d=st.integers(1, 5), ranks=st.tuples(*[st.integers(0, 5)] * 3))
def test_gelbrich_distance_is_a_metric_even_when_singular(seed, d, ranks):
    rng = np.random.default_rng(seed)
    a, b, c = (random_moments(rng, d, min(rank, d)) for rank in ranks)
    assert gelbrich_distance(*a, *a) == pytest.approx(0.0, abs=DISTANCE_TOLERANCE)
    assert gelbrich_distance(*a, *b) == pytest.approx(gelbrich_distance(*b, *a), rel=1e-9)
    direct = gelbrich_distance(*a, *c)
    assert direct <= gelbrich_distance(*a, *b) + gelbrich_distance(*b, *c) + 1e-9


def test_gelbrich_distance_of_commuting_covariances():
    """Diagonal covariances: the distance of the deviations."""
    distance = gelbrich_distance([3.0, 0.0], np.diag([4.0, 0.0]), [0.0, 0.0], np.diag([36.0, 9.0]))
    assert distance == pytest.approx(np.sqrt(9.0 + 16.0 + 9.0), rel=1e-14)


@given(seed=seeds, d=st.integers(1, 5), ranks=st.tuples(*[st.integers(0, 7)] * 2))
def test_gelbrich_distance_in_a_metric_is_that_of_the_transformed_moments(seed, d, ranks):
    rng = np.random.default_rng(seed)
    (mean_a, cov_a), (mean_b, cov_b) = (random_moments(rng, d, rank) for rank in ranks)
    root = rng.normal(size=(d, d)) + 2.0 * np.eye(d)
    back = np.linalg.inv(root)
    transformed = gelbrich_distance(
        back @ mean_a, back @ cov_a @ back.T, back @ mean_b, back @ cov_b @ back.T
    )
    direct = gelbrich_distance(mean_a, cov_a, mean_b, cov_b, root @ root.T)
    assert direct == pytest.approx(transformed, rel=1e-5, abs=DISTANCE_TOLERANCE * 10)


@given(seed=seeds, d=st.integers(2, 5), data=st.data())
def test_gelbrich_distance_in_a_singular_metric_is_the_limit_of_regular_ones(seed, d, data):
    """Moments that agree outside the range of M; a metric with a little of everything added."""
    rng = np.random.default_rng(seed)
    rank = data.draw(st.integers(1, d - 1))
    root = rng.normal(size=(d, rank))
    common = rng.normal(size=(d, data.draw(st.integers(0, 3))))
    inside = root @ rng.normal(size=(2, rank, common.shape[1] + 2))
    factors = [np.column_stack([common, np.zeros((d, 2))]) + moved for moved in inside]
    mean = rng.normal(size=d)
    moved = mean + root @ rng.normal(size=rank)
    moments = (mean, factors[0] @ factors[0].T, moved, factors[1] @ factors[1].T)
    exact = gelbrich_distance(*moments, root @ root.T)
    near = gelbrich_distance(*moments, root @ root.T + 1e-8 * np.eye(d))
    assert np.isfinite(exact)
    assert near <= exact * (1 + 1e-6) + 1e-6
    assert near == pytest.approx(exact, rel=0.02, abs=0.02)
    outside = np.linalg.svd(root)[0][:, -1]
    assert gelbrich_distance(mean + 0.1 * outside, *moments[1:], root @ root.T) == np.inf
    wider = moments[1] + 0.1 * np.outer(outside, outside)
    assert gelbrich_distance(mean, wider, *moments[2:], root @ root.T) == np.inf


@given(case=cases(valid=False))
def test_adversary_is_at_distance_rho_and_has_the_score_as_its_ratio(case):
    scores = robust_scores(case.x, case.mixture, case.radii, case.metric)
    for k, a in enumerate(scores):
        worst = worst_case_model(case.x, case.mixture, case.radii, k, case.metric)
        distance = gelbrich_distance(
            worst.mean,
            worst.covariance,
            case.mixture.means[k],
            case.mixture.covariances[k],
            case.doubt.matrix(k),
        )
        mean, deviation = along(case.x, worst)
        assert np.array_equal(worst.covariance, worst.covariance.T)
        size = 1.0 + np.abs(case.mixture.covariances[k]).max()
        if np.isfinite(a):
            moves = case.x @ case.matrix(k) @ case.x > 0
            expected = case.radii[k] if moves else 0.0
            assert distance == pytest.approx(expected, abs=DISTANCE_TOLERANCE * size)
            assert mean == pytest.approx(
                a * deviation, abs=DISTANCE_TOLERANCE * size * (1 + abs(a))
            )
        elif a == -np.inf:
            assert distance <= case.radii[k] + DISTANCE_TOLERANCE * size
            assert mean <= 1e-9
            assert deviation <= DISTANCE_TOLERANCE * size
        else:
            assert mean > 0 == deviation


@given(case=cases(valid=True))
def test_adversary_moves_mean_and_deviation_by_the_stated_amounts(case):
    m, s, r = score_terms(case.x, case.mixture, case.doubt)
    for k, a in enumerate(robust_scores(case.x, case.mixture, case.radii, case.metric)):
        mean, deviation = along(
            case.x, worst_case_model(case.x, case.mixture, case.radii, k, case.metric)
        )
        if np.isfinite(a):
            angle = np.arctan(a)
            assert mean == pytest.approx(m[k] - r[k] * np.cos(angle), rel=1e-9, abs=1e-12)
            assert deviation == pytest.approx(s[k] + r[k] * np.sin(angle), rel=1e-6, abs=1e-9)


def two_point(mean, deviation):
    """Cantelli's extremal distribution: the most mass at 0 for this mean > 0 and deviation."""
    mass = deviation**2 / (deviation**2 + mean**2)
    return np.array([0.0, mean / (1 - mass)]), np.array([mass, 1 - mass])


@given(case=cases(valid=True, min_rank=1, min_radius=0.01))
def test_moment_adversary_attains_the_probability(case):
    """A distribution of whole models θ, finitely many points, with the adversary's moments."""
    x, d = case.x, case.x.size
    probability = LINKS["chebyshev"].probability(
        robust_scores(x, case.mixture, case.radii, case.metric)
    )
    for k in range(case.mixture.components):
        worst = worst_case_model(x, case.mixture, case.radii, k, case.metric)
        mean, deviation = along(x, worst)
        points, masses = two_point(mean, deviation)
        direction = worst.covariance @ x / deviation**2
        rest = worst.covariance - np.outer(direction, direction) * deviation**2
        eigenvalues, vectors = np.linalg.eigh(rest)
        columns = (vectors * np.sqrt(np.clip(eigenvalues, 0, None) * d)).T
        models = np.array(
            [
                worst.mean + direction * (point - mean) + sign * column
                for point in points
                for sign in (1, -1)
                for column in columns
            ]
        )
        mass = np.repeat(masses, 2 * d) / (2 * d)
        centred = models - worst.mean
        size = 1 + np.abs(worst.covariance).max()
        assert mass.sum() == pytest.approx(1.0)
        np.testing.assert_allclose(mass @ models, worst.mean, atol=1e-7 * size)
        covariance = (mass[:, None] * centred).T @ centred
        np.testing.assert_allclose(covariance, worst.covariance, atol=1e-7 * size)
        declined = models @ x <= 1e-5 * (mean + deviation)
        assert mass[declined].sum() == pytest.approx(probability[k], rel=1e-7)


@given(case=cases(valid=False, min_rank=1, min_radius=0.01))
def test_gaussian_adversary_attains_the_probability(case):
    scores = robust_scores(case.x, case.mixture, case.radii, case.metric)
    probability = LINKS["gaussian"].probability(scores)
    for k, a in enumerate(scores):
        mean, deviation = along(
            case.x, worst_case_model(case.x, case.mixture, case.radii, k, case.metric)
        )
        if np.isfinite(a) and deviation > 1e-3:
            attained = norm.cdf(0.0, loc=mean, scale=deviation)
            assert attained == pytest.approx(probability[k], abs=1e-7)


@settings(max_examples=30)
@given(case=cases(valid=False, max_components=2), closeness=powers(-3, 1))
def test_nothing_in_the_ball_beats_the_adversary(case, closeness):
    """Any model with factor F + GΔ and mean θ̂ + Gu is within √(‖u‖² + ‖Δ‖²) of (θ̂, FFᵀ)."""
    x, rng = case.x, case.rng
    for k, a in enumerate(robust_scores(x, case.mixture, case.radii, case.metric)):
        rho, factor = case.radii[k], case.mixture.factors[k]
        worst = worst_case_model(x, case.mixture, case.radii, k, case.metric)
        projected = factor.T @ x
        unit = projected / max(np.linalg.norm(projected), 1e-300)
        root = np.eye(x.size) if case.doubt.factors is None else case.doubt.factors[k]
        swell = np.outer(root.T @ x, unit) * (1.0 if not np.isfinite(a) else np.sign(a))
        back = np.linalg.pinv(root, rcond=1e-7) @ (worst.mean - case.mixture.means[k])
        aimed = np.column_stack([back, rho * swell])
        for _ in range(40):
            step = closeness * rng.normal(size=aimed.shape) + aimed * rng.uniform(0, 2)
            step *= rho * rng.uniform() ** 0.1 / max(np.linalg.norm(step), 1e-300)
            mean = case.mixture.means[k] + root @ step[:, 0]
            moved = factor + root @ step[:, 1:]
            distance = gelbrich_distance(
                mean,
                moved @ moved.T,
                case.mixture.means[k],
                case.mixture.covariances[k],
                case.doubt.matrix(k),
            )
            assert distance <= rho + DISTANCE_TOLERANCE
            deviation = np.linalg.norm(moved.T @ x)
            if np.isfinite(a):
                assert mean @ x >= a * deviation - 1e-9 * (1 + abs(a)) * (1 + deviation)
            if a == np.inf:
                assert mean @ x > 0


def test_sampling_comes_close_to_the_adversary():
    """The search above is not vacuous: random models do approach the worst case, from above."""
    rng = np.random.default_rng(7)
    x, rho = np.array([1.0, 1.0]), 0.3
    mixture = ParameterMixture([1.0], [[1.0, 1.0]], [np.diag([0.2, 0.1])])
    a = robust_scores(x, mixture, rho)[0]
    factor = mixture.factors[0]
    steps = rng.normal(size=(20000, 2, 3))
    steps *= rho / np.linalg.norm(steps, axis=(1, 2), keepdims=True)
    means = (mixture.means[0] + steps[:, :, 0]) @ x
    deviations = np.linalg.norm((factor + steps[:, :, 1:]).transpose(0, 2, 1) @ x, axis=1)
    ratios = means / deviations
    assert a <= ratios.min() <= a + 0.05


def test_adversary_without_variance_makes_some():
    x, rho = np.array([0.0, 1.0]), 0.6
    mixture = ParameterMixture([1.0], [[0.0, 1.0]], [np.zeros((2, 2))])
    worst = worst_case_model(x, mixture, rho)
    np.testing.assert_allclose(worst.mean, [0.0, 0.64], rtol=1e-12)
    np.testing.assert_allclose(worst.covariance, np.diag([0.0, 0.48**2]), atol=1e-15)


def test_adversary_with_nothing_to_move():
    x = np.array([0.0, 1.0])
    mixture = ParameterMixture([1.0], [[0.0, 1.0]], [np.zeros((2, 2))])
    worst = worst_case_model(x, mixture, 0.0)
    assert worst.mean.tolist() == [0.0, 1.0]
    assert not worst.covariance.any()


def test_adversary_where_certain_failure_is_in_reach():
    x = np.array([3.0, 4.0, 1.0])
    mixture = ParameterMixture([1.0], [[0.01, 0.0, 0.0]], [1e-4 * np.eye(3)])
    assert robust_scores(x, mixture, 1.0)[0] == -np.inf
    mean, deviation = along(x, worst_case_model(x, mixture, 1.0))
    assert mean == pytest.approx(0.0, abs=1e-12)
    assert deviation == pytest.approx(0.0, abs=1e-9)
