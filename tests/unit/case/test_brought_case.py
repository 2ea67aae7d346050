"""A model brought along as a file, asked about one person of a table."""

import numpy as np
import pytest

from dirrac_core import load_dataset
from dirrac_core.case.nonlinear import brought as brought_case
from dirrac_core.errors import InvalidInput, InvalidModel, UnknownName
from tests.brought_files import stump


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
