"""From what is said of a table to how each column is read, and back to a file that says it all."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from dirrac_core.arrays import checked_choice, checked_instance
from dirrac_core.data.schema.feature import CATEGORICAL, Feature
from dirrac_core.data.schema.schema import Schema
from dirrac_core.data.understanding.names import PROTECTED_REASON
from dirrac_core.data.understanding.proposals import proposal
from dirrac_core.data.upload.columns import table_decimal
from dirrac_core.data.upload.labels import label_values
from dirrac_core.data.upload.numbers_in_text import Decimal
from dirrac_core.data.upload.reading import Limits, Source, read_content, read_table
from dirrac_core.data.upload.table_file import TableFile
from dirrac_core.errors import InvalidInput, InvalidTable

Overrides = Mapping[str, Mapping[str, Any]]
Wishes = dict[str, dict[str, Any]]
LEFT_OUT = "left out as asked"


@dataclass(frozen=True, eq=False)
class Described:
    """A table that was read, and for each column it uses what is said or proposed.

    `left_out` maps a column to why it is not used; `fixed` are columns whose categories were set.
    """

    frame: pd.DataFrame
    wishes: Wishes
    left_out: dict[str, str]
    used: tuple[str, ...]
    fixed: frozenset[str]
    decimal: Decimal


def description_of(
    schema: TableFile | None,
    label: str | None,
    favourable: object,
    overrides: Overrides | None,
    decimal: Decimal | None,
    periods: str | None,
    title: str,
) -> TableFile:
    """The table file, given as such or by its parts."""
    if schema is not None:
        checked_instance("schema", schema, TableFile)
        if label is not None or favourable is not None or overrides or periods is not None:
            message = "A table file says the label, the good outcome, columns and periods, got both"
            raise InvalidInput(message)
        return schema
    if label is None:
        message = "A table needs the name of its label and the favourable value, got none"
        raise InvalidInput(message)
    good = label_values(favourable)
    return TableFile(label, good, overrides or {}, title, decimal, periods)


def described_table(
    source: Source, table: TableFile, notes: list[str], limits: Limits
) -> Described:
    """Read the table; what nobody says of a column is proposed."""
    said = {name: dict(wish) for name, wish in table.columns.items()}
    content = source
    if not isinstance(source, pd.DataFrame):
        content = read_content(source, "present", limits)
    texts = [name for name, wish in said.items() if wish.get("kind") in CATEGORICAL]
    frame = read_table(content, "present", notes, texts, limits)
    _check_columns(frame, table)
    names = [str(n) for n in frame.columns if n not in (table.label, table.periods)]
    left_out = {
        name: wish.get("reason") or LEFT_OUT for name, wish in said.items() if wish.get("drop")
    }
    sign = _sign(table, frame[[name for name in names if name not in left_out]])
    wishes: Wishes = {}
    for name in names:
        if name in left_out:
            continue
        own = said.get(name, {})
        proposed = proposal(name, frame[name], sign)
        if proposed.left_out and not own:
            left_out[name] = proposed.left_out
            continue
        wishes[name] = {**proposed.wish, **own}
    # Codes such as 007 keep their zeros only when they are read as text.
    codes = [n for n, w in wishes.items() if w.get("kind") in CATEGORICAL and n not in texts]
    if codes and not isinstance(content, pd.DataFrame):
        frame = read_table(content, "present", [], [*texts, *codes], limits)
        again = {name: proposal(name, frame[name], sign).wish for name in codes}
        for name, wish in again.items():
            wishes[name] = {**wish, "kind": wishes[name]["kind"], **said.get(name, {})}
    for name, wish in wishes.items():
        if wish.get("protected"):
            _lock_protected(name, wish, said.get(name, {}))
    used = tuple(name for name in names if name not in left_out)
    fixed = frozenset(name for name, wish in said.items() if wish.get("categories"))
    return Described(frame, wishes, left_out, used, fixed, sign)


def _lock_protected(name: str, wish: dict[str, Any], said: Mapping[str, Any]) -> None:
    """No plan moves a protected attribute; who wants otherwise has to say it is none."""
    if said.get("direction", "none") != "none":
        raise InvalidTable(
            f"A protected attribute must stay as it is, got {name!r} with {said['direction']!r} as "
            "what may change; lock it, or say that it is not protected"
        )
    wish["direction"] = "none"
    wish["reason"] = wish.get("reason") or PROTECTED_REASON


def explicit_file(
    table: TableFile, described: Described, schema: Schema, left_out: Mapping[str, str]
) -> TableFile:
    """The same table with every guess written down."""
    first: dict[str, Feature] = {}
    for feature in schema.features:
        first.setdefault(feature.source, feature)
    columns: dict[str, dict[str, Any]] = {}
    for name in map(str, described.frame.columns):
        if name in (table.label, table.periods):
            continue
        if name not in first:
            columns[name] = {"drop": True, "reason": left_out[name]}
            continue
        columns[name] = _entry(first[name], described.wishes.get(name, {}))
    rules = schema.presets["sensible"].rules
    return replace(table, columns=columns, decimal=described.decimal, rules=rules)


def _entry(feature: Feature, wish: Mapping[str, Any]) -> dict[str, Any]:
    entry: dict[str, Any] = {
        key: getattr(feature, key)
        for key in ("name", "kind", "unit", "direction", "protected", "explanation")
    }
    entry["reason"] = wish.get("reason", "")
    if feature.is_categorical:
        entry["categories"] = feature.categories
    else:
        entry |= {key: getattr(feature, key) for key in ("low", "high", "decimals", "step")}
    entry["missing"] = tuple(wish.get("missing", ()))
    entry["same"] = dict(wish.get("same") or {})
    entry["keep"] = tuple(wish.get("keep") or ())
    if wish.get("date") and not feature.is_categorical:
        entry["date"] = dict(wish["date"])
    return entry


def _sign(table: TableFile, frame: pd.DataFrame) -> Decimal:
    sign = table_decimal(frame) if table.decimal is None else table.decimal
    return "," if checked_choice("The decimal sign", sign, (".", ",")) == "," else "."


def _check_columns(frame: pd.DataFrame, table: TableFile) -> None:
    names = [str(name) for name in frame.columns]
    periods = table.periods
    for column in (table.label, *table.columns, *(() if periods is None else (periods,))):
        if column not in names:
            what = {table.label: "label", periods: "period column"}.get(column, "overridden column")
            message = f"The {what} must be a column of the table, got {column!r}, not in {names}"
            raise InvalidTable(message)
    if table.label == periods:
        message = f"The label {table.label!r} cannot also say when a row was recorded"
        raise InvalidTable(message)
    if table.label in table.columns:
        message = f"The label {table.label!r} is no feature, so nothing can be set for it"
        raise InvalidTable(message)
