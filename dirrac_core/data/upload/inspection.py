"""A stranger's table before it becomes a dataset: its columns, what each would be read as, or why
not, and the outcomes a label has. Nothing is refused here because of one bad column."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from dirrac_core.data.periods import periods_of
from dirrac_core.data.schema.feature import Feature
from dirrac_core.data.understanding.names import (
    is_code,
    is_label,
    is_past,
    names_a_person,
    protected_reason,
)
from dirrac_core.data.understanding.proposals import may_be_time, proposal
from dirrac_core.data.upload.cleaning import read_column
from dirrac_core.data.upload.columns import table_decimal
from dirrac_core.data.upload.features import People, features_of
from dirrac_core.data.upload.gaps import check_gaps
from dirrac_core.data.upload.labels import MOST_LABELS, check_few, label_texts
from dirrac_core.data.upload.numbers_in_text import Decimal
from dirrac_core.data.upload.reading import (
    USUAL_LIMITS,
    Limits,
    Source,
    read_content,
    read_table,
)
from dirrac_core.data.upload.table import FEWEST_ROWS
from dirrac_core.errors import InvalidInput, InvalidTable

_EXAMPLES = 3
# More values than this under the name of an outcome are a score or a sum.
_FEW_OUTCOMES = 6
_EXAMPLE_ROWS, _EXAMPLE_LENGTH = 200, 40


@dataclass(frozen=True)
class ColumnGuess:
    """A column, some of its values, and the feature it would be, or (None) why it cannot be one.

    `wish` is what is proposed for it, as in a table file. A column that could be used and is
    better left out has a feature and a `problem`.
    """

    name: str
    examples: str
    feature: Feature | None
    problem: str
    wish: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class InspectedTable:
    """A table that was read, column by column as the file has them.

    What was found out about it is kept, so that a screen may ask again at every reaction.
    """

    rows: int
    columns: tuple[str, ...]
    notes: tuple[str, ...]
    _frame: pd.DataFrame = field(repr=False)
    _guesses: dict[str, tuple[ColumnGuess, ...]] = field(default_factory=dict, repr=False)

    def outcomes(self, label: str) -> Mapping[str, int]:
        """The values of a column that may be the label, each with its count, most common first."""
        counts = label_texts(self._frame[label]).value_counts()
        check_few(label, len(counts))
        return {str(value): int(count) for value, count in counts.items()}

    @cached_property
    def likely_label(self) -> str:
        """The last column with two values, where people put the outcome; else the last column.

        One named like an outcome comes first, if it has few values. A protected attribute, a past
        fact or an identifier is never guessed.
        """
        able = [
            name
            for name in self.columns
            if not (protected_reason(name) or names_a_person(name) or is_past(name))
        ]
        able = able or list(self.columns)
        values = {name: self._frame[name].nunique() for name in able}
        named = [name for name in able if is_label(name)]
        guesses = (
            [name for name in named if values[name] == 2],
            [name for name in named if 2 < values[name] <= _FEW_OUTCOMES],
            [name for name in able if values[name] == 2],
            [name for name in named if values[name] <= MOST_LABELS],
            able,
        )
        return next(names for names in guesses if names)[-1]

    @cached_property
    def time_columns(self) -> tuple[str, ...]:
        """The columns that may say when a row was recorded."""
        return tuple(name for name in self.columns if may_be_time(name, self._frame[name]))

    def periods(self, column: str) -> tuple[str, ...]:
        """The periods in a column that says when a row was recorded, earliest first."""
        known = self._frame[column].dropna().reset_index(drop=True)
        return periods_of(known, column).names

    def guesses(self, label: str) -> tuple[ColumnGuess, ...]:
        """What each column besides the label would be read as."""
        if label not in self._guesses:
            names = [name for name in self.columns if name != label]
            decimal = table_decimal(self._frame[names])
            self._guesses[label] = tuple(self._guess(name, decimal) for name in names)
        return self._guesses[label]

    def _guess(self, name: str, decimal: Decimal) -> ColumnGuess:
        values = self._frame[name]
        shown = values.head(_EXAMPLE_ROWS).dropna().unique()[:_EXAMPLES]
        examples = ", ".join(str(value)[:_EXAMPLE_LENGTH] for value in shown)
        proposed = proposal(name, values, decimal)
        if proposed.left_out:
            reason = proposed.left_out
            for start in ("left out because ", "left out as ", "not read: "):
                reason = reason.removeprefix(start)
            return ColumnGuess(name, examples, None, f"{reason[0].upper()}{reason[1:]}.")
        try:
            column = read_column(name, values, proposed.wish, decimal, [])
            check_gaps(column, "present")
            if column.values.nunique(dropna=True) < 2:
                return ColumnGuess(name, examples, None, "It always holds the same value.")
            one = People([column], np.zeros(self.rows, dtype=np.int64))
            made = features_of(one, None, {name: proposed.wish}, frozenset(), (), [])
        except InvalidInput as problem:
            return ColumnGuess(name, examples, None, f"{problem}.")
        return ColumnGuess(name, examples, made.schema.features[0], "", proposed.wish)


def inspect_table(
    source: Source, which: str = "present", limits: Limits = USUAL_LIMITS
) -> InspectedTable:
    """Read a table without deciding yet what its columns are."""
    notes: list[str] = []
    if not isinstance(source, pd.DataFrame):
        source = read_content(source, which, limits)
    frame = read_table(source, which, notes, limits=limits)
    # Codes such as 007 keep their zeros only when they are read as text.
    codes = [str(n) for n in frame if is_code(str(n)) and frame[n].dtype.kind in "if"]
    if codes:
        frame = read_table(source, which, [], codes, limits)
    if len(frame) < FEWEST_ROWS:
        raise InvalidTable(f"The {which} table needs at least {FEWEST_ROWS} rows, got {len(frame)}")
    return InspectedTable(len(frame), tuple(map(str, frame.columns)), tuple(notes), frame)
