"""Coherence: features that are functions of others. A plan that breaks them is nonsense."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

Mask = npt.NDArray[np.bool_]
People = pd.DataFrame | Mapping[str, npt.NDArray[Any]]


@dataclass(frozen=True)
class ThresholdRule:
    """`switch` is `category` exactly when `feature` ≥ `at_least`."""

    switch: str
    category: str
    feature: str
    at_least: float
    sentence: str

    def holds(self, people: People) -> Mask:
        """One answer per person."""
        chosen = np.asarray(people[self.switch]) == self.category
        reached = np.asarray(people[self.feature], dtype=np.float64) >= self.at_least
        return np.asarray(chosen == reached)


@dataclass(frozen=True)
class ProductRule:
    """`result` = `factor` × `base`, to within `tolerance` in the unit of the result.

    It is linear, and so can bind a plan, while the factor is locked.
    """

    result: str
    factor: str
    base: str
    tolerance: float
    sentence: str

    def holds(self, people: People) -> Mask:
        """One answer per person."""
        result, factor, base = (
            np.asarray(people[name], dtype=np.float64)
            for name in (self.result, self.factor, self.base)
        )
        return np.asarray(np.abs(result - factor * base) <= self.tolerance)


@dataclass(frozen=True)
class UnknownRule:
    """While `switch` is `category`, nothing is known of `feature` and no plan changes it.

    A number then holds `stand_in`; a category that is not known is its own switch.
    """

    feature: str
    switch: str
    category: str
    stand_in: float | None
    sentence: str

    def holds(self, people: People) -> Mask:
        """One answer per person."""
        unknown = np.asarray(people[self.switch]) == self.category
        if self.stand_in is None:
            return np.ones_like(unknown, dtype=bool)
        value = np.asarray(people[self.feature], dtype=np.float64)
        return np.asarray(~unknown | np.isclose(value, self.stand_in))


Rule = ThresholdRule | ProductRule | UnknownRule


@dataclass(frozen=True)
class RuleCheck:
    """A coherence rule as text, and whether a plan obeys it."""

    sentence: str
    holds: bool
