"""When each of the present people was recorded: whole periods in the order of time."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from dirrac_core.errors import InvalidInput, InvalidTable

# Read in this order; a column fits when every value does.
DATE_FORMATS = (
    "%Y-%m-%d",
    "%Y-%m",
    "%Y/%m/%d",
    "%d.%m.%Y",
    "%Y-%m-%d %H:%M:%S",
    "%Y-%m-%dT%H:%M:%S",
    "%d-%b-%Y",
    "%d-%b-%y",
    "%d %B %Y",
    "%b-%Y",
    "%b-%y",
)
# Both may fit the same column; then nobody can say which is meant.
SLASHED = ("%d/%m/%Y", "%m/%d/%Y")
# From coarse to fine: the first with this many different periods is used.
UNITS = ("%Y", "%Y-%m", "%Y-%m-%d")
ENOUGH_PERIODS = 4
RANGE = "–"


@dataclass(frozen=True, eq=False)
class Periods:
    """`index` (n,) says in which of the periods `names`, earliest first, each person falls."""

    index: npt.NDArray[np.int64]
    names: tuple[str, ...]

    def __post_init__(self) -> None:
        self.index.flags.writeable = False
        if (
            len(set(self.names)) != len(self.names)
            or not np.isin(self.index, np.arange(len(self.names))).all()
        ):
            message = f"Periods need different names and a name for each, got {self.names[:5]}"
            raise InvalidInput(message)

    def __len__(self) -> int:
        return len(self.index)

    def name(self, first: int, last: int) -> str:
        """The name of the periods from `first` to `last`, such as “1989–2002”."""
        if first == last:
            return self.names[first]
        return f"{self.names[first]}{RANGE}{self.names[last]}"

    def within(self, name: str) -> npt.NDArray[np.bool_]:
        """(n,): who falls into the periods called `name`, the reverse of `name`."""
        ends = name.split(RANGE) if name not in self.names else [name]
        if len(ends) > 2 or any(end not in self.names for end in ends):
            message = (
                f"A time must be one of the periods {self.names[0]} to {self.names[-1]} or two "
                f"of them with “{RANGE}” between, got {name!r}"
            )
            raise InvalidInput(message)
        first, last = (self.names.index(end) for end in (ends[0], ends[-1]))
        inside: npt.NDArray[np.bool_] = (first <= self.index) & (self.index <= last)
        return inside

    def from_on(self, cut: str) -> npt.NDArray[np.bool_]:
        """(n,): who was recorded at `cut`, such as 2006 or 2006-03, or later."""
        later = set(names_from(self.names, cut))
        reached = np.array([name in later for name in self.names])
        late: npt.NDArray[np.bool_] = reached[self.index]
        if late.all() or not late.any():
            message = (
                f"The shift must begin after {self.names[0]} and not after {self.names[-1]}, "
                f"got {cut!r}"
            )
            raise InvalidTable(message)
        return late

    def of(self, rows: npt.NDArray[np.bool_] | npt.NDArray[np.intp]) -> "Periods":
        """The periods of some of the people; periods without anybody go."""
        kept, index = np.unique(self.index[rows], return_inverse=True)
        return Periods(index.astype(np.int64), tuple(self.names[i] for i in kept))


def names_from(names: Sequence[str], cut: str) -> tuple[str, ...]:
    """The periods at `cut` or later; 2023-01 is not before 2023."""
    numbers = pd.to_numeric(pd.Series([*names, cut]), errors="coerce").to_numpy(np.float64)
    if np.isfinite(numbers).all():
        return tuple(n for n, value in zip(names, numbers, strict=False) if value >= numbers[-1])
    # Dates are written year first, so that texts sort as they do.
    return tuple(name for name in names if name >= cut)


def periods_of(values: "pd.Series[Any]", column: str) -> Periods:
    """The periods in a column of dates or numbers; years, months or days by how many there are."""
    if len(values) == 0:
        message = f"The period column {column!r} must hold dates or numbers, got no rows"
        raise InvalidTable(message)
    if pd.api.types.is_datetime64_any_dtype(values):
        return _from_dates(values)
    numbers = pd.to_numeric(values, errors="coerce")
    if np.isfinite(numbers.to_numpy(dtype=np.float64)).all():
        found, index = np.unique(numbers.to_numpy(dtype=np.float64), return_inverse=True)
        return Periods(index.astype(np.int64), tuple(f"{number:.12g}" for number in found))
    return _from_dates(read_dates(values.astype(str).str.strip(), column))


def read_dates(texts: "pd.Series[str]", column: str) -> "pd.Series[Any]":
    """Dates from texts that are all written in one way, or refused."""
    for pattern in DATE_FORMATS:
        read = pd.to_datetime(texts, format=pattern, errors="coerce")
        if read.notna().all():
            return read
    slashed = [pd.to_datetime(texts, format=p, errors="coerce") for p in SLASHED]
    whole = [read for read in slashed if read.notna().all()]
    if len(whole) == 1:
        return whole[0]
    if whole:
        message = (
            f"The dates in column {column!r} may have the day or the month first; write them as "
            f"year-month-day, got {texts.iloc[0]!r}"
        )
        raise InvalidTable(message)
    message = (
        f"Column {column!r} must hold numbers or dates such as 2004-03-31, all written alike, to "
        f"say when something was, got {_odd_one_out(texts)[:40]!r}"
    )
    raise InvalidTable(message)


def _odd_one_out(texts: "pd.Series[str]") -> str:
    """The first text that is not written as most of the others are."""
    patterns = (*DATE_FORMATS, *SLASHED)
    tried = [pd.to_datetime(texts, format=pattern, errors="coerce") for pattern in patterns]
    readings = [read.isna() for read in (*tried, pd.to_numeric(texts, errors="coerce"))]
    unread = min(readings, key=lambda missed: int(missed.sum()))
    return str(texts[unread].iloc[0])


def _from_dates(dates: "pd.Series[Any]") -> Periods:
    for pattern in UNITS:
        names = dates.dt.strftime(pattern)
        if names.nunique() >= ENOUGH_PERIODS:
            break
    found, index = np.unique(names.to_numpy(dtype=str), return_inverse=True)
    return Periods(index.astype(np.int64), tuple(map(str, found)))
