"""What may change, feature by feature: presets, edits, and the Actions they stand for."""

import numpy as np
import pytest

from dirrac_core import load_dataset
from dirrac_core.data import with_constant
from dirrac_core.data.actionability import FeatureRule, edited_actions, edited_rules, preset_rules
from dirrac_core.errors import InvalidActions, InvalidInput, UnknownName


def person(dataset, row=0):
    return with_constant(dataset.present.X[row])


@pytest.mark.parametrize("name", ["german", "sba", "student", "synthetic"])
@pytest.mark.parametrize("preset", ["sensible", "paper", "free"])
def test_without_edits_the_actions_are_the_presets(name, preset):
    dataset = load_dataset(name)
    x0 = person(dataset)
    ours, theirs = edited_actions(dataset, preset, (), x0), dataset.actions(preset, x0)
    for field in ("locked", "only_up", "only_down", "groups", "conditional"):
        assert set(getattr(ours, field)) == set(getattr(theirs, field))
    np.testing.assert_array_equal(ours.lower, theirs.lower)
    np.testing.assert_array_equal(ours.upper, theirs.upper)
    assert len(ours.linear) == len(theirs.linear)


def test_an_edit_replaces_the_rule_of_its_feature_only():
    dataset = load_dataset("german")
    edit = FeatureRule("Age", "up", low=30, high=60, effort=3)
    rules = edited_rules(dataset, "sensible", [edit])
    assert rules["Age"] == edit
    usual = preset_rules(dataset, "sensible")
    assert {n: r for n, r in rules.items() if n != "Age"} == {
        n: r for n, r in usual.items() if n != "Age"
    }


def test_ranges_are_scaled_and_effort_weighs_every_column():
    dataset = load_dataset("german")
    x0 = person(dataset)
    edits = [
        FeatureRule("Duration", "both", low=12, high=24),
        FeatureRule("Status", "both", effort=2),
    ]
    actions = edited_actions(dataset, "sensible", edits, x0)
    duration = dataset.schema.feature("Duration")
    (column,) = dataset.schema.columns_of("Duration")
    assert actions.lower[column] == duration.scaled(12)
    assert actions.upper[column] == duration.scaled(24)
    status = list(dataset.schema.columns_of("Status"))
    assert (actions.weights[status] == 2).all()
    assert np.delete(actions.weights, status).tolist() == [1.0] * (actions.weights.size - 4)


@pytest.mark.parametrize(("move", "allowed"), [("up", [0, 1, 1, 1]), ("down", [1, 1, 0, 0])])
def test_ordered_categories_move_one_way(move, allowed):
    dataset = load_dataset("student")
    row = int(np.flatnonzero(dataset.present.people["Study time"] == "2 to 5 hours")[0])
    edits = [FeatureRule("Study time", move)]
    actions = edited_actions(dataset, "sensible", edits, person(dataset, row))
    assert actions.upper[list(dataset.schema.columns_of("Study time"))].tolist() == allowed


def test_a_product_binds_only_while_its_factor_is_locked():
    dataset = load_dataset("sba")
    x0 = person(dataset)
    locked = edited_actions(dataset, "paper", [FeatureRule("Portion", "no")], x0)
    free = edited_actions(dataset, "sensible", [FeatureRule("Portion", "both")], x0)
    assert len(locked.linear) == 1 and not free.linear


@pytest.mark.parametrize(
    ("edit", "error", "said"),
    [
        (lambda: FeatureRule("Age", "sideways"), UnknownName, "How 'Age' may move must be one of"),
        (lambda: FeatureRule("Age", "up", effort=0), InvalidInput, "effort of 'Age' must be > 0"),
        (lambda: FeatureRule("Age", "up", low=60, high=30), InvalidActions, "least ≤ most"),
        (lambda: FeatureRule("Age", "up", low=float("nan")), InvalidInput, "lowest 'Age'"),
        (lambda: FeatureRule("Agee", "up"), UnknownName, "A feature must be one of"),
        (lambda: FeatureRule("Age", "both", high=300), InvalidActions, "19 years to 75 years"),
        (lambda: FeatureRule("Status", "up"), InvalidActions, "have no order"),
        (lambda: FeatureRule("Status", "both", low=1), InvalidActions, "has no least or most"),
        (lambda: FeatureRule("Age", "down", low=70), InvalidActions, "'Age' may only go down"),
    ],
)
def test_impossible_edits_are_refused_by_name(edit, error, said):
    dataset = load_dataset("german")
    with pytest.raises(error, match=said):
        edited_actions(dataset, "sensible", [edit()], person(dataset, 1))
