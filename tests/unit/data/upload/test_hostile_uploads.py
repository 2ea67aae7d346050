"""A corpus of hostile and broken tables: each is refused or handled in words, within limits."""

import gzip
import io
import zipfile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_tables import ROWS, csv, people

from dirrac_core.data import table_dataset
from dirrac_core.data.upload.inspection import inspect_table
from dirrac_core.data.upload.visitor_tables import UPLOAD_LIMITS
from dirrac_core.errors import InvalidTable


def column(*values):
    """The usual people with a column x of these values in turn."""
    return csv(people(x=[values[i % len(values)] for i in range(ROWS)]))


def zipped(content):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("table.csv", content)
    return packed.getvalue()


def used(content, label="paid"):
    """What the page does: look, leave out the columns that cannot be used, make the dataset."""
    table = inspect_table(content, limits=UPLOAD_LIMITS)
    outcome = next(iter(table.outcomes(label)), "none")
    unusable = {g.name: g.problem for g in table.guesses(label) if g.feature is None}
    dataset, report = table_dataset(
        content,
        label=label,
        favourable=outcome,
        overrides={name: {"drop": True} for name in unusable},
        limits=UPLOAD_LIMITS,
    )
    assert np.isfinite(dataset.present.X).all()
    return dataset, report, unusable


USUAL = csv(people())
MANY_NAMES = b",".join(b"c%d" % i for i in range(1_000_000))
REFUSED = {
    "gzip bomb": (gzip.compress(b"0" * 20_000_000), "got a gzip archive"),
    "zip bomb": (zipped(b"0" * 20_000_000), "got a zip archive or an Excel workbook"),
    "old workbook": (b"\xd0\xcf\x11\xe0" + bytes(100), "got an old Excel workbook"),
    "parquet": (b"PAR1" + bytes(100), "got a Parquet file"),
    "pickle": (b"\x80\x04\x95" + bytes(100), "got a pickle"),
    "pdf": (b"%PDF-1.7\n", "got a PDF"),
    "empty": (b"", "must not be empty"),
    "blank": (b" \n\t\n", "must not be empty"),
    "NUL bytes": (USUAL.replace(b"clerk", b"cl\x00rk"), "got binary content"),
    "noise": (bytes(np.random.default_rng(0).integers(0, 256, 5000, np.uint8)), "binary content"),
    "UTF-16 without a mark": (USUAL.decode().encode("utf-16-le"), "binary content"),
    "UTF-32": (USUAL.decode().encode("utf-32"), "binary content"),
    "half a UTF-16 letter": (b"\xff\xfea", "at least two columns"),
    "a million columns": (MANY_NAMES + b"\n", "at most 1,000,000 characters long"),
    "a thousand columns": (MANY_NAMES[:5000] + b"\n" + USUAL, "at most 250 columns"),
    "a column repeated": (b",".join([b"c"] * 400_000) + b"\n1\n", "at most 250 columns"),
    "a long name": (b"x" * 500 + b",paid\n1,yes\n", "at most 80 characters, got 500"),
    "a long first line": (b"x" * 3_000_000, "at most 1,000,000 characters"),
    "quotes only": (b'"' * 3_000_000, "at most 1,000,000 characters"),
    "an open quote": (b'age,paid\n"1,yes\n2,no\n', "EOF inside string"),
    "ragged lines": (b"a,b,c\n1,2,3\n1,2,3,4\n", "Expected 3 fields in line 3, saw 4"),
    "a long line": (b"a,b\n" + b"x" * 3_000_000 + b",1\n", "at most 1,000,000 characters long"),
    "a line of commas": (b"a,b\n" + b"," * 9_000_000, "at most 1,000,000 characters long"),
    "a later line of commas": (b"a,b\n1,2\n" + b"," * 9_000_000, "Expected 2 fields in line 3"),
    "a short line of commas": (b"a,b\n" + b"," * 500_000, "got 500,001 in the line after it"),
    "entries without a name": (b"a,b\n" + b"1,2,3\n" * 60, "got 3 in the line after it"),
    "too many rows": (b"a,b\n" + b"1,2\n" * 600_000, "at most 500,000 rows, got 600,000"),
    "too large": (b"a,b\n" + b"1,2\n" * 12_600_000, "must be at most 50 MB"),
    "repeated names": (b"a,a,paid\n1,2,yes\n", "'a' twice"),
    "invisible difference": ("a\u200b,a,paid\n1,2,yes\n".encode(), "'a' twice"),
    "a name of spaces": (b"a,  ,paid\n1,2,yes\n", "none for column 2"),
    "a web page": (b"<!doctype html><html><body>x</body></html>", "at least two columns"),
    "too many categories": (
        csv(people(**{f"c{i}": [f"w{j % 20}" for j in range(ROWS)] for i in range(40)})),
        "at most 150 columns once every category has a column of its own",
    ),
    "a category named like a column": (
        csv(people(**{"job: clerk": [i * i for i in range(ROWS)]})),
        "'job: clerk' twice",
    ),
    "no outcome": (csv(people(paid="yes")), "at least 5 favourable and as many other"),
    "an empty outcome": (csv(people(paid="")), "got 60 of 60 in 'the label'"),
    "infinite outcomes": (csv(people(paid=["inf", "1"] * 30)), "must hold finite numbers"),
    "outcomes as long texts": (csv(people(paid=["x" * 99, "y"] * 30)), "at most 80 characters"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_in_words(name):
    content, words = REFUSED[name]
    with pytest.raises(InvalidTable, match=words) as problem:
        names = inspect_table(content, limits=UPLOAD_LIMITS).columns
        used(content, "paid" if "paid" in names else names[-1])
    assert len(str(problem.value)) < 400


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (column(1, 2, 3, np.inf), "finite numbers"),
        (column("1", "2", "-Infinity"), "finite numbers"),
        (column("1", "2", "1e400"), "finite numbers"),
        (column(1, 2, 10**400), "finite numbers"),
        (column("1.7e308", "-1.7e308", "0"), "1e-06 to 1e+15 wide"),
        (column("1e-300", "2e-300", "3e-300"), "1e-06 to 1e+15 wide"),
        (column("01/02/2020", "03/04/2021"), "the day or the month first"),
        (column("1", "2", "3", "many"), "must not mix numbers and text"),
        (column("x" * 5000, "y"), "at most 80 characters"),
        (csv(people(x=[f"name {i}" for i in range(ROWS)] + [])), "different in every row"),
        (column(None), "At most 90%"),
        (column("same"), "always holds the same value"),
    ],
)
def test_a_bad_column_is_named_and_the_others_can_be_used(content, words):
    dataset, _, unusable = used(content)
    assert list(unusable) == ["x"] and words in unusable["x"]
    assert [f.name for f in dataset.schema.features] == ["age", "job"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\xef\xbb\xbf" + USUAL, "byte order mark"),
        (USUAL.decode().encode("utf-16"), "UTF-16"),
        (USUAL.replace(b"clerk", b"caf\xe9"), "not UTF-8"),
        (USUAL.replace(b"clerk", b"\x81\x9d"), "not UTF-8"),
        (USUAL.replace(b",", b"\t"), "separated by tabs"),
        (b"sep=;\n" + USUAL.replace(b",", b";"), "separated by semicolons"),
        (USUAL.replace(b"\n", b"\r"), None),
        (USUAL.replace(b"\n", b"\r\n") + b"\x1a", None),
        (column('he said "hi", twice', 'b"', "a;b|c"), None),
        (column("two\nlines", "one"), None),
        (USUAL.replace(b",", b", "), None),
        (column("=cmd|' /C calc'!A0", "@SUM(1+1)", "+1+1"), None),
        (column("<script>alert(1)</script>", "**bold**", "$x$"), None),
        (column("NA", "null", "a", "b", "c", "d"), "are missing"),
        (csv(people(**{"\u202ebackwards": [2 ** (i % 9) for i in range(ROWS)]})), None),
        (column("👩\u200d👧", "é", "e\u0301"), None),
    ],
)
def test_handled_and_said(content, said):
    dataset, report, unusable = used(content)
    assert not unusable and len(dataset.present) >= 20
    assert said is None or any(said in note for note in report.notes)
    assert all(feature.name.isprintable() for feature in dataset.schema.features)


def test_quotes_and_line_breaks_in_cells_stay_as_they_are():
    dataset, _, _ = used(column('he said "hi", twice', "two\nlines"))
    assert set(dataset.schema.feature("x").categories) == {'he said "hi", twice', "two\nlines"}


@given(st.binary(max_size=400))
def test_any_bytes_are_refused_or_handled(content):
    refused_or_handled(content)


@given(st.text(alphabet='ab,;\t|"\n\r =<1.-e\u00e9\u200b', max_size=400))
def test_any_text_is_refused_or_handled(text):
    refused_or_handled(text.encode())
    refused_or_handled(USUAL + text.encode())


def refused_or_handled(content):
    try:
        used(content, inspect_table(content, limits=UPLOAD_LIMITS).columns[-1])
    except InvalidTable as problem:
        assert str(problem)
