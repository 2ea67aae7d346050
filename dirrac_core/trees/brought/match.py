"""A brought model on the people of a dataset: which of its columns is which feature."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array, frozen_array
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

    def __call__(self, X: Array) -> Array:
        columns = []
        for name, category in self.sources:
            feature = self.schema.feature(name)
            block = X[:, list(self.schema.columns_of(name))]
            if category is not None:
                columns.append(block[:, feature.categories.index(category)])
            elif feature.is_categorical:
                columns.append(block.argmax(axis=1).astype(np.float64))
            else:
                columns.append(feature.decode(block).astype(np.float64))
        return np.stack(columns, axis=1)


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
    order of the schema) or "feature: category" (1 for that category, else 0).
    """
    if len(columns) != tree.columns:
        raise InvalidModel(
            f"The model has {tree.columns} columns and needs as many names, got {len(columns)}"
        )
    return BroughtModel(tree, matched_inputs(schema, columns))


def matched_inputs(schema: Schema, columns: Sequence[str]) -> View:
    """How a model with these columns sees encoded people; see `brought_model` for the names."""
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
    return View(_RealInputs(schema, tuple(sources)), driver)
