"""Convex pieces with the same free columns, one for each person, written over those columns.

A piece fixes the columns that cannot move (locks, or the categories chosen), so x = base + y. A
length ‖Rᵀx‖ becomes √(‖T·y + c‖² + rest²) with T of the free columns only, by one QR
decomposition for all people.
"""

from dataclasses import dataclass, fields, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array
from dirrac_core.feasible.piece import ROW_TOLERANCE
from dirrac_core.solvers.batch.linear import applied, picked
from dirrac_core.solvers.score_program import SCORE_CEILING

# Kinds of a row: not there, coefficients · x ≤ limit, coefficients · x = limit.
NO_ROW, AT_MOST, EQUAL = 0, 1, 2
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Shared:
    """What all people have in common: s_k = ‖roots[k]ᵀx‖, r_k = ρ_k·‖radius_roots[k]ᵀx‖.

    A plan is valid when m_k − r_k ≥ margins[k] for every k. With a `cone` (root, centre) it must
    keep ‖rootᵀ(x − centre)‖ below each person's own limit. `euclidean` is the ℓ2 cost, else ℓ1.
    """

    weights: Array
    means: Array
    roots: Array
    radius_roots: Array
    margins: Array
    euclidean: bool
    gaussian: bool
    cone: tuple[Array, Array] | None = None


class Length(NamedTuple):
    """‖Rᵀx‖ = √(‖T·y + offset‖² + rest²) over the free columns y; `square` is TᵀT."""

    matrix: Array
    square: Array
    offset: Array
    rest: Array

    def at(self, y: Array) -> tuple[Array, Array]:
        """The length and its gradient in y, (n, people); 0 where the length is 0."""
        image = applied(self.matrix, y) + self.offset
        length = np.sqrt((image * image).sum(axis=0) + self.rest * self.rest)
        safe = np.where(length > 0.0, length, 1.0)
        return length, applied(self.matrix.T, image) / safe


@dataclass(frozen=True, eq=False)
class Pieces:
    """The pieces of many people over the same free columns; the people are the last axis.

    `way` is +1 / −1 where a column can only lie above / below the applicant's value, else 0.
    Rows are divided by the size of their terms; `scales` are those of m_k − r_k. `empty` where a
    row of constants is broken.
    """

    shared: Shared
    free: npt.NDArray[np.intp]
    base: Array
    y0: Array
    lower: Array
    upper: Array
    weights: Array
    units: Array
    way: Array
    equal: Array
    equal_limits: Array
    at_most: Array
    at_most_limits: Array
    at_most_on: Array
    means: Array
    mean_base: Array
    radii: Array
    scales: Array
    deviation: tuple[Length, ...]
    radius: tuple[Length, ...]
    cone: Length | None
    cone_limit: Array
    fixed_cost: Array
    empty: Mask

    @property
    def people(self) -> int:
        """How many people there are."""
        return int(self.y0.shape[1])

    def chosen(self, mask: Mask | npt.NDArray[np.intp]) -> "Pieces":
        """The same pieces of some of the people."""
        shared_by_all = {"shared", "free", "means"}
        changes: dict[str, object] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name in shared_by_all or value is None:
                continue
            if isinstance(value, Length):
                changes[field.name] = _part(value, mask)
            elif isinstance(value, tuple):
                changes[field.name] = tuple(_part(length, mask) for length in value)
            else:
                changes[field.name] = picked(value, mask)
        return replace(self, **changes)  # type: ignore[arg-type]

    def mean(self, y: Array) -> Array:
        """m_k at y, (K, people)."""
        return self.mean_base + applied(self.means, y)

    def plan(self, y: Array) -> Array:
        """The whole vectors x of y, (D, people), with every bound met exactly."""
        x = self.base.copy()
        x[self.free] = np.minimum(np.maximum(y, self.lower), self.upper)
        return x


def _part(length: Length, mask: Mask | npt.NDArray[np.intp]) -> Length:
    return length._replace(offset=picked(length.offset, mask), rest=picked(length.rest, mask))


def reduced(root: Array, free: npt.NDArray[np.intp], base: Array) -> Length:
    """The length ‖rootᵀx‖ over the free columns; base is (D, people), 0 in the free columns."""
    orthogonal, triangle = np.linalg.qr(root[free].T)
    constant = applied(root.T, base)
    offset = applied(orthogonal.T, constant)
    beside = constant - applied(orthogonal, offset)
    rest = np.sqrt((beside * beside).sum(axis=0))
    # What is left by rounding alone is nothing.
    size = np.sqrt((constant * constant).sum(axis=0))
    rest = np.where(rest > 1e-15 * constant.shape[0] * size, rest, 0.0)
    return Length(triangle, triangle.T @ triangle, offset, rest)


def pieces(
    shared: Shared,
    x0: Array,
    lower: Array,
    upper: Array,
    weights: Array,
    units: Array,
    rows: Array,
    limits: Array,
    kinds: npt.NDArray[np.int8],
    radii: Array,
    cone_limit: Array,
) -> Pieces:
    """The pieces of people whose free columns (lower < upper) are the same.

    The people are the last axis: x0 is (D, people), bounds, weights and units (D − 1, people),
    rows (R, D − 1, people) with limits and kinds (R, people), radii (K, people), the limits of the
    cone (people,).
    """
    movable = lower < upper
    free = np.flatnonzero(movable[:, 0])
    people, d = x0.shape[1], x0.shape[0] - 1
    base = x0.copy()
    base[:d] = np.where(movable, 0.0, lower)
    sizes = np.concatenate([np.where(movable, units, np.abs(base[:d])), np.ones((1, people))])
    moved = np.where(movable, 0.0, weights * (base[:d] - x0[:d]))
    fixed = np.abs(moved).sum(axis=0)
    if shared.euclidean:
        fixed = np.sqrt((moved * moved).sum(axis=0))
    largest = np.maximum(sizes[:d], np.abs(x0[:d]))
    row_sizes = np.maximum((np.abs(rows) * largest).max(axis=1, initial=0.0), np.abs(limits))
    row_sizes = np.where(row_sizes > 0.0, row_sizes, 1.0)
    rest = (limits - (rows * base[:d]).sum(axis=1)) / row_sizes
    part = rows[:, free] / row_sizes[:, None]
    present = (kinds != NO_ROW) & (part != 0.0).any(axis=1)
    missed = np.where(kinds == EQUAL, np.abs(rest), -rest)
    broken = (kinds != NO_ROW) & ~present & (missed > ROW_TOLERANCE)
    equal = present & (kinds == EQUAL)
    at_most = present & (kinds == AT_MOST)
    some_equal, some = equal.any(axis=1), at_most.any(axis=1)
    # A row that one person does not have is 0 = 0 for them.
    equal_rows = np.where(equal[:, None], part, 0.0)[some_equal]
    squares = np.stack([(root * root).sum(axis=1) for root in shared.radius_roots])
    reach = np.sqrt(applied(squares, sizes * sizes))
    scales = applied(np.abs(shared.means), sizes) + radii * reach
    y0 = x0[free]
    way = np.where(lower[free] >= y0, 1.0, np.where(upper[free] <= y0, -1.0, 0.0))
    cone = None
    if shared.cone is not None:
        root, centre = shared.cone
        cone = reduced(root, free, base - centre[:, None])
    return Pieces(
        shared=shared,
        free=free,
        base=base,
        y0=y0,
        lower=lower[free],
        upper=upper[free],
        weights=weights[free],
        units=units[free],
        way=way,
        equal=equal_rows,
        equal_limits=np.where(equal, rest, 0.0)[some_equal],
        at_most=np.where(at_most[:, None], part, 0.0)[some],
        at_most_limits=np.where(at_most, rest, 0.0)[some],
        at_most_on=at_most[some] * 1.0,
        means=shared.means[:, free],
        mean_base=applied(shared.means, base),
        radii=radii,
        scales=np.where(scales > 0.0, scales, 1.0),
        deviation=tuple(reduced(root, free, base) for root in shared.roots),
        radius=tuple(reduced(root, free, base) for root in shared.radius_roots),
        cone=cone,
        cone_limit=cone_limit,
        fixed_cost=fixed,
        empty=broken.any(axis=0),
    )


def scores(m: Array, s: Array, r: Array) -> Array:
    """The largest a with m ≥ a·s + √(1+a²)·r, as `signed_score`; from 0 to SCORE_CEILING."""
    positive = m > r
    safe = np.where(positive, m, 1.0)
    radius = np.where(positive, r, 0.0)
    ratio = radius / safe
    length = np.sqrt((safe - radius) * (safe + radius) + s * s)
    above = (safe - radius) * (1.0 + ratio)
    below = np.maximum(s + ratio * length, above / SCORE_CEILING)
    a: Array = np.where(positive, above / below, 0.0)
    return a
