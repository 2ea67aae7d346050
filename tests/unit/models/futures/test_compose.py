"""Each shift story moves the re-trained models the way it says."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from dirrac_core.data.dataset import Dataset, make_sample
from dirrac_core.data.load import load_dataset
from dirrac_core.data.schema.feature import Feature
from dirrac_core.data.schema.schema import Schema
from dirrac_core.errors import InvalidInput, UnknownName
from dirrac_core.models.futures.compose import Retraining, available_stories, compose, future_pool
from dirrac_core.models.futures.retraining import retrained_parameters
from dirrac_core.models.futures.shift import STORIES, Shift
from dirrac_core.models.logistic import LogisticSettings

NOISE = Shift("sampling-noise")


def mean_of(dataset, *shifts, seed=0):
    return compose(dataset, shifts, seed).mixture.means


def two_towns():
    """In town A the number helps, in town B it harms; there are no shifted people."""
    rng = np.random.default_rng(0)
    n = 1200
    town = np.where(rng.random(n) < 0.7, "A", "B")
    number = rng.random(n)
    slope = np.where(town == "A", 6.0, -6.0)
    favourable = rng.random(n) < 1 / (1 + np.exp(-slope * (number - 0.5)))
    schema = Schema(
        (Feature("Town", "unordered", categories=("A", "B")), Feature("Number", "continuous"))
    )
    people = pd.DataFrame({"Town": town, "Number": number})
    return Dataset(
        name="towns",
        title="Towns",
        schema=schema,
        present=make_sample(schema, people, favourable),
        shifted=None,
        favourable="yes",
        unfavourable="no",
        shift_description="",
        years="",
    )


@pytest.mark.parametrize("story", sorted(set(STORIES) - {"sampling-noise"}))
def test_strength_zero_is_sampling_noise(story):
    dataset = load_dataset("german")
    both = compose(dataset, [NOISE, Shift(story, strength=0.0)], seed=3)
    np.testing.assert_array_equal(*both.parameters)
    assert "nothing changes" in both.sentences[1]


def test_population_drift_moves_the_model_towards_the_growing_group():
    dataset = two_towns()
    (number,) = dataset.schema.columns_of("Number")
    slopes = [
        mean_of(dataset, Shift("population-drift", s, feature="Town", value="B"))[0, number]
        for s in (0.0, 0.3, 0.6, 1.0)
    ]
    assert slopes[0] > 0.5
    assert slopes == sorted(slopes, reverse=True)
    assert slopes[-1] < -3.0


def test_population_drift_of_a_number_moves_its_average():
    dataset = load_dataset("german")
    shift = Shift("population-drift", 0.5, feature="Age", value=60.0)
    pool, sentence = future_pool(dataset, shift)
    age = dataset.present.people["Age"].to_numpy(float)
    assert np.average(age, weights=pool.weights) == pytest.approx((age.mean() + 60) / 2)
    assert pool.weights.mean() == pytest.approx(1.0)
    assert sentence == "Population drift: the average Age moves from 36 years to 48 years."
    near = replace(shift, strength=0.01)
    assert "moves from 35.5 years to 35.8 years" in future_pool(dataset, near)[1]


@pytest.mark.parametrize("strength", [-0.7, 0.5])
def test_prior_shift_moves_every_score_by_the_log_odds(strength):
    dataset = load_dataset("german")
    before, after = mean_of(dataset, NOISE, Shift("prior-shift", strength))
    X = np.column_stack([dataset.present.X, np.ones(1000)])
    moved = (X @ (after - before)).mean()
    assert moved == pytest.approx(-strength * np.log(10), abs=0.15)
    pool, sentence = future_pool(dataset, Shift("prior-shift", strength))
    odds = pool.weights[pool.y == 0].sum() / pool.weights[pool.y == 1].sum()
    assert odds == pytest.approx(300 / 700 * 10**strength)
    assert "from 30%" in sentence


def test_covariance_growth_weakens_the_numbers_and_grows_their_variance():
    dataset = load_dataset("student")
    grades = [dataset.schema.columns_of(name)[0] for name in ("First grade", "Second grade")]
    sizes = [
        np.linalg.norm(mean_of(dataset, Shift("covariance-growth", s))[0, grades])
        for s in (0.0, 0.5, 1.0)
    ]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[2] < 0.8 * sizes[0]
    pool, _ = future_pool(dataset, Shift("covariance-growth", 1.0))
    ratio = pool.X[:, grades].var(axis=0) / dataset.present.X[:, grades].var(axis=0)
    np.testing.assert_allclose(ratio, 2.0, atol=0.35)
    groups = [column for group in dataset.schema.groups for column in group]
    np.testing.assert_array_equal(pool.X[:, groups], dataset.present.X[:, groups])


def test_the_german_correction_permutes_the_coefficients_of_status():
    dataset = load_dataset("german")
    status = list(dataset.schema.columns_of("Status"))
    both = compose(dataset, [NOISE, Shift("coding-correction", 1.0)])
    before, after = both.parameters
    # Codes 1 → 4, 2 → 1, 3 → 2, 4 → 3: the weight of what was read moves to what it really was.
    np.testing.assert_allclose(after[:, [status[k] for k in (3, 0, 1, 2)]], before[:, status])
    rest = [column for column in range(before.shape[1]) if column not in status]
    np.testing.assert_allclose(after[:, rest], before[:, rest])
    assert "“no account” was “≥ 200 DM”" in both.sentences[1]


def test_the_german_correction_foresees_the_corrected_data():
    dataset = load_dataset("german")
    truth = retrained_parameters(dataset.shifted, fraction=0.8).mean(axis=0)
    noise, corrected = mean_of(dataset, NOISE, Shift("coding-correction", 1.0))
    assert np.linalg.norm(corrected - truth) < 0.35 * np.linalg.norm(noise - truth)


@pytest.mark.parametrize(
    ("name", "story"), [("sba", "economic-period"), ("student", "another-site")]
)
def test_blends_walk_towards_the_shifted_data(name, story):
    dataset = load_dataset(name)
    # A blend keeps the size of the present data, which C = n / n_shifted says as well.
    settings = LogisticSettings(C=len(dataset.present) / len(dataset.shifted))
    truth = retrained_parameters(dataset.shifted, fraction=0.8, settings=settings).mean(axis=0)
    away = [
        np.linalg.norm(mean_of(dataset, Shift(story, strength))[0] - truth)
        for strength in (0.0, 0.3, 0.6, 1.0)
    ]
    assert away == sorted(away, reverse=True)
    assert away[-1] < 0.1 * away[0]
    pool, sentence = future_pool(dataset, Shift(story, 0.25))
    shifted_weight = pool.weights[len(dataset.present) :].sum()
    assert shifted_weight == pytest.approx(0.25 * pool.weights.sum())
    assert "25%" in sentence


def test_components_carry_their_own_weight_radius_and_models():
    dataset = load_dataset("student")
    parts = [
        Shift("sampling-noise", weight=3.0, radius=0.05),
        Shift("prior-shift", 0.4, weight=1.0, radius=0.2),
    ]
    mixture = compose(dataset, parts, retraining=Retraining(models=30))
    np.testing.assert_allclose(mixture.mixture.weights, [0.75, 0.25])
    np.testing.assert_allclose(mixture.radii, [0.05, 0.2])
    assert mixture.labels == ("Sampling noise", "Prior shift (strength 0.4)")
    for mean, models in zip(mixture.mixture.means, mixture.parameters, strict=True):
        assert models.shape == (30, mean.size)
        np.testing.assert_allclose(mean, models.mean(axis=0))
    # A component does not depend on its neighbours, and the same seed tells the same story.
    np.testing.assert_array_equal(
        compose(dataset, parts[::-1], retraining=Retraining(models=30)).parameters[0],
        mixture.parameters[1],
    )
    other = compose(dataset, parts[1:], seed=1, retraining=Retraining(models=30))
    assert np.abs(other.parameters[0] - mixture.parameters[1]).max() > 1e-6


def test_another_weight_or_radius_trains_nothing_anew():
    dataset = load_dataset("student")
    light, heavy = (
        compose(dataset, [NOISE, Shift("prior-shift", 0.2, weight, radius)])
        for weight, radius in ((1.0, 0.1), (4.0, 0.3))
    )
    assert light.parameters[1] is heavy.parameters[1]
    assert heavy.mixture.weights[1] == pytest.approx(0.8)
    swaps = [(("A", "B"), ("B", "A")), (("A", "A"), ("B", "B"))]
    towns = two_towns()
    swapped, same = (
        compose(towns, [Shift("coding-correction", 1.0, feature="Town", correction=swap)])
        for swap in swaps
    )
    assert np.abs(swapped.mixture.means - same.mixture.means).max() > 0.1
    with pytest.raises(ValueError, match="read-only"):
        light.parameters[0][0, 0] = 0.0


def test_only_tellable_stories_are_offered():
    assert available_stories(load_dataset("sba")) == tuple(STORIES)
    assert set(STORIES) - set(available_stories(load_dataset("german"))) == {"history"}
    assert "economic-period" not in available_stories(two_towns())
    assert {"coding-correction", "site"}.isdisjoint(available_stories(load_dataset("synthetic")))


def test_inputs_stay_as_they_were():
    swap = [["A", "B"], ["B", "A"]]
    shift = Shift("coding-correction", 1.0, feature="Town", correction=swap)
    swap[0][1] = "A"
    assert shift.correction == (("A", "B"), ("B", "A"))
    dataset = two_towns()
    before = dataset.present.X.copy()
    compose(dataset, [shift, Shift("covariance-growth", 1.0)], retraining=Retraining(models=5))
    np.testing.assert_array_equal(dataset.present.X, before)


def pool_of(*args, **kwargs):
    return lambda: future_pool(two_towns(), Shift(*args, **kwargs))


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: Shift("doom"), UnknownName, "shift story"),
        (lambda: Shift("prior-shift", 1.5), InvalidInput, "between -1 and 1"),
        (lambda: Shift("sampling-noise", 0.5), InvalidInput, "between 0 and 0"),
        (lambda: Shift("prior-shift", weight=0.0), InvalidInput, "weight"),
        (lambda: Shift("prior-shift", radius=-0.1), InvalidInput, "'rho'"),
        (lambda: compose(two_towns(), []), InvalidInput, "at least one shift"),
        (pool_of("population-drift", 0.5), InvalidInput, "a feature and a value"),
        (pool_of("population-drift", 0.5, feature="Town", value="C"), InvalidInput, "A, B"),
        (pool_of("population-drift", 0.5, feature="Age", value=3.0), UnknownName, "'Age'"),
        (pool_of("population-drift", 0.5, feature="Number", value=9.0), InvalidInput, "inside"),
        (pool_of("coding-correction", 0.5), InvalidInput, "permutation"),
        (
            pool_of("coding-correction", 0.5, feature="Town", correction=(("A", "B"), ("B", "B"))),
            InvalidInput,
            "must permute",
        ),
        (pool_of("economic-period", 0.5), InvalidInput, "needs shifted people"),
        (
            lambda: future_pool(
                load_dataset("synthetic"),
                Shift("coding-correction", 1.0, feature="Feature 1", correction=(("a", "b"),)),
            ),
            InvalidInput,
            "must permute",
        ),
    ],
)
def test_refusals_name_the_rule(call, error, words):
    with pytest.raises(error, match=words):
        call()
