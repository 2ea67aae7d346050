"""People in chunks: what is read, what is refused, and who cannot be judged."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dirrac_core import load_dataset
from dirrac_core.bulk.people import outside, people_in_file, people_in_table, unreadable
from dirrac_core.errors import InvalidTable, UnknownName

GERMAN = load_dataset("german")
SCHEMA = GERMAN.schema
PEOPLE = GERMAN.present.people[:25]


@pytest.fixture(params=[".csv", ".parquet"])
def file(request, tmp_path):
    path = tmp_path / f"people{request.param}"
    write(PEOPLE.assign(note="=1+1", number=[f"{n:03d}" for n in range(25)]), path)
    return path


def write(frame, path):
    if path.suffix == ".csv":
        frame.to_csv(path, index=False)
    else:
        frame.to_parquet(path)


def test_chunks_hold_everybody_in_order(file):
    people = people_in_file(file, SCHEMA)
    assert people.rows == 25 and not people.named
    chunks = list(people.chunks(10))
    assert [len(chunk) for chunk in chunks] == [10, 10, 5]
    assert np.array_equal(SCHEMA.encode(pd.concat(chunks)), SCHEMA.encode(PEOPLE))
    assert set(chunks[0]) == {feature.name for feature in SCHEMA.features}


def test_every_pass_gives_the_same_chunks(file):
    people = people_in_file(file, SCHEMA)
    for first, second in zip(people.chunks(7), people.chunks(7), strict=True):
        pd.testing.assert_frame_equal(first, second)


def test_an_id_is_copied_as_text(file):
    people = people_in_file(file, SCHEMA, id_column="number")
    assert people.named and next(people.chunks(3))["id"].tolist() == ["000", "001", "002"]


def test_a_feature_may_be_the_id(file):
    chunk = next(people_in_file(file, SCHEMA, id_column="Status").chunks(2))
    assert chunk["id"].tolist() == PEOPLE["Status"][:2].astype(str).tolist()


def test_the_digest_is_that_of_the_content(file):
    before = people_in_file(file, SCHEMA).digest
    assert people_in_file(file, SCHEMA).digest == before
    write(PEOPLE.assign(Age=PEOPLE["Age"] + (PEOPLE.index == 24)), file)
    assert people_in_file(file, SCHEMA).digest != before
    table = people_in_table(PEOPLE, "table")
    assert table.digest != people_in_table(PEOPLE[::-1], "table").digest


def test_a_byte_order_mark_and_a_missing_last_line_end_are_no_trouble(tmp_path):
    path = tmp_path / "people.csv"
    path.write_bytes(b"\xef\xbb\xbf" + PEOPLE.to_csv(index=False).strip().encode())
    people = people_in_file(path, SCHEMA)
    assert people.rows == 25 and len(next(people.chunks(100))) == 25


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("people.csv", b"", "No columns"),
        ("people.csv", b"Status,Duration\nx,1\n", "'Credit amount' is needed"),
        ("people.csv", b"\xff\xfe\x00", "UTF-8"),
        ("people.parquet", b"not parquet", "must be a Parquet file"),
    ],
)
def test_a_file_that_does_not_fit_is_refused_in_words(tmp_path, name, content, words):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InvalidTable, match=words):
        people_in_file(path, SCHEMA)


def test_a_line_with_too_many_entries_is_refused_with_its_number(tmp_path):
    path = tmp_path / "people.csv"
    lines = PEOPLE.to_csv(index=False).splitlines()
    path.write_text("\n".join([*lines[:20], lines[20] + ",1,2", *lines[21:]]))
    with pytest.raises(InvalidTable, match="line 21"):
        list(people_in_file(path, SCHEMA).chunks(5))


def test_lines_that_are_all_longer_than_the_first_are_refused(tmp_path):
    path = tmp_path / "people.csv"
    head, *lines = PEOPLE.to_csv(index=False).splitlines()
    path.write_text("\n".join([head, *(line + ",1" for line in lines)]))
    with pytest.raises(InvalidTable, match="as many entries as the first"):
        list(people_in_file(path, SCHEMA).chunks(5))


def test_names_that_do_not_exist_are_refused(tmp_path):
    with pytest.raises(InvalidTable, match="must exist"):
        people_in_file(tmp_path / "nobody.csv", SCHEMA)
    with pytest.raises(UnknownName, match=r"got '\.xlsx'"):
        people_in_file(tmp_path / "people.xlsx", SCHEMA)
    write(PEOPLE, tmp_path / "people.csv")
    with pytest.raises(InvalidTable, match="'name' is needed"):
        people_in_file(tmp_path / "people.csv", SCHEMA, id_column="name")


def spoiled(feature, value):
    frame = PEOPLE.astype(object)
    frame.loc[4, feature] = value
    return frame


@pytest.mark.parametrize(
    ("feature", "value", "found"),
    [
        ("Status", "rich", "got 'rich'"),
        ("Status", None, "got nothing"),
        ("Duration", "two years", "got 'two years'"),
        ("Duration", "", "got nothing"),
        ("Age", np.inf, "got inf"),
        ("Age", np.nan, "got nothing"),
        ("Age", "x" * 10_000, "got 'xxx"),
    ],
)
@pytest.mark.parametrize("ending", [None, ".csv"])
def test_who_cannot_be_read_is_named_with_the_reason(tmp_path, feature, value, found, ending):
    frame = spoiled(feature, value)
    if ending is not None:
        write(frame, tmp_path / "people.csv")
        frame = next(people_in_file(tmp_path / "people.csv", SCHEMA).chunks(100))
    blamed = unreadable(frame, SCHEMA)
    assert blamed.index.tolist() == [4]
    assert blamed.loc[4, "cause"] == feature
    assert blamed.loc[4, "reason"].startswith(f"{feature} must be ")
    assert found in blamed.loc[4, "reason"] and len(blamed.loc[4, "reason"]) < 200


def test_the_first_feature_is_to_blame_and_the_rest_can_be_encoded():
    frame = spoiled("Status", "rich")
    frame.loc[4, "Age"] = "old"
    frame.loc[9, "Age"] = "old"
    blamed = unreadable(frame, SCHEMA)
    assert blamed["cause"].to_dict() == {4: "Status", 9: "Age"}
    assert len(SCHEMA.encode(frame.drop(index=blamed.index))) == 23
    assert unreadable(PEOPLE, SCHEMA).empty


def test_who_lies_outside_the_fitted_ranges_is_named_with_the_reason():
    X = SCHEMA.encode(PEOPLE.assign(Duration=[200, -3, *PEOPLE["Duration"][2:]]))
    far = outside(X, SCHEMA)
    assert far["cause"].to_dict() == {0: "Duration", 1: "Duration"}
    assert far.loc[0, "reason"].endswith("4 to 72 months: 200 months")
    assert far.loc[1, "reason"].endswith(": -3 months")
    assert outside(SCHEMA.encode(PEOPLE), SCHEMA).empty


@pytest.mark.parametrize("column", ["Age", "Status", "note"])
def test_a_column_of_lists_is_refused_by_name(tmp_path, column):
    frame = PEOPLE.assign(note="n").astype(object)
    frame[column] = [[1, 2]] * len(frame)
    frame.to_parquet(tmp_path / "lists.parquet")
    with pytest.raises(InvalidTable, match=f"Column '{column}' .* one number or text .* got list"):
        people_in_file(tmp_path / "lists.parquet", SCHEMA, "note")
    with pytest.raises(InvalidTable, match="'here' must be given by one number or text"):
        people_in_table(frame, "here")


def test_a_column_that_is_there_twice_is_refused_by_name(tmp_path):
    table = pa.Table.from_pandas(PEOPLE, preserve_index=False)
    table = table.append_column("Age", table["Age"])
    pq.write_table(table, tmp_path / "twice.parquet")
    with pytest.raises(InvalidTable, match="Column 'Age' must be in 'twice.parquet' once"):
        people_in_file(tmp_path / "twice.parquet", SCHEMA)
