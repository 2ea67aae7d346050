"""Your own table: a dataset from a DataFrame or a CSV file, and a report of what was done to it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from dirrac_core.data.dataset import Dataset, make_sample
from dirrac_core.data.periods import Periods, periods_of
from dirrac_core.data.rule_rows import check_rules_fit
from dirrac_core.data.schema.feature import CATEGORICAL
from dirrac_core.data.understanding.values import leak_warnings
from dirrac_core.data.upload.cleaning import grouped_to_fit, read_column
from dirrac_core.data.upload.columns import Column
from dirrac_core.data.upload.description import (
    Described,
    Overrides,
    described_table,
    description_of,
    explicit_file,
)
from dirrac_core.data.upload.features import (
    People,
    check_size,
    features_of,
    rows_to_train,
)
from dirrac_core.data.upload.gaps import check_gaps
from dirrac_core.data.upload.labels import classes, good_values, label_texts
from dirrac_core.data.upload.numbers_in_text import Decimal
from dirrac_core.data.upload.reading import USUAL_LIMITS, Limits, Source, read_table
from dirrac_core.data.upload.table_file import TableFile
from dirrac_core.errors import InvalidTable

FEWEST_ROWS = 20
# The label may miss for at most this share of the rows.
MOST_UNLABELLED = 0.5


@dataclass(frozen=True)
class TableReport:
    """What was read, what was left out and why, and every assumption.

    `warnings` are to be read before training. `rows` are the places of the present people in the
    file, counted from 0. `table` is the whole description, with every guess
    made explicit: read with it, the same file gives the same dataset.
    """

    rows_read: int
    rows_used: int
    columns: tuple[str, ...]
    left_out: Mapping[str, str]
    notes: tuple[str, ...]
    warnings: tuple[str, ...] = ()
    rows: tuple[int, ...] = field(default=(), repr=False)
    table: TableFile | None = field(default=None, repr=False)


def table_dataset(
    present: Source,
    schema: TableFile | None = None,
    shifted: Source | None = None,
    *,
    label: str | None = None,
    favourable: object = None,
    overrides: Overrides | None = None,
    decimal: Decimal | None = None,
    periods: str | None = None,
    title: str = "Your table",
    limits: Limits = USUAL_LIMITS,
) -> tuple[Dataset, TableReport]:
    """A dataset from a DataFrame, a path, bytes or an open binary file, and a report.

    Either `schema`, a table file, says what the table means, or `label` (the column of the
    outcome), `favourable` (the value or values that are good), `overrides` (column → what is set
    for it, as in `TableFile.columns`), `decimal`, `periods` and `title` do. What nobody says is
    proposed from names and values. A direction of "none", "up" or "down" locks the feature or lets
    it move one way in the preset "sensible". What cannot be used is refused with InvalidTable,
    which names the rule and the column.
    """
    table = description_of(schema, label, favourable, overrides, decimal, periods, title)
    notes: list[str] = []
    described = described_table(present, table, notes, limits)
    left_out = dict(described.left_out)
    columns = [
        read_column(
            name, described.frame[name], described.wishes.get(name, {}), described.decimal, notes
        )
        for name in described.used
    ]
    columns = _without_useless(columns, left_out)
    columns, outcome, when, kept = _labelled(described.frame, columns, table, "present", notes)
    columns = _without_useless(columns, left_out)
    notes += [f"Column {name!r} was {why}." for name, why in left_out.items()]
    if not columns:
        message = f"The present table needs a column besides the label {table.label!r} that varies"
        raise InvalidTable(message)
    for column in columns:
        check_gaps(column, "present")
    widest = min(limits.encoded_columns, limits.entries // len(outcome))
    columns = grouped_to_fit(columns, described.wishes, widest, notes)
    good = good_values(table.favourable, outcome, table.label)
    table = replace(table, favourable=good)
    now, later, when, early = _cut(columns, outcome, when, table)
    if shifted is not None:
        if later is not None:
            message = "The shifted people come from a second table or from a date, got both"
            raise InvalidTable(message)
        later = _shifted(shifted, now.columns, table, described, notes, limits)
    if later is not None:
        aware = [
            _aware_of(column, other, notes)
            for column, other in zip(now.columns, later.columns, strict=True)
        ]
        now = People(aware, now.y)
    else:
        notes.append(
            "No shifted table was given: the future is simulated from scenarios, not observed."
        )
    made = features_of(now, later, described.wishes, described.fixed, table.rules, notes)
    check_rules_fit(made.schema, table.rules or ())
    check_size(made.schema, max(len(y) for _, y in made.people), limits)
    trained, *others = [rows_to_train(made.schema, y) for _, y in made.people]
    if trained is not None:
        notes.append(
            f"Models are trained on {len(trained):,} of the {len(now.y):,} people, drawn at "
            "random, so that training stays quick; everybody is judged and planned for."
        )
    # Both tables may need the same handling; say it once.
    said = tuple(dict.fromkeys(notes))
    samples = [make_sample(made.schema, people, y) for people, y in made.people]
    dataset = Dataset(
        name="table",
        title=table.title,
        schema=made.schema,
        present=samples[0],
        shifted=samples[1] if len(samples) > 1 else None,
        favourable=f"{table.label} is {' or '.join(good)}",
        unfavourable=f"{table.label} is not {' or '.join(good)}",
        shift_description=_shift_words(table, later is not None),
        years="not stated" if when is None else f"{when.names[0]} to {when.names[-1]} (present)",
        notes=said,
        periods=when,
        futures=table.futures,
        cut_off=table.cut_off,
        cut_off_kind=table.cut_off_kind,
        training_rows=trained,
        shifted_training_rows=others[0] if others else None,
    )
    names = tuple(feature.name for feature in made.schema.features)
    explicit = explicit_file(table, described, made.schema, left_out)
    warnings = leak_warnings({column.name: column.values for column in now.columns}, now.y)
    rows = tuple(map(int, np.flatnonzero(kept)[early]))
    report = TableReport(
        len(described.frame), len(now.y), names, left_out, said, warnings, rows, explicit
    )
    return dataset, report


def _without_useless(columns: list[Column], left_out: dict[str, str]) -> list[Column]:
    kept = []
    for column in columns:
        distinct = column.values.nunique(dropna=True)
        if distinct == 0:
            left_out[column.name] = "empty and left out"
        elif distinct == 1:
            value = column.values.dropna().iloc[0]
            shown = f"{value:g}" if column.numeric else repr(value)
            left_out[column.name] = f"left out because it is always {shown}"
        else:
            kept.append(column)
    return kept


def _labelled(
    frame: pd.DataFrame, columns: list[Column], table: TableFile, which: str, notes: list[str]
) -> tuple[list[Column], "pd.Series[Any]", Periods | None, npt.NDArray[np.bool_]]:
    """The rows with an outcome (and, where one is asked for, a period); others cannot be used."""
    outcome = label_texts(frame[table.label])
    gaps = {"the label": outcome.isna().to_numpy()}
    dated = table.periods is not None and which == "present"
    if dated:
        gaps["the period"] = label_texts(frame[table.periods]).isna().to_numpy()
    for name, missing in gaps.items():
        if len(frame) and missing.mean() > MOST_UNLABELLED:
            raise InvalidTable(
                f"At most half of the values of {name} may be missing, got {int(missing.sum())} "
                f"of {len(frame)} in {name!r} of the {which} table; choose another"
            )
    broken = np.logical_or.reduce(list(gaps.values()))
    if broken.any():
        where = ", ".join(f"{name} ({int(m.sum())})" for name, m in gaps.items() if m.any())
        notes.append(
            f"{int(broken.sum())} of {len(frame)} rows of the {which} table have no outcome to "
            f"learn from and were left out; missing in: {where}."
        )
    kept = len(frame) - int(broken.sum())
    if kept < FEWEST_ROWS:
        message = f"The {which} table needs at least {FEWEST_ROWS} complete rows, got {kept}"
        raise InvalidTable(message)
    whole = _rows(columns, ~broken)
    when = None
    if dated:
        values = frame[table.periods][~broken].reset_index(drop=True)
        when = periods_of(values, str(table.periods))
    return whole, outcome[~broken].reset_index(drop=True), when, ~broken


def _rows(columns: list[Column], rows: npt.NDArray[np.bool_]) -> list[Column]:
    return [replace(c, values=c.values[rows].reset_index(drop=True)) for c in columns]


def _cut(
    columns: list[Column], outcome: "pd.Series[Any]", when: Periods | None, table: TableFile
) -> tuple[People, People | None, Periods | None, npt.NDArray[np.bool_]]:
    """The present people and those from `shifted_from` on; and who is present."""
    good, label = table.favourable, table.label
    if when is None or table.shifted_from is None:
        everybody = np.ones(len(outcome), dtype=bool)
        return People(columns, classes(outcome, good, label, "present")), None, when, everybody
    late = when.from_on(table.shifted_from)
    parts = []
    for rows, which in ((~late, "present"), (late, "shifted")):
        if int(rows.sum()) < FEWEST_ROWS:
            raise InvalidTable(
                f"The {which} people need at least {FEWEST_ROWS} rows, got {int(rows.sum())} with "
                f"the shift beginning at {table.shifted_from}"
            )
        y = classes(outcome[rows].reset_index(drop=True), good, label, which)
        parts.append(People(_rows(columns, rows), y))
    for column in parts[0].columns:
        if column.values.nunique(dropna=True) < 2:
            raise InvalidTable(
                f"Column {column.name!r} must vary before {table.shifted_from}, where the shift "
                "begins, got one value; leave the column out"
            )
    return parts[0], parts[1], when.of(~late), ~late


def _shifted(
    source: Source,
    columns: list[Column],
    table: TableFile,
    described: Described,
    notes: list[str],
    limits: Limits,
) -> People:
    """The same columns of the shifted table, read the way the present ones were."""
    names = [column.name for column in columns]
    kinds = {
        column.name: described.wishes.get(column.name, {}).get("kind")
        or ("continuous" if column.numeric else "unordered")
        for column in columns
    }
    texts = [name for name, kind in kinds.items() if kind in CATEGORICAL]
    frame = read_table(source, "shifted", notes, texts, limits)
    for name in (*names, table.label):
        if name not in frame.columns:
            message = f"The shifted table needs every column of the present one, {name!r} is absent"
            raise InvalidTable(message)
    typed = []
    for name in names:
        wish = {**described.wishes.get(name, {}), "kind": kinds[name]}
        typed.append(read_column(name, frame[name], wish, described.decimal, notes))
    for before, after in zip(columns, typed, strict=True):
        if before.numeric and not after.numeric:
            message = (
                f"Column {before.name!r} holds numbers at present but not in the shifted table"
            )
            raise InvalidTable(message)
        check_gaps(after, "shifted")
    whole, outcome, _, _ = _labelled(frame, typed, table, "shifted", notes)
    return People(whole, classes(outcome, table.favourable, table.label, "shifted"))


def _aware_of(column: Column, later: Column, notes: list[str]) -> Column:
    """The present column, aware of values that only the shifted people have."""
    new = tuple(set(later.values.dropna()) - set(column.values.dropna()))
    if new and not column.numeric:
        notes.append(
            f"Column {column.name!r} has categories only in the shifted table: "
            f"{', '.join(sorted(map(str, new))[:10])}."
        )
    return replace(column, only_later=new)


def _shift_words(table: TableFile, shifted: bool) -> str:
    if not shifted:
        return "Simulated from scenarios; no later data were given."
    if table.shifted_from is not None:
        return f"The rows with {table.periods} {table.shifted_from} or later."
    return "The second table, given as the data after the shift."
