"""What a stranger's columns mean: each inference on a small made table, and each can be undone."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from dirrac_core.data import table_dataset
from dirrac_core.data.understanding import names
from dirrac_core.data.understanding.values import (
    KEPT_CATEGORIES,
    OTHER,
    likely_order,
    missing_numbers,
    spellings,
    told_apart,
)
from dirrac_core.data.upload.gaps import NOT_STATED
from dirrac_core.data.upload.inspection import inspect_table
from dirrac_core.data.upload.reading import Limits
from dirrac_core.errors import InvalidTable

ROWS = 400
RNG = np.random.default_rng(0)


def people(**more):
    rng = np.random.default_rng(1)
    income = rng.lognormal(8, 0.5, ROWS).round()
    good = income + rng.normal(0, 1500, ROWS) > 3000
    return pd.DataFrame(
        {"income": income, "loans": rng.integers(0, 6, ROWS), **more}
        | {"paid": np.where(good, "yes", "no")}
    )


def read(frame, **more):
    return table_dataset(frame, **{"label": "paid", "favourable": "yes"} | more)


def said(report, words):
    return [note for note in report.notes if words in note]


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("sex", True),
        ("Gender", True),
        ("marital_status", True),
        ("PersonalStatus", True),
        ("native-country", True),
        ("age", True),
        ("AgeInYears", True),
        ("account_age", False),
        ("mortgage", False),
        ("income", False),
    ],
)
def test_protected_by_name(name, found):
    assert bool(names.protected_reason(name)) is found


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("id", True),
        ("LoanID", True),
        ("customer_number", True),
        ("surname", True),
        ("number_of_loans", False),
        ("paid", False),
        ("telephone", False),
    ],
)
def test_identifiers_by_name(name, found):
    assert names.names_a_person(name) is found


@pytest.mark.parametrize(
    ("values", "codes"),
    [
        ([0, 1, 2, 3, -9, -9, -8], (-9.0, -8.0)),
        ([0, 1, 2, 3, -7, -8, -9], (-9.0, -8.0, -7.0)),
        ([5, 10, 20, 999, 999], (999.0,)),
        ([5, 10, 20, 999], ()),
        ([700, 800, 850, 999, 999], ()),
        ([-5.5, -2, 0, 3, 4], ()),
        ([-3, -2, -1, 4, 5, -250], ()),
        ([0, 1, 1, 0], ()),
    ],
)
def test_codes_for_missing_numbers(values, codes):
    assert missing_numbers(values) == codes


def test_a_plan_never_moves_to_a_code():
    frame = people(inquiries=RNG.choice([0, 1, 2, 3, -9, -8], ROWS))
    dataset, report = read(frame)
    feature = dataset.schema.feature("inquiries")
    assert feature.extremes == (0.0, 3.0)
    assert said(report, "-9, -8 read as missing")
    gone = frame["inquiries"] < 0
    read_people = dataset.present.people
    assert ((read_people["inquiries missing"] == "yes") == gone).all()
    undone, _ = read(frame, overrides={"inquiries": {"missing": []}})
    assert undone.schema.feature("inquiries").extremes == (-9.0, 3.0)


def test_words_among_numbers_are_missing():
    rate = [str(v) for v in RNG.integers(1, 90, ROWS)]
    rate[3], rate[5] = "unknown", "N.A."
    dataset, report = read(people(rate=rate))
    assert dataset.schema.feature("rate").kind == "integer"
    assert (dataset.present.people["rate missing"] == "yes").sum() == 2
    assert said(report, "2 of 400 values of 'rate' are missing")


def test_unknown_numbers_and_categories_stay_as_they_are():
    frame = people(job=RNG.choice(["clerk", "nurse", "pilot"], ROWS))
    frame.loc[:9, "income"] = np.nan
    frame.loc[5:14, "job"] = None
    dataset, _ = read(frame)
    schema = dataset.schema
    job = schema.feature("job")
    assert job.categories[-1] == NOT_STATED and job.closed == (NOT_STATED,)
    known, unknown = dataset.present.X[20], dataset.present.X[7]
    free = dataset.actions("free", known)
    gap = schema.columns_of("income missing")
    assert set(free.locked) == set(gap)
    place = schema.columns_of("job")[-1]
    assert free.upper[place] == 0.0
    held = dataset.actions("free", unknown)
    assert {*schema.columns_of("income"), *schema.columns_of("job"), *gap} == set(held.locked)
    assert all(check.holds for check in schema.check_rules(unknown))


def test_spellings_are_joined_with_a_note():
    work = RNG.choice(["Employed", "employed", "EMPLOYED", "self-employed", "Self employed"], ROWS)
    dataset, report = read(people(work=work))
    assert len(dataset.schema.feature("work").categories) == 2
    assert said(report, "several spellings")
    apart, _ = read(people(work=work), overrides={"work": {"same": {}}})
    assert len(apart.schema.feature("work").categories) == 5
    assert spellings(pd.Series(["a", "b"])) == {}


@pytest.mark.parametrize(
    ("categories", "order"),
    [
        (["high", "low", "medium"], ("low", "medium", "high")),
        ([">= 500", "< 100", "100-500"], ("< 100", "100-500", ">= 500")),
        (["10+ years", "1 year", "< 1 year"], ("< 1 year", "1 year", "10+ years")),
        (["over 60k", "20k-60k", "under 20K"], ("under 20K", "20k-60k", "over 60k")),
        (["1k - 2k", "500 - 1k", "< 500"], ("< 500", "500 - 1k", "1k - 2k")),
        (["red", "green", "blue"], None),
        (["low", "high"], None),
    ],
)
def test_an_order_is_seen(categories, order):
    assert likely_order(categories) == order


def test_ordered_categories_become_ordered_features():
    dataset, _ = read(people(savings=RNG.choice(["low", "medium", "high"], ROWS)))
    feature = dataset.schema.feature("savings")
    assert feature.kind == "ordered" and feature.categories == ("low", "medium", "high")


def test_dates_become_durations_and_are_locked():
    days = pd.Timestamp("2020-01-01") + pd.to_timedelta(RNG.integers(0, 900, ROWS), unit="D")
    frame = people(opened=pd.Series(days).dt.strftime("%Y-%m-%d"))
    dataset, report = read(frame)
    feature = dataset.schema.feature("opened")
    last = days.max().strftime("%Y-%m-%d")
    assert feature.kind == "integer" and feature.unit == f"months before {last}"
    assert feature.extremes[0] == 0.0 and 25 <= feature.extremes[1] <= 30
    assert "opened" in dataset.reasons() and said(report, f"before {last}")
    again, _ = read(people(opened=days))
    np.testing.assert_array_equal(again.present.X, dataset.present.X)


def test_identifiers_codes_and_places():
    frame = people(
        customer_id=RNG.permutation(10_000)[:ROWS],
        note=[f"remark {i}" for i in range(ROWS)],
        zip_code=RNG.choice(["01067", "04109", "80331"], ROWS),
        purpose_code=RNG.choice([1, 2, 3, 7], ROWS),
    )
    dataset, report = read(frame.to_csv(index=False).encode())
    assert set(report.left_out) == {"customer_id", "note"}
    assert not [why for why in report.left_out.values() if "as asked" in why]
    assert dataset.schema.feature("zip_code").categories == ("01067", "04109", "80331")
    assert dataset.schema.feature("purpose_code").kind == "unordered"
    assert "zip_code" in dataset.preset("sensible").locked


def test_rare_categories_are_grouped_and_nobody_moves_into_them():
    many = RNG.zipf(1.4, ROWS) % 300
    frame = people(employer=[f"firm {i}" for i in many])
    dataset, report = read(frame)
    feature = dataset.schema.feature("employer")
    assert feature.width == KEPT_CATEGORIES + 1 and feature.closed == (OTHER,)
    assert said(report, "rare categories")
    narrow, _ = read(frame, limits=Limits(encoded_columns=12))
    assert len(narrow.schema.columns) <= 12


def test_effort_is_not_measured_by_the_two_most_extreme_people():
    income = np.append(RNG.normal(3000, 500, ROWS - 2).round(), [90_000.0, 1.0])
    frame = people().assign(income=income)
    dataset, _ = read(frame)
    feature = dataset.schema.feature("income")
    assert 1000 < feature.low < 2500 and 3500 < feature.high < 6000
    assert feature.extremes == (1.0, 90_000.0)
    richest = dataset.present.X[ROWS - 2]
    actions = dataset.actions("free", richest)
    (column,) = dataset.schema.columns_of("income")
    # Who lies beyond the usual range need not come back into it.
    assert actions.upper[column] == richest[column] > 1.0


def test_a_column_that_tells_the_outcome_is_warned_of():
    frame = people()
    frame["recovered"] = np.where(frame["paid"] == "yes", 0.0, RNG.random(ROWS) * 900 + 1)
    _, report = read(frame)
    assert len(report.warnings) == 1
    assert "'recovered' alone tells the outcome right for 100 of 100" in report.warnings[0]
    y = (frame["paid"] == "yes").to_numpy().astype(np.int64)
    assert told_apart(pd.Series(RNG.random(ROWS)), y) < 0.7


def test_the_guess_of_the_label_is_never_protected():
    frame = people(white=RNG.choice([0, 1], ROWS))
    assert inspect_table(frame.to_csv(index=False).encode()).likely_label == "paid"
    frame = frame[["income", "paid", "loans", "white"]]
    assert inspect_table(frame).likely_label == "paid"
    # Three outcomes under a telling name come before two values of something else or of the past.
    status = np.where(frame["paid"] == "yes", "repaid", RNG.choice(["late", "lost"], ROWS))
    frame = frame.drop(columns="paid").assign(status=status, car=RNG.choice([0, 1], ROWS))
    frame["previous_default"] = RNG.choice(["yes", "no"], ROWS)
    assert inspect_table(frame).likely_label == "status"
    assert inspect_table(frame.drop(columns="status")).likely_label == "car"


def test_protected_and_identifying_columns_are_never_moved_by_default():
    frame = people(
        sex=RNG.choice(["f", "m"], ROWS), age=RNG.integers(18, 80, ROWS), ssn=RNG.permutation(ROWS)
    )
    dataset, _ = read(frame)
    locked = dataset.preset("sensible").locked
    assert {"sex", "age"} <= set(locked) and "ssn" not in dataset.schema.columns
    assert [f.name for f in dataset.schema.features if f.protected] == ["sex", "age"]
    freed, _ = read(frame, overrides={"age": {"direction": "up", "protected": False}})
    assert "age" in freed.preset("sensible").only_up
    # Whoever calls a column protected need not lock it as well, and cannot do the contrary.
    named, _ = read(frame, overrides={"loans": {"protected": True}})
    assert "protected attribute" in named.preset("sensible").locked["loans"]
    with pytest.raises(InvalidTable, match="must stay as it is, got 'age' with 'up'"):
        read(frame, overrides={"age": {"direction": "up"}})


def test_a_period_column_cuts_the_present_from_the_shifted():
    year = np.sort(RNG.integers(2001, 2009, ROWS))
    frame = people(year=year)
    dataset, report = read(frame, periods="year")
    assert dataset.shifted is None and dataset.periods.names[0] == "2001"
    table = report.table
    cut, _ = table_dataset(frame, type(table)(**{**vars(table), "shifted_from": "2006"}))
    assert len(cut.present) == (year < 2006).sum() and len(cut.shifted) == (year >= 2006).sum()
    assert cut.periods.names == ("2001", "2002", "2003", "2004", "2005")
    assert "year" not in cut.schema.columns


@pytest.mark.parametrize(
    ("column", "cut", "message"),
    [
        ("year", "1999", "must begin after 2001"),
        ("year", "2050", "must begin after 2001"),
        ("when", "2006", "'when' must hold numbers or dates"),
        ("late", "2002", "need at least 20 rows, got 3"),
        ("split", "2002", "at least 5 favourable and as many other outcomes"),
    ],
)
def test_cuts_that_cannot_be_made(column, cut, message):
    frame = people(year=np.sort(RNG.integers(2001, 2009, ROWS)), when="someday")
    frame["late"] = np.where(np.arange(ROWS) < ROWS - 3, 2001, 2002)
    frame["split"] = np.where(frame["paid"] == "yes", 2001, 2002)
    _, report = read(frame)
    table = report.table
    columns = {name: wish for name, wish in table.columns.items() if name != column}
    fields = {**vars(table), "columns": columns, "periods": column, "shifted_from": cut}
    with pytest.raises(InvalidTable, match=message):
        table_dataset(frame, type(table)(**fields))


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("loan_amnt", True),
        ("Credit amount", True),
        ("amountEUR", True),
        ("paid_amount", False),
        ("amount_overdue", False),
        ("loan", False),
        ("income", False),
    ],
)
def test_the_sum_asked_for_by_name(name, found):
    assert names.is_sum_asked_for(name) is found


def test_of_a_sum_asked_for_a_plan_keeps_at_least_half():
    frame = people(amount=np.random.default_rng(2).lognormal(8, 0.6, ROWS).round())
    dataset, report = read(frame)
    (rule,) = dataset.preset("sensible").rules
    assert (rule.feature, rule.least) == ("amount", 0.5)
    assert said(report, "“share of amount”") and report.table.rules == (rule,)
    # Who says which rules hold, none included, gets those and no others.
    said_none = replace(report.table, rules=())
    assert table_dataset(frame, said_none)[0].preset("sensible").rules == ()
    locked = {"amount": {"direction": "none"}}
    assert read(frame, overrides=locked)[0].preset("sensible").rules == ()
