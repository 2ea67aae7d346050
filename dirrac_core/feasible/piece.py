"""One convex piece of the feasible set, as rows of a cone program over the free columns only."""

from functools import cached_property
from typing import Any

import numpy as np

from dirrac_core.arrays import Array
from dirrac_core.conic import ConeProgram, Parts
from dirrac_core.data.schema.actions import Actions
from dirrac_core.data.schema.plausible_set import PlausibleSet
from dirrac_core.feasible.bounds import ColumnBounds
from dirrac_core.feasible.linear_rows import linear_rows
from dirrac_core.feasible.piece_rows import FixedRows, Places, Rows
from dirrac_core.feasible.units import column_units
from dirrac_core.models.mixture import ParameterMixture
from dirrac_core.robustness import Doubt

# A row without free columns may miss its limit by this much: the rounding of its constants.
ROW_TOLERANCE = 1e-9


class Piece:
    """{x : bounds, groups on the simplex, rules, ellipsoid, θ̂_kᵀx − r_k(x) ≥ ε_k}: convex.

    Columns that cannot move are substituted, so they never enter a cone program. With
    `categories` each group is fixed to the named one-hot column; otherwise groups are relaxed
    to the simplex. `units` are the `column_units`, when they are known already.
    """

    def __init__(
        self,
        x0: Array,
        mixture: ParameterMixture,
        doubt: Doubt,
        actions: Actions,
        bounds: ColumnBounds,
        cost: str,
        margins: Array,
        categories: tuple[int, ...] | None,
        units: Array | None = None,
    ) -> None:
        self.mixture, self.doubt, self.margins, self.cost = mixture, doubt, margins, cost
        # What a solver found out about this piece alone, by the kind of thing it is.
        self.kept: dict[type, Any] = {}
        self.categories = categories
        columns = x0.size - 1
        lower, upper = bounds.lower.copy(), bounds.upper.copy()
        if categories is not None:
            for group, chosen in zip(actions.groups, categories, strict=True):
                lower[list(group)] = upper[list(group)] = 0.0
                lower[chosen] = upper[chosen] = 1.0
        self.free = np.flatnonzero(lower < upper)
        self.base = x0.copy()
        fixed = lower >= upper
        self.base[:columns][fixed] = lower[fixed]
        self.base[self.free] = 0.0
        self.lower, self.upper = lower[self.free], upper[self.free]
        self.start = x0[self.free]
        self.weights = bounds.weights[self.free]
        self._sizes = bounds.sizes
        if units is None:
            units = column_units(x0, bounds, mixture, doubt, margins)
        self.units = units[self.free]
        # How large the terms of θ̂_kᵀx − r_k(x) are: what its rounding is relative to.
        sizes = np.append(np.maximum(np.abs(self.base[:columns]), np.where(fixed, 0.0, units)), 1.0)
        self.lengths = doubt.largest_lengths(sizes)
        self.terms = np.abs(mixture.means) @ sizes + doubt.radii * self.lengths
        self.terms[self.terms == 0.0] = 1.0
        moved = bounds.weights * (self.base[:columns] - x0[:columns])
        moved[self.free] = 0.0
        self.fixed_cost = float(np.abs(moved).sum() if cost == "l1" else np.linalg.norm(moved))
        self.empty = bounds.contradiction is not None or self._out_of_reach()
        self._equal: list[tuple[Array, float]] = []
        self._at_most: list[tuple[Array, float]] = []
        self._ellipsoid: tuple[Array, Array] | None = None
        # The bounds, and the rules that leave only one column free, which are bounds of it too.
        self._lowest, self._highest = self.lower.copy(), self.upper.copy()
        self._collect(actions, bounds, x0)
        if actions.plausible is not None:
            self._collect_ellipsoid(actions.plausible)

    def _out_of_reach(self) -> bool:
        """Whether some θ̂_kᵀx stays below r_k(x) + ε_k anywhere in the box: a proof of emptiness."""
        theta = self.mixture.means[:, self.free]
        with np.errstate(invalid="ignore"):
            gains = np.where(theta > 0, theta * self.upper, theta * self.lower)
        gains[theta == 0] = 0.0
        reach = self.mixture.means @ self.base + gains.sum(axis=1)
        needed = self.margins
        if self.doubt.factors is None:
            needed = self.doubt.radii * np.linalg.norm(self.base) + self.margins
        return bool((reach < needed - ROW_TOLERANCE * np.maximum(self.terms, needed)).any())

    @property
    def farthest(self) -> float:
        """The most units that a column with two ends lies from the applicant."""
        far = np.maximum(np.abs(self.lower - self.start), np.abs(self.upper - self.start))
        ends = far[np.isfinite(far)] / self.units[np.isfinite(far)]
        return float(ends.max(initial=0.0))

    def holds(self, x: Array) -> bool:
        """Whether x agrees with this piece in every column that cannot move."""
        fixed = np.ones(x.size, dtype=bool)
        fixed[self.free] = False
        return bool(np.array_equal(x[fixed], self.base[fixed]))

    def embed(self, v: Array) -> Array:
        """The full vector x of a solution v, with every bound met exactly.

        So are rules on one free column: a cone program is accurate to a share of the column's
        unit, and such a rule may leave less room than that.
        """
        x = self.base.copy()
        x[self.free] = np.clip(v[: self.free.size], self._lowest, self._highest)
        return x

    def shortfalls(self, x: Array) -> Array:
        """By how much x misses θ̂_kᵀx − r_k(x) ≥ ε_k, for each component."""
        missed = self.margins + self.doubt.terms(x) - self.mixture.means @ x
        return np.maximum(missed, 0.0)

    def rows(self, delta: float, slack: Array | float = 0.0) -> Rows:
        """All rows of this piece with cost ≤ delta (no such row when delta is infinite).

        The validity of each component may be missed by `slack`.
        """
        steps = np.minimum(self.units, delta / self.weights)
        fixed = self._fixed_rows
        program = fixed.program.copy()
        program.resize("y", steps)
        program.resize("e", steps[fixed.open_sign])
        if "cost" in program:
            largest = float(np.hypot.reduce(self.weights * steps))
            program.resize("cost", max(largest, self.fixed_cost))
        if np.isfinite(delta):
            program.at_most(fixed.cost, delta - fixed.cost_constant)
        limits = self.mixture.means @ self.base - self.margins + slack
        program.at_most(fixed.validity, limits / self.terms)
        return Rows(program, fixed.cost, fixed.cost_constant, steps)

    @cached_property
    def _fixed_rows(self) -> FixedRows:
        """What is the same for every budget and slack, and so is put together once."""
        # +1 / −1 where y can only lie above / below y0, so that |y − y0| needs no helper column.
        sign = np.where(self.lower >= self.start, 1.0, np.where(self.upper <= self.start, -1.0, 0))
        open_sign = np.flatnonzero(sign == 0) if self.cost == "l1" else np.arange(0)
        program = ConeProgram()
        program.add("y", self.free.size, 1.0, self.start)
        program.add("e", open_sign.size)
        self._add_bounds(program)
        if self._equal:
            rows, limits = zip(*self._equal, strict=True)
            program.equal({"y": np.array(rows)}, limits)
        if self._at_most:
            rows, limits = zip(*self._at_most, strict=True)
            program.at_most({"y": np.array(rows)}, limits)
        if self._ellipsoid is not None:
            inside, constants = self._ellipsoid
            program.norm({"y": inside}, constants, {}, 1.0)
        cost, constant = self._add_cost(program, sign, open_sign)
        return FixedRows(program, cost, constant, self._add_validity(program), open_sign)

    def deviation(self, k: int) -> tuple[Array, Array]:
        """(R, c) with s_k(x) = ‖R y + c‖₂, at most one row more than free columns."""
        return self._deviations[k]

    def length_rows(self, k: int) -> tuple[Array, Array]:
        """(R, c) with √(xᵀM_k x) = ‖R y + c‖₂, at most one row more than free columns."""
        if self.doubt.factors is not None:
            return self._lengths_in_metric[k]
        n = self.free.size
        rows, constant = np.zeros((n + 1, n)), np.zeros(n + 1)
        rows[:n] = np.eye(n)
        constant[-1] = np.linalg.norm(self.base)
        return rows, constant

    @cached_property
    def _deviations(self) -> list[tuple[Array, Array]]:
        return self._seen(self.mixture.factors)

    @cached_property
    def _lengths_in_metric(self) -> list[tuple[Array, Array]]:
        if self.doubt.factors is self.mixture.factors:
            return self._deviations
        assert self.doubt.factors is not None
        return self._seen(self.doubt.factors)

    def _seen(self, factors: Array) -> list[tuple[Array, Array]]:
        """(R, c) with ‖F_kᵀ x‖₂ = ‖R y + c‖₂, for each F_k of (K, D, D)."""
        turned = factors.transpose(0, 2, 1)
        return _shortest(turned[:, :, self.free], turned @ self.base)

    def _collect(self, actions: Actions, bounds: ColumnBounds, x0: Array) -> None:
        """Groups and rules as rows over the free columns; constant rows are checked here."""
        if self.categories is None:
            for group in actions.groups:
                row = np.zeros(x0.size - 1)
                row[list(group)] = 1.0
                self._keep(row, 1.0, equality=True)
        for row, limit, equality in linear_rows(x0, actions, bounds):
            self._keep(row, limit, equality)

    def _collect_ellipsoid(self, plausible: PlausibleSet) -> None:
        """‖F(x − c)‖₂ ≤ size as one cone over the free columns, in units of its size."""
        factor = plausible.factor / plausible.size
        away = factor @ (self.base[:-1] - plausible.centre)
        ((rows, constant),) = _shortest(factor[None, :, self.free], away[None])
        if not rows.any():
            terms = float(np.linalg.norm(np.abs(factor) @ self._sizes))
            excess = float(np.linalg.norm(constant)) - 1.0
            self.empty = self.empty or excess > ROW_TOLERANCE * max(1.0, terms)
            return
        self._ellipsoid = (rows, constant)

    def _keep(self, row: Array, b: float, equality: bool) -> None:
        rest = b - float(row @ self.base[:-1])
        part = row[self.free]
        if part.any():
            (self._equal if equality else self._at_most).append((part, rest))
            if np.count_nonzero(part) == 1:
                self._narrow(part, rest, equality)
        else:
            tolerance = ROW_TOLERANCE * max(abs(b), float(np.abs(row) @ self._sizes))
            broken = abs(rest) > tolerance if equality else rest < -tolerance
            self.empty = self.empty or broken

    def _narrow(self, row: Array, rest: float, equality: bool) -> None:
        """Keep a rule on one free column when a solution is read; never at the box's expense."""
        c = int(np.flatnonzero(row)[0])
        limit = min(max(rest / row[c], self.lower[c]), self.upper[c])
        if equality or row[c] > 0.0:
            self._highest[c] = min(self._highest[c], limit)
        if equality or row[c] < 0.0:
            self._lowest[c] = max(self._lowest[c], limit)

    def _add_bounds(self, program: ConeProgram) -> None:
        identity = np.eye(self.free.size)
        below, above = np.isfinite(self.upper), np.isfinite(self.lower)
        if below.any():
            program.at_most({"y": identity[below]}, self.upper[below])
        if above.any():
            program.at_most({"y": -identity[above]}, -self.lower[above])

    def _add_cost(
        self, program: ConeProgram, sign: Array, open_sign: Places
    ) -> tuple[Parts, float]:
        if self.cost == "l1":
            if open_sign.size:
                change, excess = np.eye(self.free.size)[open_sign], -np.eye(open_sign.size)
                program.at_most({"y": change, "e": excess}, self.start[open_sign])
                program.at_most({"y": -change, "e": excess}, -self.start[open_sign])
            cost: Parts = {"y": sign * self.weights, "e": self.weights[open_sign]}
            return cost, self.fixed_cost - float((sign * self.weights) @ self.start)
        program.add("cost")
        moved = np.vstack([np.diag(self.weights), np.zeros(self.free.size)])
        offset = np.append(-self.weights * self.start, self.fixed_cost)
        program.norm({"y": moved}, offset, {"cost": 1.0})
        return {"cost": 1.0}, 0.0

    def _add_validity(self, program: ConeProgram) -> Array:
        """The rows of validity, (K, columns), over the blocks that they need."""
        rho, means = self.doubt.radii, self.mixture.means
        own = self.doubt.factors is not None
        for k in range(len(means)):
            if own and rho[k] or not own and rho.any() and k == 0:
                self.add_length(program, k)
            elif not own and ("length", 0) in program:
                program.alias(("length", k), ("length", 0))
        rows = np.zeros((len(means), program.columns))
        rows[:, : self.free.size] = -means[:, self.free] / self.terms[:, None]
        which, columns = program.columns_of([("length", k) for k in range(len(means))])
        rows[which, columns] = rho[which] / self.terms[which]
        return rows

    def add_length(self, program: ConeProgram, k: int) -> None:
        """Block ("length", k) ≥ √(xᵀM_k x), unless that is 0 for every x of the piece."""
        matrix, constant = self.length_rows(k)
        if constant.size:
            program.add(("length", k), 1, self.lengths[k])
            program.norm({"y": matrix}, constant, {("length", k): 1.0})


def _shortest(rows: Array, constants: Array) -> list[tuple[Array, Array]]:
    """(R, c) with ‖R y + c‖₂ = ‖rows[k] · y + constants[k]‖₂ for all y, in as few rows as possible.

    All k at once: for matrices this small most of the time is that of the call.
    """
    if constants.shape[1] > rows.shape[2] + 1:
        triangles: Array = np.linalg.qr(np.concatenate([rows, constants[:, :, None]], axis=2)).R
        rows, constants = triangles[:, :, :-1], triangles[:, :, -1]
    used = np.abs(rows).sum(axis=2) + np.abs(constants) > 0.0
    return [
        (matrix[kept], constant[kept])
        for matrix, constant, kept in zip(rows, constants, used, strict=True)
    ]
