"""ONNX files through onnxruntime: right answers, named errors, planned for by LIME."""

import pickle
import struct

import numpy as np
import pytest

from dirrac_core import load_dataset
from dirrac_core.case.nonlinear.any_model import recourse_for_model
from dirrac_core.data import with_constant
from dirrac_core.errors import InvalidModel
from dirrac_core.trees.brought import check_reference, onnx_file, onnx_model

COLUMNS = ["Duration", "Credit amount", "Age"]
WEIGHTS, BIAS = (-0.06, -0.0002, 0.03), 0.6


def field(number, content):
    """One field of a protocol buffer: a whole number, or bytes with their length."""
    if isinstance(content, int):
        return varint(number << 3) + varint(content)
    data = content.encode() if isinstance(content, str) else content
    return varint(number << 3 | 2) + varint(len(data)) + data


def varint(value):
    parts = bytearray()
    while value > 0x7F:
        parts.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*parts, value])


def tensor(name, values, shape):
    dims = b"".join(field(1, size) for size in shape)
    return dims + field(2, 1) + field(8, name) + field(9, struct.pack(f"<{len(values)}f", *values))


def node(kind, inputs, output, attributes=b""):
    listed = b"".join(field(1, name) for name in inputs)
    return field(1, listed + field(2, output) + field(4, kind) + attributes)


def about(name, columns):
    shape = field(1, field(2, "n")) + field(1, field(1, columns))
    return field(1, name) + field(2, field(1, field(1, 1) + field(2, shape)))


def onnx_bytes(weights=WEIGHTS, bias=BIAS, output="both"):
    """A logistic regression as a file: p = σ(x·w + b), given as (1 − p, p)."""
    axis = field(5, field(1, "axis") + field(3, 1) + field(20, 2))
    nodes = (
        node("MatMul", ["x", "w"], "xw")
        + node("Add", ["xw", "b"], "z")
        + node("Sigmoid", ["z"], "p")
        + node("Sub", ["one", "p"], "q")
        + node("Concat", ["q", "p"], "both", axis)
    )
    constants = (
        field(5, tensor("w", weights, (len(weights), 1)))
        + field(5, tensor("b", (bias,), (1,)))
        + field(5, tensor("one", (1.0,), (1,)))
    )
    ends = field(11, about("x", len(weights))) + field(12, about(output, 2 if output else 1))
    graph = nodes + field(2, "g") + constants + ends
    return field(1, 8) + field(7, graph) + field(8, field(2, 13))


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
