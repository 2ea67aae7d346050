"""The shipped datasets: rows, balances, ranges, provenance, coherence, read-only arrays."""

import hashlib
import re

import numpy as np
import pandas as pd
import pytest

from dirrac_core.data import DATASETS, Dataset, dataset_card, load_dataset, shifted_sets
from dirrac_core.data.datasets.files import SHIPPED, read_shipped
from dirrac_core.data.datasets.sba import sba_people
from dirrac_core.data.datasets.synthetic import MEAN_0, MEAN_1, load_synthetic
from dirrac_core.errors import InvalidInput, UnknownName

# Rows now, favourable now, rows after the shift, favourable after the shift.
FACTS = {
    "german": (1000, 700, 1000, 700),
    "sba": (1159, 973, 943, 443),
    "sba-no-leak": (1159, 973, 943, 443),
    "student": (423, 268, 226, 80),
    "synthetic": (1000, 500, 1000, 500),
}
RANGES = {
    "german": {"Duration": (4, 72), "Credit amount": (250, 18424), "Age": (19, 75)},
    "sba": {
        "Term": (1, 306),
        "Employees": (1, 650),
        "Jobs created": (0, 130),
        "Jobs retained": (0, 535),
        "Gross amount": (5000, 2_000_000),
        "SBA amount": (2500, 1_999_000),
        "Charged-off amount": (0, 1_255_175),
    },
    "student": {
        "Age": (15, 22),
        "Absences": (0, 32),
        "First grade": (0, 18),
        "Second grade": (6, 19),
    },
}
names = pytest.mark.parametrize("name", list(DATASETS))


def both(dataset: Dataset) -> list:
    assert dataset.shifted is not None
    return [dataset.present, dataset.shifted]


@names
def test_rows_and_class_balance(name):
    card = dataset_card(load_dataset(name))
    assert card.shifted is not None
    found = (card.present.rows, card.present.favourable, card.shifted.rows, card.shifted.favourable)
    assert found == FACTS[name]
    assert card.title == DATASETS[name]
    assert card.shift and card.years and card.favourable and card.unfavourable


def test_default_shares_of_sba():
    card = dataset_card(load_dataset("sba"))
    assert card.shifted is not None
    assert round(1 - card.present.share, 3) == 0.160
    assert round(1 - card.shifted.share, 3) == 0.530


@pytest.mark.parametrize("name", list(RANGES))
def test_ranges_of_the_present_data(name):
    schema = load_dataset(name).schema
    for feature, (low, high) in RANGES[name].items():
        assert (schema.feature(feature).low, schema.feature(feature).high) == (low, high)


@names
def test_present_data_fill_the_unit_box_and_shifted_data_are_not_clipped(name):
    dataset = load_dataset(name)
    present, shifted = both(dataset)
    assert present.X.min() == 0 and present.X.max() == 1
    assert shifted.X.shape[1] == present.X.shape[1] == len(dataset.schema.columns)
    if name in ("sba", "student", "synthetic"):
        assert shifted.X.min() < 0 or shifted.X.max() > 1


@names
def test_every_group_holds_exactly_one_category(name):
    dataset = load_dataset(name)
    for sample in both(dataset):
        for group in dataset.schema.groups:
            block = sample.X[:, list(group)]
            assert (block.sum(axis=1) == 1).all() and np.isin(block, (0, 1)).all()


@names
def test_people_agree_with_encoded_rows(name):
    dataset = load_dataset(name)
    for sample in both(dataset):
        np.testing.assert_array_equal(dataset.schema.encode(sample.people), sample.X)


def test_number_of_encoded_columns():
    widths = {name: len(load_dataset(name).schema.columns) for name in DATASETS}
    assert widths == {"german": 11, "sba": 17, "sba-no-leak": 16, "student": 19, "synthetic": 2}


@names
def test_loaded_data_cannot_be_changed(name):
    dataset = load_dataset(name)
    for sample in both(dataset):
        with pytest.raises(ValueError, match="read-only"):
            sample.X[0, 0] = 9.0
        with pytest.raises(ValueError, match="read-only"):
            sample.y[0] = 9
        people = sample.people
        column = people.columns[0]
        first = people[column].iloc[0]
        people.loc[0, column] = people[column].iloc[1:].loc[people[column] != first].iloc[0]
        assert sample.people[column].iloc[0] == first
    assert load_dataset(name) is dataset


def test_unknown_dataset_and_preset():
    with pytest.raises(UnknownName, match="'adult'"):
        load_dataset("adult")
    with pytest.raises(UnknownName, match="'strict'"):
        load_dataset("german").actions("strict")


def test_shipped_files_are_those_of_the_provenance_page():
    page = (SHIPPED / "PROVENANCE.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `(\w+\.csv)` \| (\d+) \| `([0-9a-f]{64})` \|$", page, re.MULTILINE)
    assert {name for name, _, _ in listed} == {path.name for path in SHIPPED.glob("*.csv")}
    for name, rows, checksum in listed:
        assert hashlib.sha256((SHIPPED / name).read_bytes()).hexdigest() == checksum
        assert len(read_shipped(name)) == int(rows)


def test_rebuild_script_and_provenance_page_name_the_same_sources():
    page = (SHIPPED / "PROVENANCE.md").read_text(encoding="utf-8")
    script = (SHIPPED.parents[3] / "scripts" / "rebuild_data.py").read_text(encoding="utf-8")
    checksums = set(re.findall(r"[0-9a-f]{64}", script))
    assert len(checksums) == 8
    assert all(checksum in page for checksum in checksums)


def test_german_files_describe_the_same_people_with_corrected_status():
    dataset = load_dataset("german")
    keys = ["Duration", "Credit amount", "Age"]
    now, later = (sample.people for sample in both(dataset))
    counts = now.value_counts(keys).to_frame("now").join(later.value_counts(keys).rename("later"))
    assert int(counts.min(axis=1).sum()) >= 990
    correction = dataset.corrections["Status"]
    assert correction["no account"] == "≥ 200 DM" and correction["< 0 DM"] == "no account"
    corrected = now["Status"].map(correction).value_counts()
    assert corrected.to_dict() == later["Status"].value_counts().to_dict()


def test_sba_selection_and_derived_features():
    loans = read_shipped("sba.csv")
    people = sba_people(loans)
    assert len(loans) == 2102 and (loans["DisbursementDate"] == "").sum() == 3
    assert (people.loc[loans["DisbursementDate"] == "", "Recession"] == "no").all()
    assert (people["Recession"] == "yes").sum() == 144
    assert (people["New business"] == "yes").sum() == 324
    assert set(loans["DisbursementDate"]) <= {
        "",
        *pd.date_range("1980-01-01", "2010-12-31").strftime("%Y-%m-%d"),
    }


def test_recession_is_decided_by_the_end_of_the_loan():
    loan = dict.fromkeys(["NoEmp", "CreateJob", "RetainedJob", "UrbanRural", "ChgOffPrinGr"], "1")
    loan |= {"NewExist": "", "GrAppv": "100", "SBA_Appv": "50", "Term": "1"}
    dates = ["2007-10-31", "2007-11-01", "2009-05-31", "2009-06-01", ""]
    people = sba_people(pd.DataFrame([loan | {"DisbursementDate": date} for date in dates]))
    assert list(people["Recession"]) == ["no", "yes", "yes", "no", "no"]
    assert set(people["New business"]) == {"no"} and set(people["Portion"]) == {0.5}


@pytest.mark.parametrize("name", ["sba", "sba-no-leak"])
def test_every_sba_loan_obeys_the_coherence_rules(name):
    dataset = load_dataset(name)
    assert len(dataset.schema.rules) == 2
    for rule in dataset.schema.rules:
        assert rule.holds(dataset.present.people).all() and rule.holds(dataset.shifted.people).all()


def test_leak_is_told_and_left_out_of_the_variant():
    with_leak, without = load_dataset("sba"), load_dataset("sba-no-leak")
    assert any("leaks the label" in note for note in with_leak.notes)
    assert any("Selected" in note for note in with_leak.notes)
    assert set(with_leak.schema.columns) - set(without.schema.columns) == {"Charged-off amount"}
    assert "Charged-off amount" not in without.reasons("sensible")
    # Money is written off in defaults and hardly otherwise: the column gives the label away.
    written_off = with_leak.present.people["Charged-off amount"] > 0
    assert np.mean(written_off == (with_leak.present.y == 0)) > 0.98


def test_synthetic_data_follow_their_definition_and_seed():
    one, again, other = load_synthetic(3), load_synthetic(3), load_synthetic(4)
    np.testing.assert_array_equal(one.present.X, again.present.X)
    np.testing.assert_array_equal(one.shifted.X, again.shifted.X)
    assert not np.array_equal(one.present.X, other.present.X)
    values = one.present.people.to_numpy()
    for label, mean in ((0, MEAN_0), (1, MEAN_1)):
        rows = values[one.present.y == label]
        np.testing.assert_allclose(rows.mean(axis=0), mean, atol=0.2)
        np.testing.assert_allclose(np.cov(rows.T), np.eye(2), atol=0.2)


def test_hundred_shifted_sets():
    sets = shifted_sets(seed=0, per_class=2000)
    assert [s.kind for s in sets] == ["mean"] * 33 + ["covariance"] * 33 + ["both"] * 34
    assert [round(s.alpha, 9) for s in sets[:33]] == [round(0.1 * i, 9) for i in range(1, 34)]
    assert all(s.beta == 0 for s in sets[:33]) and all(s.alpha == 0 for s in sets[33:66])
    assert sets[-1].alpha == sets[-1].beta == pytest.approx(3.4)
    for shifted in (sets[32], sets[65], sets[99]):
        people, y = shifted.sample.people.to_numpy(), shifted.sample.y
        moved, still = people[y == 0], people[y == 1]
        np.testing.assert_allclose(
            moved.mean(axis=0), np.add(MEAN_0, [shifted.alpha, 0]), atol=0.25
        )
        np.testing.assert_allclose(moved.var(axis=0), 1 + shifted.beta, rtol=0.15)
        np.testing.assert_allclose(still.mean(axis=0), MEAN_1, atol=0.15)


def test_shifted_sets_are_seeded_and_use_the_present_scale():
    first, again, other = (shifted_sets(seed, n=6) for seed in (1, 1, 2))
    for a, b in zip(first, again, strict=True):
        np.testing.assert_array_equal(a.sample.X, b.sample.X)
    assert not np.array_equal(first[0].sample.X, other[0].sample.X)
    schema = load_synthetic(1).schema
    np.testing.assert_array_equal(schema.encode(first[0].sample.people), first[0].sample.X)
    assert len(first) == 6 and [s.kind for s in first].count("both") == 2


@pytest.mark.parametrize("arguments", [{"n": 2}, {"adapt": -0.1}, {"per_class": 1}])
def test_shifted_sets_refuse_senseless_arguments(arguments):
    with pytest.raises(InvalidInput):
        shifted_sets(seed=0, **arguments)
