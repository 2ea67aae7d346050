"""A model brought along as a file, asked about one person of a table."""

import numpy as np
import pandas as pd
import pytest

from dirrac_core import load_dataset
from dirrac_core.case.nonlinear import brought as brought_case
from dirrac_core.data.upload.table import table_dataset
from dirrac_core.errors import InvalidInput, InvalidModel, UnknownName
from dirrac_core.trees.brought.stand_in import RETRAININGS, Recipe, stand_in_for, told_recipe
from tests.brought_files import lightgbm_file, stump, xgboost_json


@pytest.fixture(scope="module")
def german():
    return load_dataset("german")


@pytest.fixture(scope="module")
def model(german):
    # Loans of less than 20 months are accepted.
    content = stump(20.0, 1.0, -1.0)
    return brought_case.read_brought(content, "xgboost-json", german, ["Duration", "Age"])


def test_the_cheapest_plan_is_proved_and_only_today_is_checked(german, model):
    declined = brought_case.declined_by(model, german)
    durations = german.present.people["Duration"].to_numpy()
    assert declined == tuple(np.flatnonzero(durations >= 20).tolist())
    plan = brought_case.brought_plan(model, german, declined[0], "sensible")
    assert plan.proved and not plan.accepted and "19" in plan.sentence
    assert "only today's model is checked" in plan.caution


def test_whom_the_model_accepts_needs_no_plan(german, model):
    row = int(np.flatnonzero(german.present.people["Duration"] < 20)[0])
    assert brought_case.brought_plan(model, german, row, "sensible").accepted
    with pytest.raises(InvalidInput, match="The row must be from 0"):
        brought_case.brought_plan(model, german, 10**6, "sensible")


def test_its_own_predictions_are_compared(german, model):
    people = german.present.people.head(30)
    said = 1.0 / (1.0 + np.exp(np.where(people["Duration"] < 20, -1.0, 1.0)))
    told = people.assign(probability=said)
    assert brought_case.reference_gap(model, german, told) < 1e-6
    with pytest.raises(InvalidModel, match="reproduce its reference predictions"):
        brought_case.reference_gap(model, german, told.assign(probability=1.0 - said))


def test_files_that_do_not_fit_are_refused_by_name(german):
    with pytest.raises(InvalidModel, match="has 2 columns and needs as many names"):
        brought_case.read_brought(stump(20.0, 1.0, -1.0), "xgboost-json", german, [])
    with pytest.raises(UnknownName, match="kind of a model file"):
        brought_case.read_brought(b"x", "pickle", german, [])


def test_a_lightgbm_file_tells_its_recipe_and_a_close_stand_in_is_trained_again(german):
    content = lightgbm_file(german, german.present.y)
    recipe = told_recipe(content, "lightgbm")
    assert recipe == Recipe(0.1, 6, 3, 20, 0.0)
    model = brought_case.read_brought(content, "lightgbm", german, [])
    known = stand_in_for(model, german, recipe)
    assert known.close and len(known.retrainings) == RETRAININGS
    row = brought_case.declined_by(model, german)[0]
    plan = brought_case.brought_plan(model, german, row, "sensible", known)
    assert f"of {RETRAININGS} stand-ins decline this plan" in plan.caution
    assert "not a promise about your model" in plan.caution
    # The count is theirs: they accept what is far inside and decline the person as they are.
    x0 = german.present.X[row][None, :]
    assert sum(m.decision(model.view.inputs(x0))[0] for m in known.retrainings) < RETRAININGS / 2


def test_a_stand_in_that_decides_otherwise_does_not_stand_for_the_model(german):
    other = np.random.default_rng(0).permutation(german.present.y)
    content = lightgbm_file(german, other)
    model = brought_case.read_brought(content, "lightgbm", german, [])
    known = stand_in_for(model, german, told_recipe(content, "lightgbm"))
    assert not known.close and not known.retrainings
    said = brought_case._by_stand_in(known, german.present.X[:1])
    assert "only today's model is checked" in said and "95% are needed" in said


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (stump(20.0, 1.0, -1.0), "xgboost-json"),
        (b"tree\nparameters:\n[learning_rate: 0.1]\n", "lightgbm"),
        (b"\nparameters:\n[boosting: dart]\n[objective: binary]\n", "lightgbm"),
        (b"\xff\xfe", "lightgbm"),
    ],
)
def test_files_that_do_not_tell_their_recipe_have_none(content, kind):
    assert told_recipe(content, kind) is None


def test_what_is_missing_in_a_table_is_missing_to_the_model():
    rng = np.random.default_rng(0)
    raw = pd.DataFrame(
        {"income": rng.normal(40, 10, 200).round(), "age": rng.integers(20, 70, 200)}
    )
    raw["job"] = rng.choice(["own firm", "salaried"], 200)
    good = raw["income"] + rng.normal(0, 5, 200) > 40
    raw.loc[::5, "income"] = np.nan
    raw.loc[::7, "job"] = None
    table, _ = table_dataset(
        raw.assign(outcome=np.where(good, "good", "bad")), label="outcome", favourable="good"
    )
    # Missing goes right, which is accepted; the number that stands in would be declined.
    content = xgboost_json(threshold=60.0, below=-1.0, above=1.0)
    model = brought_case.read_brought(content, "xgboost-json", table, ["income", "job"])
    expected = 1.0 / (1.0 + np.exp(np.where(raw["income"] < 60.0, 1.0, -1.0)))
    assert model.probability(table.present.X) == pytest.approx(expected)
    assert np.isnan(model.view.inputs(table.present.X)[::7, 1]).all()
    told = raw.assign(probability=expected)
    assert brought_case.reference_gap(model, table, told) < 1e-6
    assert brought_case.declined_by(model, table) == tuple(np.flatnonzero(raw["income"] < 60.0))
