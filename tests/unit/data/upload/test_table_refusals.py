"""Your own table: every refusal names the rule and the column."""

import io
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from small_tables import ROWS, csv, people

from dirrac_core.data import table_dataset
from dirrac_core.errors import InvalidInput, InvalidTable, UnknownName


def refused(source, message, error=InvalidTable, **more):
    with pytest.raises(error, match=message):
        table_dataset(source, **{"label": "paid", "favourable": "yes"} | more)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "must not be empty"),
        (b"  \n \n", "must not be empty"),
        (b"paid\nyes\n", "at least two columns"),
        (b"\x89PNG\x00\x00,\n", "got binary content"),
        (b"1,2,3\n4,5,6\n", "must name the columns"),
        (b"age,age,paid\n1,2,yes\n", "'age' twice"),
        (b"age, age ,paid\n1,2,yes\n", "'age' twice"),
        (b"age,,paid\n1,2,yes\n", "none for column 2"),
        (b",age,paid\nx,2,yes\ny,3,no\n", "none for column 1"),
        (b"age,job,paid\n1,a,yes\n1,a,yes,2\n", "3 entries: Expected 3 fields in line 3, saw 4"),
        (b'age,job,paid\n"1,a,yes\n', "3 entries: EOF inside string"),
    ],
)
def test_files_that_are_no_table(content, message):
    refused(content, message)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("no-such-file.csv", "a file that exists, got 'no-such-file.csv'"),
        (io.StringIO("age,paid\n1,yes\n"), "binary mode"),
        (5, "got int"),
        (None, "got NoneType"),
    ],
)
def test_sources_that_are_no_table(source, message):
    refused(source, message)


def test_repeated_and_stacked_names_of_a_frame():
    refused(people().set_axis(["age", "age", "paid"], axis=1), "'age' twice")
    stacked = people()
    stacked.columns = pd.MultiIndex.from_product([["a"], ["age", "job", "paid"]])
    refused(stacked, "one line of column names, got 2")


@pytest.mark.parametrize(
    ("column", "message"),
    [
        ([1] * 40 + ["cheap"] + [2] * 19, "'x' must not mix numbers and text, got 'cheap'"),
        ([1.5] * 59 + [np.inf], "'x' must hold finite numbers"),
        (["1.5"] * 59 + ["-Infinity"], "'x' must hold finite numbers"),
        (pd.to_timedelta(range(ROWS), unit="D"), "'x' must hold numbers or categories"),
        ([1 + 2j, 3j] * 30, "'x' must hold numbers or categories"),
        ([[1], [2]] * 30, "'x' must hold numbers or text, got list"),
        ([np.nan] * 56 + [1.5, 2.0] * 2, "At most 90% .* got 56 of 60 in 'x'"),
    ],
)
def test_columns_that_cannot_be_read(column, message):
    refused(people(x=column), message)


def test_the_same_refusals_from_a_file():
    refused(csv(people(x=[1] * 40 + ["cheap"] + [2] * 19)), "'x' must not mix")
    refused(csv(people(x=[1.5] * 59 + [np.inf])), "'x' must hold finite")


def test_more_than_two_hundred_categories_that_were_set():
    many = pd.concat([people()] * 5, ignore_index=True)
    refused(
        many.assign(x=[f"c{i}" for i in range(300)]),
        "'x' must have at most 200 categories, got 300",
        overrides={"x": {"kind": "unordered", "keep": []}},
    )


def test_too_few_rows():
    refused(people().head(19), "at least 20 complete rows, got 19")


@pytest.mark.parametrize(
    ("label", "favourable", "message"),
    [
        ("income", "yes", "label must be a column of the table, got 'income'"),
        ("paid", "maybe", "must occur in the label 'paid', got .'maybe'.; it has no, yes"),
        ("paid", [], "must occur in the label"),
        ("paid", ["yes", "no"], "as many other outcomes, got 60 and 0"),
        ("rare", "1", "at least 5 favourable and as many other outcomes, got 4 and 56"),
        ("always", "1", "got 60 and 0"),
        ("serial", "0", "at most 200 different values, got 300"),
    ],
)
def test_labels_that_cannot_be_used(label, favourable, message):
    frame = pd.concat([people()] * (5 if label == "serial" else 1), ignore_index=True)
    frame = frame.assign(rare=0, always=1, serial=range(len(frame)))
    frame.loc[:3, "rare"] = 1
    refused(frame, message, label=label, favourable=favourable)


def test_a_table_with_nothing_to_change():
    refused(people(age=1, job="clerk"), "a column besides the label 'paid'")


@pytest.mark.parametrize(
    ("overrides", "message", "error"),
    [
        ({"income": {"unit": "€"}}, "overridden column must be .* got 'income'", InvalidTable),
        ({"age": {"colour": "red"}}, "column 'age' must be one of .* got 'colour'", UnknownName),
        ({"age": {"kind": "text"}}, "kind of column 'age'", UnknownName),
        ({"age": {"direction": "left"}}, "direction of 'age'", UnknownName),
        ({"job": {"direction": "up"}}, "'job' have no order", InvalidTable),
        ({"age": {"low": 5, "high": 5}}, "range of 'age'", InvalidInput),
        ({"job": {"kind": "integer"}}, "'job' must not mix numbers and text", InvalidTable),
        ({"job": {"categories": ["clerk", "nurse"]}}, "'job' must hold one of", InvalidTable),
        ({"job": {"name": "age"}}, "different names", InvalidInput),
        ({"paid": {"unit": "€"}}, "'paid' is no feature", InvalidTable),
    ],
)
def test_overrides_that_make_no_sense(overrides, message, error):
    refused(people(), message, error, overrides=overrides)


def test_shifted_tables_that_do_not_fit():
    refused(people(), "'age' is absent", shifted=people().drop(columns="age"))
    refused(people(), "'paid' is absent", shifted=people().drop(columns="paid"))
    refused(people(), "'age' must not mix", shifted=people(age="old"))
    refused(people(), "shifted table needs at least 5", shifted=people(paid="yes"))
    refused(people(), "shifted table needs at least 20", shifted=people().head(10))


def test_unknown_decimal_sign():
    refused(people(), "decimal sign", UnknownName, decimal="·")


def test_decimal_objects_are_numbers():
    prices = [Decimal(i) / 4 for i in range(ROWS)]
    dataset, _ = table_dataset(people(price=prices), label="paid", favourable="yes")
    assert dataset.schema.feature("price").high == 14.75
