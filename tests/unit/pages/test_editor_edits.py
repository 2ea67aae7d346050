"""What may have been edited in an editor: every cell, row and kind held against what is offered."""

import pytest
import streamlit as st

from pages.your_data.editor import fits

CELLS = {
    "number": st.column_config.NumberColumn(min_value=0),
    "choice": st.column_config.SelectboxColumn(options=["x"]),
    "text": st.column_config.TextColumn(),
    "tick": st.column_config.CheckboxColumn(),
}


def judged(changed, added=(), deleted=(), num_rows="dynamic"):
    edits = {"edited_rows": changed, "added_rows": list(added), "deleted_rows": list(deleted)}
    return fits(edits, 3, CELLS, num_rows)


def test_what_the_cells_offer_is_taken():
    assert judged({0: {"number": 1, "choice": "x", "text": "q", "tick": True}})
    assert judged({2: {"number": None}}, [{"_index": 3, "text": "new"}], [1])


@pytest.mark.parametrize(
    "changed",
    [
        {3: {}},
        {-1: {}},
        {0: 5},
        {0: {"other": 1}},
        {0: {"number": -1}},
        {0: {"number": 10**400}},
        {0: {"number": float("nan")}},
        {0: {"number": "1"}},
        {0: {"choice": "y"}},
        {0: {"choice": ["x"]}},
        {0: {"text": "\ud800"}},
        {0: {"tick": 1}},
    ],
)
def test_what_no_cell_offers_is_refused(changed):
    assert not judged(changed)


def test_rows_are_added_and_taken_away_only_where_they_may_be():
    assert not judged({}, [5]) and not judged({}, [], [3])
    assert not judged({}, [{}], [], "fixed") and not judged({}, [], [0], "fixed")
