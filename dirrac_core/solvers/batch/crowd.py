"""Many people under the same mixture and the same kind of rules, as arrays; their checklist.

The people are the last axis of every array.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array
from dirrac_core.errors import InvalidInput
from dirrac_core.feasible import FeasibleSet
from dirrac_core.feasible.checks import TOLERANCE
from dirrac_core.feasible.linear_rows import linear_rows
from dirrac_core.robustness import Objective
from dirrac_core.solvers.batch.linear import applied, picked, summed
from dirrac_core.solvers.batch.pieces import AT_MOST, EQUAL, NO_ROW, Mask, Pieces, Shared, pieces

Places = npt.NDArray[np.intp]
# People are solved for in parts of at most this many, which keeps the arrays in the cache.
PART = 2048


@dataclass(frozen=True, eq=False)
class Crowd:
    """Applicants x0 (D, people), the bounds, weights, sizes and units of their columns (D − 1,
    people), rows (R, D − 1, people) with limits and kinds, radii (K, people).

    `groups` are one-hot; with `whole` each must hold one category. `cone_limit` (people,) is how
    unusual a plan may be, where the shared part has a cone. `contradicted` people have
    bounds that cross. `cost_unit` is the cost of the cheapest change that matters.
    """

    shared: Shared
    groups: tuple[tuple[int, ...], ...]
    whole: bool
    x0: Array
    lower: Array
    upper: Array
    weights: Array
    sizes: Array
    rows: Array
    limits: Array
    kinds: npt.NDArray[np.int8]
    radii: Array
    cone_limit: Array
    units: Array
    cost_unit: Array
    contradicted: Mask

    @property
    def people(self) -> int:
        """How many people there are."""
        return int(self.x0.shape[1])

    def chosen(self, who: Places | Mask) -> "Crowd":
        """Some of the people."""
        kept = {"shared", "groups", "whole"}
        return replace(
            self,
            **{
                f.name: picked(getattr(self, f.name), who)
                for f in fields(self)
                if f.name not in kept
            },
        )

    def cost_of(self, x: Array) -> Array:
        """cost(x, x0) of everybody, (people,)."""
        change = self.weights * (x[:-1] - self.x0[:-1])
        if self.shared.euclidean:
            return np.sqrt(summed(change * change, 0))
        return summed(np.abs(change), 0)

    def terms(self, x: Array) -> tuple[Array, Array, Array]:
        """m, s and r of every component, each (K, people)."""
        m = applied(self.shared.means, x)
        s = np.stack([np.sqrt(summed(applied(root.T, x) ** 2, 0)) for root in self.shared.roots])
        reach = [np.sqrt(summed(applied(g.T, x) ** 2, 0)) for g in self.shared.radius_roots]
        return m, s, self.radii * np.stack(reach)

    def keeps(self, x: Array, delta: Array) -> Mask:
        """Whose plan keeps every condition, by the tolerances of the checklist, (people,)."""
        kept: Mask = np.isfinite(x).all(axis=0) & (x[-1] == 1.0)
        with np.errstate(invalid="ignore"):
            for end, sign in ((self.lower, 1.0), (self.upper, -1.0)):
                size = np.maximum(self.sizes, np.abs(x[:-1]))
                missed = np.where(np.isfinite(end), sign * (end - x[:-1]), -np.inf)
                kept &= (missed <= TOLERANCE * size).all(axis=0)
            # A column that cannot move is exact: it lends a rule no room for rounding.
            reach = np.where(self.lower < self.upper, self.sizes, 0.0)
            far = np.maximum(np.abs(x[:-1]), reach)
            sizes = np.maximum(summed(np.abs(self.rows) * far, 1), np.abs(self.limits))
            over = summed(self.rows * x[:-1], 1) - self.limits
            missed = np.where(self.kinds == EQUAL, np.abs(over), over)
            kept &= ((missed <= TOLERANCE * sizes) | (self.kinds == NO_ROW)).all(axis=0)
            for group in self.groups:
                members = x[list(group)]
                kept &= np.abs(summed(members, 0) - 1.0) <= TOLERANCE
                kept &= members.min(axis=0) >= -TOLERANCE
                if self.whole:
                    kept &= members.max(axis=0) >= 1.0 - TOLERANCE
            m, _, r = self.terms(x)
            margins = self.shared.margins[:, None]
            sizes = np.maximum(applied(np.abs(self.shared.means), np.abs(x)) + r, margins)
            kept &= (m - r >= margins - TOLERANCE * sizes).all(axis=0)
            if self.shared.cone is not None:
                root, centre = self.shared.cone
                image = applied(root.T, x - centre[:, None])
                length = np.sqrt(summed(image * image, 0))
                # The distance is as large as its terms, which may cancel.
                spread = applied(np.abs(root[:-1].T), self.sizes)
                size = np.sqrt(summed(spread * spread, 0))
                kept &= length <= self.cone_limit + TOLERANCE * np.maximum(size, self.cone_limit)
            cost = self.cost_of(x)
            kept &= cost <= delta + TOLERANCE * np.maximum(self.cost_unit, np.maximum(cost, delta))
        return kept

    def parts(self, chosen: Array | None, who: Places) -> Iterator[tuple[Places, Pieces]]:
        """The pieces of the people in `who`, in parts with the same free columns.

        `chosen` (groups, people of `who`) names the one-hot column each group holds; None leaves
        groups on the simplex.
        """
        lower, upper = picked(self.lower, who), picked(self.upper, who)
        if chosen is not None:
            for group, columns in zip(self.groups, chosen, strict=True):
                for c in group:
                    lower[c] = upper[c] = np.where(columns == c, 1.0, 0.0)
        movable = np.ascontiguousarray((lower < upper).T)
        _, kind = np.unique(movable, axis=0, return_inverse=True)
        for number in range(int(kind.max(initial=-1)) + 1):
            same = np.flatnonzero(kind.ravel() == number)
            for first in range(0, same.size, PART):
                part = same[first : first + PART]
                # Sums over another axis run in the same order for two people or more.
                padded = np.repeat(part, 2) if part.size == 1 else part
                ends = picked(lower, padded), picked(upper, padded)
                yield part, self._pieces(*ends, who[padded], chosen)

    def _pieces(self, lower: Array, upper: Array, who: Places, chosen: Array | None) -> Pieces:
        rows, limits = picked(self.rows, who), picked(self.limits, who)
        kinds = picked(self.kinds, who)
        if chosen is None and self.groups:
            simplex = np.zeros((len(self.groups), *rows.shape[1:]))
            for i, group in enumerate(self.groups):
                simplex[i, list(group)] = 1.0
            ones = np.ones((len(self.groups), who.size))
            rows, limits = np.concatenate([rows, simplex]), np.concatenate([limits, ones])
            kinds = np.concatenate([kinds, np.full(ones.shape, EQUAL, dtype=np.int8)])
        return pieces(
            self.shared,
            picked(self.x0, who),
            lower,
            upper,
            picked(self.weights, who),
            picked(self.units, who),
            rows,
            limits,
            kinds,
            picked(self.radii, who),
            self.cone_limit[who],
        )


def crowd(
    shared: Shared,
    groups: tuple[tuple[int, ...], ...],
    whole: bool,
    x0: Array,
    lower: Array,
    upper: Array,
    weights: Array,
    sizes: Array,
    rows: Array,
    limits: Array,
    kinds: npt.NDArray[np.int8],
    radii: Array,
    cone_limit: Array | None = None,
) -> Crowd:
    """A crowd with its units, as `column_units` has them, from what else is known."""
    if cone_limit is None:
        if shared.cone is not None:
            message = "People who must be like real people need their limits, got none"
            raise InvalidInput(message)
        cone_limit = np.full(x0.shape[1], np.inf)
    deviations = np.sqrt((shared.roots**2).sum(axis=2))
    reaches = np.sqrt((shared.radius_roots**2).sum(axis=2))
    g = (np.abs(shared.means) + deviations)[:, :, None] + reaches[:, :, None] * radii[:, None]
    nearest = np.minimum(np.maximum(x0[:-1], lower), upper)
    size = (g * np.abs(np.concatenate([nearest, x0[-1:]]))).max(axis=1)
    size = np.maximum(size, shared.margins[:, None])
    with np.errstate(divide="ignore", invalid="ignore"):
        matters = np.where(g[:, :-1] > 0.0, size[:, None] / g[:, :-1], np.inf).min(axis=0)
    bounded = np.isfinite(lower) & np.isfinite(upper)
    units = np.minimum(matters, np.where(bounded, sizes, np.inf))
    units = np.where(np.isfinite(units) & (units > 0.0), units, sizes)
    change = np.where(lower < upper, weights * np.minimum(units, sizes), np.inf).min(axis=0)
    return Crowd(
        shared,
        groups,
        whole,
        x0,
        lower,
        upper,
        weights,
        sizes,
        rows,
        limits,
        kinds,
        radii,
        cone_limit,
        units,
        np.where(np.isfinite(change), change, 0.0),
        np.asarray((lower > upper).any(axis=0)),
    )


def crowd_of(sets: Sequence[FeasibleSet], objective: Objective) -> Crowd:
    """The crowd of some feasible sets, which must share mixture, cost, margin and categories."""
    first = sets[0]
    for name in ("mixture", "cost", "margin", "categories", "metric"):
        common = getattr(first, name)
        others = [getattr(each, name) for each in sets]
        if any(other is not common and not np.array_equal(other, common) for other in others):
            raise InvalidInput(f"People solved together must share the {name}, got different ones")
    if any(each.actions.groups != first.actions.groups for each in sets):
        message = "People solved together must share the one-hot groups, got different ones"
        raise InvalidInput(message)
    likeness = [each.actions.plausible for each in sets]
    alike = likeness[0]
    for other in likeness:
        if (other is None) != (alike is None) or (
            other is not None
            and alike is not None
            and not (
                np.array_equal(other.factor, alike.factor)
                and np.array_equal(other.centre, alike.centre)
            )
        ):
            message = "People solved together must be like the same people, got different ones"
            raise InvalidInput(message)
    shared = shared_of(first, objective)
    if alike is not None:
        shared = replace(shared, cone=cone_of(alike.factor, alike.centre))
    described = [list(linear_rows(each.x0, each.actions, each.bounds)) for each in sets]
    most = max(len(rows) for rows in described)
    d = first.x0.size - 1
    rows, limits = np.zeros((most, d, len(sets))), np.zeros((most, len(sets)))
    kinds = np.zeros((most, len(sets)), dtype=np.int8)
    for person, each in enumerate(described):
        for i, (row, limit, equality) in enumerate(each):
            rows[i, :, person], limits[i, person] = row, limit
            kinds[i, person] = EQUAL if equality else AT_MOST
    return crowd(
        shared,
        first.actions.groups,
        first.whole,
        np.stack([each.x0 for each in sets], axis=1),
        np.stack([each.bounds.lower for each in sets], axis=1),
        np.stack([each.bounds.upper for each in sets], axis=1),
        np.stack([each.bounds.weights for each in sets], axis=1),
        np.stack([each.bounds.sizes for each in sets], axis=1),
        rows,
        limits,
        kinds,
        np.stack([each.radii for each in sets], axis=1),
        np.array([np.inf if each is None else each.size for each in likeness]),
    )


def cone_of(factor: Array, centre: Array) -> tuple[Array, Array]:
    """Root and centre of the cone ‖F(x − c)‖ over x with its trailing constant."""
    root = np.concatenate([factor.T, np.zeros((1, len(factor)))])
    return root, np.append(centre, 1.0)


def shared_of(feasible: FeasibleSet, objective: Objective) -> Shared:
    """What the kernel needs of a mixture and the settings of a feasible set."""
    mixture = feasible.mixture
    metric = feasible.doubt.factors
    if metric is None:
        metric = np.broadcast_to(np.eye(mixture.dimension), mixture.factors.shape)
    return Shared(
        mixture.weights,
        mixture.means,
        mixture.factors,
        metric,
        feasible.margins,
        feasible.cost == "l2",
        objective.link.name == "gaussian",
    )
