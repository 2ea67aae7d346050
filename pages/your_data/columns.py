"""The columns of an uploaded table: what each is read as, and the visitor's corrections."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from dirrac_core.data.schema.feature import MOST_DECIMALS
from dirrac_core.data.upload.inspection import ColumnGuess
from pages.your_data.editor import kept_editor, records

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
    "Why locked": "reason",
    "Protected": "protected",
    "Missing codes": "missing",
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
_MAY_BE_EMPTY = ("Missing codes", "Unit")
# Parts of a description that the editor has no cell for; a table file keeps them.
_KEPT = ("same", "keep", "date")

Overrides = dict[str, dict[str, Any]]


def edit_columns(
    about: str, guesses: Sequence[ColumnGuess], described: Mapping[str, Mapping[str, Any]]
) -> Overrides:
    """Draw the table of columns; what differs from the guesses, as the core takes it.

    `about` names the file and the label: another one starts afresh, with what a table file has
    `described`.
    """
    edited = kept_editor(
        "columns",
        about,
        _described(_frame(guesses), described),
        num_rows="fixed",
        placeholder="–",
        disabled=(_COLUMN, _VALUES, _PROBLEM),
        column_config=_configuration(),
        alt="The columns of your table: whether each is used, what it is read as, whether it may "
        "change, its unit and its range",
    )
    wishes = overrides(_frame(guesses), edited)
    for name, wish in described.items():
        if not wishes.get(name, {}).get("drop"):
            unseen = {key: wish[key] for key in _KEPT if key in wish}
            if unseen:
                wishes[name] = {**unseen, **wishes.get(name, {})}
    return wishes


def overrides(guessed: pd.DataFrame, edited: pd.DataFrame) -> Overrides:
    """What the visitor changed, column by column.

    An emptied cell goes back to the guess, but for units and codes: there it says that none fits.
    """
    wishes: Overrides = {}
    for before, after in zip(records(guessed), records(edited), strict=True):
        name = before[_COLUMN]
        if not after[_USE]:
            wishes[name] = {"drop": True}
            if not before[_USE]:
                # The visitor did not: the reason is that of the proposal.
                wishes[name]["reason"] = _left_out(before[_PROBLEM])
            continue
        wish: dict[str, Any] = {} if before[_USE] else {"drop": False}
        told = {name: "" for name in _MAY_BE_EMPTY if after[name] is None}
        after = {**after, **told}
        wish |= {
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


def _described(frame: pd.DataFrame, described: Mapping[str, Mapping[str, Any]]) -> pd.DataFrame:
    """The rows with what a table file says of them."""
    said = frame.copy()
    for place, column in enumerate(frame[_COLUMN]):
        wish = described.get(column)
        if wish is None:
            continue
        said.loc[place, _USE] = not wish.get("drop", False)
        if wish.get("drop"):
            continue
        for heading, setting in _SETTINGS.items():
            if setting in wish:
                said.loc[place, heading] = _cell(setting, wish[setting])
    return said


def _cell(setting: str, value: Any) -> Any:
    """A setting as the editor shows it."""
    if setting == "kind":
        return KINDS[value]
    if setting == "direction":
        return DIRECTIONS[value]
    if setting == "categories":
        return _SEPARATOR.join(map(str, value))
    if setting == "missing":
        return _codes(value)
    return value


def _left_out(problem: str) -> str:
    return f"left out: {problem[:1].lower()}{problem[1:]}".rstrip(".")


def _codes(codes: Sequence[Any]) -> str:
    return ", ".join(f"{code:g}" if isinstance(code, float) else str(code) for code in codes)


def _row(guess: ColumnGuess) -> dict[str, Any]:
    row: dict[str, Any] = dict.fromkeys(_SETTINGS)
    row |= {_USE: guess.feature is not None, _COLUMN: guess.name, _VALUES: guess.examples}
    row |= {"Shown as": guess.name, "Unit": "", "Explanation": "", _PROBLEM: guess.problem}
    row |= {"May change": DIRECTIONS["both"], "Protected": False, "Why locked": ""}
    row["Missing codes"] = _codes(guess.wish.get("missing", ()))
    feature = guess.feature
    if feature is not None:
        row |= {"Read as": KINDS[feature.kind], "Unit": feature.unit}
        row |= {"May change": DIRECTIONS[feature.direction], "Protected": feature.protected}
        row["Why locked"] = guess.wish.get("reason", "")
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
    if setting == "missing":
        return tuple(part.strip() for part in shown.split(",") if part.strip())
    if setting == "protected":
        return bool(shown)
    if setting == "decimals":
        return int(shown)
    return shown


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
        "Explanation": column.TextColumn(help="Shown as help next to the feature."),
        "Protected": column.CheckboxColumn(
            help="Sex, origin, age and the like: never a reason to change anything."
        ),
        "Why locked": column.TextColumn(help="Shown with the plan."),
        "Missing codes": column.TextColumn(
            help="Values that stand for “not known”, separated by commas: -9, 999. Empty: none."
        ),
        _PROBLEM: column.TextColumn(width="large"),
    }
