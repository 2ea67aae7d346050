"""Your own table: files as people really write them are read, and what was done is said."""

import io

import numpy as np
import pandas as pd
import pytest

from dirrac_core.data import Dataset, TableReport, table_dataset
from dirrac_core.data.upload import reading
from dirrac_core.data.upload.reading import Limits
from dirrac_core.errors import InvalidTable

ROWS = 60


def people(**more):
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "age": rng.integers(18, 80, ROWS),
            "income (EUR)": rng.normal(3000, 500, ROWS).round(2),
            "job": rng.choice(["clerk", "nurse", "other"], ROWS),
            "paid": rng.choice(["yes", "no"], ROWS),
            **more,
        }
    )


def as_dataset(source, **more) -> tuple[Dataset, TableReport]:
    return table_dataset(source, **{"label": "paid", "favourable": "yes"} | more)


def csv(frame, **more):
    return frame.to_csv(index=False, **more).encode()


def said(report, words):
    return any(words in note for note in report.notes)


def test_kinds_ranges_and_units_are_inferred():
    dataset, report = as_dataset(people())
    kinds = {feature.name: feature.kind for feature in dataset.schema.features}
    assert kinds == {"age": "integer", "income (EUR)": "continuous", "job": "unordered"}
    age, income, job = dataset.schema.features
    frame = people()
    assert (age.low, age.high) == (frame["age"].min(), frame["age"].max())
    assert (age.unit, income.unit) == ("years", "EUR")
    assert job.categories == ("clerk", "nurse", "other")
    assert (report.rows_read, report.rows_used) == (ROWS, ROWS)
    assert report.columns == ("age", "income (EUR)", "job")
    np.testing.assert_array_equal(dataset.present.y, (frame["paid"] == "yes").astype(int))
    assert dataset.present.X.min() == 0 and dataset.present.X.max() == 1
    assert dataset.favourable == "paid is yes"


def test_without_shifted_data_the_future_is_simulated_and_said_so():
    dataset, report = as_dataset(people())
    assert dataset.shifted is None
    assert said(report, "simulated from scenarios")
    assert dataset.notes == report.notes


def test_a_plan_for_a_stranger_reads_in_real_units():
    dataset, _ = as_dataset(people())
    schema = dataset.schema
    x0 = schema.encode({"age": 40, "income (EUR)": 2500, "job": "clerk"})[0]
    x = schema.encode({"age": 40, "income (EUR)": 2700, "job": "nurse"})[0]
    assert schema.sentence(x0, x) == (
        "Raise income (EUR) from 2,500 to 2,700 EUR and change job from clerk to nurse."
    )


@pytest.mark.parametrize(
    ("content", "note"),
    [
        (csv(people()), None),
        (b"\xef\xbb\xbf" + csv(people()), "byte order mark"),
        (people().to_csv(index=False).encode("utf-16"), "UTF-16"),
        (csv(people(), sep=";"), "semicolons"),
        (csv(people(), sep="\t"), "tabs"),
        (csv(people(), sep="|"), "vertical bars"),
        (csv(people(), sep=";", decimal=","), "decimal commas"),
        (csv(people(), lineterminator="\r\n"), None),
        (people().to_csv().encode(), "only counts the rows"),
        (csv(people(), quoting=1), None),
    ],
)
def test_every_way_of_writing_the_file_gives_the_same_people(content, note):
    expected, _ = as_dataset(people())
    dataset, report = as_dataset(content)
    np.testing.assert_array_equal(dataset.present.X, expected.present.X)
    np.testing.assert_array_equal(dataset.present.y, expected.present.y)
    assert dataset.schema.columns == expected.schema.columns
    assert note is None or said(report, note)
    assert note is not None or len(report.notes) == 1


def test_path_bytes_and_open_file_give_the_same(tmp_path):
    path = tmp_path / "people.csv"
    path.write_bytes(csv(people()))
    with path.open("rb") as opened:
        found = [as_dataset(source)[0] for source in (path, str(path), opened, csv(people()))]
    for dataset in found[1:]:
        np.testing.assert_array_equal(dataset.present.X, found[0].present.X)


def test_latin_1_is_read_with_a_note():
    content = csv(people(town=["Besançon", "Köln"] * 30)).decode().encode("latin-1")
    dataset, report = as_dataset(content)
    assert dataset.schema.feature("town").categories == ("Besançon", "Köln")
    assert said(report, "Latin-1")


@pytest.mark.parametrize(
    ("texts", "unit", "note"),
    [
        ([f"{1000 + 37 * i:,}" for i in range(ROWS)], "", "thousands separators ('1,000')"),
        ([f"{1000 + 37 * i:,}".replace(",", " ") for i in range(ROWS)], "", "thousands"),
        ([f"{1000 + 37 * i:,}".replace(",", "\u202f") for i in range(ROWS)], "", "thousands"),
        ([f"${1000 + 37 * i:,}.00" for i in range(ROWS)], "$", "is in $"),
        ([f"{1000 + 37 * i} €" for i in range(ROWS)], "€", "is in €"),
        ([f"{1000 + 37 * i}%" for i in range(ROWS)], "%", "is in %"),
        ([f" {1000 + 37 * i} " for i in range(ROWS)], "", None),
        ([f"{1000 + 37 * i:.4e}" for i in range(ROWS)], "", None),
    ],
)
def test_numbers_as_people_write_them(texts, unit, note):
    dataset, report = as_dataset(csv(people(amount=texts)))
    feature = dataset.schema.feature("amount")
    assert feature.kind in ("integer", "continuous") and feature.unit == unit
    values = dataset.present.people["amount"].to_numpy()
    np.testing.assert_array_equal(values, [1000 + 37 * i for i in range(ROWS)])
    assert note is None or said(report, note)


def test_decimal_commas_decide_what_a_point_means():
    points = [f"{1 + i}.{234 + i}" for i in range(ROWS)]
    commas = [f"{i},{i % 9 + 1}" for i in range(ROWS)]
    alone, _ = as_dataset(csv(people(x=points), sep=";"))
    assert alone.present.people["x"].iloc[0] == 1.234
    forced, _ = as_dataset(csv(people(x=[f"{v},000" for v in range(1, 61)]), sep=";"))
    assert forced.present.people["x"].iloc[0] == 1000
    chosen, report = as_dataset(
        csv(people(x=[f"{v},000" for v in range(1, 61)], y=commas), sep=";"), decimal=","
    )
    assert chosen.present.people["x"].iloc[0] == 1.0
    assert said(report, "'x' has decimal commas")
    grouped, report = as_dataset(csv(people(x=[f"{v}.000,5" for v in range(1, 61)]), sep=";"))
    assert grouped.present.people["x"].iloc[0] == 1000.5
    assert said(report, "thousands separators")


def test_one_column_may_use_the_other_decimal_sign():
    commas = [f"{i},{i % 9 + 1}" for i in range(ROWS)]
    prices = [f"$ {i}.25" for i in range(ROWS)]
    dataset, _ = as_dataset(csv(people(x=commas, price=prices), sep=";"))
    read = dataset.present.people
    assert read["x"].iloc[1] == 1.2 and read["price"].iloc[1] == 1.25


def test_missing_values_are_values_of_their_own_and_nobody_is_left_out():
    frame = people()
    frame.loc[:4, "age"] = np.nan
    frame.loc[3:6, "job"] = "NA"
    frame.loc[10, "paid"] = "?"
    dataset, report = as_dataset(csv(frame))
    assert report.rows_read == ROWS and report.rows_used == ROWS - 1 == len(dataset.present)
    assert said(report, "1 of 60 rows") and said(report, "the label (1)")
    read = dataset.present.people
    assert (read["age missing"] == "yes").sum() == 5 and (read["job"] == "not stated").sum() == 4
    known = frame.drop(index=10)["age"].dropna()
    assert read.loc[:4, "age"].nunique() == 1 and read["age"].iloc[0] in set(known)
    assert dataset.schema.feature("age").low == known.min()
    again, _ = as_dataset(frame)
    np.testing.assert_array_equal(again.present.X, dataset.present.X)


def test_constant_and_empty_columns_are_left_out_and_named():
    dataset, report = as_dataset(people(country="DE", version=1, blank=np.nan))
    assert report.left_out == {
        "country": "left out because it is always 'DE'",
        "version": "left out because it is always 1",
        "blank": "empty and left out",
    }
    assert report.columns == ("age", "income (EUR)", "job")
    assert said(report, "Column 'blank' was empty")


def test_a_column_that_is_constant_among_the_labelled_rows_is_left_out_too():
    frame = people(flag=["a"] * 50 + ["b"] * 10)
    frame.loc[50:, "paid"] = np.nan
    _, report = as_dataset(frame)
    assert "flag" in report.left_out


def test_two_valued_numbers_truth_and_ordered_categories():
    sizes = pd.Categorical(["S", "M", "L"] * 20, ["S", "M", "L"], ordered=True)
    dataset, report = as_dataset(people(member=[0, 1] * 30, owner=[True, False] * 30, size=sizes))
    schema = dataset.schema
    assert schema.feature("member").categories == ("0", "1")
    assert schema.feature("owner").categories == ("False", "True")
    assert schema.feature("size").kind == "ordered"
    assert schema.feature("size").categories == ("S", "M", "L")
    assert said(report, "'member' has two values")


def test_doubtful_columns_are_named():
    rng = np.random.default_rng(1)
    _, report = as_dataset(people(sum=rng.permutation(5000)[:ROWS], cars=[1, 2, 3] * 20))
    assert said(report, "'sum' has a different value in every row")
    assert said(report, "'cars' has only 3 different whole numbers")


def test_everything_inferred_can_be_overridden():
    overrides = {
        "age": {"direction": "none", "low": 0, "high": 100, "unit": "y", "name": "Age"},
        "income (EUR)": {"step": 50, "decimals": 2, "direction": "up", "explanation": "Pay"},
        "job": {"kind": "ordered", "categories": ["other", "clerk", "nurse"]},
        "code": {"kind": "ordered", "direction": "down"},
        "id": {"drop": True},
    }
    frame = people(code=[f"0{i % 4}" for i in range(ROWS)], id=range(ROWS))
    dataset, report = as_dataset(csv(frame), overrides=overrides)
    schema = dataset.schema
    age = schema.feature("Age")
    assert (age.low, age.high, age.unit, age.source) == (0, 100, "y", "age")
    income = schema.feature("income (EUR)")
    assert (income.step, income.decimals, income.explanation) == (50, 2, "Pay")
    assert schema.feature("job").categories == ("other", "clerk", "nurse")
    assert schema.feature("code").categories == ("00", "01", "02", "03")
    assert report.left_out == {"id": "left out as asked"}
    actions = dataset.actions("sensible")
    assert actions.locked == schema.columns_of("Age")
    assert actions.only_up == schema.columns_of("income (EUR)")
    assert actions.only_down == schema.columns_of("code")
    assert dataset.actions("free").locked == ()
    assert set(dataset.reasons()) == {"Age", "income (EUR)", "code"}


def test_a_range_that_leaves_people_outside_is_said():
    _, report = as_dataset(people(), overrides={"age": {"low": 30, "high": 50}})
    assert said(report, "values of 'age' lie outside the range")


def test_shifted_table_is_scaled_by_the_present_one():
    later = people(job=["pilot"] * 30 + ["nurse"] * 30, extra=1)
    later["age"] += 40
    dataset, report = as_dataset(people(), shifted=csv(later, sep=";"))
    assert dataset.shifted is not None and len(dataset.shifted) == ROWS
    (age,) = dataset.schema.columns_of("age")
    assert dataset.shifted.X[:, age].max() > 1
    assert dataset.schema.feature("job").categories == ("clerk", "nurse", "other", "pilot")
    assert said(report, "only in the shifted table: pilot")
    assert not said(report, "simulated")


def test_a_number_with_two_values_now_and_more_later_stays_a_number():
    dataset, _ = as_dataset(people(cars=[0, 1] * 30), shifted=people(cars=[0, 1, 2] * 20))
    assert dataset.schema.feature("cars").kind == "integer"
    assert dataset.shifted.X[:, dataset.schema.columns_of("cars")[0]].max() == 2


def test_several_favourable_values_and_numeric_labels():
    grades = people(paid=[1.0, 2.0, 3.0] * 20)
    dataset, _ = as_dataset(grades, favourable=[1, "3"])
    assert dataset.present.y.sum() == 40 and dataset.favourable == "paid is 1 or 3"
    again, _ = as_dataset(csv(grades), favourable={1.0, 3})
    np.testing.assert_array_equal(again.present.y, dataset.present.y)


def test_the_table_that_comes_in_is_not_changed():
    frame = people(note=[" a ", None, "b"] * 20)
    before = frame.copy(deep=True)
    as_dataset(frame, shifted=frame)
    pd.testing.assert_frame_equal(frame, before)


def test_arrays_are_read_only_and_reading_is_deterministic():
    first, _ = as_dataset(csv(people()))
    second, _ = as_dataset(csv(people()))
    np.testing.assert_array_equal(first.present.X, second.present.X)
    with pytest.raises(ValueError, match="read-only"):
        first.present.X[0, 0] = 5.0


def test_cells_are_never_more_than_text():
    dataset, _ = as_dataset(csv(people(remark=["=1+1", "__import__('os')", "{0.name}"] * 20)))
    schema = dataset.schema
    assert set(schema.feature("remark").categories) == {"=1+1", "__import__('os')", "{0.name}"}
    x0, x = dataset.present.X[0].copy(), dataset.present.X[0].copy()
    columns = list(schema.columns_of("remark"))
    x0[columns], x[columns] = [1, 0, 0], [0, 0, 1]
    assert schema.sentence(x0, x) == "Change remark from =1+1 to {0.name}."


def test_file_size_is_checked_before_reading(tmp_path, monkeypatch):
    path = tmp_path / "large.csv"
    path.write_bytes(csv(people()))

    def refuse(*_):
        message = "the file was read"
        raise AssertionError(message)

    monkeypatch.setattr(reading.Path, "read_bytes", refuse)
    for source in (path, csv(people()), io.BytesIO(csv(people()))):
        with pytest.raises(InvalidTable, match="must be at most 0.001 MB"):
            as_dataset(source, limits=Limits(file_bytes=1000))


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        (
            Limits(entries=200),
            "at most 200 entries .* got 300 in 60 rows; the widest column is 'job'",
        ),
        (Limits(encoded_columns=4), "at most 4 columns .* got 5; the widest column is 'job'"),
        (Limits(rows=59), "at most 59 rows, got 60"),
        (Limits(columns=3), "at most 3 columns, got 4"),
    ],
)
def test_size_is_limited(limits, message):
    for source in (people(), csv(people())):
        with pytest.raises(InvalidTable, match=message):
            as_dataset(source, limits=limits)
