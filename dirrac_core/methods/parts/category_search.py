"""Whole categories for a convex problem without a budget: best-first branch and bound."""

import heapq
import itertools
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from dirrac_core.arrays import Array
from dirrac_core.errors import SolverFailure
from dirrac_core.feasible.bounds import ColumnBounds

# A category counts as chosen when its entry is this close to 1; it is then fixed and re-solved.
CHOSEN = 1e-6
MAX_NODES = 2000


@dataclass(frozen=True, eq=False)
class Minimum:
    """A minimiser x with its value, and a proven lower bound on the minimum."""

    x: Array
    value: float
    bound: float


def minimise_whole(
    minimise: Callable[[ColumnBounds, float], Minimum | None],
    bounds: ColumnBounds,
    groups: tuple[tuple[int, ...], ...],
    gap: float,
) -> Minimum | None:
    """The least value with exactly one category per group, to `gap`; None when there is none.

    `minimise` solves the problem with relaxed groups within given bounds; it may stop as soon as
    it has proved that the least value is at least the number it is given. A node fixes the
    categories of some groups; the largest entries of its relaxed point give a candidate, and the
    group furthest from a choice is branched next. After MAX_NODES nodes the best candidate is
    returned with the bound that was reached.
    """
    root = minimise(bounds, np.inf)
    if root is None or not groups:
        return root
    order = itertools.count()
    open_nodes = [(root.bound, next(order), bounds, root)]
    best: Minimum | None = None
    for _ in range(MAX_NODES):
        if not open_nodes or (best is not None and open_nodes[0][0] >= best.value - gap):
            break
        _, _, within, relaxed = heapq.heappop(open_nodes)
        rounded, largest = within, []
        for group in groups:
            values = relaxed.x[list(group)]
            rounded = with_category(rounded, group, group[int(values.argmax())])
            largest.append(float(values.max()))
        enough = np.inf if best is None else best.value
        candidate = minimise(rounded, enough)
        if candidate is not None and (best is None or candidate.value < best.value):
            best = candidate
        if min(largest) >= 1.0 - CHOSEN:
            continue
        group = groups[int(np.argmin(largest))]
        for category in allowed_categories(within, group):
            narrower = with_category(within, group, category)
            child = minimise(narrower, np.inf if best is None else best.value)
            if child is not None:
                heapq.heappush(open_nodes, (child.bound, next(order), narrower, child))
    if best is None and open_nodes:
        raise SolverFailure(
            f"Whole categories must be settled within {MAX_NODES} nodes, got no candidate"
        )
    if best is None:
        return None
    return replace(best, bound=min(best.bound, *(node[0] for node in open_nodes[:1]), best.value))


def with_category(bounds: ColumnBounds, group: tuple[int, ...], category: int) -> ColumnBounds:
    """The bounds with one group fixed to one category."""
    lower, upper = bounds.lower.copy(), bounds.upper.copy()
    lower[list(group)] = upper[list(group)] = 0.0
    lower[category] = upper[category] = 1.0
    return replace(bounds, lower=lower, upper=upper)


def allowed_categories(bounds: ColumnBounds, group: tuple[int, ...]) -> list[int]:
    """The categories of a group that the bounds leave open."""
    open_ = []
    for category in group:
        others = [column for column in group if column != category]
        if (
            bounds.lower[category] <= 1.0 <= bounds.upper[category]
            and (bounds.lower[others] <= 0.0).all()
            and (bounds.upper[others] >= 0.0).all()
        ):
            open_.append(category)
    return open_
