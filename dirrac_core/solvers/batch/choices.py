"""Whole categories of many people: the combinations each may choose, cheapest first."""

import itertools
from dataclasses import dataclass

import numpy as np

from dirrac_core.arrays import Array
from dirrac_core.solvers.batch.crowd import Crowd
from dirrac_core.solvers.batch.linear import summed

# Who has more combinations than this is left to the certified solver.
MOST_COMBINATIONS = 256


@dataclass(frozen=True, eq=False)
class Choices:
    """`columns` (combinations, groups, people) and their `costs` (combinations, people), in order
    of cost for each person; infinite where a person has no more. None: too many to list."""

    columns: Array
    costs: Array


def choices(crowd: Crowd) -> Choices | None:
    """Every combination of categories the bounds allow, as `combinations` has them."""
    power = 2 if crowd.shared.euclidean else 1
    columns, costs = [], []
    for group in crowd.groups:
        members = list(group)
        lower, upper = crowd.lower[members], crowd.upper[members]
        weights, now = crowd.weights[members], crowd.x0[members]
        price = np.full(lower.shape, np.inf)
        for i in range(len(members)):
            others = np.arange(len(members)) != i
            allowed = (upper[i] >= 1.0) & (lower[i] <= 1.0)
            allowed &= (lower[others] <= 0.0).all(axis=0) & (upper[others] >= 0.0).all(axis=0)
            step = np.where(others[:, None], 0.0, 1.0) - now
            cost = summed((weights * np.abs(step)) ** power, 0)
            price[i] = np.where(allowed, cost, np.inf)
        order = np.argsort(price, axis=0, kind="stable")
        price = np.take_along_axis(price, order, axis=0)
        most = max(int(np.isfinite(price).any(axis=1).sum()), 1)
        columns.append(np.array(members, dtype=np.float64)[order][:most])
        costs.append(price[:most])
    counts = [price.shape[0] for price in costs]
    if np.prod(counts, dtype=np.float64) > MOST_COMBINATIONS:
        return None
    ranks = list(itertools.product(*(range(count) for count in counts)))
    total = np.stack(
        [sum(cost[rank] for cost, rank in zip(costs, each, strict=True)) for each in ranks]
    )
    chosen = np.stack(
        [
            np.stack([column[rank] for column, rank in zip(columns, each, strict=True)])
            for each in ranks
        ]
    )
    order = np.argsort(total, axis=0, kind="stable")
    total = np.take_along_axis(total, order, axis=0)
    chosen = np.take_along_axis(chosen, order[:, None], axis=0)
    return Choices(chosen, total if power == 1 else np.sqrt(total))
