"""Tables as CSV: one line of names, rows by their names, and nothing a spreadsheet would run."""

import re
from pathlib import Path

import pandas as pd
import streamlit as st

from pages.shared.downloads import flat, offer_csv

PAGES = Path(__file__).parents[3] / "pages"


def offered(monkeypatch, frame, name="two groups"):
    seen = []
    monkeypatch.setattr(st, "download_button", lambda *args, **more: seen.append((args, more)))
    offer_csv(frame, name)
    ((label, content, file, kind), _), *_ = seen
    return label, content().decode("utf-8-sig"), file, kind


def test_the_button_names_its_table_and_the_file_is_safe(monkeypatch):
    frame = pd.DataFrame({"=1+1": ["@x", "plain"], "n": [-1, 2]})
    label, text, file, kind = offered(monkeypatch, frame)
    assert (label, file, kind) == ("Two groups (CSV)", "two-groups.csv", "text/csv")
    assert text == "'=1+1,n\r\n'@x,-1\r\nplain,2\r\n"


def test_names_of_rows_and_double_names_of_columns_are_kept():
    columns = pd.MultiIndex.from_tuples([("M2", "Paper"), ("M2", "Ours")])
    index = pd.MultiIndex.from_tuples([("DiRRAc",), ("AR",)], names=["Method"])
    shown = flat(pd.DataFrame([[99, 91], [76, 68]], index, columns))
    assert list(shown.columns) == ["Method", "M2 · Paper", "M2 · Ours"]
    assert shown["Method"].tolist() == ["DiRRAc", "AR"]
    counted = pd.DataFrame({"a": [1, 2]}, index=[5, 9])
    assert list(flat(counted).columns) == ["a"]
    assert list(flat(counted.rename_axis("Applicant")).columns) == ["Applicant", "a"]


def test_every_drawn_table_can_be_taken_along():
    """A page that draws `st.dataframe` also offers its table, or all of its data, as CSV."""
    for file in PAGES.rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        drawn = len(re.findall(r"\bst\.dataframe\(", text))
        given = len(re.findall(r"\boffer_csv\(|\(CSV\)\"", text))
        assert given >= drawn, f"{file} draws {drawn} tables and offers {given}"
