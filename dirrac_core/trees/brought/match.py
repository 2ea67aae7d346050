"""A brought model on the people of a dataset: which of its columns is which feature."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array, frozen_array
from dirrac_core.data.schema.rules import UnknownRule
from dirrac_core.data.schema.schema import Schema
from dirrac_core.errors import InvalidModel
from dirrac_core.models.boosted.tree_model import TreeModel
from dirrac_core.models.classifiers import Decisions
from dirrac_core.trees.problem import View

ONLY_TODAY = (
    "A brought model is fixed: its file holds neither the people it was trained on nor all that "
    "is needed to train it again, so only today's model is checked."
)


@dataclass(frozen=True, eq=False)
class _RealInputs:
    """Encoded people as a model sees them: real units, category numbers or 0 and 1."""

    schema: Schema
    # Per model column: the feature, and the category where the column is 0 or 1.
    sources: tuple[tuple[str, str | None], ...]
    # Feature → when nothing is known of it; such a value is missing, not the one that stands in.
    unknown: Mapping[str, UnknownRule]

    def __call__(self, X: Array) -> Array:
        columns = []
        for name, category in self.sources:
            feature = self.schema.feature(name)
            block = X[:, list(self.schema.columns_of(name))]
            if category is not None:
                columns.append(block[:, feature.categories.index(category)])
            else:
                values = block.argmax(axis=1) if feature.is_categorical else feature.decode(block)
                columns.append(np.where(self._is_unknown(name, X), np.nan, values))
        return np.stack(columns, axis=1)

    def _is_unknown(self, name: str, X: Array) -> npt.NDArray[np.bool_]:
        rule = self.unknown.get(name)
        if rule is None:
            return np.zeros(len(X), dtype=bool)
        chosen = X[:, list(self.schema.columns_of(rule.switch))].argmax(axis=1)
        place = self.schema.feature(rule.switch).categories.index(rule.category)
        return np.asarray(chosen == place)


@dataclass(frozen=True, eq=False)
class BroughtModel:
    """A brought model as a classifier of encoded people; `tree` and `view` are for planning."""

    tree: TreeModel
    view: View

    def probability(self, X: npt.ArrayLike) -> Array:
        """The model's probability of the favourable outcome of each encoded row."""
        return self.tree.probability(self.view.inputs(frozen_array("X", X, (None, None))))

    def log_odds(self, X: npt.ArrayLike) -> Array:
        """The model's log-odds of the favourable outcome of each encoded row."""
        return self.tree.log_odds(self.view.inputs(frozen_array("X", X, (None, None))))

    @property
    def threshold(self) -> float:
        """The log-odds a person needs."""
        return self.tree.threshold

    def at_threshold(self, threshold: float) -> "BroughtModel":
        """The same model, accepting from other log-odds on."""
        return BroughtModel(self.tree.at_threshold(threshold), self.view)

    def decision(self, X: npt.ArrayLike) -> Decisions:
        """True where the model accepts."""
        return self.tree.decision(self.view.inputs(frozen_array("X", X, (None, None))))


def brought_model(tree: TreeModel, schema: Schema, columns: Sequence[str]) -> BroughtModel:
    """Match the model's columns, by name, to the features of a schema.

    A name is that of a feature (a number in its real unit; a category as its number from 0, in the
    order of the schema) or "feature: category" (1 for that category, else 0). What is not known of
    a person is missing to the model, too.
    """
    if len(columns) != tree.columns:
        raise InvalidModel(
            f"The model has {tree.columns} columns and needs as many names, got {len(columns)}"
        )
    return BroughtModel(tree, matched_inputs(schema, columns, gaps=True))


def matched_inputs(schema: Schema, columns: Sequence[str], gaps: bool = False) -> View:
    """How a model with these columns sees encoded people; see `brought_model` for the names.

    With `gaps` the model gets NaN for what is not known; else the value that stands in for it.
    """
    one_hot = {
        column: (feature.name, category)
        for feature in schema.features
        if feature.is_categorical
        for column, category in zip(feature.columns, feature.categories, strict=True)
    }
    names = {feature.name for feature in schema.features}
    sources: list[tuple[str, str | None]] = []
    for column in columns:
        if column in names:
            sources.append((column, None))
        elif column in one_hot:
            sources.append(one_hot[column])
        else:
            raise InvalidModel(
                f"Every column of the model must be a feature of the table, got {column!r}; "
                f"the table has {', '.join(sorted(names))}"
            )
    driver = tuple(schema.columns_of(name)[0] for name, _ in sources)
    unknown = {r.feature: r for r in schema.rules if isinstance(r, UnknownRule)} if gaps else {}
    return View(_RealInputs(schema, tuple(sources), unknown), driver)
