"""Boosted models as arrays: the library's own predictions on every row, and brought files."""

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit
from sklearn.ensemble import HistGradientBoostingClassifier

from dirrac_core import load_dataset
from dirrac_core.data import with_constant
from dirrac_core.data.actionability import edited_actions
from dirrac_core.errors import InvalidInput, InvalidModel, UnknownName
from dirrac_core.methods import Wachter
from dirrac_core.methods.parts.log_odds import log_odds
from dirrac_core.models.boosted.bins import bin_codes, shared_edges
from dirrac_core.models.boosted.soft import SOFTNESS
from dirrac_core.models.boosted.training import BoostingSettings, boosted_trainer, read_boosting
from dirrac_core.models.boosted.tree_model import Nodes, TreeModel, at_most_single
from dirrac_core.trees import TreeProblem, cheapest_accepted
from dirrac_core.trees.brought import brought_model, check_reference, read_tree_file
from tests.brought_files import ubjson, xgboost_json, xgboost_model

SMALL = BoostingSettings(trees=12)
UBJSON = ("xgboost-ubjson", "format 'xgboost-ubjson'")


@pytest.fixture(scope="module")
def mixed():
    """Numbers with gaps and a category as a whole number, with an outcome they decide."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 4))
    X[:, 3] = rng.integers(0, 6, 400)
    y = (X[:, 0] + X[:, 1] + 3 * (X[:, 3] == 2) - 2 * (X[:, 3] == 4) > 0).astype(int)
    X[::7, 1] = np.nan
    return X, y


def test_every_row_as_scikit_learn_scores_it(mixed):
    X, y = mixed
    boosting = HistGradientBoostingClassifier(
        max_iter=20, max_depth=3, categorical_features=[3], early_stopping=False
    ).fit(X, y)
    model = read_boosting(boosting)
    assert any(tree.categories for tree in model.trees)
    assert model.log_odds(X) == pytest.approx(boosting.decision_function(X), abs=1e-12)


@pytest.mark.parametrize("name", ["german", "sba", "student"])
def test_trees_on_bins_are_trees_on_people(name):
    data = load_dataset(name)
    edges = shared_edges(data, SMALL.bins)
    X, y = data.present.X, data.present.y
    trainer = boosted_trainer(data, SMALL)
    boosting = HistGradientBoostingClassifier(
        learning_rate=SMALL.learning_rate,
        max_iter=SMALL.trees,
        max_depth=SMALL.depth,
        max_leaf_nodes=None,
        min_samples_leaf=SMALL.least_leaf,
        l2_regularization=SMALL.ridge,
        monotonic_cst=list(trainer.signs),
        early_stopping=False,
    ).fit(bin_codes(X, edges), y)
    everybody = np.vstack([X, data.shifted.X])
    expected = boosting.decision_function(bin_codes(everybody, edges))
    assert trainer(X, y, 0).log_odds(everybody) == pytest.approx(expected, abs=1e-12)


def test_more_of_what_helps_never_harms():
    data = load_dataset("student")
    model = boosted_trainer(data, SMALL)(data.present.X, data.present.y, 0)
    (grade,) = data.schema.columns_of("Second grade")
    rows = np.tile(data.present.X[0], (50, 1))
    rows[:, grade] = np.linspace(0, 1, 50)
    assert (np.diff(model.log_odds(rows)) >= -1e-12).all()


@pytest.mark.parametrize("strict", [True, False])
def test_single_precision_thresholds(strict):
    rng = np.random.default_rng(1)
    for t in np.float32(rng.normal(size=50)):
        last = at_most_single(float(t), strict)
        near = [last, np.nextafter(last, np.inf), float(t), np.nextafter(float(t), -np.inf)]
        for x in (*near, *(float(t) + rng.normal(scale=1e-7, size=20))):
            asked = np.float32(x) < t if strict else np.float32(x) <= t
            assert (x <= last) == asked


def test_a_tree_must_be_a_tree():
    leaf, inner = np.array([-1]), np.array([0, -1, -1])
    flags, zeros = np.zeros(3, dtype=bool), np.zeros(3)
    with pytest.raises(InvalidInput, match="one root"):
        Nodes(inner, zeros, np.array([0, 0, 0]), np.array([2, 0, 0]), flags, zeros)
    with pytest.raises(InvalidInput, match="column 5 of a model with 2"):
        tree = Nodes(
            np.array([5, -1, -1]), zeros, np.array([1, 0, 0]), np.array([2, 0, 0]), flags, zeros
        )
        TreeModel((tree,), 0.0, 2)
    assert TreeModel((Nodes(leaf, zeros[:1], leaf, leaf, flags[:1], zeros[:1]),), 0.5, 1).log_odds(
        [[np.nan]]
    ) == pytest.approx([0.5])


# --- files ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def lightgbm_file(mixed):
    lightgbm = pytest.importorskip("lightgbm")
    X, y = mixed
    settings = {
        "objective": "binary",
        "verbose": -1,
        "num_leaves": 5,
        "min_data_in_leaf": 5,
        "max_cat_to_onehot": 1,
        "min_data_per_group": 5,
        "num_threads": 1,
    }
    data = lightgbm.Dataset(X, y, categorical_feature=[3])
    booster = lightgbm.train(settings, data, 10)
    return booster.model_to_string().encode(), booster.predict(X)


def test_lightgbm_text_predicts_as_lightgbm_does(lightgbm_file, mixed):
    content, expected = lightgbm_file
    model = read_tree_file(content, "lightgbm")
    assert any(tree.categories for tree in model.trees)
    assert model.probability(mixed[0]) == pytest.approx(expected, abs=1e-12)


def test_xgboost_json_asks_less_than_in_single_precision():
    content = xgboost_json(threshold=0.1, feature=1, default_left=1)
    model = read_tree_file(content, "xgboost-json")
    t = float(np.float32(0.1))
    rows = [[0.0, t], [0.0, np.nextafter(t, 0.0)], [0.0, 0.0999], [0.0, np.nan]]
    # The double just below rounds to the threshold itself, which is not less than it.
    assert model.log_odds(rows) == pytest.approx([2.0, 2.0, -1.0, -1.0])


def test_xgboost_ubjson_says_what_its_json_says():
    given = {"threshold": 0.1, "feature": 1, "default_left": 1}
    model = read_tree_file(ubjson(xgboost_model(**given)), "xgboost-ubjson")
    same = read_tree_file(xgboost_json(**given), "xgboost-json")
    rows = [[0.0, 0.0], [0.0, 0.2], [0.0, np.nan]]
    assert model.log_odds(rows).tolist() == same.log_odds(rows).tolist() == [-1.0, 2.0, -1.0]


@pytest.mark.parametrize(
    ("content", "kind", "match"),
    [
        (b"", "lightgbm", "must not be empty"),
        (b"\x00\x01\x02 nonsense", "lightgbm", "format 'lightgbm'"),
        (b"{", "xgboost-json", "format 'xgboost-json'"),
        (b"[" * 200_000, "xgboost-json", "format 'xgboost-json'"),
        (b"{" + b'"a":{' * 100_000, "xgboost-json", "format 'xgboost-json'"),
        (b"\x7b\x4c\xff\xff\xff\xff", *UBJSON),
        (ubjson(xgboost_model())[:500], *UBJSON),
        # A list that says it has a trillion numbers.
        (ubjson({"a": ""})[:-10] + b"[$d#L" + bytes([0, 0, 1, 0, 0, 0, 0, 0]), *UBJSON),
        (xgboost_json()[:700], "xgboost-json", "format 'xgboost-json'"),
        (xgboost_json(objective="reg:squarederror"), "xgboost-json", "two"),
        (xgboost_json(feature=9), "xgboost-json", "column 9|format"),
    ],
)
def test_files_that_are_no_models_are_refused_by_name(content, kind, match):
    with pytest.raises(InvalidInput, match=match) as refused:
        read_tree_file(content, kind)
    # What is wrong, not where in treelite it was noticed.
    assert ".cc:" not in str(refused.value)


def test_files_that_are_too_large_or_of_no_known_format(monkeypatch):
    monkeypatch.setattr("dirrac_core.trees.brought.files.MOST_BYTES", 10)
    with pytest.raises(InvalidModel, match="at most"):
        read_tree_file(b"x" * 11, "lightgbm")
    with pytest.raises(UnknownName, match="The format of a model"):
        read_tree_file(b"x", "pickle")


@pytest.mark.parametrize(("limit", "match"), [("MOST_NODES", "nodes"), ("MOST_SECONDS", "within")])
def test_files_that_take_too_much_are_refused_by_name(monkeypatch, limit, match):
    monkeypatch.setattr(f"dirrac_core.trees.brought.files.{limit}", 0.01)
    with pytest.raises(InvalidModel, match=match):
        read_tree_file(xgboost_json(), "xgboost-json")


def test_a_brought_model_is_planned_for_in_real_units():
    german = load_dataset("german")
    # Duration < 20 months is what this model asks for.
    tree = read_tree_file(xgboost_json(threshold=19.5), "xgboost-json")
    flipped = TreeModel(
        tuple(
            Nodes(n.feature, n.threshold, n.left, n.right, n.missing_left, -n.value)
            for n in tree.trees
        ),
        tree.base,
        tree.columns,
    )
    model = brought_model(flipped, german.schema, ["Duration", "Status: no account"])
    row = int(np.flatnonzero(~model.decision(german.present.X))[0])
    x0 = with_constant(german.present.X[row])
    actions = edited_actions(german, "sensible", (), x0)
    problem = TreeProblem(german.schema, x0, actions, model.tree, view=model.view)
    plan = cheapest_accepted(problem, 0)
    assert plan.status == "optimal"
    assert german.schema.decode(plan.x)["Duration"] == 19.0
    people = german.present.people.head(20)
    said = people.assign(p=model.probability(german.present.X[:20]))
    assert check_reference(model, german.schema, said, "p") == 0.0
    with pytest.raises(InvalidModel, match="row 3"):
        check_reference(model, german.schema, said.assign(p=said.p.mask(said.index == 2, 0.5)), "p")
    with pytest.raises(InvalidModel, match="'Duratoin'"):
        brought_model(flipped, german.schema, ["Duratoin", "Age"])
    with pytest.raises(InvalidModel, match="2 columns"):
        brought_model(flipped, german.schema, ["Duration"])
    with pytest.raises(InvalidInput, match="'q' is needed"):
        check_reference(model, german.schema, pd.DataFrame(said), "q")


def test_the_softened_slope_points_where_the_trees_go_and_leaves_their_value(mixed):
    german = load_dataset("german")
    model = boosted_trainer(german, SMALL)(german.present.X, german.present.y, 0)
    odds = log_odds(model.at_threshold(0.3))
    x = with_constant(german.present.X[7])
    value, slope = odds(x)
    assert value == pytest.approx(model.log_odds(x[None, :-1])[0] - 0.3)
    assert slope[-1] == 0.0 and np.isfinite(slope).all() and (slope != 0.0).any()

    # Against the same sum written leaf by leaf, by central differences.
    def soft(point):
        def weight(tree, node, passed):
            if tree.feature[node] == -1:
                return passed * tree.value[node]
            left = expit((tree.threshold[node] - point[tree.feature[node]]) / SOFTNESS)
            return weight(tree, tree.left[node], passed * left) + weight(
                tree, tree.right[node], passed * (1.0 - left)
            )

        return sum(weight(tree, 0, 1.0) for tree in model.trees)

    for column in (0, 1, 5):
        step = np.zeros_like(x)
        step[column] = 1e-5
        assert slope[column] == pytest.approx((soft(x + step) - soft(x - step)) / 2e-5, abs=1e-5)
    plan = Wachter(model).recourse(x, edited_actions(german, "sensible", (), x))
    assert plan.x is None or plan.accepted
    with pytest.raises(InvalidInput, match="questions about categories"):
        X, y = mixed
        boosting = HistGradientBoostingClassifier(max_iter=20, categorical_features=[3]).fit(X, y)
        log_odds(read_boosting(boosting))
