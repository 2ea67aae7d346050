"""A scorecard as today's model: bins with points, and the points it takes to be accepted.

A CSV with the columns of `HEADER`. Each line gives the points of one bin of one column: a range of
a number (see `bins`), a category, or “missing”. Three more lines may stand for the whole card:
`BASE` points everybody starts with (0 unless given), the `CUT_OFF`, which is needed, and the points
that `DOUBLE` the odds (20 unless given). Numbers become ordered categories, their bins: within a
bin a scorecard knows no difference. The score in log-odds is
(points − cut-off) · ln 2 / points that double the odds, so 0 is the decision.
"""

import csv
import io
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from dirrac_core.arrays import frozen_array
from dirrac_core.data.dataset import Dataset, Sample, make_sample
from dirrac_core.data.schema.feature import Feature
from dirrac_core.data.schema.rules import UnknownRule
from dirrac_core.data.schema.schema import Schema
from dirrac_core.data.upload.gaps import NOT_STATED
from dirrac_core.errors import InvalidInput
from dirrac_core.models.given.bins import in_bins, is_range, read_bins
from dirrac_core.models.given.categories import as_number, by_category

HEADER = ("feature", "bin", "points")
BASE, CUT_OFF, DOUBLE = "(base)", "(cut-off)", "(points to double the odds)"
USUAL_DOUBLE = 20.0
ROUNDING = 1e-9
_WHAT = "A scorecard"
# “none” is no such word: a card means 0 by it, or a category.
_MISSING = ("missing", "unknown", "not stated", "not known", "not available", "n/a", "na", "null")
# Bin as written → points.
Points = Mapping[str, float]


@dataclass(frozen=True)
class Scorecard:
    """column → {bin as written: points}, and the three numbers of the whole card."""

    points: Mapping[str, Points]
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

    A column without bins has no points; a column of the card that the table does not have is
    refused. Where a number is missing its own points count if the card has some, else those of
    the typical value that stands in. Rules and derived values of a number that is now a bin are
    dropped, but what is not known of somebody still stays as it is.
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
    people = [
        sample.people.copy() for sample in (dataset.present, dataset.shifted) if sample is not None
    ]
    points: list[float] = []
    binned: list[str] = []
    unscored: list[str] = []
    for feature in schema.features:
        column = feature.source or feature.name
        given = card.points.get(column)
        if given is not None and columns[column] is not feature and any(map(_is_missing, given)):
            points += _of_missing(feature, given, schema, column)
            features.append(feature)
        elif given is None or columns[column] is not feature:
            unscored.append(feature.name)
            features.append(feature)
            points += [0.0] * feature.width
        elif feature.is_categorical:
            features.append(feature)
            points += _of_categories(feature, given, column, notes)
        else:
            own, missing = _missing_apart(given)
            gappy = [rule.feature for rule in schema.rules if isinstance(rule, UnknownRule)]
            if missing is not None and feature.name not in gappy:
                notes.append(f"No value of {column!r} is missing; those points are not needed.")
            bins = read_bins(column, own)
            if len(bins) < 2:
                raise InvalidInput(f"{column!r} needs at least two bins, got {len(bins)}")
            for frame in people:
                frame[feature.name] = in_bins(frame[feature.name], bins, column)
            binned.append(feature.name)
            features.append(_binned(feature, tuple(each.text for each in bins)))
            points += [own[each.text] for each in bins]
    if unscored:
        notes.append(f"Not on the card, so without points: {', '.join(unscored)}.")
    new = _schema(schema, tuple(features), binned)
    rules = {rule.name for preset in schema.presets.values() for rule in preset.rules}
    rules -= {rule.name for preset in new.presets.values() for rule in preset.rules}
    if rules:
        notes.append(
            f"Rules about numbers that are now bins do not apply: {', '.join(sorted(rules))}."
        )
    samples: list[Sample] = [
        make_sample(new, frame, sample.y)
        for frame, sample in zip(people, (dataset.present, dataset.shifted), strict=False)
        if sample is not None
    ]
    unit = math.log(2.0) / card.double
    # Whoever has exactly the points that are needed must not be turned away by rounding.
    bias = (card.base - card.cut_off) * unit + ROUNDING
    theta = [each * unit for each in points]
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


def _of_categories(feature: Feature, given: Points, column: str, notes: list[str]) -> list[float]:
    """The points of each category; a range holds the categories that are numbers within it."""
    found, others = by_category(given, feature, f"{_WHAT} must name each bin")
    if NOT_STATED in feature.closed and NOT_STATED not in found:
        _, missing = _missing_apart({text: given[text] for text in others})
        if missing is not None:
            found[NOT_STATED] = missing
            others = [text for text in others if not _is_missing(text)]
    numbers = {c: as_number(c) for c in feature.categories if c not in found}
    if others and any(number is not None for number in numbers.values()):
        for each in read_bins(column, filter(is_range, others)):
            held = [c for c, n in numbers.items() if n is not None and each.holds(n)]
            found |= dict.fromkeys(held, given[each.text])
            others = [text for text in others if not held or text != each.text]
    if not found:
        raise InvalidInput(
            f"The bins of {column!r} must be among {', '.join(feature.categories)}, "
            f"got {', '.join(given)}"
        )
    absent = [category for category in feature.categories if category not in found]
    if absent:
        notes.append(f"Categories of {column!r} without points count 0: {absent}.")
    if others:
        notes.append(f"Bins of {column!r} that nobody has are left out: {others}.")
    return [found.get(category, 0.0) for category in feature.categories]


def _of_missing(switch: Feature, given: Points, schema: Schema, column: str) -> tuple[float, float]:
    """The points of “known” and “missing”, on top of those of the value that stands in."""
    own, missing = _missing_apart(given)
    rule = next(r for r in schema.rules if isinstance(r, UnknownRule) and r.switch == switch.name)
    assert missing is not None and rule.stand_in is not None
    here = next(each for each in read_bins(column, own) if each.holds(rule.stand_in))
    return 0.0, missing - own[here.text]


def _missing_apart(given: Points) -> tuple[dict[str, float], float | None]:
    """The bins of what is known, and the points of what is missing."""
    missing = [value for text, value in given.items() if _is_missing(text)]
    known = {text: value for text, value in given.items() if not _is_missing(text)}
    return known, missing[0] if missing else None


def _is_missing(text: str) -> bool:
    return text.casefold() in _MISSING


def _schema(schema: Schema, features: tuple[Feature, ...], binned: list[str]) -> Schema:
    """The schema with bins in place of numbers, and the rules that still make sense."""
    presets = {
        title: replace(
            preset,
            rules=tuple(rule for rule in preset.rules if not set(rule.features) & set(binned)),
        )
        for title, preset in schema.presets.items()
    }
    derived = tuple(r for r in schema.derived if not {r.top, r.bottom} & set(binned))
    unknown = tuple(
        replace(rule, stand_in=None) if rule.feature in binned else rule
        for rule in schema.rules
        if isinstance(rule, UnknownRule)
    )
    return replace(schema, features=features, presets=presets, rules=unknown, derived=derived)


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


def _points(text: str, line: int) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InvalidInput(f"Points must be a finite number, got {text[:40]!r} in line {line}")
    return value
