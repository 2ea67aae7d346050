"""A button under a table that the browser cannot read out of the page: the same table as CSV."""

import pandas as pd
import streamlit as st

from dirrac_core.data.safe_csv import safe_csv


def offer_csv(frame: pd.DataFrame, name: str) -> None:
    """`name` says on the button and in the name of the file what the table holds."""
    st.download_button(
        f"{name[0].upper()}{name[1:]} (CSV)",
        lambda: safe_csv(flat(frame)).encode("utf-8-sig"),
        f"{name.replace(' ', '-')}.csv",
        "text/csv",
        icon=":material/download:",
        type="tertiary",
        key=f"csv {name}",
        on_click="ignore",
    )


def flat(frame: pd.DataFrame) -> pd.DataFrame:
    """One line of column names, and the names of rows as columns; an unnamed count is left out."""
    titles = [" · ".join(map(str, name)) if isinstance(name, tuple) else name for name in frame]
    plain = frame.set_axis(titles, axis=1)
    counted = frame.index.names == [None] and pd.api.types.is_integer_dtype(frame.index)
    return plain if counted else plain.reset_index()
