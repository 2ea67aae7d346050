"""Files to take along: a button that leaves the page as it is, and a table as CSV."""

from collections.abc import Callable
from pathlib import PurePath
from typing import Literal

import pandas as pd
import streamlit as st

from dirrac_core.data.safe_csv import safe_csv

# What a file is, by how its name ends.
KINDS = {
    ".csv": "text/csv",
    ".html": "text/html",
    ".json": "application/json",
    ".parquet": "application/vnd.apache.parquet",
    ".pdf": "application/pdf",
}


def offer_file(
    label: str,
    content: str | bytes | Callable[[], bytes],
    name: str,
    icon: str = ":material/download:",
    type: Literal["secondary", "tertiary"] = "secondary",
    key: str | None = None,
) -> None:
    """A button for a file of this name; content that is a function is made on request."""
    kind = KINDS[PurePath(name).suffix]
    st.download_button(label, content, name, kind, icon=icon, type=type, key=key, on_click="ignore")


def offer_csv(frame: pd.DataFrame, name: str) -> None:
    """The table above, which the browser cannot read out of the page.

    `name` says on the button and in the name of the file what the table holds.
    """
    offer_file(
        f"{name[0].upper()}{name[1:]} (CSV)",
        lambda: safe_csv(flat(frame)).encode("utf-8-sig"),
        f"{name.replace(' ', '-')}.csv",
        type="tertiary",
        key=f"csv {name}",
    )


def flat(frame: pd.DataFrame) -> pd.DataFrame:
    """One line of column names, and the names of rows as columns; an unnamed count is left out."""
    titles = [" · ".join(map(str, name)) if isinstance(name, tuple) else name for name in frame]
    plain = frame.set_axis(titles, axis=1)
    counted = frame.index.names == [None] and pd.api.types.is_integer_dtype(frame.index)
    return plain if counted else plain.reset_index()
