"""Training a boosted classifier on shared thresholds, with scikit-learn's histogram boosting."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.ensemble import HistGradientBoostingClassifier

from dirrac_core.arrays import Array, checked_count, checked_number, frozen_array
from dirrac_core.data.dataset import Dataset
from dirrac_core.data.schema.schema import Schema
from dirrac_core.errors import InvalidInput
from dirrac_core.models.boosted.bins import bin_codes, shared_edges
from dirrac_core.models.boosted.tree_model import LEAF, Nodes, TreeModel
from dirrac_core.models.logistic import checked_outcomes

KEPT_TRAINERS = 32
# What scikit-learn can tell apart in one column.
MOST_BINS = 255


@dataclass(frozen=True)
class BoostingSettings:
    """`trees` trees of at most `depth` questions, each added with the share `learning_rate`.

    A leaf holds at least `least_leaf` people; `ridge` draws leaf values towards 0; a number is
    cut into at most `bins` bins.
    """

    trees: int = 100
    depth: int = 3
    learning_rate: float = 0.1
    least_leaf: int = 20
    ridge: float = 1.0
    bins: int = 32

    def __post_init__(self) -> None:
        for name in ("trees", "depth", "least_leaf"):
            checked_count(name, getattr(self, name), 1)
        checked_count("bins", self.bins, 2)
        if self.bins > MOST_BINS:
            raise InvalidInput(f"bins must be at most {MOST_BINS}, got {self.bins}")
        checked_number("learning_rate", self.learning_rate, low=0.0, strict=True)
        checked_number("ridge", self.ridge, low=0.0)


@dataclass(frozen=True, eq=False)
class BoostedTrainer:
    """Trains boosted classifiers of one dataset: all of them on the same candidate thresholds.

    `signs` (columns,) is +1 where more can only help, −1 where it can only harm, else 0.
    """

    edges: tuple[Array, ...]
    signs: tuple[int, ...]
    settings: BoostingSettings

    def __call__(self, X: npt.ArrayLike, y: npt.ArrayLike, seed: int) -> TreeModel:
        """The model of everybody in X; nothing in it is random, so the seed changes nothing."""
        people = frozen_array("X", X, (None, len(self.edges)))
        outcome = checked_outcomes(y, len(people))
        if outcome.min() == outcome.max():
            raise InvalidInput(f"A training set must hold both outcomes, got only {outcome[0]:g}")
        settings = self.settings
        boosting = HistGradientBoostingClassifier(
            learning_rate=settings.learning_rate,
            max_iter=settings.trees,
            max_depth=settings.depth,
            max_leaf_nodes=None,
            min_samples_leaf=settings.least_leaf,
            l2_regularization=settings.ridge,
            monotonic_cst=list(self.signs),
            early_stopping=False,
            random_state=seed,
        )
        boosting.fit(bin_codes(people, self.edges), outcome)
        return read_boosting(boosting, self.edges)


USUAL = BoostingSettings()


@lru_cache(maxsize=KEPT_TRAINERS)
def boosted_trainer(dataset: Dataset, settings: BoostingSettings = USUAL) -> BoostedTrainer:
    """The trainer of a dataset; re-trainings of one dataset share their thresholds."""
    edges = shared_edges(dataset, settings.bins)
    return BoostedTrainer(edges, _signs(dataset.schema), settings)


def read_boosting(
    boosting: HistGradientBoostingClassifier, edges: tuple[Array, ...] | None = None
) -> TreeModel:
    """A fitted two-class HistGradientBoostingClassifier as a TreeModel, threshold by threshold.

    With `edges` it was trained on the numbers of bins: code ≤ t asks x ≤ edges[⌊t⌋].
    """
    if list(boosting.classes_) != [0, 1]:
        raise InvalidInput(
            f"The classes must be 0 (unfavourable) and 1 (favourable), got "
            f"{list(boosting.classes_)}"
        )
    # scikit-learn has no public way to its trees; its version is pinned and tests compare.
    order, values = _given_columns(boosting)
    trees = tuple(_nodes(stage[0], edges, order, values) for stage in boosting._predictors)
    base = float(np.ravel(boosting._baseline_prediction)[0])
    return TreeModel(trees, base, int(boosting.n_features_in_))


def _given_columns(
    boosting: HistGradientBoostingClassifier,
) -> tuple[npt.NDArray[np.int64], dict[int, Array]]:
    """The columns as they were given, in scikit-learn's inner order, which has the categories
    first; and column → the values its category numbers stand for."""
    columns = np.arange(int(boosting.n_features_in_))
    if boosting._preprocessor is None:
        return columns, {}
    is_category = np.asarray(boosting.is_categorical_)
    listed = boosting._preprocessor.named_transformers_["encoder"].categories_
    values = dict(zip(columns[is_category].tolist(), listed, strict=True))
    for column, known in values.items():
        if not np.issubdtype(known.dtype, np.number) or (np.mod(known, 1.0) != 0.0).any():
            raise InvalidInput(
                f"The categories in column {column} must be whole numbers, got {list(known)[:5]}"
            )
    return np.concatenate([columns[is_category], columns[~is_category]]), values


def _nodes(
    predictor: Any,
    edges: tuple[Array, ...] | None,
    order: npt.NDArray[np.int64],
    values: dict[int, Array],
) -> Nodes:
    rows = predictor.nodes
    leaf = rows["is_leaf"].astype(bool)
    feature = np.where(leaf, LEAF, order[np.where(leaf, 0, rows["feature_idx"])]).astype(np.int64)
    threshold = np.where(leaf, 0.0, rows["num_threshold"]).astype(np.float64)
    if edges is not None:
        for node in np.flatnonzero(~leaf):
            column = edges[feature[node]]
            # Codes beyond the last edge do not exist: such a question sends everybody left.
            code = int(np.floor(threshold[node])) if np.isfinite(threshold[node]) else len(column)
            threshold[node] = column[code] if code < len(column) else np.inf
    categories = {
        int(node): frozenset(
            int(values[int(feature[node])][code])
            for code in _bits(predictor.raw_left_cat_bitsets[rows["bitset_idx"][node]])
        )
        for node in np.flatnonzero(rows["is_categorical"].astype(bool) & ~leaf)
    }
    return Nodes(
        feature,
        threshold,
        rows["left"].astype(np.int64),
        rows["right"].astype(np.int64),
        rows["missing_go_to_left"].astype(bool),
        np.where(leaf, rows["value"], 0.0),
        categories,
    )


def _bits(words: npt.NDArray[np.uint32]) -> frozenset[int]:
    """The whole numbers whose bit is set in 32-bit words, least first."""
    return frozenset(
        32 * place + bit
        for place, word in enumerate(words)
        for bit in range(32)
        if int(word) >> bit & 1
    )


def _signs(schema: Schema) -> tuple[int, ...]:
    """The sign of each encoded column; only numbers have one."""
    sign = {"up": 1, "down": -1}
    return tuple(
        0 if feature.is_categorical else sign.get(feature.better, 0)
        for feature in schema.features
        for _ in range(feature.width)
    )
