"""The table file of a visitor: loaded as the start of every setting, saved with all of them."""

import hashlib
from collections.abc import Sequence

import streamlit as st

from dirrac_core.data.upload.table_file import LARGEST_FILE, TableFile
from dirrac_core.errors import InvalidTable
from pages.shared import notices
from pages.shared.downloads import offer_file
from pages.shared.plain_text import plain
from pages.your_data.kept_file import offer_place


def load_table_file(columns: Sequence[str]) -> TableFile | None:
    """A place for a table file; the one in use, when it fits a table with these columns."""
    kept, _ = offer_place(
        "upload table file",
        lambda name, content: (name, TableFile.from_json(content)),
        "Table file (JSON), if you have one",
        ("json",),
        LARGEST_FILE // 1_000_000,
        "What the columns mean, as saved at the end of this page.",
    )
    if kept is None:
        return None
    name, table = kept
    with notices.show_errors():
        check_fits(table, columns)
        st.markdown(f"In use: **{plain(name, 60)}**")
        return table
    return None


def check_fits(table: TableFile, columns: Sequence[str]) -> None:
    """Refuse a table file that speaks of columns the table does not have."""
    named = [table.label, *table.columns, *([table.periods] if table.periods else [])]
    absent = [name for name in named if name not in columns]
    if absent:
        raise InvalidTable(
            f"The table file must describe columns of this table, got {absent[0]!r}; it is not used"
        )


def digest_of(table: TableFile | None) -> str:
    """A short name for the content, for the keys of widgets that start from it."""
    if table is None:
        return ""
    return hashlib.sha256(table.to_json().encode()).hexdigest()[:12]


def offer_table_file(table: TableFile) -> None:
    """Save everything that is said about the table."""
    with st.container(horizontal=True, vertical_alignment="center"):
        offer_file("Save the table file", table.to_json(), "table.json")
        st.caption(
            "All of these settings in one file: load it here again, or use it with "
            "`dirrac portfolio --table table.json --people data.csv --out plans.csv`.",
            width="stretch",
        )
