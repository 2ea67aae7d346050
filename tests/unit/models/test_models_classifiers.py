"""Classifiers, wrappers and reasons."""

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from dirrac_core.data.load import load_dataset
from dirrac_core.data.schema.schema import with_constant
from dirrac_core.errors import InvalidInput
from dirrac_core.models.classifiers import (
    FittedClassifier,
    LinearModel,
    MLPSettings,
    accuracy,
    refit,
    train_logistic,
    train_mlp,
)
from dirrac_core.models.reasons import main_reasons, typical_person

SMALL = MLPSettings(hidden_layers=(8,), passes=30)


def test_linear_model_decides_by_the_sign_of_its_score():
    model = LinearModel([2.0, -1.0, 0.5])
    X = np.array([[0.0, 0.5], [0.0, 0.6], [1.0, 0.0]])
    np.testing.assert_allclose(model.score(X), [0.0, -0.1, 2.5])
    np.testing.assert_array_equal(model.decision(X), [True, False, True])
    np.testing.assert_array_equal(model.decision(X), model.probability(X) >= 0.5)
    with pytest.raises(ValueError, match="read-only"):
        model.theta[0] = 1.0


def test_the_bias_is_the_last_entry():
    dataset = load_dataset("german")
    model = train_logistic(dataset.present.X, dataset.present.y)
    scores = with_constant(dataset.present.X) @ model.theta
    np.testing.assert_allclose(model.score(dataset.present.X), scores)
    assert accuracy(model, dataset.present.X, dataset.present.y) > 0.7


def test_perceptron_is_deterministic_per_seed_and_read_only():
    sample = load_dataset("student").present
    first, again = (train_mlp(sample.X, sample.y, 7, SMALL).probability(sample.X) for _ in "ab")
    np.testing.assert_array_equal(first, again)
    other = train_mlp(sample.X, sample.y, 8, SMALL)
    assert np.abs(first - other.probability(sample.X)).max() > 1e-3
    with pytest.raises(ValueError, match="read-only"):
        other.estimator.coefs_[0][0, 0] = 0.0


def test_any_scikit_learn_classifier_is_wrapped_by_its_class_one():
    sample = load_dataset("student").present
    forest = RandomForestClassifier(20, random_state=0).fit(sample.X, sample.y)
    wrapped = FittedClassifier(forest)
    np.testing.assert_array_equal(
        wrapped.probability(sample.X), forest.predict_proba(sample.X)[:, 1]
    )
    assert accuracy(wrapped, sample.X, sample.y) > 0.95
    again = refit(wrapped, sample.X[:100], sample.y[:100], seed=3)
    assert again.estimator is not forest
    assert again.estimator.random_state == 3


def wrapped_tree(labels):
    return FittedClassifier(DecisionTreeClassifier().fit([[0.0], [1.0], [2.0]], labels))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: wrapped_tree([0, 1, 2]), "classes must be 0"),
        (lambda: wrapped_tree([1, 2, 2]), "classes must be 0"),
        (lambda: wrapped_tree(["no", "yes", "yes"]), "classes must be 0"),
        (lambda: FittedClassifier(DecisionTreeClassifier()), "fitted"),
        (lambda: FittedClassifier(LinearSVC()), "predict_proba"),
        (lambda: FittedClassifier(LinearRegression()), "predict_proba"),
        (lambda: wrapped_tree([0, 1, 1]).probability([[1.0, 2.0]]), "shape"),
        (lambda: LinearModel([1.0, 2.0]).score([[1.0, 2.0]]), "shape"),
        (lambda: train_mlp([[0.0], [1.0]], [1, 1], 0), "both outcomes"),
    ],
)
def test_refusals_name_the_rule(call, words):
    with pytest.raises(InvalidInput, match=words):
        call()


def test_reasons_are_the_largest_gaps_to_typical_people_in_real_units():
    dataset = load_dataset("german")
    schema, present = dataset.schema, dataset.present
    theta = train_logistic(present.X, present.y).theta
    person = {
        **typical_person(present, schema),
        "Status": "< 0 DM",
        "Duration": 60.0,
    }
    x0 = with_constant(schema.encode(person))[0]
    reasons = main_reasons(theta, x0, present, schema)
    assert [reason.feature for reason in reasons] == ["Status", "Duration"]
    typical = with_constant(schema.encode(typical_person(present, schema)))[0]
    assert sum(reason.contribution for reason in reasons) == pytest.approx(theta @ (x0 - typical))
    assert "60 months" in reasons[1].sentence
    assert "18 months" in reasons[1].sentence


def test_at_most_four_reasons_strongest_first_and_none_for_a_typical_person():
    dataset = load_dataset("student")
    schema, present = dataset.schema, dataset.present
    model = train_logistic(present.X, present.y)
    for x in present.X[~model.decision(present.X)][:40]:
        pulls = [reason.contribution for reason in main_reasons(model.theta, x, present, schema)]
        assert 1 <= len(pulls) <= 4
        assert pulls == sorted(pulls)
        assert pulls[-1] < 0
    typical = schema.encode(typical_person(present, schema))[0]
    assert main_reasons(model.theta, typical, present, schema) == ()
