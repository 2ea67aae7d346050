"""The exact acceptance regions in two numbers: how many models accept each cell of thresholds."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array
from dirrac_core.data.schema.feature import Feature
from dirrac_core.data.schema.schema import Schema
from dirrac_core.errors import InvalidInput
from dirrac_core.models.classifiers import Decisions
from dirrac_core.trees.problem import TreeProblem


@dataclass(frozen=True, eq=False)
class Regions:
    """Cells between the `edges` of two features in real units, all else held at one point.

    `accepted` (rows, columns) counts the re-trainings that accept a cell, the second feature in
    rows; `today` says whether today's model does. Within a cell no model changes its answer.
    """

    features: tuple[str, str]
    edges: tuple[Array, Array]
    accepted: npt.NDArray[np.int64]
    today: Decisions
    total: int

    @property
    def share_of_all(self) -> float:
        """The part of the plane, by area, that every re-training accepts."""
        return self._share(self.accepted == self.total)

    @property
    def share_today(self) -> float:
        """The part of the plane, by area, that today's model accepts."""
        return self._share(self.today)

    def _share(self, cells: Decisions) -> float:
        across, up = (np.diff(ends) / (ends[-1] - ends[0]) for ends in self.edges)
        return float(up @ cells @ across)


def telling_numbers(schema: Schema, x0: Array, x: Array | None) -> list[str]:
    """The numbers of a schema, those that a plan x moves first."""
    numbers = [feature.name for feature in schema.features if not feature.is_categorical]
    moved = [] if x is None else [c.feature for c in schema.describe_change(x0, x)]
    return sorted(numbers, key=lambda name: name not in moved)


def acceptance_regions(problem: TreeProblem, features: tuple[str, str], at: Array) -> Regions:
    """The regions in the plane of two numbers through the point `at` (D,)."""
    first, second = (problem.schema.feature(name) for name in features)
    for feature in (first, second):
        if feature.is_categorical:
            raise InvalidInput(f"A plane needs two numbers, got the category {feature.name!r}")
    if first.name == second.name:
        raise InvalidInput(f"A plane needs two different numbers, got {first.name!r} twice")
    edges = (_edges(problem, first), _edges(problem, second))
    middles = [(ends[1:] + ends[:-1]) / 2.0 for ends in edges]
    across, up = np.meshgrid(*middles)
    rows = np.tile(at[:-1], (across.size, 1))
    for feature, values in ((first, across), (second, up)):
        (column,) = problem.schema.columns_of(feature.name)
        rows[:, column] = values.ravel()
    inputs = problem.view.inputs(rows)
    counted = np.zeros(across.size, dtype=np.int64)
    for model in problem.retrainings:
        counted += model.decision(inputs)
    real = tuple(feature.real(ends) for feature, ends in zip((first, second), edges, strict=True))
    return Regions(
        features,
        (real[0], real[1]),
        counted.reshape(across.shape),
        problem.today.decision(inputs).reshape(across.shape),
        len(problem.retrainings),
    )


def _edges(problem: TreeProblem, feature: Feature) -> Array:
    """The encoded ends of the cells of one number: its range, cut at every threshold inside."""
    (column,) = problem.schema.columns_of(feature.name)
    inside = problem.encoded_thresholds(column)
    inside = np.unique(inside[(inside > 0.0) & (inside < 1.0)])
    return np.concatenate([[0.0], inside, [1.0]])
