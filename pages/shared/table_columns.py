"""The columns of an uploaded table: what each is read as, and the visitor's corrections."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from dirrac_core.data.feature import MOST_DECIMALS
from dirrac_core.data.inspection import ColumnGuess

KINDS = {
    "continuous": "number",
    "integer": "whole number",
    "ordered": "ordered categories",
    "unordered": "categories",
}
DIRECTIONS = {"both": "either way", "none": "no", "up": "only up", "down": "only down"}
_SEPARATOR = " | "
# The editable columns of the table and the setting of the core each of them stands for.
_SETTINGS = {
    "Read as": "kind",
    "May change": "direction",
    "Unit": "unit",
    "Shown as": "name",
    "Lowest": "low",
    "Highest": "high",
    "Categories in order": "categories",
    "Round to": "step",
    "Digits": "decimals",
    "Explanation": "explanation",
}
_USE, _COLUMN, _VALUES, _PROBLEM = "Use", "Column", "Values", "Why it cannot be used as it is"
_NUMBERS = ("Lowest", "Highest", "Round to", "Digits")
_SHOWN = "columns shown"

Overrides = dict[str, dict[str, Any]]


def edited_columns(about: str, guesses: Sequence[ColumnGuess]) -> Overrides:
    """Draw the table of columns; what differs from the guesses, as the core takes it.

    `about` names the file and the label: another one starts afresh. The editor forgets its edits
    when the page is left, so they are kept beside it and shown again as its new start.
    """
    kept = st.session_state.get(_SHOWN)
    if kept is None or kept["about"] != about:
        kept = {"about": about, "revision": 0, "start": _frame(guesses)}
    key = f"columns {about} {kept['revision']}"
    if "edited" in kept and key not in st.session_state:
        key = f"columns {about} {kept['revision'] + 1}"
        kept = {**kept, "revision": kept["revision"] + 1, "start": kept["edited"]}
    edited = st.data_editor(
        kept["start"],
        key=key,
        hide_index=True,
        num_rows="fixed",
        placeholder="–",
        disabled=[_COLUMN, _VALUES, _PROBLEM],
        column_config=_configuration(),
        alt="The columns of your table: whether each is used, what it is read as, whether it may "
        "change, its unit and its range",
    )
    st.session_state[_SHOWN] = {**kept, "edited": edited}
    return overrides(_frame(guesses), edited)


def overrides(guessed: pd.DataFrame, edited: pd.DataFrame) -> Overrides:
    """What the visitor changed, column by column; an emptied cell goes back to the guess."""
    wishes: Overrides = {}
    for before, after in zip(_records(guessed), _records(edited), strict=True):
        name = before[_COLUMN]
        if not after[_USE]:
            wishes[name] = {"drop": True}
            continue
        wish = {
            setting: _value(setting, after[column])
            for column, setting in _SETTINGS.items()
            if after[column] is not None and after[column] != before[column]
        }
        if wish:
            wishes[name] = wish
    return wishes


def _frame(guesses: Sequence[ColumnGuess]) -> pd.DataFrame:
    rows = [_row(guess) for guess in guesses]
    frame = pd.DataFrame(rows, columns=[_USE, _COLUMN, _VALUES, *_SETTINGS, _PROBLEM])
    return frame.astype({name: "float64" for name in _NUMBERS})


def _row(guess: ColumnGuess) -> dict[str, Any]:
    row: dict[str, Any] = dict.fromkeys(_SETTINGS)
    row |= {_USE: guess.feature is not None, _COLUMN: guess.name, _VALUES: guess.examples}
    row |= {"Shown as": guess.name, "Unit": "", "Explanation": "", _PROBLEM: guess.problem}
    row["May change"] = DIRECTIONS["both"]
    feature = guess.feature
    if feature is not None:
        row |= {"Read as": KINDS[feature.kind], "Unit": feature.unit}
        if feature.is_categorical:
            row["Categories in order"] = _SEPARATOR.join(feature.categories)
        else:
            row |= {"Lowest": feature.low, "Highest": feature.high}
            row |= {"Round to": feature.step, "Digits": feature.decimals}
    return row


def _value(setting: str, shown: Any) -> Any:
    if setting == "kind":
        return next(kind for kind, words in KINDS.items() if words == shown)
    if setting == "direction":
        return next(direction for direction, words in DIRECTIONS.items() if words == shown)
    if setting == "categories":
        return tuple(part.strip() for part in shown.split(_SEPARATOR.strip()))
    if setting == "decimals":
        return int(shown)
    return shown


def _records(frame: pd.DataFrame) -> list[Mapping[str, Any]]:
    """The rows, with None for an empty cell."""
    return frame.astype(object).where(frame.notna(), None).to_dict("records")


def _configuration() -> dict[str, Any]:
    column = st.column_config
    return {
        _USE: column.CheckboxColumn(help="Whether the models see this column.", width="small"),
        _COLUMN: column.TextColumn(help="The name in the file.", pinned=True),
        _VALUES: column.TextColumn(help="The first different values."),
        "Read as": column.SelectboxColumn(
            options=list(KINDS.values()),
            help="Codes such as 1, 2, 3 look like numbers but may be categories.",
        ),
        "May change": column.SelectboxColumn(
            options=list(DIRECTIONS.values()),
            required=True,
            help="Whether a plan may ask a person to change this. “No” locks it.",
        ),
        "Unit": column.TextColumn(help="Shown behind numbers: months, €, points."),
        "Shown as": column.TextColumn(help="The name used on every page."),
        "Lowest": column.NumberColumn(help="The least a plan may ask for."),
        "Highest": column.NumberColumn(help="The most a plan may ask for."),
        "Categories in order": column.TextColumn(
            help=f"All categories, separated by “{_SEPARATOR.strip()}”; the order counts for "
            "ordered categories."
        ),
        "Round to": column.NumberColumn(help="Plans ask for multiples of this.", min_value=0.0),
        "Digits": column.NumberColumn(
            help="Digits behind the decimal point.", min_value=0, max_value=MOST_DECIMALS, step=1
        ),
        "Explanation": column.TextColumn(help="Shown as help beside the feature."),
        _PROBLEM: column.TextColumn(width="large"),
    }
