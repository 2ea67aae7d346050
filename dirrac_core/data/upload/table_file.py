"""The table file: all that has to be said about a table of one's own, as JSON.

The page saves and loads it, `dirrac plan` and `dirrac portfolio` take it with --table, and
`table_dataset` in Python. Nothing about single people is in it but the names of categories.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from dirrac_core.arrays import brief, checked_choice
from dirrac_core.data.schema.feature import DIRECTIONS, KINDS
from dirrac_core.data.schema.plan_rules import PlanRule, read_plan_rule
from dirrac_core.errors import InvalidInput, InvalidTable, UnknownName

VERSION = 1
LARGEST_FILE = 2_000_000
# What may be set for a column: what it is, and how its cells are read before that.
COLUMN_KEYS = (
    *("drop", "name", "kind", "unit", "low", "high", "categories", "direction", "explanation"),
    *("decimals", "step", "protected", "reason", "missing", "same", "keep", "date"),
)
FUTURES = ("sampling", "history", "stress")
CUT_OFF_KINDS = ("probability", "score", "approval")
_TEXTS = ("name", "unit", "explanation", "reason")
_NUMBERS = ("low", "high", "step")
_TRUTHS = ("drop", "protected")
_LISTS = ("categories", "missing", "keep")
_OBJECTS = ("same", "date")


@dataclass(frozen=True)
class TableFile:
    """The label and its good values, and for each column what it means.

    `columns` maps a column of the file to what is set for it: {"drop": True} leaves it out; else
    any of name, kind, unit, low, high, categories, direction, explanation, decimals, step,
    `protected`, the `reason` of a lock, codes for `missing`, the spellings that are the `same`,
    the categories to `keep` (the others are grouped) and how a `date` becomes a duration.
    `periods` names the column that says when a row was recorded; rows from `shifted_from` on are
    the shifted people. `rules` of the domain bind plans (None: those proposed). `futures` are
    those to start with: luck alone ("sampling"), replayed "history" or the "stress" set (None: by
    what the table knows).
    `cut_off` is what a person needs to be accepted, by `cut_off_kind` (None: even odds).
    """

    label: str
    favourable: tuple[str, ...]
    columns: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    title: str = "Your table"
    decimal: str | None = None
    periods: str | None = None
    shifted_from: str | None = None
    rules: tuple[PlanRule, ...] | None = None
    cut_off: float | None = None
    cut_off_kind: str = "probability"
    futures: str | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.label, str) or not self.label:
            raise InvalidInput(f"The label must be the name of a column, got {brief(self.label)}")
        check_columns(self.columns)
        for name in ("decimal", "periods", "shifted_from", "futures"):
            value = getattr(self, name)
            if value is not None and not isinstance(value, str):
                raise InvalidInput(f"{name} must be a text, got {brief(value)}")
        checked_choice("The kind of cut-off", self.cut_off_kind, CUT_OFF_KINDS)
        if self.cut_off is not None and not _is_number(self.cut_off):
            raise InvalidInput(f"cut_off must be a number, got {brief(self.cut_off)}")
        if self.futures is not None:
            checked_choice("The futures of a table", self.futures, FUTURES)
        if self.futures == "history" and self.periods is None:
            raise InvalidInput("The futures “history” need a period column in periods, got none")
        if self.shifted_from is not None and self.periods is None:
            raise InvalidInput(
                f"shifted_from needs a period column in periods, got {self.shifted_from!r} alone"
            )

    def to_json(self) -> str:
        """The table file as JSON text; `from_json` gives back an equal one."""
        content = {"version": VERSION, **asdict(self)}
        return json.dumps(content, indent=2, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str | bytes) -> "TableFile":
        """The table file in JSON text; what is missing takes its default, the rest is checked."""
        content = _read(text)
        version = content.pop("version", VERSION)
        if version != VERSION:
            raise InvalidInput(f"The version of a table file must be {VERSION}, got {version!r}")
        known = [entry.name for entry in fields(cls)]
        unknown = [key for key in content if key not in known]
        if unknown:
            raise UnknownName(f"A table file may hold {', '.join(known)}, got {brief(unknown[0])}")
        missing = [name for name in ("label", "favourable") if name not in content]
        if missing:
            raise InvalidInput(f"A table file needs {' and '.join(missing)}, got neither or one")
        good = content["favourable"]
        listed = good if isinstance(good, list) else [good]
        if not all(isinstance(value, str | int | float) for value in listed):
            raise InvalidInput(f"favourable must list values of the label, got {brief(good)}")
        content["favourable"] = tuple(map(str, listed))
        rules = content.get("rules")
        if rules is not None:
            if not isinstance(rules, list):
                raise InvalidInput(f"rules must be a list, got {brief(rules)}")
            content["rules"] = tuple(read_plan_rule(rule) for rule in rules)
        if not isinstance(content.get("title", ""), str):
            raise InvalidInput(f"The title must be a text, got {brief(content['title'])}")
        columns = content.get("columns", {})
        check_columns(columns)
        content["columns"] = {name: _as_tuples(wish) for name, wish in columns.items()}
        return cls(**content)


def check_columns(columns: object) -> None:
    """Refuse what cannot be set for a column."""
    if not isinstance(columns, Mapping):
        raise InvalidInput(f"columns must be an object, one entry per column, got {brief(columns)}")
    for column, wish in columns.items():
        if not isinstance(column, str) or not isinstance(wish, Mapping):
            raise InvalidInput(
                f"What is set for column {brief(column)} must be an object, got {brief(wish)}"
            )
        for key, value in wish.items():
            checked_choice(f"What is set for column {column!r}", key, COLUMN_KEYS)
            _check_entry(column, key, value)


def _check_entry(column: str, key: str, value: Any) -> None:
    what = f"{key!r} of column {column!r}"
    if key == "kind":
        checked_choice(f"The kind of column {column!r}", value, KINDS)
    elif key == "direction":
        checked_choice(f"The direction of {column!r}", value, DIRECTIONS)
    elif key in _TEXTS:
        _check(what, "a text", value, isinstance(value, str))
    elif key in _TRUTHS:
        _check(what, "true or false", value, isinstance(value, bool))
    elif key in _NUMBERS:
        _check(what, "a number", value, _is_number(value))
    elif key == "decimals":
        _check(what, "a whole number", value, isinstance(value, int))
    elif key in _LISTS:
        listed = isinstance(value, list | tuple)
        fits = listed and all(isinstance(v, str | int | float) for v in value)
        _check(what, "a list of values", value, fits)
    elif key in _OBJECTS:
        fits = isinstance(value, Mapping) and all(isinstance(v, str) for v in value.values())
        _check(what, "an object of texts", value, fits)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _check(what: str, kind: str, value: object, fits: bool) -> None:
    if not fits:
        raise InvalidInput(f"{what} must be {kind}, got {brief(value)}")


def _as_tuples(wish: Mapping[str, Any]) -> dict[str, Any]:
    return {key: tuple(v) if isinstance(v, list) else v for key, v in wish.items()}


def _read(text: str | bytes) -> dict[str, Any]:
    if len(text) > LARGEST_FILE:
        raise InvalidTable(
            f"A table file may have at most {LARGEST_FILE / 1e6:g} MB, "
            f"got {len(text) / 1e6:,.1f} MB"
        )
    try:
        content = json.loads(text)
    except UnicodeDecodeError:
        raise InvalidInput("A table file must be JSON in UTF-8, got other bytes") from None
    except json.JSONDecodeError as problem:
        raise InvalidInput(
            f"A table file must be JSON, got a problem at line {problem.lineno}: {problem.msg}"
        ) from None
    except (ValueError, RecursionError) as problem:
        raise InvalidInput(
            f"A table file must be JSON of a sensible size, got a problem: {problem}"
        ) from None
    if not isinstance(content, dict):
        raise InvalidInput(f"A table file must be a JSON object, got {type(content).__name__}")
    return content
