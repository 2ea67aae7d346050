"""A dataset: present and shifted people, their schema, and what may change."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pandas as pd

from dirrac_core.arrays import Array, checked_choice, checked_instance, frozen_array
from dirrac_core.data.coherence_rows import product_rules, threshold_rules
from dirrac_core.data.periods import Periods
from dirrac_core.data.schema.actions import Actions
from dirrac_core.data.schema.presets import Preset
from dirrac_core.data.schema.rules import UnknownRule
from dirrac_core.data.schema.schema import Schema
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

    def some(self, rows: npt.NDArray[np.intp]) -> "Sample":
        """Some of the people, in the order of `rows`."""
        X, y = self.X[rows], self.y[rows]
        X.flags.writeable = y.flags.writeable = False
        return Sample(X, y, self._people.iloc[rows].reset_index(drop=True))


def make_sample(schema: Schema, people: pd.DataFrame, favourable: npt.ArrayLike) -> Sample:
    """A sample with read-only arrays."""
    checked_instance("schema", schema, Schema)
    checked_instance("people", people, pd.DataFrame, InvalidTable)
    encoded = frozen_array("X", schema.encode(people), (len(people), len(schema.columns)))
    frame = people[[feature.name for feature in schema.features]].reset_index(drop=True)
    given = frozen_array("The label", favourable, (len(frame),), error=InvalidTable)
    other = given[~np.isin(given, (0, 1))]
    if other.size:
        raise InvalidTable(f"Every entry of the label must be 0 or 1, got {other[0]:g}")
    y: Labels = given.astype(np.int64)
    y.flags.writeable = False
    return Sample(encoded, y, frame)


@dataclass(frozen=True, eq=False)
class Dataset:
    """Present people, the people after the shift (None: simulate it), and all that is said of them.

    `favourable` and `unfavourable` are the outcomes as text. `corrections` maps a feature to
    {category read so far: category it really was}, where the shift is a corrected coding.
    `given_model` is θ (D,), bias last, of a linear model given as today's; None: train one.
    `periods` says when each of the present people was recorded, where that is known.
    `futures` names those to start with, and `cut_off`, by its kind, what it takes to be accepted,
    where somebody has said so.
    `training_rows` and `shifted_training_rows` are the present and the shifted people models are
    trained on, where everybody would be too many; None: everybody.
    `unseen` are features that no model may see: training reads 0 in their columns, and the ridge
    then leaves them no weight.
    `oversampled` says that people with the unfavourable outcome were collected on purpose, so that
    its share is larger than among all applicants.
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
    periods: Periods | None = None
    oversampled: bool = False
    futures: str | None = None
    cut_off: float | None = None
    cut_off_kind: str = "probability"
    training_rows: npt.NDArray[np.intp] | None = None
    shifted_training_rows: npt.NDArray[np.intp] | None = None
    unseen: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        rows = self.training_rows
        if rows is not None and (not rows.size or rows.max() >= len(self.present)):
            message = f"The rows to train on must be among {len(self.present)}, got {rows.size}"
            raise InvalidTable(message)
        if self.periods is not None and len(self.periods) != len(self.present):
            message = (
                f"Each of the {len(self.present)} present people needs a period, "
                f"got {len(self.periods)}"
            )
            raise InvalidTable(message)

    @cached_property
    def for_training(self) -> "Dataset":
        """The dataset as models are trained on it: only those people, nothing unseen."""
        if self.unseen:
            shifted = self.shifted
            return replace(
                self,
                present=replace(self.present, X=self.seen(self.present.X)),
                shifted=None if shifted is None else replace(shifted, X=self.seen(shifted.X)),
                given_model=None if self.given_model is None else self.seen(self.given_model),
                unseen=(),
            ).for_training
        rows, later = self.training_rows, self.shifted_training_rows
        if rows is None and later is None:
            return self
        periods, shifted = self.periods, self.shifted
        return replace(
            self,
            present=self.present if rows is None else self.present.some(rows),
            shifted=shifted if later is None or shifted is None else shifted.some(later),
            periods=periods if rows is None or periods is None else periods.of(rows),
            training_rows=None,
            shifted_training_rows=None,
        )

    def seen(self, encoded: Array) -> Array:
        """Encoded people (…, D − 1), or a model (D,), with 0 in the columns that are unseen."""
        if not self.unseen:
            return encoded
        known = np.array(encoded)
        known[..., [c for name in self.unseen for c in self.schema.columns_of(name)]] = 0.0
        known.flags.writeable = False
        return known

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
        upper = np.ones(size)
        if person is not None:
            upper[closed_categories(schema, person)] = 0.0
        return Actions(
            # Who lies beyond the usual range need not come back into it.
            lower=np.zeros(size) if person is None else np.minimum(0.0, person),
            upper=upper if person is None else np.maximum(upper, person),
            locked=[*_columns(schema, chosen.locked), *unknown_columns(schema, person)],
            only_up=_columns(schema, chosen.only_up),
            only_down=_columns(schema, chosen.only_down),
            groups=schema.groups,
            linear=() if person is None else product_rules(schema, chosen.locked, person),
            conditional=threshold_rules(schema, person),
        )


def unknown_columns(schema: Schema, person: Array | None) -> list[int]:
    """The columns of what is not known of this person; no plan can change them."""
    if person is None:
        return []
    return [
        column
        for rule in schema.rules
        if isinstance(rule, UnknownRule) and is_chosen(schema, rule.switch, rule.category, person)
        for column in schema.columns_of(rule.feature)
    ]


def closed_categories(schema: Schema, person: Array) -> list[int]:
    """The one-hot columns of categories nobody may move into, but for the person's own."""
    return [
        column
        for feature in schema.features
        for name, column in zip(feature.categories, schema.columns_of(feature.name), strict=False)
        if name in feature.closed and person[column] < 0.5
    ]


def is_chosen(
    schema: Schema, name: str, category: str, person: Array
) -> npt.NDArray[np.bool_] | np.bool_:
    """Whether a person is in this category of a feature; with the people as a second axis, who."""
    place = schema.feature(name).categories.index(category)
    chosen: npt.NDArray[np.bool_] | np.bool_ = person[schema.columns_of(name)[place]] >= 0.5
    return chosen


def _columns(schema: Schema, names: Mapping[str, str]) -> list[int]:
    return [column for name in names for column in schema.columns_of(name)]
