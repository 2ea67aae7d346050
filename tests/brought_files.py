"""Small model files, as users bring them along."""

import json
import struct

import pytest

from dirrac_core.trees.brought.match import matched_inputs

# The ONNX file's log-odds of three columns.
WEIGHTS, BIAS = (-0.06, -0.0002, 0.03), 0.6


def xgboost_model(
    threshold=0.5, below=-1.0, above=2.0, feature=0, default_left=0, objective="binary:logistic"
):
    """A model of one question about one of two columns, as XGBoost writes it; base 0.5."""
    tree = {
        "base_weights": [0.0, below, above],
        "categories": [],
        "categories_nodes": [],
        "categories_segments": [],
        "categories_sizes": [],
        "default_left": [default_left, 0, 0],
        "id": 0,
        "left_children": [1, -1, -1],
        "loss_changes": [1.0, 0.0, 0.0],
        "parents": [2147483647, 0, 0],
        "right_children": [2, -1, -1],
        "split_conditions": [threshold, below, above],
        "split_indices": [feature, 0, 0],
        "split_type": [0, 0, 0],
        "sum_hessian": [2.0, 1.0, 1.0],
        "tree_param": {
            "num_deleted": "0",
            "num_feature": "2",
            "num_nodes": "3",
            "size_leaf_vector": "1",
        },
    }
    booster = {
        "name": "gbtree",
        "model": {
            "gbtree_model_param": {"num_parallel_tree": "1", "num_trees": "1"},
            "iteration_indptr": [0, 1],
            "tree_info": [0],
            "trees": [tree],
        },
    }
    learner = {
        "attributes": {},
        "feature_names": [],
        "feature_types": [],
        "gradient_booster": booster,
        "learner_model_param": {
            "base_score": "5E-1",
            "boost_from_average": "1",
            "num_class": "0",
            "num_feature": "2",
            "num_target": "1",
        },
        "objective": {"name": objective, "reg_loss_param": {"scale_pos_weight": "1"}},
    }
    return {"learner": learner, "version": [2, 1, 0]}


def xgboost_json(**given):
    """The file of `xgboost_model`."""
    return json.dumps(xgboost_model(**given)).encode()


def stump(threshold, below, above):
    """An XGBoost file with one question about the first of two columns."""
    return xgboost_json(threshold=threshold, below=below, above=above)


def ubjson(value):
    """A value in Universal Binary JSON, lists of numbers with one type, as XGBoost writes them."""
    if isinstance(value, dict):
        return b"{" + b"".join(_counted(k) + ubjson(v) for k, v in value.items()) + b"}"
    if isinstance(value, str):
        return b"S" + _counted(value)
    if isinstance(value, int):
        return b"L" + struct.pack(">q", value)
    if value and all(isinstance(each, int | float) for each in value):
        kind, code = (b"d", "f") if isinstance(value[0], float) else (b"l", "i")
        size = struct.pack(">q", len(value))
        return b"[$" + kind + b"#L" + size + struct.pack(f">{len(value)}{code}", *value)
    return b"[" + b"".join(map(ubjson, value)) + b"]"


def _counted(text):
    data = text.encode()
    return b"L" + struct.pack(">q", len(data)) + data


def lightgbm_file(dataset, outcome, rounds=20):
    """A LightGBM file of small trees on the columns of a dataset in real units."""
    lightgbm = pytest.importorskip("lightgbm")
    names = [feature.name for feature in dataset.schema.features]
    inputs = matched_inputs(dataset.schema, names).inputs(dataset.present.X)
    settings = {"objective": "binary", "verbose": -1, "num_threads": 1}
    settings |= {"max_depth": 3, "num_leaves": 6}
    trained = lightgbm.train(settings, lightgbm.Dataset(inputs, outcome), rounds)
    return trained.model_to_string().encode()


def onnx_bytes(weights=WEIGHTS, bias=BIAS, output="both"):
    """A logistic regression as a file: p = σ(x·w + b), given as (1 − p, p)."""
    axis = _field(5, _field(1, "axis") + _field(3, 1) + _field(20, 2))
    nodes = (
        _node("MatMul", ["x", "w"], "xw")
        + _node("Add", ["xw", "b"], "z")
        + _node("Sigmoid", ["z"], "p")
        + _node("Sub", ["one", "p"], "q")
        + _node("Concat", ["q", "p"], "both", axis)
    )
    constants = (
        _field(5, _tensor("w", weights, (len(weights), 1)))
        + _field(5, _tensor("b", (bias,), (1,)))
        + _field(5, _tensor("one", (1.0,), (1,)))
    )
    ends = _field(11, _about("x", len(weights))) + _field(12, _about(output, 2 if output else 1))
    graph = nodes + _field(2, "g") + constants + ends
    return _field(1, 8) + _field(7, graph) + _field(8, _field(2, 13))


def _field(number, content):
    """One field of a protocol buffer: a whole number, or bytes with their length."""
    if isinstance(content, int):
        return _varint(number << 3) + _varint(content)
    data = content.encode() if isinstance(content, str) else content
    return _varint(number << 3 | 2) + _varint(len(data)) + data


def _varint(value):
    parts = bytearray()
    while value > 0x7F:
        parts.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*parts, value])


def _tensor(name, values, shape):
    dims = b"".join(_field(1, size) for size in shape)
    return (
        dims + _field(2, 1) + _field(8, name) + _field(9, struct.pack(f"<{len(values)}f", *values))
    )


def _node(kind, inputs, output, attributes=b""):
    listed = b"".join(_field(1, name) for name in inputs)
    return _field(1, listed + _field(2, output) + _field(4, kind) + attributes)


def _about(name, columns):
    shape = _field(1, _field(2, "n")) + _field(1, _field(1, columns))
    return _field(1, name) + _field(2, _field(1, _field(1, 1) + _field(2, shape)))
