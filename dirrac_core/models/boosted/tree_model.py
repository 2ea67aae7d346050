"""A boosted classifier as plain arrays: exact thresholds and leaf values, whoever trained it."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from dirrac_core.arrays import Array, frozen_array
from dirrac_core.errors import InvalidInput
from dirrac_core.models.classifiers import Decisions

Indices = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
LEAF = -1
# People times trees that are walked at once: bounds the memory of a prediction.
AT_ONCE = 1 << 20


@dataclass(frozen=True, eq=False)
class Nodes:
    """The nodes of one tree, the root first; `feature` is LEAF for a leaf.

    A person goes left where x[feature] ≤ threshold, both doubles. A missing value goes left where
    `missing_left` says so. A node in `categories` asks another question: it sends the whole
    numbers listed there to the left and every other value to the right. `value` is the log-odds a
    leaf adds.
    """

    feature: Indices
    threshold: Array
    left: Indices
    right: Indices
    missing_left: Flags
    value: Array
    categories: dict[int, frozenset[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        size = len(self.feature)
        inner = self.feature != LEAF
        children = np.concatenate([self.left[inner], self.right[inner]])
        # Every child comes later than its parent and has one parent, so a walk always ends.
        parents = np.concatenate([np.flatnonzero(inner)] * 2)
        sound = (
            size > 0
            and bool((children > parents).all() and (children < size).all())
            and len(set(children.tolist())) == len(children) == size - 1
        )
        if not sound:
            raise InvalidInput(
                f"A tree must have one root and one parent per other node, got {size} nodes "
                f"with {len(children)} links"
            )
        if not np.isfinite(self.value[~inner]).all():
            raise InvalidInput("Every leaf of a tree must hold a finite number, got another value")

    def goes_left(self, node: int, value: float) -> bool:
        """Where one value of the node's feature goes."""
        if np.isnan(value):
            return bool(self.missing_left[node])
        if node in self.categories:
            return value in self.categories[node]
        return bool(value <= self.threshold[node])


@dataclass(frozen=True, eq=False)
class TreeModel:
    """A sum of trees over `columns` inputs: accepted when the log-odds base + Σ leaf reach the
    `threshold`, 0 for a probability of one half. Missing values are allowed.
    """

    trees: tuple[Nodes, ...]
    base: float
    columns: int
    threshold: float = 0.0

    def __post_init__(self) -> None:
        if not np.isfinite([self.base, self.threshold]).all():
            raise InvalidInput(
                f"The base and the threshold must be finite, got {self.base} and {self.threshold}"
            )
        largest = max((int(tree.feature.max()) for tree in self.trees), default=LEAF)
        if largest >= self.columns:
            raise InvalidInput(
                f"The trees ask for column {largest} of a model with {self.columns} columns"
            )

    def log_odds(self, X: npt.ArrayLike) -> Array:
        """The log-odds of each row of X (n, columns), trees added in their order."""
        people = _people(X, self.columns)
        total = np.full(len(people), self.base)
        rows = max(1, AT_ONCE // max(1, len(self.trees)))
        for start in range(0, len(people), rows):
            part = slice(start, start + rows)
            total[part] = self._forest.log_odds(people[part], self.base)
        return total

    @cached_property
    def _forest(self) -> "_Forest":
        return _Forest(self.trees)

    def probability(self, X: npt.ArrayLike) -> Array:
        """The probability of the favourable outcome of each row."""
        probability: Array = expit(self.log_odds(X))
        return probability

    def decision(self, X: npt.ArrayLike) -> Decisions:
        """True where the log-odds reach the threshold."""
        decision: Decisions = self.log_odds(X) >= self.threshold
        return decision

    def at_threshold(self, threshold: float) -> "TreeModel":
        """The same trees, accepting from other log-odds on."""
        return replace(self, threshold=threshold)


class _Forest:
    """The nodes of all trees in a row, so that one step takes every person down every tree."""

    def __init__(self, trees: tuple[Nodes, ...]) -> None:
        starts = np.cumsum([0, *(len(tree.feature) for tree in trees)])
        self._roots: Indices = starts[:-1].astype(np.int64)

        def joined(name: str, kind: type) -> npt.NDArray[Any]:
            return np.concatenate([np.zeros(0, kind), *(getattr(tree, name) for tree in trees)])

        shift = np.repeat(self._roots, np.diff(starts))
        self._feature: Indices = joined("feature", np.int64)
        self._threshold: Array = joined("threshold", np.float64)
        self._left: Indices = joined("left", np.int64) + shift
        self._right: Indices = joined("right", np.int64) + shift
        self._missing_left: Flags = joined("missing_left", np.bool_)
        self._value: Array = joined("value", np.float64)
        self._categories = {
            int(start) + node: list(chosen)
            for start, tree in zip(starts, trees, strict=False)
            for node, chosen in tree.categories.items()
        }

    def log_odds(self, people: Array, base: float) -> Array:
        """The base plus the leaves of each row, added in the order of the trees."""
        rows = np.arange(len(people))[:, None]
        place = np.tile(self._roots, (len(people), 1))
        while (inner := self._feature[place] != LEAF).any():
            values = people[rows, np.where(inner, self._feature[place], 0)]
            missing = np.isnan(values)
            left = np.where(missing, self._missing_left[place], values <= self._threshold[place])
            if self._categories:
                for node in set(np.unique(place[inner]).tolist()) & self._categories.keys():
                    here = (place == node) & ~missing
                    left[here] = np.isin(values[here], self._categories[node])
            place = np.where(inner, np.where(left, self._left[place], self._right[place]), place)
        added = np.column_stack([np.full(len(people), base), self._value[place]])
        total: Array = np.cumsum(added, axis=1)[:, -1]
        return total


def _people(X: npt.ArrayLike, columns: int) -> Array:
    """The rows as doubles; NaN stands for a missing value."""
    missing = np.isnan(np.asarray(X, dtype=np.float64))
    filled = frozen_array("X", np.where(missing, 0.0, X), (None, columns))
    return np.where(missing, np.nan, filled)


def at_most_single(threshold: float, strict: bool) -> float:
    """The largest double that a library which compares in single precision sends left.

    The library rounds x to the nearest single precision number and asks x < t (`strict`) or
    x ≤ t. Numbers up to the middle between two neighbours round down, ties to the even one.
    """
    t = np.float32(threshold)
    last = np.nextafter(t, np.float32(-np.inf)) if strict else t
    following = np.nextafter(last, np.float32(np.inf))
    middle = (float(last) + float(following)) / 2.0
    if np.float32(middle) == last:
        return middle
    return float(np.nextafter(middle, -np.inf))
