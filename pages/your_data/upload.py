"""The files of a visitor: what may be uploaded, the uploads themselves, and a sample to try."""

import hashlib
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Final, Literal

import streamlit as st

from dirrac_core.data.upload.inspection import InspectedTable, inspect_table
from dirrac_core.data.upload.sample_table import GOOD, LABEL, sample_table
from dirrac_core.data.upload.table import FEWEST_ROWS
from dirrac_core.data.upload.visitor_tables import UPLOAD_LIMITS
from pages.shared.downloads import offer_file
from pages.shared.plain_text import plain
from pages.your_data.kept_file import forget_file, offer_place

PRESENT: Final = "present"
SHIFTED: Final = "shifted"
FILE_TYPES = ("csv", "tsv", "txt")
LABELS = {PRESENT: "Table of today", SHIFTED: "Table after the shift (if you have one)"}
SAMPLES: dict[Literal["present", "shifted"], str] = {
    PRESENT: "Sample of today",
    SHIFTED: "Sample after the shift",
}
MEGABYTES = UPLOAD_LIMITS.file_bytes // 1_000_000


@dataclass(frozen=True, eq=False)
class Upload:
    """A file in memory: its name, its bytes, and the table read from it."""

    name: str
    content: bytes
    table: InspectedTable

    @cached_property
    def digest(self) -> str:
        """A name for exactly this file, for the keys of widgets about it."""
        return hashlib.sha256(self.name.encode() + b"\0" + self.content).hexdigest()[:16]


def show_promises() -> None:
    """Where the data go and what is allowed, before anything is uploaded."""
    limits = UPLOAD_LIMITS
    st.markdown(
        "Upload a table of people whose outcome is known, say what counts as a good outcome, and "
        "every page works on your table. **Nothing leaves this machine and nothing is written to "
        "disk**: the table stays in this program's memory, only this browser session can open it, "
        "and it is forgotten when newer tables need the room or the program ends."
    )
    st.markdown(
        f"- **The file:** CSV text of at most {MEGABYTES} MB, one person per line, the names of "
        "the columns in the first line, commas, semicolons, tabs or bars between them.\n"
        f"- **Its size:** {FEWEST_ROWS} to {limits.rows:,} people, at most {limits.columns} "
        f"columns. Once each category has its own column, at most {limits.encoded_columns} "
        f"columns and {limits.entries:,} numbers; training then takes less than a minute.\n"
        "- **Rare categories** are put together, dates become durations, missing values are kept "
        "as such, and where there are very many rows models are trained on some of them; every "
        "such step is listed before you train.\n"
        "- **Not read:** spreadsheets, archives, pickles."
    )


def offer_samples() -> None:
    """Two files to try the page with."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption("No file at hand?", width="content")
        for which, label in SAMPLES.items():
            offer_file(label, sample_table(which), f"sample-{which}.csv", type="tertiary")
    st.caption(f"Students of two schools; the label is “{LABEL}”, the good outcome “{GOOD}”.")


def show_uploader(which: str) -> Upload | None:
    """A place for one table; a refused one is explained, and the one in use is said and returned.

    A browser takes the file before it out of its place first; one kept from an earlier visit to
    this page stays.
    """
    key = f"upload {which}"
    kept, refused = offer_place(
        key,
        partial(_read, which),
        LABELS[which],
        FILE_TYPES,
        MEGABYTES,
        "Optional: the same columns, from later or elsewhere. Without it the future is "
        "simulated from scenarios."
        if which == SHIFTED
        else "One row per person, one column per attribute, and one column for the outcome.",
    )
    if kept is not None:
        size = f"{kept.table.rows:,} rows, {len(kept.table.columns)} columns"
        before = ", the file before it" if refused else ""
        st.markdown(f"In use: **{plain(kept.name, 60)}**{before} · {size}")
        if st.session_state[key] is None:
            # The place for files forgets them when the page is left; the table is still here.
            st.button("Remove", key=f"remove {which}", on_click=forget_file, args=(key,))
    return kept


def _read(which: str, name: str, content: bytes) -> Upload:
    return Upload(name, content, inspect_table(content, which, UPLOAD_LIMITS))
