"""Presets and coherence as Actions: what is locked, why, and which rows bind a plan."""

import numpy as np
import pytest

from dirrac_core.data import DATASETS, load_dataset

PRESETS = {
    ("german", "sensible"): ({"Personal status", "Age"}, set()),
    ("german", "paper"): ({"Personal status"}, {"Age"}),
    ("german", "free"): (set(), set()),
    ("sba", "sensible"): (
        {"Location", "Recession", "New business", "Charged-off amount", "Portion"},
        {"Jobs retained"},
    ),
    ("sba", "paper"): ({"Location", "Recession"}, {"Jobs retained"}),
    ("sba", "free"): (set(), set()),
    ("sba-no-leak", "sensible"): (
        {"Location", "Recession", "New business", "Portion"},
        {"Jobs retained"},
    ),
    ("student", "sensible"): ({"Age", "Higher education", "Health", "First grade"}, {"Absences"}),
    ("student", "paper"): ({"Higher education"}, {"Age", "Absences"}),
    ("student", "free"): (set(), set()),
    ("synthetic", "sensible"): (set(), set()),
}


@pytest.mark.parametrize(("name", "preset"), list(PRESETS))
def test_presets(name, preset):
    dataset = load_dataset(name)
    schema, actions = dataset.schema, dataset.actions(preset)
    locked, only_up = PRESETS[name, preset]
    assert set(actions.locked) == {c for f in locked for c in schema.columns_of(f)}
    assert set(actions.only_up) == {c for f in only_up for c in schema.columns_of(f)}
    assert actions.only_down == ()
    reasons = dataset.reasons(preset)
    assert set(reasons) == locked | only_up
    assert all(reason.endswith(".") for reason in reasons.values())


@pytest.mark.parametrize("name", list(DATASETS))
@pytest.mark.parametrize("preset", ["sensible", "paper", "free"])
def test_actions_fit_the_columns_and_allow_every_present_person(name, preset):
    dataset = load_dataset(name)
    for x0 in dataset.present.X[:40]:
        actions = dataset.actions(preset, x0=x0)
        actions.check_columns(len(dataset.schema.columns))
        assert actions.groups == dataset.schema.groups
        assert (x0 >= actions.lower).all() and (x0 <= actions.upper).all()
        for rule in actions.linear:
            assert rule.low - 1e-12 <= rule.coefficients @ x0 <= rule.high + 1e-12
        for rule in actions.conditional:
            if x0[rule.category] == 1:
                assert rule.low <= x0[rule.column] <= rule.high


def test_real_estate_bounds_the_term_on_both_sides_of_240_months():
    dataset = load_dataset("sba")
    schema = dataset.schema
    term = schema.feature("Term")
    no, yes = schema.columns_of("Real estate")
    bounds = {rule.category: rule for rule in dataset.actions().conditional}
    assert set(bounds) == {no, yes}
    assert bounds[yes].low == pytest.approx(term.scaled(240)) and bounds[yes].high == 1.0
    assert bounds[no].high == pytest.approx(term.scaled(239)) and bounds[no].low == 0.0
    assert {rule.column for rule in bounds.values()} == set(schema.columns_of("Term"))


def test_term_bounds_reach_out_to_an_applicant_beyond_the_present_range():
    dataset = load_dataset("sba")
    x0 = dataset.present.X[0].copy()
    (column,) = dataset.schema.columns_of("Term")
    x0[column] = 1.25
    (_, yes) = dataset.schema.columns_of("Real estate")
    bounds = {rule.category: rule for rule in dataset.actions(x0=x0).conditional}
    assert bounds[yes].high == 1.25


def test_product_row_is_the_product_in_real_units():
    dataset = load_dataset("sba")
    schema = dataset.schema
    for x0 in dataset.present.X[5:15]:
        person = schema.decode(x0)
        (rule,) = dataset.actions(x0=x0).linear
        assert "portion" in rule.name
        portion = person["Portion"]
        kept = schema.encode(person | {"Gross amount": 90_000, "SBA amount": 90_000 * portion})[0]
        assert rule.coefficients @ kept == pytest.approx(rule.low, abs=1e-12)
        broken = schema.encode(person | {"Gross amount": 90_000, "SBA amount": 30_000 * portion})
        assert abs(rule.coefficients @ broken[0] - rule.low) > 1e-3
        with_constant = np.append(x0, 1.0)
        (same,) = dataset.actions(x0=with_constant).linear
        np.testing.assert_array_equal(same.coefficients, rule.coefficients)


def test_product_row_only_while_the_portion_is_locked_and_the_applicant_known():
    dataset = load_dataset("sba")
    x0 = dataset.present.X[0]
    assert dataset.actions("sensible").linear == ()
    assert dataset.actions("paper", x0=x0).linear == ()
    assert dataset.actions("free", x0=x0).linear == ()
    assert len(dataset.actions("sensible", x0=x0).linear) == 1


def test_rule_checks_tell_which_rule_a_plan_breaks():
    schema = load_dataset("sba").schema
    person = schema.decode(load_dataset("sba").present.X[0])
    assert [check.holds for check in schema.check_rules(schema.encode(person)[0])] == [True, True]
    longer = person | {"Term": 300 if person["Term"] < 240 else 100}
    assert [check.holds for check in schema.check_rules(schema.encode(longer)[0])] == [False, True]
    richer = person | {"SBA amount": person["SBA amount"] + 1000}
    assert [check.holds for check in schema.check_rules(schema.encode(richer)[0])] == [True, False]
