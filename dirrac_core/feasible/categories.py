"""Whole categories: the combinations of one category per group, cheapest first."""

import heapq
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dirrac_core.arrays import Array
from dirrac_core.feasible.bounds import ColumnBounds


@dataclass(frozen=True)
class Combination:
    """One category (column) a group, and a lower bound on the cost of any plan that has it."""

    columns: tuple[int, ...]
    cost: float


@dataclass(frozen=True, eq=False)
class Options:
    """The categories each group may have, cheapest first, with the power of what each costs."""

    power: int
    groups: list[list[tuple[float, int]]]

    @classmethod
    def of(
        cls, x0: Array, groups: tuple[tuple[int, ...], ...], bounds: ColumnBounds, cost: str
    ) -> "Options":
        """Changing a group's category from i to j costs w_i + w_j in ℓ1 (2 when unweighted) and
        √(w_i² + w_j²) in ℓ2."""
        power = 1 if cost == "l1" else 2
        return cls(power, [_options(x0, group, bounds, power) for group in groups])

    def combinations(self) -> Iterator[Combination]:
        """Every combination the bounds allow, lazily, in order of its own cost.

        A heap over the sorted options of each group yields the sums in order without building the
        product.
        """
        options = self.groups
        if any(not option for option in options):
            return
        heap = [(sum(option[0][0] for option in options), (0,) * len(options), 0)]
        while heap:
            total, chosen, start = heapq.heappop(heap)
            columns = tuple(option[i][1] for option, i in zip(options, chosen, strict=True))
            yield Combination(columns, total if self.power == 1 else float(np.sqrt(total)))
            for g in range(start, len(options)):
                i = chosen[g]
                if i + 1 < len(options[g]):
                    step = options[g][i + 1][0] - options[g][i][0]
                    heapq.heappush(heap, (total + step, (*chosen[:g], i + 1, *chosen[g + 1 :]), g))


def _options(
    x0: Array, group: tuple[int, ...], bounds: ColumnBounds, power: int
) -> list[tuple[float, int]]:
    members = list(group)
    lower, upper = bounds.lower[members].tolist(), bounds.upper[members].tolist()
    places = range(len(members))
    # Every category but one is 0: the bounds of all the others must allow that.
    never_0 = {i for i in places if lower[i] > 0.0 or upper[i] < 0.0}
    possible = [i for i in places if lower[i] <= 1.0 <= upper[i] and never_0 <= {i}]
    steps = np.eye(len(members))[possible] - x0[members]
    costs = ((bounds.weights[members] * np.abs(steps)) ** power).sum(axis=1).tolist()
    return sorted(zip(costs, (members[i] for i in possible), strict=True))
