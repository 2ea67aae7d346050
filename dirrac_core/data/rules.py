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
        """One answer a person."""
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
        """One answer a person."""
        result, factor, base = (
            np.asarray(people[name], dtype=np.float64)
            for name in (self.result, self.factor, self.base)
        )
        return np.asarray(np.abs(result - factor * base) <= self.tolerance)


Rule = ThresholdRule | ProductRule


@dataclass(frozen=True)
class RuleCheck:
    """A coherence rule in words, and whether a plan obeys it."""

    sentence: str
    holds: bool
