"""Coherence: features that are functions of others. A plan that breaks them is nonsense."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class ThresholdRule:
    """`switch` is `category` exactly when `feature` ≥ `at_least`."""

    switch: str
    category: str
    feature: str
    at_least: float
    sentence: str

    def holds(self, people: pd.DataFrame) -> Mask:
        """One answer a person."""
        chosen = people[self.switch].to_numpy() == self.category
        reached = people[self.feature].to_numpy(np.float64) >= self.at_least
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

    def holds(self, people: pd.DataFrame) -> Mask:
        """One answer a person."""
        product = people[self.factor].to_numpy(np.float64) * people[self.base].to_numpy(np.float64)
        gap = np.abs(people[self.result].to_numpy(np.float64) - product)
        return np.asarray(gap <= self.tolerance)


Rule = ThresholdRule | ProductRule


@dataclass(frozen=True)
class RuleCheck:
    """A coherence rule in words, and whether a plan obeys it."""

    sentence: str
    holds: bool
