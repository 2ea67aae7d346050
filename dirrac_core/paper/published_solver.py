"""DiRRAc the way its tables were computed: Algorithm 1, stopped early, one-hot entries 0 or 1.

Kept apart from `solvers.algorithm_1`, which runs to a stationary point.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations

import numpy as np

from dirrac_core.arrays import Array
from dirrac_core.data.schema.actions import Actions
from dirrac_core.feasible import FeasibleSet, Projector
from dirrac_core.methods.dirrac import EitherLink
from dirrac_core.methods.protocol import Answer
from dirrac_core.models.classifiers import LinearModel
from dirrac_core.models.mixture import ParameterMixture
from dirrac_core.robustness import Objective

SHRINK, FIRST_STEP = 0.7, 1.0
ITERATIONS, BACKTRACKS = 10, 60
# It stops when the objective is this small or has moved less than this.
SMALL = 1e-3
# The margin ε of the projection; δ_min is computed with none.
MARGIN = 1e-3


@dataclass(frozen=True, eq=False)
class PublishedDirrac(EitherLink):
    """(Gaussian) DiRRAc with the published solver, for a linear model.

    Every one-hot entry, a column of `binary`, is 0 or 1 by itself: nothing asks for exactly one
    of a group. Of the actions only locks and directions are obeyed: there was no box on x.
    """

    current: LinearModel
    mixture: ParameterMixture
    binary: tuple[int, ...]
    radius: float = 0.1
    delta_add: float = 1.0
    link: str = "chebyshev"
    categories: str = field(default="relaxed", init=False)

    def search(self, x0: Array, actions: Actions) -> Answer:
        """Where Algorithm 1 stopped, whether or not it had arrived."""
        allowed = Actions(
            locked=actions.locked, only_up=actions.only_up, only_down=actions.only_down
        )
        unbounded = FeasibleSet(x0, self.mixture, self.radius, allowed, margin=0.0)
        delta = BinaryEntries(unbounded, self.binary).delta_min() + self.delta_add
        within = BinaryEntries(replace(unbounded, delta=delta, margin=MARGIN), self.binary)
        first = within.project(x0)
        if first is None:
            return Answer(None, "No point within the budget keeps the margin.")
        objective = Objective(self.mixture, self.radius, self.link)
        x, steps = _descend(within, objective, first)
        return Answer(x, f"Algorithm 1 as published stopped after {steps} steps.")


def _descend(within: "BinaryEntries", objective: Objective, x: Array) -> tuple[Array, int]:
    """Algorithm 1 from x, and how many steps it took."""
    for step in range(ITERATIONS):
        value, gradient = objective.value_and_gradient(x)
        if value < SMALL:
            return x, step
        size, candidate, reached = FIRST_STEP, x, value
        for _ in range(BACKTRACKS):
            nearest = within.project(x - size * gradient)
            if nearest is None:
                return x, step
            candidate, reached = nearest, objective.value(nearest)
            if reached <= value - float(np.sum((x - candidate) ** 2)) / (2.0 * size):
                break
            size *= SHRINK
        x = candidate
        if abs(reached - value) < SMALL:
            return x, step + 1
    return x, ITERATIONS


class BinaryEntries:
    """A feasible set whose columns `binary` are 0 or 1: a convex piece for each way to flip them.

    Flipping one costs 1 in ℓ1, so a budget allows few ways.
    """

    def __init__(self, relaxed: FeasibleSet, binary: tuple[int, ...]) -> None:
        self._relaxed = relaxed
        self._binary = np.setdiff1d(binary, relaxed.actions.locked).astype(np.intp)
        self._numbers = np.setdiff1d(np.arange(relaxed.x0.size), self._binary)
        self._projectors: dict[int, Projector | None] = {}

    def delta_min(self) -> float:
        """The cost of the cheapest valid point; infinite when there is none."""
        best = np.inf
        for flips in range(self._binary.size + 1):
            if flips >= best:
                break
            costs = [self._piece(values).delta_min() for values in self._ways(flips)]
            best = min([best, *costs])
        return float(best)

    def project(self, point: Array) -> Array | None:
        """The nearest point of the set in ℓ2; None when the set is empty.

        The pieces are tried in the order of a lower bound on their distance: the entries alone,
        and that the numbers move at most what the flips leave of the budget.
        """
        values, start = self._within_budget, self._relaxed.x0
        flips = np.abs(values - start[self._binary]).sum(axis=1)
        away = float(np.linalg.norm((point - start)[self._numbers]))
        short = np.maximum(0.0, away - (self._relaxed.delta - flips))
        bounds = ((values - point[self._binary]) ** 2).sum(axis=1) + short**2
        best, nearest = None, np.inf
        for index in np.argsort(bounds, kind="stable"):
            if bounds[index] >= nearest:
                break
            projector = self._projector(int(index))
            x = None if projector is None else projector(point)
            if x is not None and (distance := float(np.sum((x - point) ** 2))) < nearest:
                best, nearest = x, distance
        return best

    @cached_property
    def _within_budget(self) -> Array:
        """All (ways, entries) the budget allows."""
        if not np.isfinite(self._relaxed.delta):
            return np.zeros((0, self._binary.size))
        most = min(int(self._relaxed.budget()), self._binary.size)
        return np.array([values for flips in range(most + 1) for values in self._ways(flips)])

    def _ways(self, flips: int) -> Iterator[Array]:
        """The entries of the applicant with every choice of `flips` of them flipped."""
        own = self._relaxed.x0[self._binary]
        for chosen in combinations(range(own.size), flips):
            values = own.copy()
            values[list(chosen)] = 1.0 - values[list(chosen)]
            yield values

    def _piece(self, values: Array) -> FeasibleSet:
        lower = np.full(self._relaxed.x0.size - 1, -np.inf)
        upper = -lower
        lower[self._binary] = upper[self._binary] = values
        allowed = self._relaxed.actions.with_box(lower, upper)
        return replace(self._relaxed, actions=allowed)

    def _projector(self, index: int) -> Projector | None:
        if index not in self._projectors:
            piece = self._piece(self._within_budget[index])
            parts = list(piece.pieces())
            self._projectors[index] = Projector(parts[0], piece.budget()) if parts else None
        return self._projectors[index]
