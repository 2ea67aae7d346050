"""A dataset: present and shifted people, their schema, and what may change."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pandas as pd

from dirrac_core.arrays import Array, checked_choice, frozen_array
from dirrac_core.data.actions import Actions, ConditionalRule, LinearRule
from dirrac_core.data.presets import Preset
from dirrac_core.data.rules import ProductRule, ThresholdRule
from dirrac_core.data.schema import Schema
from dirrac_core.errors import InvalidTable

Labels = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Sample:
    """n people: encoded X (n, D − 1), labels y (1 is favourable), and the table in real units."""

    X: Array
    y: Labels
    _people: pd.DataFrame = field(repr=False)

    @property
    def people(self) -> pd.DataFrame:
        """The people in real units; changing this copy changes nothing here."""
        # Shallow is enough: pandas copies on write.
        return self._people.copy(deep=False)

    def __len__(self) -> int:
        return len(self.y)


def make_sample(schema: Schema, people: pd.DataFrame, favourable: npt.ArrayLike) -> Sample:
    """A sample with read-only arrays."""
    frame = people[[feature.name for feature in schema.features]].reset_index(drop=True)
    encoded = frozen_array("X", schema.encode(frame), (len(frame), len(schema.columns)))
    y: Labels = np.array(favourable, dtype=np.int64)
    if y.shape != (len(frame),) or not np.isin(y, (0, 1)).all():
        message = f"The label needs {len(frame)} entries that are 0 or 1, got shape {y.shape}"
        raise InvalidTable(message)
    y.flags.writeable = False
    return Sample(encoded, y, frame)


@dataclass(frozen=True, eq=False)
class Dataset:
    """Present people, the people after the shift (None: simulate it), and all that is said of them.

    `favourable` and `unfavourable` are the outcomes in words. `corrections` maps a feature to
    {category read so far: category it really was}, where the shift is a corrected coding.
    `given_model` is θ (D,), bias last, of a linear model given as today's; None: train one.
    """

    name: str
    title: str
    schema: Schema
    present: Sample
    shifted: Sample | None
    favourable: str
    unfavourable: str
    shift_description: str
    years: str
    notes: tuple[str, ...] = ()
    corrections: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    given_model: Array | None = None

    def preset(self, name: str = "sensible") -> Preset:
        """The named preset."""
        return self.schema.presets[checked_choice("A preset", name, self.schema.presets)]

    def reasons(self, preset: str = "sensible") -> dict[str, str]:
        """Feature → why the preset locks it or lets it move one way only."""
        return self.preset(preset).reasons()

    def actions(self, preset: str = "sensible", x0: npt.ArrayLike | None = None) -> Actions:
        """What may change: the present range as box, one-hot groups, the preset, coherence.

        A product rule such as SBA amount = portion × gross amount is linear only while the
        factor is locked, and its row depends on the applicant's own factor: it is included when
        the preset locks the factor and `x0` is given; `schema.check_rules` reports it always.
        """
        chosen = self.preset(preset)
        schema = self.schema
        size = len(schema.columns)
        person = None if x0 is None else schema.without_constant(x0)
        return Actions(
            lower=np.zeros(size),
            upper=np.ones(size),
            locked=_columns(schema, chosen.locked),
            only_up=_columns(schema, chosen.only_up),
            only_down=_columns(schema, chosen.only_down),
            groups=schema.groups,
            linear=[
                row
                for rule in schema.rules
                if isinstance(rule, ProductRule) and rule.factor in chosen.locked
                for row in _product_rows(schema, rule, person)
            ],
            conditional=[
                row
                for rule in schema.rules
                if isinstance(rule, ThresholdRule)
                for row in _threshold_rows(schema, rule, person)
            ],
        )


def _columns(schema: Schema, names: Mapping[str, str]) -> list[int]:
    return [column for name in names for column in schema.columns_of(name)]


def _product_rows(schema: Schema, rule: ProductRule, person: Array | None) -> list[LinearRule]:
    """result = p·base, with both scaled: w_r·x_r − p·w_b·x_b = p·low_b − low_r, over w_r."""
    if person is None:
        return []
    result, base = schema.feature(rule.result), schema.feature(rule.base)
    (result_column,) = schema.columns_of(rule.result)
    (base_column,) = schema.columns_of(rule.base)
    (factor_column,) = schema.columns_of(rule.factor)
    factor = schema.feature(rule.factor)
    p = factor.low + person[factor_column] * (factor.high - factor.low)
    span = result.high - result.low
    row = np.zeros(len(schema.columns))
    row[result_column] = 1.0
    row[base_column] = -p * (base.high - base.low) / span
    constant = (p * base.low - result.low) / span
    row.flags.writeable = False
    return [LinearRule(row, constant, constant, rule.sentence)]


def _threshold_rows(
    schema: Schema, rule: ThresholdRule, person: Array | None
) -> list[ConditionalRule]:
    """The category bounds the feature from below, every other category from above."""
    feature = schema.feature(rule.feature)
    (column,) = schema.columns_of(rule.feature)
    # An applicant outside the present range who keeps the feature must still obey the rule.
    low = min(0.0, 0.0 if person is None else float(person[column]))
    high = max(1.0, 1.0 if person is None else float(person[column]))
    reached = feature.scaled(rule.at_least)
    short = feature.scaled(rule.at_least - 10.0**-feature.decimals)
    switch = schema.feature(rule.switch)
    return [
        ConditionalRule(category, column, reached, high)
        if name == rule.category
        else ConditionalRule(category, column, low, short)
        for category, name in zip(schema.columns_of(rule.switch), switch.categories, strict=True)
    ]
