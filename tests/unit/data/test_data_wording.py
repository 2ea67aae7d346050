"""Plans in words, rounding to sensible units, and what a schema refuses."""

import numpy as np
import pandas as pd
import pytest

from dirrac_core.data import Feature, Schema, load_dataset, with_constant
from dirrac_core.errors import InvalidInput, InvalidTable, UnknownName

GERMAN_PERSON = {
    "Status": "< 0 DM",
    "Duration": 36,
    "Credit amount": 6948,
    "Personal status": "male, single",
    "Age": 35,
}
PLANS = {
    "german": (
        {"Duration": 24, "Credit amount": 5100},
        "Shorten the loan from 36 to 24 months and borrow 5,100 instead of 6,948 DM.",
    ),
    "sba": (
        {"Term": 240, "Real estate": "yes", "Jobs retained": 7},
        "Stretch the loan from 84 to 240 months, keep 7 jobs instead of 4 and back the loan with "
        "real estate.",
    ),
    "student": (
        {"Study time": "5 to 10 hours", "Internet": "yes", "Second grade": 13},
        "Study 5 to 10 hours a week instead of under 2 hours, get internet access at home and "
        "reach 13 instead of 10 points in the second period.",
    ),
    "synthetic": (
        {"Feature 1": 1.5, "Feature 2": -3.25},
        "Raise Feature 1 from -2.00 to 1.50 and lower Feature 2 from -3.00 to -3.25.",
    ),
}
PEOPLE = {
    "german": GERMAN_PERSON,
    "sba": {
        "Term": 84,
        "Employees": 5,
        "Jobs created": 0,
        "Jobs retained": 4,
        "Location": "urban",
        "Charged-off amount": 0,
        "Gross amount": 50_000,
        "SBA amount": 42_500,
        "New business": "no",
        "Real estate": "no",
        "Portion": 0.85,
        "Recession": "no",
    },
    "student": {
        "Age": 17,
        "Study time": "under 2 hours",
        "Family support": "no",
        "Higher education": "yes",
        "Internet": "no",
        "Health": "good",
        "Absences": 2,
        "First grade": 9,
        "Second grade": 10,
    },
    "synthetic": {"Feature 1": -2.0, "Feature 2": -3.0},
}


def encoded(name, change=None):
    return load_dataset(name).schema.encode(PEOPLE[name] | (change or {}))[0]


@pytest.mark.parametrize("name", list(PLANS))
def test_a_plan_reads_as_a_sentence(name):
    schema = load_dataset(name).schema
    change, sentence = PLANS[name]
    x0, x = encoded(name), encoded(name, change)
    assert schema.sentence(x0, x) == sentence
    changes = schema.describe_change(with_constant(x0), with_constant(x))
    assert {c.feature: c.after for c in changes} == change
    assert all(c.before == PEOPLE[name][c.feature] for c in changes)
    assert all(c.unit == schema.feature(c.feature).unit for c in changes)
    assert all(c.sentence[0].isupper() and c.sentence.endswith(".") for c in changes)
    assert schema.sentence(x0, x0) == "Change nothing."


@pytest.mark.parametrize("name", ["german", "sba", "student"])
def test_every_change_of_every_feature_has_words_of_its_own(name):
    schema = load_dataset(name).schema
    for feature in schema.features:
        values = feature.categories or (feature.low, feature.high)
        for before in values:
            for after in values:
                if before != after:
                    phrase = feature.change_phrase(before, after)
                    assert "{" not in phrase and feature.name not in phrase.split(" from ")[0]
                    assert phrase[0].islower()
                    assert feature.explanation and feature.source


def test_numbers_that_differ_never_read_the_same():
    plain, german = load_dataset("synthetic").schema, load_dataset("german").schema
    assert plain.sentence(encoded("synthetic"), encoded("synthetic", {"Feature 1": -2.0004})) == (
        "Lower Feature 1 from -2.0000 to -2.0004."
    )
    assert german.sentence(encoded("german"), encoded("german", {"Duration": 23.37})) == (
        "Shorten the loan from 36 to 23.37 months."
    )


@pytest.mark.parametrize(
    ("feature", "value", "text"),
    [
        ("Duration", 24, "24 months"),
        ("Duration", 1, "1 month"),
        ("Credit amount", 6948.0, "6,948 DM"),
        ("Status", "no account", "no account"),
        ("Age", 30.5, "30.50 years"),
    ],
)
def test_values_in_words(feature, value, text):
    assert load_dataset("german").schema.format_value(feature, value) == text


def test_zero_has_no_sign():
    assert load_dataset("synthetic").schema.format_value("Feature 1", -0.0001) == "0.00"


def test_rounding_to_real_units_keeps_what_is_not_moved():
    schema = load_dataset("german").schema
    x0 = encoded("german")
    plan = encoded("german", {"Duration": 23.62, "Credit amount": 5133.7})
    noisy = with_constant(plan + np.where(plan == x0, 3e-8, 0.0))
    rounded = schema.rounded(noisy, with_constant(x0))
    assert rounded.shape == noisy.shape and rounded[-1] == 1.0
    assert schema.decode(rounded) == GERMAN_PERSON | {"Duration": 24.0, "Credit amount": 5100.0}
    moved = [*schema.columns_of("Duration"), *schema.columns_of("Credit amount")]
    still = np.setdiff1d(np.arange(len(schema.columns)), moved)
    np.testing.assert_array_equal(rounded[still], x0[still])
    with pytest.raises(ValueError, match="read-only"):
        rounded[0] = 0.0


@pytest.mark.parametrize(
    ("wanted", "rounded"),
    [
        (6960.2, 7000.0),
        (6990.0, 7000.0),
        (6930.0, 6900.0),
        (6940.4, 6900.0),
        (6948.3, 6948.0),  # less than half a mark: no change
        (18424.0, 18400.0),
        (252.0, 300.0),
    ],
)
def test_rounding_to_hundreds(wanted, rounded):
    schema = load_dataset("german").schema
    x = schema.rounded(encoded("german", {"Credit amount": wanted}), encoded("german"))
    assert schema.decode(x)["Credit amount"] == rounded


def test_rounding_never_turns_a_change_round_or_leaves_the_range():
    feature = load_dataset("german").schema.feature("Credit amount")
    assert feature.rounded(18_424.0, 17_000.0) == 18_400.0
    assert feature.rounded(251.0, 5_000.0) == 300.0
    assert feature.rounded(5_020.0, 4_990.0) == 5_000.0
    assert feature.rounded(5_040.0, 5_010.0) == 5_040.0  # 5,000 would turn back
    assert feature.rounded(5_010.2, 5_010.0) == 5_010.0  # not even one mark
    assert feature.rounded(19_999.0, 18_000.0) == 19_999.0  # already outside: not pushed further


def test_rounding_restores_the_guaranteed_amount():
    schema = load_dataset("sba").schema
    x0 = encoded("sba")
    plan = encoded("sba", {"Gross amount": 43_271.0, "SBA amount": 43_271.0 * 0.85})
    rounded = schema.rounded(plan, x0)
    person = schema.decode(rounded)
    assert person["Gross amount"] == 43_300.0
    assert person["SBA amount"] == pytest.approx(43_300 * 0.85, abs=1e-6)
    (rule,) = load_dataset("sba").actions(x0=x0).linear
    assert rule.coefficients @ rounded == pytest.approx(rule.low, abs=1e-12)


@pytest.mark.parametrize(
    ("portion", "gross"),
    [(0.99961, 1_999_775.0), (0.48, 5_209.0)],  # hundreds would push the product over an end
)
def test_restored_amount_stays_in_its_range(portion, gross):
    schema = load_dataset("sba").schema
    x0 = encoded("sba", {"Portion": portion, "SBA amount": 50_000 * portion})
    plan = encoded(
        "sba", {"Portion": portion, "Gross amount": gross, "SBA amount": gross * portion}
    )
    rounded = schema.rounded(plan, x0)
    amount = schema.feature("SBA amount")
    assert schema.decode(rounded)["SBA amount"] in (amount.low, amount.high)
    (rule,) = load_dataset("sba").actions(x0=x0).linear
    assert rule.coefficients @ rounded == pytest.approx(rule.low, abs=1e-12)


def test_an_incoherent_plan_is_not_made_coherent_in_silence():
    schema = load_dataset("sba").schema
    plan = encoded("sba", {"Gross amount": 43_271.0, "SBA amount": 12_345.0})
    rounded = schema.rounded(plan, encoded("sba"))
    assert schema.decode(rounded)["SBA amount"] == 12_300.0
    assert [check.holds for check in schema.check_rules(rounded)] == [True, False]


def test_relaxed_categories_become_the_nearest_whole_one():
    schema = load_dataset("german").schema
    x0 = encoded("german")
    relaxed = x0.copy()
    relaxed[list(schema.columns_of("Status"))] = [0.3, 0.1, 0.0, 0.6]
    rounded = schema.rounded(relaxed, x0)
    np.testing.assert_array_equal(rounded[:4], [0, 0, 0, 1])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"Status": "rich"}, "'Status' must hold one of .* got 'rich'"),
        ({"Status": None}, "'Status' must have no missing value"),
        ({"Age": float("nan")}, "'Age' must have no missing value"),
        ({"Age": "old"}, "'Age' must hold finite numbers, got 'old'"),
        ({"Age": float("inf")}, "'Age' must hold finite numbers"),
    ],
)
def test_encode_refuses_a_bad_value_and_names_the_column(change, message):
    with pytest.raises(InvalidTable, match=message):
        load_dataset("german").schema.encode(GERMAN_PERSON | change)


def test_encode_refuses_a_missing_column():
    person = {k: v for k, v in GERMAN_PERSON.items() if k != "Age"}
    with pytest.raises(InvalidTable, match="'Age' is needed"):
        load_dataset("german").schema.encode(person)


def test_people_are_not_changed_by_encoding():
    people = load_dataset("german").present.people
    before = people.copy(deep=True)
    load_dataset("german").schema.encode(people)
    pd.testing.assert_frame_equal(people, before)


def test_wrong_vectors_and_names_are_refused():
    schema = load_dataset("german").schema
    with pytest.raises(InvalidInput, match="shape"):
        schema.decode(np.zeros(5))
    with pytest.raises(InvalidInput, match="constant last entry"):
        schema.decode(np.zeros(12))
    with pytest.raises(UnknownName, match="'Income'"):
        schema.columns_of("Income")
    with pytest.raises(InvalidInput, match="different names"):
        Schema((Feature("A", "integer"), Feature("A", "integer")))
    with pytest.raises(InvalidInput, match="dimensions"):
        with_constant(np.zeros((2, 2, 2)))


@pytest.mark.parametrize(
    "arguments",
    [
        {"kind": "text"},
        {"kind": "integer", "low": 2.0, "high": 2.0},
        {"kind": "integer", "high": float("inf")},
        {"kind": "integer", "step": 0.0},
        {"kind": "integer", "decimals": -1},
        {"kind": "integer", "direction": "sideways"},
        {"kind": "ordered", "categories": ("one",)},
        {"kind": "ordered", "categories": ("one", "one")},
    ],
)
def test_senseless_features_are_refused(arguments):
    with pytest.raises(InvalidInput):
        Feature("A", **arguments)


def test_constant_is_appended_to_rows_and_tables():
    np.testing.assert_array_equal(with_constant([1.0, 2.0]), [1, 2, 1])
    np.testing.assert_array_equal(with_constant(np.zeros((3, 2))), [[0, 0, 1]] * 3)
