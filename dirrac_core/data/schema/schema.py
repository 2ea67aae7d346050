"""The schema: people in real units to vectors and back, and plans to sentences."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from dirrac_core.arrays import Array, checked_choice, frozen_array
from dirrac_core.data.schema.derived import DerivedValue, Ratio, derived_value
from dirrac_core.data.schema.feature import Feature, Value, people_frame
from dirrac_core.data.schema.presets import Preset
from dirrac_core.data.schema.rules import ProductRule, Rule, RuleCheck
from dirrac_core.errors import InvalidInput, InvalidTable
from dirrac_core.wording import joined

# A solver leaves an entry it does not want to move this close to the applicant's own.
CHANGE_TOLERANCE = 1e-6


@dataclass(frozen=True)
class Change:
    """One feature a plan changes, in real units; `sentence` is the change as text."""

    feature: str
    before: Value
    after: Value
    unit: str
    sentence: str


@dataclass(frozen=True, eq=False)
class Schema:
    """Features, coherence rules, presets of what may change, and quantities derived from them.

    Encoded people are (n, D − 1) arrays in the order of `columns`. Every method that takes one
    encoded person x also takes it with the trailing constant 1 that solvers use.
    """

    features: tuple[Feature, ...]
    rules: tuple[Rule, ...] = ()
    presets: Mapping[str, Preset] = field(default_factory=dict)
    derived: tuple[Ratio, ...] = ()

    def __post_init__(self) -> None:
        names = [feature.name for feature in self.features]
        if not names or len(set(names)) != len(names):
            raise InvalidInput(f"A schema needs features with different names, got {names}")
        for ratio in self.derived:
            for name in (ratio.top, ratio.bottom):
                checked_choice(f"A feature of {ratio.name!r}", name, names)

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """Readable names of the D − 1 encoded columns."""
        return tuple(column for feature in self.features for column in feature.columns)

    @cached_property
    def _places(self) -> dict[str, tuple[int, ...]]:
        places: dict[str, tuple[int, ...]] = {}
        start = 0
        for feature in self.features:
            places[feature.name] = tuple(range(start, start + feature.width))
            start += feature.width
        return places

    @cached_property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """The one-hot columns of each categorical feature."""
        return tuple(self._places[f.name] for f in self.features if f.is_categorical)

    @cached_property
    def number_columns(self) -> list[int]:
        """The columns of the numeric features."""
        return [self._places[f.name][0] for f in self.features if not f.is_categorical]

    def columns_of(self, name: str) -> tuple[int, ...]:
        """The encoded columns of the feature called `name`."""
        return self._places[checked_choice("A feature", name, self._places)]

    def feature(self, name: str) -> Feature:
        """The feature called `name`."""
        checked_choice("A feature", name, self._places)
        return next(feature for feature in self.features if feature.name == name)

    def encode(self, people: "pd.DataFrame | Mapping[str, object]") -> Array:
        """(n, D − 1): numbers scaled to [0, 1] by the present ranges, not clipped, and one-hot
        categories. One person may come as a mapping and gives one row."""
        frame = people_frame(people)
        for feature in self.features:
            if feature.name not in frame.columns:
                raise InvalidTable(
                    f"Column {feature.name!r} is needed, got {', '.join(map(str, frame.columns))}"
                )
        return np.hstack([feature.encode(frame[feature.name]) for feature in self.features])

    def decode_people(self, x: npt.ArrayLike) -> pd.DataFrame:
        """A table in real units from (n, D − 1) encoded people."""
        block = frozen_array("Encoded people", x, (None, len(self.columns)))
        return pd.DataFrame(
            {f.name: f.decode(block[:, list(self._places[f.name])]) for f in self.features}
        )

    def decode(self, x: npt.ArrayLike) -> dict[str, Value]:
        """Feature → real value, the inverse of `encode`; a category is the largest entry of its
        group, so a relaxed plan reads as the category it is closest to."""
        row = self.without_constant(x).tolist()
        return {
            f.name: f.decode_value([row[c] for c in self._places[f.name]]) for f in self.features
        }

    def format_value(self, feature: str, value: Value) -> str:
        """A value of the named feature as text, with its unit."""
        return self.feature(feature).format_value(value)

    def describe_change(self, x0: npt.ArrayLike, x: npt.ArrayLike) -> list[Change]:
        """What a plan x changes for the applicant x0, feature by feature."""
        start, plan = self.without_constant(x0), self.without_constant(x)
        before, after = self.decode(start), self.decode(plan)
        changes = []
        for feature in self.features:
            old, new = before[feature.name], after[feature.name]
            column = self._places[feature.name][0]
            if old != new if feature.is_categorical else is_moved(start[column], plan[column]):
                phrase = feature.change_phrase(old, new)
                changes.append(Change(feature.name, old, new, feature.unit, as_sentence(phrase)))
        return changes

    def describe_derived(self, x0: npt.ArrayLike, x: npt.ArrayLike) -> list[DerivedValue]:
        """The derived quantities, today and under the plan x."""
        before, after = self.decode(x0), self.decode(x)
        return [derived_value(ratio, before, after) for ratio in self.derived]

    def sentence(self, x0: npt.ArrayLike, x: npt.ArrayLike) -> str:
        """The whole plan as one sentence in real units."""
        changes = self.describe_change(x0, x)
        return told([self.feature(c.feature).change_phrase(c.before, c.after) for c in changes])

    def rounded(self, x: npt.ArrayLike, x0: npt.ArrayLike) -> Array:
        """The plan x with numbers in sensible real units and whole categories, encoded again.

        An entry the plan does not move keeps exactly the applicant's own value. A product that
        holds at x is restored after its base is rounded, so it still holds to the last digit.
        The result has the length of x; whoever rounds re-checks the plan.
        """
        return self.rounder(x0)(x)

    def rounder(self, x0: npt.ArrayLike) -> "Rounder":
        """`rounded` for many plans of one applicant; a value that they share is rounded once."""
        return Rounder(self, self.without_constant(x0))

    def check_rules(self, x: npt.ArrayLike) -> list[RuleCheck]:
        """Every coherence rule as text, and whether the person or plan x obeys it."""
        person = _OnePerson(self.decode(x))
        return [RuleCheck(rule.sentence, bool(rule.holds(person)[0])) for rule in self.rules]

    def without_constant(self, x: npt.ArrayLike) -> Array:
        """One encoded person as its D − 1 entries, whether or not the constant 1 follows them."""
        width = len(self.columns)
        whole = frozen_array("A person", x, (None,))
        if whole.size == width + 1:
            if whole[-1] != 1.0:
                raise InvalidInput(
                    f"The constant last entry of a person must be 1, got {whole[-1]:g}"
                )
            return whole[:-1]
        return frozen_array("A person", whole, (width,))


def with_constant(x: npt.ArrayLike) -> Array:
    """Encoded people with the trailing constant 1 that models and solvers expect."""
    # Many people at once come as floats already; whatever else comes is looked at.
    if type(x) is np.ndarray and x.dtype == np.float64:
        block: Array = x
    else:
        block = frozen_array("Encoded people", x, None)
    if block.ndim not in (1, 2):
        raise InvalidInput(
            f"Encoded people must be one row or a table, got {block.ndim} dimensions"
        )
    return np.concatenate([block, np.ones((*block.shape[:-1], 1))], axis=-1)


class _OnePerson(Mapping[str, npt.NDArray[Any]]):
    """One person as rules read many: arrays of one value, made for the features they ask for."""

    def __init__(self, values: Mapping[str, Value]) -> None:
        self._values = values

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        return np.array([self._values[name]])

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


@dataclass(frozen=True)
class _RoundedFeature:
    """A feature of a plan: the value it has, the one it gets, and the entries of that."""

    wanted: Value
    after: Value
    entries: list[float]


class Rounder:
    """Rounds plans of one applicant, as `Schema.rounded` says."""

    def __init__(self, schema: Schema, start: Array) -> None:
        self._schema = schema
        self._start = start.tolist()
        self._places = {f.name: schema.columns_of(f.name) for f in schema.features}
        self._before = schema.decode(start)
        self._products = [rule for rule in schema.rules if isinstance(rule, ProductRule)]
        self._known: dict[tuple[str, tuple[float, ...]], _RoundedFeature] = {}

    def __call__(self, x: npt.ArrayLike) -> Array:
        row = self._schema.without_constant(x).tolist()
        rounded = {f.name: self._rounded(f, row) for f in self._schema.features}
        for rule in self._products:
            self._restore(rule, rounded)
        entries = [entry for feature in rounded.values() for entry in feature.entries]
        result = np.array(entries + [1.0] * (np.size(x) - len(row)))
        result.flags.writeable = False
        return result

    def _rounded(self, feature: Feature, row: list[float]) -> _RoundedFeature:
        places = self._places[feature.name]
        key = feature.name, tuple(row[places[0] : places[-1] + 1])
        if key not in self._known:
            wanted, old = feature.decode_value(list(key[1])), self._before[feature.name]
            after = wanted
            if not isinstance(old, str) and not isinstance(wanted, str):
                moved = is_moved(self._start[places[0]], key[1][0])
                after = feature.rounded(wanted, old) if moved else old
            self._known[key] = self._encoded(feature, wanted, after)
        return self._known[key]

    def _encoded(self, feature: Feature, wanted: Value, after: Value) -> _RoundedFeature:
        if after == self._before[feature.name]:
            entries = [self._start[column] for column in self._places[feature.name]]
        else:
            entries = feature.encode_value(after).tolist()
        return _RoundedFeature(wanted, after, entries)

    def _restore(self, rule: ProductRule, rounded: dict[str, _RoundedFeature]) -> None:
        """The product again, where it held and its base has been rounded."""
        wanted = _OnePerson({name: feature.wanted for name, feature in rounded.items()})
        if rounded[rule.base].after == self._before[rule.base] or not rule.holds(wanted)[0]:
            return
        factor, base = float(rounded[rule.factor].after), float(rounded[rule.base].after)
        result = self._schema.feature(rule.result)
        kept = result.within_range(factor * base, float(rounded[rule.result].wanted))
        changed = {rule.result: kept}
        if kept != factor * base:
            changed[rule.base] = kept / factor
        for name, after in changed.items():
            feature = self._schema.feature(name)
            rounded[name] = self._encoded(feature, rounded[name].wanted, after)


def is_moved(before: float, after: float) -> bool:
    """Whether an entry of a plan is another than the applicant's."""
    return bool(abs(after - before) > CHANGE_TOLERANCE)


def as_sentence(phrase: str) -> str:
    """A phrase with its capital and full stop."""
    return phrase[0].upper() + phrase[1:] + "."


def told(phrases: list[str]) -> str:
    """The changes of a plan as one sentence."""
    return as_sentence(joined(phrases)) if phrases else "Change nothing."
