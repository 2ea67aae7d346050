"""One feature of a person in real units: its kind, range, wording, and how it is rounded."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar

import numpy as np
import numpy.typing as npt
import pandas as pd

from dirrac_core.arrays import (
    Array,
    brief,
    checked_choice,
    checked_instance,
    checked_number,
    checked_whole_number,
)
from dirrac_core.errors import InvalidInput, InvalidTable

Kind = Literal["continuous", "integer", "ordered", "unordered"]
Direction = Literal["up", "down", "both", "none"]
Better = Literal["", "up", "down"]
Value = float | str
Number = TypeVar("Number", float, Array)

CATEGORICAL = ("ordered", "unordered")
KINDS = ("continuous", "integer", *CATEGORICAL)
DIRECTIONS = ("up", "down", "both", "none")
BETTER = ("", "up", "down")
YES_NO = ("no", "yes")
# Scaling to [0, 1] and back loses at most a few units in the last place.
SCALING_TOLERANCE = 1e-9
MOST_DECIMALS = 9
_ONE = {
    "months": "month",
    "years": "year",
    "employees": "employee",
    "jobs": "job",
    "absences": "absence",
    "points": "point",
}


@dataclass(frozen=True)
class Feature:
    """A feature as people speak of it.

    `low` and `high` are the real range in the present data (0 and 1 for categories). A number is
    shown with `decimals` digits and a plan is rounded to multiples of `step`. `direction` says
    which way a person could plausibly move it. The phrases are filled with {before}, {after} and
    {unit}; for categories "up" is towards a later category. `source` is the column of the file.
    A `protected` attribute (sex, marital status, age, origin) is never a reason to change anything.
    `seen` are the extremes of the present people where they lie beyond `low` and `high`, which
    then are the usual range: the scale of effort and the default limits of plans. Nobody may move
    into the `closed` categories, such as “other”; who is in one may stay.
    `better` says which way of a number can only help, other things equal ("up" or "down"; empty:
    not known); boosted trees are trained to respect it.
    """

    name: str
    kind: Kind
    unit: str = ""
    low: float = 0.0
    high: float = 1.0
    categories: tuple[str, ...] = ()
    direction: Direction = "both"
    explanation: str = ""
    source: str = ""
    decimals: int = 0
    step: float = 1.0
    up_phrase: str = ""
    down_phrase: str = ""
    protected: bool = False
    seen: tuple[float, float] | None = None
    closed: tuple[str, ...] = ()
    better: Better = ""

    def __post_init__(self) -> None:
        checked_instance("The name of a feature", self.name, str)
        checked_choice(f"The kind of {self.name!r}", self.kind, KINDS)
        checked_choice(f"The direction of {self.name!r}", self.direction, DIRECTIONS)
        checked_choice(f"The better way of {self.name!r}", self.better, BETTER)
        checked_number(f"The step of {self.name!r}", self.step, low=0.0, strict=True)
        checked_number(f"The low end of {self.name!r}", self.low)
        checked_number(f"The high end of {self.name!r}", self.high)
        checked_whole_number(f"The decimals of {self.name!r}", self.decimals, 0, MOST_DECIMALS)
        if self.is_categorical:
            if len(self.categories) < 2 or len(set(self.categories)) != len(self.categories):
                raise InvalidInput(
                    f"{self.name!r} needs at least two different categories, got {self.categories}"
                )
        elif not self.low < self.high:
            raise InvalidInput(
                f"The range of {self.name!r} needs low < high, got {self.low} and {self.high}"
            )

    @property
    def is_categorical(self) -> bool:
        """True for ordered and unordered categories."""
        return self.kind in CATEGORICAL

    @property
    def extremes(self) -> tuple[float, float]:
        """The smallest and the largest number the models have seen."""
        least, most = self.seen or (self.low, self.high)
        return min(self.low, least), max(self.high, most)

    @property
    def width(self) -> int:
        """The number of encoded columns."""
        return len(self.categories) if self.is_categorical else 1

    @property
    def columns(self) -> tuple[str, ...]:
        """Readable names of the encoded columns."""
        if self.is_categorical:
            return tuple(f"{self.name}: {category}" for category in self.categories)
        return (self.name,)

    def encode(self, values: "pd.Series[Any]") -> Array:
        """(n, width) columns: a number scaled by the present range, or a one-hot category."""
        missing = values.isna().to_numpy()
        if missing.any():
            raise InvalidTable(
                f"Column {self.name!r} must have no missing value, got one at {_row(missing)}"
            )
        if self.is_categorical:
            codes = pd.Index(self.categories).get_indexer(pd.Index(category_texts(values)))
            if (codes < 0).any():
                place = int(np.argmax(codes < 0))
                raise InvalidTable(
                    f"Column {self.name!r} must hold one of {', '.join(self.categories)}, "
                    f"got {values.iloc[place]!r}"
                )
            one_hot: Array = np.eye(self.width)[codes]
            return one_hot
        numbers = pd.to_numeric(values, errors="coerce").to_numpy(np.float64)
        wrong = ~np.isfinite(numbers)
        if wrong.any():
            raise InvalidTable(
                f"Column {self.name!r} must hold finite numbers, "
                f"got {values.iloc[int(np.argmax(wrong))]!r}"
            )
        return self.scaled(numbers)[:, None]

    def decode(self, block: Array) -> npt.NDArray[Any]:
        """The real values of (n, width) encoded columns; a category is the largest entry."""
        if self.is_categorical:
            names = np.array(self.categories, dtype=object)
            chosen: npt.NDArray[Any] = names[block.argmax(axis=1)]
            return chosen
        values = self.real(block[:, 0])
        short = values.round(self.decimals)
        near = np.abs(values - short) <= SCALING_TOLERANCE * self.span
        return np.where(near, short, values)

    def decode_value(self, entries: Sequence[float]) -> Value:
        """The real value of one person's entries: `decode` to the last digit, without arrays."""
        if self.is_categorical:
            return self.categories[entries.index(max(entries))]
        (entry,) = entries
        span, scale = self.span, 10.0**self.decimals
        value = self.low + entry * span
        if not math.isfinite(value * scale):
            return value
        short = round(value * scale) / scale
        return short if abs(value - short) <= SCALING_TOLERANCE * span else value

    @property
    def span(self) -> float:
        """What 1 is on the encoded scale."""
        return self.high - self.low

    def scaled(self, value: Number) -> Number:
        """A real number, or many, on the encoded scale."""
        return (value - self.low) / self.span

    def real(self, encoded: Number) -> Number:
        """`scaled` undone, with whatever digits that has; `decode` tidies them."""
        return self.low + encoded * self.span

    def encode_value(self, value: Value) -> Array:
        """The (width,) columns of one value that `decode` gave."""
        if isinstance(value, str):
            one_hot: Array = np.eye(self.width)[self.categories.index(value)]
            return one_hot
        return np.array([self.scaled(value)])

    def number(self, value: Value, extra_digits: int = 0) -> str:
        """A value as text, without its unit; a fraction of an integer shows two digits."""
        if isinstance(value, str):
            return value
        whole = abs(value - round(value)) <= SCALING_TOLERANCE * max(1.0, abs(value))
        digits = 2 if self.kind == "integer" and not whole else self.decimals
        text = f"{value:,.{digits + extra_digits}f}"
        return text.lstrip("-") if not text.strip("-0.,") else text

    def format_value(self, value: Value) -> str:
        """A value with its unit: "24 months", "6,948 DM", "no account"."""
        text = self.number(value)
        if not self.unit or isinstance(value, str):
            return text
        return f"{text} {_ONE.get(self.unit, self.unit) if text == '1' else self.unit}"

    def rounded(self, value: float, before: float) -> float:
        """`value` as a sensible real number on the same side of `before`, within the range.

        Multiples of `step` first; if that would turn back or cancel the change, the finest unit
        shown; if even that would, nothing has changed.
        """
        if value == before:
            return before
        for step in (self.step, 10.0**-self.decimals):
            nearest = self.within_range(round(round(value / step) * step, 10), value, before)
            if (nearest - before) * (value - before) > 0:
                return nearest
        return before

    def within_range(self, value: float, *reached: float) -> float:
        """`value` moved into the present range, stretched to what is `reached` outside of it."""
        return min(max(value, min(self.low, *reached)), max(self.high, *reached))

    def change_phrase(self, before: Value, after: Value) -> str:
        """The change as a verb phrase without capital or full stop."""
        if isinstance(before, str) and isinstance(after, str):
            up = self.categories.index(after) > self.categories.index(before)
        else:
            up = float(after) > float(before)
        phrase = (self.up_phrase if up else self.down_phrase) or _generic(self, up)
        # Two different numbers must not read the same.
        digits = 0
        while before != after and self.number(before, digits) == self.number(after, digits):
            digits += 1
        words = {
            "name": self.name,
            "before": self.number(before, digits),
            "after": self.number(after, digits),
            "unit": self.unit,
        }
        return " ".join(phrase.format(**words).split())


def category_texts(values: "pd.Series[Any]") -> "pd.Series[str]":
    """Category values as text; 1.0 read from a column with gaps is the same category as 1."""
    texts = {
        value: str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
        for value in values.unique()
    }
    return values.map(texts)


def ranged(features: tuple[Feature, ...], people: pd.DataFrame) -> tuple[Feature, ...]:
    """The features with `low` and `high` taken from the present people."""
    return tuple(
        feature
        if feature.is_categorical
        else replace(
            feature,
            low=float(people[feature.name].min()),
            high=float(people[feature.name].max()),
        )
        for feature in features
    )


def people_frame(people: "pd.DataFrame | Mapping[str, object]") -> pd.DataFrame:
    """A table of people; one person may come as a mapping from feature to value."""
    if isinstance(people, pd.DataFrame):
        return people
    if not isinstance(people, Mapping):
        message = f"People must be a table or one person's values by name, got {brief(people)}"
        raise InvalidTable(message)
    return pd.DataFrame([dict(people)])


def _generic(feature: Feature, up: bool) -> str:
    if feature.is_categorical:
        return "change {name} from {before} to {after}"
    return f"{'raise' if up else 'lower'} {{name}} from {{before}} to {{after}} {{unit}}"


def _row(mask: "np.ndarray[tuple[int], np.dtype[np.bool_]]") -> str:
    return f"row {int(np.argmax(mask)) + 1}"
