"""XGBoost JSON or UBJSON and LightGBM text, read by treelite apart from this process."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from dirrac_core.arrays import checked_choice
from dirrac_core.errors import InvalidModel
from dirrac_core.models.boosted.tree_model import LEAF, Nodes, TreeModel, at_most_single

FORMATS = {
    "xgboost-json": ("json", ".json"),
    "xgboost-ubjson": ("ubjson", ".ubj"),
    "lightgbm": ("lightgbm", ".txt"),
}
MOST_BYTES = 50 * 1024**2
MOST_NODES = 500_000
MOST_SECONDS = 30.0
# Run as a file: importing the whole package would take longer than reading the model.
WORKER = Path(__file__).with_name("treelite_worker.py")


def read_tree_file(content: bytes, kind: str) -> TreeModel:
    """The two-class boosted model in a file; InvalidModel says what is wrong with it.

    `kind` is "xgboost-json", "xgboost-ubjson" or "lightgbm". XGBoost compares in single precision
    and asks x < t; its thresholds become the largest double that goes left.
    """
    name, ending = FORMATS[checked_choice("The format of a model", kind, FORMATS)]
    if not isinstance(content, bytes) or not content:
        raise InvalidModel("A model file must not be empty, got nothing")
    if len(content) > MOST_BYTES:
        raise InvalidModel(
            f"A model file may have at most {MOST_BYTES // 1024**2} MB, got "
            f"{len(content) / 1024**2:.0f}"
        )
    described = _described(content, name, ending, kind)
    return _tree_model(described, kind)


def _described(content: bytes, name: str, ending: str, kind: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"model{ending}"
        path.write_bytes(content)
        try:
            done = subprocess.run(
                [sys.executable, str(WORKER), name, str(path)],
                capture_output=True,
                timeout=MOST_SECONDS,
                check=False,
                env={**os.environ, "OMP_NUM_THREADS": "1"},
            )
        except subprocess.TimeoutExpired:
            raise InvalidModel(
                f"A model file must be read within {MOST_SECONDS:g} seconds, got one that takes "
                "longer"
            ) from None
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        why = said[-1][:200] if said and done.returncode > 0 else "it is damaged or too large"
        raise InvalidModel(f"The file must be a model of the format {kind!r}: {why}")
    try:
        described: dict[str, Any] = json.loads(done.stdout)
    except (ValueError, RecursionError):
        raise InvalidModel(
            f"The file must be a model of the format {kind!r}, got numbers that are none"
        ) from None
    return described


def _tree_model(described: dict[str, Any], kind: str) -> TreeModel:
    task, number = described["task_type"], described["num_class"]
    if task != "kBinaryClf" or number != [1] or described["num_target"] != 1:
        raise InvalidModel(f"A model must tell two outcomes apart, got the task {task} of {number}")
    if described["postprocessor"] != "sigmoid" or described["average_tree_output"]:
        raise InvalidModel(
            "A model must add its trees to log-odds, got the transformation "
            f"{described['postprocessor']!r}"
        )
    nodes = sum(int(tree["num_nodes"]) for tree in described["trees"])
    if nodes > MOST_NODES:
        raise InvalidModel(f"A model may have at most {MOST_NODES:,} nodes, got {nodes:,}")
    alpha = float(described["sigmoid_alpha"])
    single = kind != "lightgbm"
    trees = tuple(_nodes(tree["nodes"], alpha, single) for tree in described["trees"])
    base = alpha * float(described["base_scores"][0])
    return TreeModel(trees, base, int(described["num_feature"]))


def _nodes(listed: list[dict[str, Any]], alpha: float, single: bool) -> Nodes:
    """The nodes in the order of a walk from the root, so that children follow their parents."""
    known = {int(node["node_id"]): node for node in listed}
    order: list[int] = []
    waiting = [0]
    while waiting:
        place = waiting.pop()
        if place not in known or len(order) > len(listed):
            raise InvalidModel("Every link of a tree must lead to a node of its own, got another")
        order.append(place)
        node = known[place]
        if "leaf_value" not in node:
            waiting += [int(node["right_child"]), int(node["left_child"])]
    place_of = {node: index for index, node in enumerate(order)}
    size = len(order)
    feature = np.full(size, LEAF, dtype=np.int64)
    threshold, value = np.zeros(size), np.zeros(size)
    left, right = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
    missing_left = np.zeros(size, dtype=bool)
    categories: dict[int, frozenset[int]] = {}
    for index, place in enumerate(order):
        node = known[place]
        if "leaf_value" in node:
            if isinstance(node["leaf_value"], list):
                raise InvalidModel("Every leaf must hold one number, got several")
            value[index] = alpha * float(node["leaf_value"])
            continue
        children = (place_of[int(node["left_child"])], place_of[int(node["right_child"])])
        missing = bool(node["default_left"])
        feature[index] = int(node["split_feature_id"])
        if node["node_type"] == "categorical_test_node":
            categories[index] = frozenset(int(category) for category in node["category_list"])
            if node["category_list_right_child"]:
                children, missing = children[::-1], not missing
        else:
            threshold[index], swapped = _threshold(node, single)
            if swapped:
                children, missing = children[::-1], not missing
        left[index], right[index] = children
        missing_left[index] = missing
    return Nodes(feature, threshold, left, right, missing_left, value, categories)


def _threshold(node: dict[str, Any], single: bool) -> tuple[float, bool]:
    """The threshold t of the question x ≤ t, and whether yes and no change places."""
    asked, t = node["comparison_op"], float(node["threshold"])
    if asked not in ("<", "<=", ">", ">="):
        raise InvalidModel(f"A question must compare with <, ≤, > or ≥, got {asked!r}")
    # x > t is the opposite of x ≤ t, and x ≥ t that of x < t.
    strict = asked in ("<", ">=")
    if single:
        return at_most_single(t, strict), asked in (">", ">=")
    return (float(np.nextafter(t, -np.inf)) if strict else t), asked in (">", ">=")
