"""ONNX files through onnxruntime: right answers, named errors, planned for by LIME."""

import pickle

import numpy as np
import pytest

from dirrac_core import load_dataset
from dirrac_core.case.nonlinear.any_model import recourse_for_model
from dirrac_core.data import with_constant
from dirrac_core.errors import InvalidModel
from dirrac_core.trees.brought import check_reference, onnx_file, onnx_model
from tests.brought_files import BIAS, WEIGHTS, onnx_bytes

COLUMNS = ["Duration", "Credit amount", "Age"]


@pytest.fixture(scope="module")
def german():
    return load_dataset("german")


@pytest.fixture(scope="module")
def model(german):
    pytest.importorskip("onnxruntime")
    return onnx_model(onnx_bytes(), german.schema, COLUMNS)


def test_every_row_as_the_formula_scores_it(german, model):
    people = german.present.people
    expected = 1.0 / (1.0 + np.exp(-(people[COLUMNS].to_numpy(float) @ WEIGHTS + BIAS)))
    assert model.probability(german.present.X) == pytest.approx(expected, abs=1e-5)
    assert (model.decision(german.present.X) == (expected >= 0.5)).mean() > 0.999
    assert model.at_threshold(1.0).decision(german.present.X).sum() < (expected >= 0.5).sum()
    again = pickle.loads(pickle.dumps(model.at_threshold(0.5)))
    assert again.threshold == 0.5
    assert again.probability(german.present.X[:5]) == pytest.approx(expected[:5], abs=1e-5)
    told = people.assign(said=expected)
    assert check_reference(model, german.schema, told, "said") < 1e-5
    with pytest.raises(InvalidModel, match="reproduce its reference"):
        check_reference(model, german.schema, told.assign(said=0.5), "said")


def test_a_plan_is_verified_by_the_model_itself(german, model):
    said = model.probability(german.present.X)
    # The declined person next to the boundary.
    row = int(np.argmax(np.where(said < 0.5, said, 0.0)))
    plan = recourse_for_model(model, german, with_constant(german.present.X[row]))
    assert plan.x is not None and model.decision(plan.x[None, :-1])[0]


@pytest.mark.parametrize(
    ("content", "columns", "words"),
    [
        (b"", COLUMNS, "must not be empty"),
        (b"no model at all", COLUMNS, "must be an ONNX model"),
        (onnx_bytes()[:-60], COLUMNS, "must be an ONNX model"),
        (onnx_bytes(), COLUMNS[:2], "has 3 columns and needs as many names, got 2"),
        (onnx_bytes(), ["Duration", "Credit amount", "Shoe size"], "got 'Shoe size'"),
        (onnx_bytes(output="xw"), COLUMNS, "two probabilities per person|must be an ONNX"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(german, content, columns, words):
    pytest.importorskip("onnxruntime")
    with pytest.raises(InvalidModel, match=words):
        onnx_model(content, german.schema, columns)


def test_huge_files_are_refused_unread(german, monkeypatch):
    monkeypatch.setattr(onnx_file, "MOST_BYTES", 100)
    with pytest.raises(InvalidModel, match="at most"):
        onnx_model(onnx_bytes(), german.schema, COLUMNS)


def test_without_the_extra_it_says_what_is_missing(german, monkeypatch):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(onnx_file, "import_module", missing)
    with pytest.raises(InvalidModel, match="needs the package onnxruntime"):
        onnx_model(onnx_bytes(), german.schema, COLUMNS)
