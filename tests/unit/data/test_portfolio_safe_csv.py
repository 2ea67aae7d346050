"""Exported CSV: formulas are neutralised, everything else comes back as it was."""

import io

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dirrac_core.data.safe_csv import FORMULA_STARTS, safe_csv

TEXT = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\x00"), max_size=8)


def read_back(text):
    return pd.read_csv(io.StringIO(text, newline=""), dtype=str, keep_default_na=False)


@pytest.mark.parametrize("start", FORMULA_STARTS)
def test_a_text_that_starts_like_a_formula_gets_an_apostrophe(start):
    cell = f"{start}cmd|' /C calc'!A1"
    text = safe_csv(pd.DataFrame({"name": [cell, "plain"]}))
    assert read_back(text)["name"].tolist() == [f"'{cell}", "plain"]


@pytest.mark.parametrize("kind", [object, "string", "category", "str"])
def test_every_kind_of_text_column_is_guarded(kind):
    frame = pd.DataFrame({"a": pd.Series(["=1+1", "x"], dtype=kind)})
    assert safe_csv(frame) == "a\r\n'=1+1\r\nx\r\n"


def test_column_names_are_guarded_and_repeated_names_kept():
    frame = pd.DataFrame([["=1", "=2"]], columns=["=sum", "=sum"])
    assert safe_csv(frame) == "'=sum,'=sum\r\n'=1,'=2\r\n"


def test_numbers_dates_and_gaps_stay_as_they_are():
    frame = pd.DataFrame(
        {
            "n": [-1.5, np.nan],
            "yes": [True, False],
            "mixed": [-2, None],
            "day": pd.to_datetime(["2020-01-02", None]),
        }
    )
    assert safe_csv(frame, header=False) == "-1.5,True,-2.0,2020-01-02\r\n,False,,\r\n"


def test_the_table_given_is_not_changed():
    frame = pd.DataFrame({"=a": ["=1"]})
    safe_csv(frame)
    assert frame.equals(pd.DataFrame({"=a": ["=1"]}))


@given(st.lists(TEXT, min_size=1, max_size=6))
def test_no_exported_text_starts_like_a_formula_and_the_rest_is_untouched(cells):
    back = read_back(safe_csv(pd.DataFrame({"a": cells, "b": "end"})))["a"].tolist()
    assert len(back) == len(cells)
    for given_cell, cell in zip(cells, back, strict=True):
        assert not cell.startswith(FORMULA_STARTS)
        guard = "'" if given_cell.startswith(FORMULA_STARTS) else ""
        assert cell == guard + given_cell


@pytest.mark.parametrize("line_break", ["\r", "\n", "\r\n"])
def test_a_line_break_inside_a_cell_starts_no_line(line_break):
    cell = f"harmless{line_break}=cmd"
    assert f'"{cell}"' in safe_csv(pd.DataFrame({"a": [cell]}))
