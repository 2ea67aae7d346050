"""An editor that keeps its edits while its visitor looks at other pages.

What a browser says was edited may be anything; what no cell of the editor offers is refused.
"""

from collections.abc import Mapping
from typing import Any, Literal

import pandas as pd
import streamlit as st

from dirrac_core.arrays import LARGEST
from pages.shared import notices

LONGEST_TEXT = 10_000
# Under this name Streamlit sends the number of a row that was added.
_ROW = "_index"


def kept_editor(
    slot: str,
    about: str,
    start: pd.DataFrame,
    column_config: Mapping[str, Any],
    num_rows: Literal["fixed", "dynamic"],
    disabled: tuple[str, ...] = (),
    **options: Any,
) -> pd.DataFrame:
    """Draw a data editor that begins with `start`; what it holds now.

    `about` names what is edited: anything else starts afresh. Streamlit forgets the edits of an
    editor that is not drawn, so they are kept next to it and shown again as its new start.
    """
    kept = st.session_state.get(slot)
    if kept is None or kept["about"] != about:
        kept = {"about": about, "revision": 0, "start": start}
    key = f"{slot} {about} {kept['revision']}"
    cells = {name: column_config[name] for name in start.columns if name not in disabled}
    edits = st.session_state.get(key)
    refused = edits is not None and not fits(edits, len(kept["start"]), cells, num_rows)
    if refused:
        notices.refuse_value()
    if refused or ("edited" in kept and edits is None):
        shown = kept.get("edited", kept["start"])
        kept = {**kept, "revision": kept["revision"] + 1, "start": shown}
        key = f"{slot} {about} {kept['revision']}"
    edited: pd.DataFrame = st.data_editor(
        kept["start"],
        key=key,
        hide_index=True,
        column_config=dict(column_config),
        num_rows=num_rows,
        disabled=list(disabled),
        **options,
    )
    st.session_state[slot] = {**kept, "edited": edited}
    return edited


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows of an editor, with None for an empty cell."""
    rows = frame.astype(object).where(frame.notna(), None).to_dict("records")
    return [{str(name): value for name, value in row.items()} for row in rows]


def fits(edits: Any, rows: int, cells: Mapping[str, Any], num_rows: str) -> bool:
    """Whether an editor of so many rows with these cells could have been edited like this."""
    changed, added, deleted = (
        edits[name] for name in ("edited_rows", "added_rows", "deleted_rows")
    )
    if not isinstance(added, list) or not isinstance(deleted, list):
        return False
    if num_rows == "fixed" and (added or deleted):
        return False
    return (
        all(_is_row(number, rows) for number in [*changed, *deleted])
        and all(_offered(row, cells) for row in changed.values())
        and all(
            isinstance(row, dict)
            and _offered({name: row[name] for name in row if name != _ROW}, cells)
            and _is_row(row.get(_ROW, 0), LONGEST_TEXT)
            for row in added
        )
    )


def _is_row(number: Any, rows: int) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and 0 <= number < rows


def _offered(row: Any, cells: Mapping[str, Any]) -> bool:
    return isinstance(row, dict) and all(
        name in cells and _holds(cells[name]["type_config"], value) for name, value in row.items()
    )


def _holds(cell: Mapping[str, Any], value: Any) -> bool:
    """Whether a cell of this kind can hold the value; any can be emptied."""
    if value is None:
        return True
    match cell["type"]:
        case "checkbox":
            return isinstance(value, bool)
        case "selectbox":
            return isinstance(value, str) and value in list(cell["options"])
        case "number":
            low, high = cell["min_value"], cell["max_value"]
            return (
                isinstance(value, int | float)
                and not isinstance(value, bool)
                and abs(value) <= LARGEST
                and bool(low is None or low <= value)
                and bool(high is None or value <= high)
            )
        case "text":
            return (
                isinstance(value, str)
                and len(value) <= LONGEST_TEXT
                # Half of a character that takes two: it cannot be written into any file.
                and not any("\ud800" <= letter <= "\udfff" for letter in value)
            )
    return False
