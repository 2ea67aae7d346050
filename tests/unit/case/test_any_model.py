"""Whole pipelines on raw columns: planned for, verified by the model itself, refused by name."""

import numpy as np
import pytest
from sklearn.compose import make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from dirrac_core import load_dataset
from dirrac_core.case.nonlinear.any_model import recourse_for_model
from dirrac_core.data import with_constant
from dirrac_core.errors import InvalidInput, InvalidModel
from dirrac_core.models.given.raw_columns import raw_columns_model


@pytest.fixture(scope="module")
def german():
    return load_dataset("german")


@pytest.fixture(scope="module")
def pipeline(german):
    columns = make_column_transformer(
        (OneHotEncoder(), ["Status", "Personal status"]), remainder="passthrough"
    )
    forest = RandomForestClassifier(10, max_depth=3, random_state=0)
    names = np.where(german.present.y == 1, "good", "bad")
    return make_pipeline(columns, forest).fit(german.present.people, names)


def test_a_pipeline_on_raw_columns_says_what_it_says(german, pipeline):
    model = raw_columns_model(pipeline, german, "good")
    expected = pipeline.predict_proba(german.present.people)[:, 1]
    assert model.probability(german.present.X) == pytest.approx(expected)


def test_the_model_itself_has_the_last_word(german, pipeline):
    model = raw_columns_model(pipeline, german, "good")
    rows = np.flatnonzero(~model.decision(german.present.X))[:1]
    for row in rows:
        found = recourse_for_model(model, german, with_constant(german.present.X[row]))
        if found.x is None:
            assert found.status in ("declined", "infeasible", "out of reach")
        else:
            assert model.decision(found.x[None, :-1])[0]
    accepted = np.flatnonzero(model.decision(german.present.X))[0]
    with pytest.raises(InvalidInput, match="must decline the applicant"):
        recourse_for_model(model, german, with_constant(german.present.X[accepted]))


class Never:
    """Declines everybody, whatever the approximation says."""

    def __init__(self, model):
        self.model = model

    def probability(self, X):
        return 0.49 * self.model.probability(X)

    threshold = 0.0

    def log_odds(self, X):
        return self.model.log_odds(X) - 5.0

    def decision(self, X):
        return np.zeros(len(X), dtype=bool)

    def at_threshold(self, threshold):
        return self


def test_a_plan_the_model_declines_is_no_plan(german, pipeline):
    model = Never(raw_columns_model(pipeline, german, "good"))
    found = recourse_for_model(model, german, with_constant(german.present.X[0]), radius=0.0)
    assert found.x is None and found.status in ("declined", "infeasible")
    assert found.worst_case_probability == 1.0


class Odd:
    def __init__(self, answer):
        self.answer = answer

    def predict_proba(self, people):
        return self.answer(people)


@pytest.mark.parametrize(
    ("model", "match"),
    [
        (object(), "predict_proba"),
        (Odd(lambda people: people["Income"]), "KeyError"),
        (Odd(lambda people: np.full(len(people), 2.0)), "from 0 to 1"),
        (Odd(lambda people: np.full(3, 0.5)), "20 probabilities"),
        (Odd(lambda people: np.full((len(people), 3), 0.3)), "two outcomes"),
        (Odd(lambda people: np.full(len(people), np.nan)), "from 0 to 1"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(german, model, match):
    with pytest.raises(InvalidModel, match=match):
        raw_columns_model(model, german)
