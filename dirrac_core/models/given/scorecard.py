"""A scorecard as today's model: bins with points, and the points it takes to be accepted.

A CSV with the columns of `HEADER`. Each line gives the points of one bin of one column: a range of
a number ("< 12", "12 to 24", ">= 24", "[12, 24)") or a category. Three more lines may stand for the
whole card: `BASE` points everybody starts with (0 unless given), the `CUT_OFF`, which is needed,
and the points that `DOUBLE` the odds (20 unless given). Numbers become ordered categories, their
bins: within a bin a scorecard knows no difference. The score in log-odds is
(points − cut-off) · ln 2 / points that double the odds, so 0 is the decision.
"""

import csv
import io
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from dirrac_core.arrays import Array, frozen_array
from dirrac_core.data.dataset import Dataset, Sample, make_sample
from dirrac_core.data.schema.feature import Feature
from dirrac_core.errors import InvalidInput

HEADER = ("feature", "bin", "points")
BASE, CUT_OFF, DOUBLE = "(base)", "(cut-off)", "(points to double the odds)"
USUAL_DOUBLE = 20.0
ROUNDING = 1e-9
_WHAT = "A scorecard"
_NUMBER = r"[-+]?\d+(?:\.\d+)?"
_BELOW = re.compile(rf"(?:(<=|≤|<)|(?:below|under|less than))\s*({_NUMBER})")
_ABOVE = re.compile(rf"(?:(>=|≥|>)|(?:over|above|more than))\s*({_NUMBER})")
_FROM = re.compile(rf"({_NUMBER})\s*(?:\+|and (?:more|over|above)|or more)")
_BETWEEN = re.compile(rf"([\[(]?)\s*({_NUMBER})\s*(?:to|–|-|\.\.|,|;)\s*({_NUMBER})\s*([\])]?)")


@dataclass(frozen=True)
class Bin:
    """A range of a number as the card writes it; each end belongs to it or not."""

    text: str
    low: float
    high: float
    has_low: bool
    has_high: bool

    def holds(self, values: Array) -> npt.NDArray[np.bool_]:
        """Which values lie in the bin."""
        above = values >= self.low if self.has_low else values > self.low
        below = values <= self.high if self.has_high else values < self.high
        inside: npt.NDArray[np.bool_] = above & below
        return inside


@dataclass(frozen=True)
class Scorecard:
    """column → {bin as written: points}, and the three numbers of the whole card."""

    points: Mapping[str, Mapping[str, float]]
    base: float
    cut_off: float
    double: float

    @property
    def bins(self) -> int:
        """How many bins it has."""
        return sum(map(len, self.points.values()))


def is_scorecard(text: str) -> bool:
    """Whether the first line is that of a scorecard."""
    first = text.lstrip("\ufeff \n").split("\n", 1)[0].replace(";", ",")
    return tuple(cell.strip().lower() for cell in first.split(",")) == HEADER


def read_scorecard(text: str) -> Scorecard:
    """The scorecard in a CSV; refused with the line that cannot be read."""
    separator = ";" if ";" in text.lstrip().split("\n", 1)[0] else ","
    rows = [row for row in csv.reader(io.StringIO(text), delimiter=separator) if any(row)]
    whole: dict[str, float] = {BASE: 0.0, DOUBLE: USUAL_DOUBLE}
    points: dict[str, dict[str, float]] = {}
    for number, row in enumerate(rows[1:], start=2):
        if len(row) != len(HEADER):
            raise InvalidInput(
                f"Every line of a scorecard must have {len(HEADER)} entries, "
                f"got {len(row)} in line {number}"
            )
        column, name, given = (cell.strip() for cell in row)
        value = _points(given.replace(",", ".") if separator == ";" else given, number)
        if column in (BASE, CUT_OFF, DOUBLE):
            whole[column] = value
        elif name in points.setdefault(column, {}):
            raise InvalidInput(f"{_WHAT} must name each bin once, got {column!r}, {name!r} twice")
        else:
            points[column][name] = value
    if CUT_OFF not in whole:
        raise InvalidInput(f"{_WHAT} must say what is needed in a line {CUT_OFF!r}, got none")
    if not whole[DOUBLE] > 0.0:
        raise InvalidInput(f"The points that double the odds must be > 0, got {whole[DOUBLE]:g}")
    return Scorecard(points, whole[BASE], whole[CUT_OFF], whole[DOUBLE])


def with_scorecard(dataset: Dataset, card: Scorecard) -> tuple[Dataset, tuple[str, ...]]:
    """The dataset with its numbers in the bins of the card, and the card as today's model.

    A column without bins has no points, nor has whether a number is missing; a column of the card
    that the table does not have is refused. Rules and derived values of a number that is now a bin
    are dropped.
    """
    schema, notes = dataset.schema, list[str]()
    # A number with gaps comes first, then whether it is missing.
    columns: dict[str, Feature] = {}
    for feature in schema.features:
        columns.setdefault(feature.source or feature.name, feature)
    for column in card.points:
        if column not in columns:
            raise InvalidInput(
                f"{_WHAT} may only name the columns in use ({', '.join(columns)}), got {column!r}"
            )
    features: list[Feature] = []
    people = [dataset.present.people.copy()]
    if dataset.shifted is not None:
        people.append(dataset.shifted.people.copy())
    theta: list[float] = []
    unit = math.log(2.0) / card.double
    binned: list[str] = []
    unscored: list[str] = []
    for feature in schema.features:
        column = feature.source or feature.name
        given = card.points.get(column) if columns[column] is feature else None
        if given is None:
            unscored.append(feature.name)
            features.append(feature)
            theta += [0.0] * feature.width
            continue
        if feature.is_categorical:
            unknown = [name for name in feature.categories if name not in given]
            if len(unknown) == len(feature.categories):
                raise InvalidInput(
                    f"The bins of {column!r} must be among {', '.join(feature.categories)}, "
                    f"got {', '.join(given)}"
                )
            if unknown:
                notes.append(f"Categories of {column!r} without points count 0: {unknown}.")
            features.append(feature)
            names = feature.categories
        else:
            bins = _read_bins(column, given)
            for frame in people:
                frame[feature.name] = _in_bins(frame[feature.name], bins, column)
            names = tuple(each.text for each in bins)
            binned.append(feature.name)
            features.append(_binned(feature, names))
        theta += [given.get(name, 0.0) * unit for name in names]
    if unscored:
        notes.append(f"Not on the card, so without points: {', '.join(unscored)}.")
    presets = dict(schema.presets)
    for title, preset in presets.items():
        rules = tuple(rule for rule in preset.rules if not set(rule.features) & set(binned))
        presets[title] = replace(preset, rules=rules)
    derived = tuple(r for r in schema.derived if not {r.top, r.bottom} & set(binned))
    new = replace(schema, features=tuple(features), presets=presets, rules=(), derived=derived)
    samples: list[Sample] = [
        make_sample(new, frame, sample.y)
        for frame, sample in zip(people, (dataset.present, dataset.shifted), strict=False)
        if sample is not None
    ]
    # Whoever has exactly the points that are needed must not be turned away by rounding.
    bias = (card.base - card.cut_off) * unit + ROUNDING
    changed = replace(
        dataset,
        schema=new,
        present=samples[0],
        shifted=samples[1] if len(samples) > 1 else None,
        given_model=frozen_array("The given model", [*theta, bias], (None,)),
    )
    notes.append(
        f"A scorecard: {card.cut_off:g} points are needed, and {card.double:g} points double the "
        "odds. Its bins take the place of the numbers."
    )
    return changed, tuple(notes)


def _binned(feature: Feature, names: tuple[str, ...]) -> Feature:
    return Feature(
        feature.name,
        "ordered",
        unit=feature.unit,
        categories=names,
        direction=feature.direction,
        explanation=feature.explanation,
        source=feature.source,
        protected=feature.protected,
    )


def _read_bins(column: str, given: Mapping[str, float]) -> tuple[Bin, ...]:
    """The bins of a number in their order; they may touch but not overlap."""
    bins = sorted((_read_bin(column, text) for text in given), key=lambda b: (b.low, b.high))
    if len(bins) < 2:
        raise InvalidInput(f"{column!r} needs at least two bins, got {len(bins)}")
    starts = {each.low for each in bins}
    # "12 to 24" leaves 24 to a bin that starts there, and keeps it otherwise.
    closed = [
        each
        if each.text[-1] in "])"
        else replace(each, has_high=each.high not in starts)
        if _BETWEEN.fullmatch(each.text)
        else each
        for each in bins
    ]
    for one, other in zip(closed, closed[1:], strict=False):
        if one.high > other.low or (one.high == other.low and one.has_high and other.has_low):
            raise InvalidInput(
                f"The bins of {column!r} must not overlap, got {one.text!r} and {other.text!r}"
            )
    return tuple(closed)


def _read_bin(column: str, text: str) -> Bin:
    lower = text.lower()
    if found := _BELOW.fullmatch(lower):
        return Bin(text, -math.inf, float(found[2]), False, found[1] in ("<=", "≤"))
    if found := _ABOVE.fullmatch(lower):
        return Bin(text, float(found[2]), math.inf, found[1] in (">=", "≥"), False)
    if found := _FROM.fullmatch(lower):
        return Bin(text, float(found[1]), math.inf, True, False)
    if found := _BETWEEN.fullmatch(lower):
        low, high = float(found[2]), float(found[3])
        if low <= high:
            return Bin(text, low, high, found[1] != "(", found[4] == "]")
    raise InvalidInput(
        f"A bin of {column!r} must be a range such as “< 12”, “12 to 24” or “>= 24”, got {text!r}"
    )


def _in_bins(values: "pd.Series[float]", bins: tuple[Bin, ...], column: str) -> "pd.Series[str]":
    numbers = np.asarray(values, dtype=np.float64)
    names = np.full(numbers.size, "", dtype=object)
    for each in bins:
        names[each.holds(numbers)] = each.text
    outside = names == ""
    if outside.any():
        raise InvalidInput(
            f"Every value of {column!r} must lie in a bin, got {numbers[outside][0]:g}, "
            f"which lies in none of {', '.join(each.text for each in bins)}"
        )
    return pd.Series(names, index=values.index)


def _points(text: str, line: int) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InvalidInput(f"Points must be a finite number, got {text[:40]!r} in line {line}")
    return value
