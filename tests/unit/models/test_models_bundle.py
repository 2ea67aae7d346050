"""Bundles: what is trained for a dataset, cached, immutable, and honest about simulated futures."""

from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from dirrac_core.data.load import load_dataset
from dirrac_core.data.schema.schema import with_constant
from dirrac_core.errors import InvalidInput, UnknownName
from dirrac_core.models import bundle as bundles
from dirrac_core.models.accuracy import PAPER_ACCURACY
from dirrac_core.models.bundle import prepare
from dirrac_core.models.classifiers import FittedClassifier, MLPSettings, accuracy
from dirrac_core.models.futures.retraining import SHIFTED_FRACTION, retrained_parameters
from dirrac_core.models.futures.shift import Shift
from dirrac_core.models.logistic import LogisticSettings

SMALL = MLPSettings(hidden_layers=(64, 64), passes=100)


def test_the_logistic_bundle_holds_what_the_paper_asks_for():
    dataset = load_dataset("german")
    bundle = prepare(dataset, seed=5)
    assert bundle.parameters.shape == bundle.future.parameters.shape == (100, 12)
    np.testing.assert_array_equal(bundle.parameters, retrained_parameters(dataset.present, seed=5))
    np.testing.assert_array_equal(
        bundle.future.parameters,
        retrained_parameters(dataset.shifted, fraction=SHIFTED_FRACTION, seed=5),
    )
    assert bundle.estimate.components == 1
    assert not bundle.future.simulated
    assert bundle.training.sum() == 800


@pytest.mark.parametrize("name", sorted(PAPER_ACCURACY))
def test_accuracies_are_measured_on_people_the_models_have_not_seen(name):
    dataset = load_dataset(name)
    bundle = prepare(dataset)
    present, test = dataset.present, ~bundle.training
    assert bundle.accuracy.held_out
    assert bundle.accuracy.now == accuracy(bundle.current, present.X[test], present.y[test])
    majority = max(present.y[test].mean(), 1 - present.y[test].mean())
    assert bundle.accuracy.now > majority - 0.05
    assert 0.5 < bundle.accuracy.future < 1.0
    assert bundle.accuracy.future_spread > 0


def test_m2_is_the_share_of_future_models_that_accept():
    dataset = load_dataset("german")
    future = prepare(dataset).future
    people = with_constant(dataset.present.X[:20])
    table = future.accept_all(people)
    assert table.shape == (100, 20)
    for column, x in zip(table.T, people, strict=True):
        by_hand = [float(theta @ x) >= 0 for theta in future.parameters]
        np.testing.assert_array_equal(column, by_hand)
        np.testing.assert_array_equal(future.accepts(x), by_hand)
        assert future.validity(x) == np.mean(by_hand)
    for model, row in zip(future.models, table, strict=True):
        np.testing.assert_array_equal(model.decision(people[:, :-1]), row)


def test_a_bundle_is_trained_once_per_dataset_seed_and_settings():
    dataset = load_dataset("student")
    first = prepare(dataset, components=2, seed=11)
    assert prepare(dataset, components=2, seed=11) is first
    assert prepare(dataset, components=3, seed=11) is not first
    assert prepare(dataset, components=2, seed=12) is not first
    assert prepare(dataset, components=2, seed=11, logistic=LogisticSettings(C=2.0)) is not first
    assert prepare(replace(dataset), components=2, seed=11) is not first


def test_the_cache_is_bounded_and_forgets_the_oldest():
    cache = bundles._BoundedCache(2)
    one, two, three = (prepare(load_dataset("synthetic"), seed=seed) for seed in (1, 2, 3))
    cache.put("one", one)
    cache.put("two", two)
    assert cache.get("one") is one
    cache.put("three", three)
    assert cache.get("two") is None
    assert cache.get("one") is one
    assert cache.get("three") is three


def test_nothing_in_a_bundle_can_be_changed():
    bundle = prepare(load_dataset("german"))
    with pytest.raises(FrozenInstanceError):
        bundle.seed = 1
    for array in (
        bundle.current.theta,
        bundle.training,
        bundle.parameters,
        bundle.future.parameters,
        bundle.future.accuracies,
        bundle.estimate.mixture.means,
    ):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_without_shifted_people_the_future_is_simulated_and_said_so():
    dataset = replace(load_dataset("german"), shifted=None)
    bundle = prepare(dataset)
    assert bundle.future.simulated
    assert "Simulated" in bundle.future.source
    assert "prior shift (strength 0.3)" in bundle.future.source
    assert len(bundle.future) == 100
    assert bundle.accuracy.after is None
    assert bundle.accuracy.future is None
    harder = prepare(dataset, scenarios=(Shift("prior-shift", 0.8),))
    people = with_constant(dataset.present.X)
    assert harder.future.accept_all(people).mean() < bundle.future.accept_all(people).mean() - 0.2


def test_the_perceptron_route_reports_progress_and_judges_by_the_real_model():
    dataset = load_dataset("student")
    told = []
    bundle = prepare(dataset, "mlp", mlp=SMALL, progress=lambda *step: told.append(step))
    assert told[-1] == (1.0, "Models ready")
    assert [part for part, _ in told] == sorted(part for part, _ in told)
    assert len(bundle.future) == 10
    assert bundle.parameters is None
    assert bundle.estimate is None
    assert bundle.accuracy.now > 0.8
    x0 = with_constant(dataset.present.X)[bundle.declined[0]]
    by_hand = [bool(model.decision(x0[None, :-1])[0]) for model in bundle.future.models]
    np.testing.assert_array_equal(bundle.future.accepts(x0), by_hand)
    assert bundle.surrogate(x0).mixture.dimension == x0.size
    assert 1 <= len(bundle.reasons(x0)) <= 4


def test_a_fitted_classifier_is_taken_as_it_is_and_retrained_for_the_future():
    dataset = load_dataset("student")
    present = dataset.present
    tree = DecisionTreeClassifier(max_depth=3, random_state=0).fit(present.X, present.y)
    bundle = prepare(dataset, FittedClassifier(tree))
    assert bundle.kind == "DecisionTreeClassifier"
    assert bundle.current.estimator is tree
    assert not bundle.accuracy.held_out
    assert bundle.accuracy.now == tree.score(present.X, present.y)
    assert len(bundle.future) == 10
    simulated = prepare(replace(dataset, shifted=None), FittedClassifier(tree))
    assert simulated.future.simulated
    assert len(simulated.future) == 10


def test_declined_people_are_those_the_current_model_refuses():
    bundle = prepare(load_dataset("german"))
    decisions = bundle.current.decision(bundle.dataset.present.X)
    assert not decisions[bundle.declined].any()
    assert decisions.sum() + bundle.declined.size == 1000
    x0 = bundle.dataset.present.X[bundle.declined[0]]
    assert bundle.reasons(x0)[0].contribution < 0


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda d: prepare(d, "forest"), UnknownName, "A model"),
        (lambda d: prepare(d, "mlp", components=3), InvalidInput, "linear models"),
        (lambda d: prepare(d).future.accepts(d.present.X[0]), InvalidInput, "shape"),
        (lambda d: prepare(d).future.accepts(np.full(12, 2.0)), InvalidInput, "must be 1"),
    ],
)
def test_refusals_name_the_rule(call, error, words):
    with pytest.raises(error, match=words):
        call(load_dataset("german"))
