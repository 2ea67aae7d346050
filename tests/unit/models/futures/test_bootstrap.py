"""Sampling noise at a declared size, against the textbook: sandwich, jackknife, ridge."""

import numpy as np
import pytest
from scipy.special import expit

from dirrac_core.case.distance import distance_split
from dirrac_core.data.load import load_dataset
from dirrac_core.errors import InvalidInput
from dirrac_core.models.bundle import prepare
from dirrac_core.models.futures.bootstrap import (
    Bootstrap,
    bootstrap_counts,
    bootstrapped_models,
    pooled_model,
    predicted_models,
)
from dirrac_core.models.futures.retraining import retrained_parameters
from dirrac_core.models.futures.shifts import Pool
from dirrac_core.models.logistic import LogisticSettings, fit_logistic


def a_pool(n=1500, seed=0, weights=None):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 3))
    y = (rng.random(n) < expit(X @ [1.0, -0.5, 0.0] + 0.3)).astype(float)
    return Pool(X, y, np.ones(n) if weights is None else weights)


def sandwich(pool, theta, penalty):
    """H⁻¹ J H⁻¹: the asymptotic covariance of a penalised logistic regression on n people."""
    X = np.column_stack([pool.X, np.ones(len(pool.y))])
    p = expit(X @ theta)
    H = (X * (p * (1 - p))[:, None]).T @ X + np.diag(penalty)
    score = X * (p - pool.y)[:, None]
    return np.linalg.solve(H, np.linalg.solve(H, score.T @ score).T)


def relative(a, b):
    return np.linalg.norm(a - b) / np.linalg.norm(b)


def test_counts_of_a_draw_are_weights_of_people():
    pool = a_pool(60)
    counts = bootstrap_counts(pool.y, 3, 40, np.random.default_rng(1))
    assert counts.shape == (3, 60) and (counts.sum(axis=1) == 40).all()
    for row, theta in zip(counts, fit_logistic(pool.X, pool.y, counts), strict=True):
        people = np.repeat(np.arange(60), row)
        np.testing.assert_allclose(theta, fit_logistic(pool.X[people], pool.y[people])[0], 1e-6)


def test_the_bootstrap_covariance_is_the_sandwich():
    pool = a_pool()
    n = len(pool.y)
    models, _ = bootstrapped_models(pool, (n, n), np.random.default_rng(0), 2000)
    theta = pooled_model(pool, n)
    expected = sandwich(pool, theta, [1.0, 1.0, 1.0, 0.0])
    assert relative(np.cov(models, rowvar=False), expected) < 0.12


@pytest.mark.parametrize("future", [150, 1500, 6000])
def test_the_predictive_covariance_is_both_samples_noise(future):
    """Truth known: a model of n_f new people minus the model of n people, over many worlds."""
    n, worlds = 1500, 300
    gaps = []
    for seed in range(worlds):
        now, later = a_pool(n, 2 * seed), a_pool(future, 2 * seed + 1)
        ridge = LogisticSettings().per_person(n, future)
        gaps.append(
            fit_logistic(later.X, later.y, settings=ridge)[0] - fit_logistic(now.X, now.y)[0]
        )
    seen = np.cov(np.array(gaps), rowvar=False)
    told = predicted_models(a_pool(n), (n, future), np.random.default_rng(0), 400)
    np.testing.assert_allclose(told.models.mean(axis=0), told.mean, atol=1e-12)
    assert np.trace(np.cov(told.models, rowvar=False)) == pytest.approx(np.trace(seen), rel=0.25)


def test_eighty_percent_without_replacement_show_a_quarter_of_the_noise():
    """The delete-d jackknife factor 1/0.8 − 1, the paper's Σ̂ against the bootstrap's."""
    pool = a_pool()
    splits = retrained_parameters(pool, 600, 0.8)
    models, _ = bootstrapped_models(pool, (1500, 1500), np.random.default_rng(0), 600)
    ratio = np.trace(np.cov(models.T)) / np.trace(np.cov(splits.T))
    assert ratio == pytest.approx(4.0, rel=0.15)


def test_the_ridge_per_person_does_not_shrink_small_samples_more():
    pool = a_pool(200)
    strong = LogisticSettings(C=0.05)
    few = Pool(np.repeat(pool.X, 5, axis=0), np.repeat(pool.y, 5), np.ones(1000))
    same = fit_logistic(few.X, few.y, settings=strong.per_person(200, 1000))[0]
    np.testing.assert_allclose(same, fit_logistic(pool.X, pool.y, settings=strong)[0], atol=1e-7)
    np.testing.assert_allclose(pooled_model(few, 200, strong), same, atol=1e-7)
    plain = fit_logistic(few.X, few.y, settings=strong)[0]
    assert np.linalg.norm(plain[:-1]) > 1.2 * np.linalg.norm(same[:-1])


def test_people_are_drawn_by_their_weights():
    weights = np.r_[np.full(100, 3.0), np.full(100, 1.0), np.zeros(100)]
    pool = a_pool(300, weights=weights)
    drawn = bootstrap_counts(pool.y, 50, 400, np.random.default_rng(0), weights)
    assert drawn[:, :100].sum() / drawn.sum() == pytest.approx(0.75, abs=0.02)
    assert drawn[:, 200:].sum() == 0


def test_a_small_pool_knows_its_own_model_no_better_than_its_people():
    small = a_pool(100)
    trace = [
        np.trace(np.cov(predicted_models(small, sizes, np.random.default_rng(0), 300).models.T))
        for sizes in ((100, 100), (10_000, 10_000))
    ]
    assert trace[1] > 0.4 * trace[0]


def test_bundles_of_a_declared_size():
    student = load_dataset("student")
    usual, small = (prepare(student, bootstrap=Bootstrap(size)) for size in (None, 60))
    n = int(usual.training.sum())
    assert usual.bootstrap.sizes(len(student.present)) == (n, n)
    assert f"{n} people drawn from the shifted people" in usual.future.source
    wide, narrow = (np.trace(np.cov(b.future.parameters.T)) for b in (small, usual))
    assert wide > 3 * narrow
    wide, narrow = (np.trace(b.estimate.mixture.covariances[0]) for b in (small, usual))
    assert wide / narrow == pytest.approx((1 + n / 60) / 2, rel=1e-6)
    assert prepare(student, bootstrap=Bootstrap(60)) is small
    again = prepare(student, bootstrap=Bootstrap(61)).parameters
    assert np.abs(again - small.parameters).max() > 0


def test_preparing_is_deterministic_by_seed():
    pool = a_pool(200)
    runs = [
        predicted_models(pool, (200, 100), np.random.default_rng(seed), 20).models
        for seed in (3, 3, 4)
    ]
    np.testing.assert_array_equal(runs[0], runs[1])
    assert np.abs(runs[0] - runs[2]).max() > 1e-3


@pytest.mark.parametrize("metric", ["weights", "deviations"])
def test_the_distance_of_future_models_in_two_parts(metric):
    paper = distance_split(prepare(load_dataset("student")), metric)
    ours = distance_split(prepare(load_dataset("student"), bootstrap=Bootstrap()), metric)
    # The paper's future models see 45 people: most of their distance is no shift.
    assert paper.people == 45 and ours.people == 338
    assert paper.training_size > 2 * paper.shift
    assert ours.training_size < 0.4 * ours.shift
    for split in (paper, ours):
        assert split.total <= split.training_size + split.shift + 1e-9


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: Bootstrap(9), "≥ 10, got 9"),
        (lambda: Bootstrap(True), "whole number"),
        (lambda: Bootstrap(20.5), "whole number"),
        (lambda: bootstrap_counts([1, 1, 1], 2, 5, np.random.default_rng(0)), "both outcomes"),
        (lambda: bootstrap_counts([1, 0], 0, 5, np.random.default_rng(0)), "re-trainings"),
        (
            lambda: fit_logistic([[0.0], [1.0]], [0, 1], np.array([[0.5, 1.0]])),
            "who is in or how often",
        ),
        (lambda: fit_logistic([[0.0], [1.0]], [0, 1], np.array([[-1, 1]])), "how often"),
    ],
)
def test_refusals_name_the_rule(call, words):
    with pytest.raises(InvalidInput, match=words):
        call()
