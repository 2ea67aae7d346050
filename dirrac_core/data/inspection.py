"""A stranger's table before it becomes a dataset: its columns, what each would be read as, or why
not, and the outcomes a label has. Nothing is refused here because of one bad column."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import pandas as pd

from dirrac_core.data.columns import inferred_feature, table_decimal, typed_column
from dirrac_core.data.feature import Feature
from dirrac_core.data.labels import MOST_LABELS, label_texts
from dirrac_core.data.numbers_in_text import Decimal
from dirrac_core.data.reading import USUAL_LIMITS, Limits, Source, read_table
from dirrac_core.data.table import FEWEST_ROWS, MOST_MISSING
from dirrac_core.errors import InvalidInput, InvalidTable

_EXAMPLES = 3
_EXAMPLE_ROWS, _EXAMPLE_LENGTH = 200, 40


@dataclass(frozen=True)
class ColumnGuess:
    """A column, some of its values, and the feature it would be, or (None) why it cannot be one."""

    name: str
    examples: str
    feature: Feature | None
    problem: str


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
        if len(counts) > MOST_LABELS:
            message = (
                f"The label {label!r} must have at most {MOST_LABELS} different values, "
                f"got {len(counts)}"
            )
            raise InvalidTable(message)
        return {str(value): int(count) for value, count in counts.items()}

    @cached_property
    def likely_label(self) -> str:
        """The last column with two values, where people put the outcome; else the last column."""
        two = [name for name in self.columns if self._frame[name].nunique() == 2]
        return (two or list(self.columns))[-1]

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
        try:
            column = typed_column(name, values, None, decimal, [])
            known = column.values.dropna().reset_index(drop=True)
            if len(known) < (1 - MOST_MISSING) * self.rows:
                missing = self.rows - len(known)
                words = f"More than half is missing: {missing:,} of {self.rows:,} values."
                return ColumnGuess(name, examples, None, words)
            if known.nunique() < 2:
                return ColumnGuess(name, examples, None, "It always holds the same value.")
            feature = inferred_feature(replace(column, values=known), {}, [])
        except InvalidInput as problem:
            return ColumnGuess(name, examples, None, f"{problem}.")
        return ColumnGuess(name, examples, feature, "")


def inspect_table(
    source: Source, which: str = "present", limits: Limits = USUAL_LIMITS
) -> InspectedTable:
    """Read a table without deciding yet what its columns are."""
    notes: list[str] = []
    frame = read_table(source, which, notes, limits=limits)
    if len(frame) < FEWEST_ROWS:
        message = f"The {which} table needs at least {FEWEST_ROWS} rows, got {len(frame)}"
        raise InvalidTable(message)
    return InspectedTable(len(frame), tuple(map(str, frame.columns)), tuple(notes), frame)
