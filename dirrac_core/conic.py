"""The one conic layer: cone programs in plain rows, solved by Clarabel.

A program is  minimise ½ vᵀPv + qᵀv  over v with rows of three kinds:
equalities A v = b, inequalities A v ≤ b and norms ‖(A v + b)[1:]‖₂ ≤ (A v + b)[0].

The backend's accuracy is absolute, so it is given the program in units of its own: variable j is
measured in `size` from `origin` (v = origin + size·v̂), every row is divided by its largest
entry, and so is the objective.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

import clarabel
import numpy as np
from scipy import sparse

from dirrac_core.arrays import Array
from dirrac_core.errors import SolverFailure

GAP_TOLERANCE = 1e-9
# What a point of full accuracy may miss a row by, far inside the tolerance of a checklist.
ROW_ACCURACY = 2e-7
# Ten times the accuracy Clarabel promises when it stops "almost solved".
ALMOST_TOLERANCE = 5e-4

SOLVED, ALMOST, INFEASIBLE, UNBOUNDED, FAILED = (
    "solved",
    "almost solved",
    "infeasible",
    "unbounded",
    "failed",
)
_STATUS = {
    "Solved": SOLVED,
    "AlmostSolved": ALMOST,
    "PrimalInfeasible": INFEASIBLE,
    "AlmostPrimalInfeasible": INFEASIBLE,
    "DualInfeasible": UNBOUNDED,
    "AlmostDualInfeasible": UNBOUNDED,
    "MaxIterations": FAILED,
    "MaxTime": FAILED,
    "NumericalError": FAILED,
    "InsufficientProgress": FAILED,
    "CallbackTerminated": FAILED,
    "Unsolved": FAILED,
}


@dataclass(frozen=True, eq=False)
class ConeSolution:
    """What one solve gave; `bound` is a lower bound on the minimum.

    It is the dual objective, less its possible error.
    `residual` is how far v misses the rows, relative to their size.
    """

    status: str
    v: Array
    value: float
    bound: float
    residual: float = 0.0

    @property
    def usable(self) -> bool:
        """Whether `v` is a point of the program, to full or to reduced accuracy."""
        return self.status in (SOLVED, ALMOST)

    @property
    def accurate(self) -> bool:
        """Whether `v` misses no row by more than a trace, also when its objective might."""
        return self.usable and self.residual <= ROW_ACCURACY


class ConeProgram:
    """Collects rows over `columns` variables; `solver()` fixes them for repeated solves.

    `size` and `origin` (one number each, or one a column) say how large the variables are and
    around which values they lie. They change no answer, only how accurate it is.
    """

    def __init__(
        self, columns: int, size: Array | float = 1.0, origin: Array | float = 0.0
    ) -> None:
        self.columns = columns
        self._size = [np.full(columns, size)]
        self._origin = [np.full(columns, origin)]
        self._equal: list[tuple[Array, Array]] = []
        self._at_most: list[tuple[Array, Array]] = []
        self._norm: list[tuple[Array, Array]] = []

    def copy(self) -> "ConeProgram":
        """An independent program with the same rows, to which more can be added."""
        twin = ConeProgram(0)
        twin.columns = self.columns
        twin._size, twin._origin = list(self._size), list(self._origin)
        twin._equal = list(self._equal)
        twin._at_most = list(self._at_most)
        twin._norm = list(self._norm)
        return twin

    @property
    def size(self) -> Array:
        """How large each variable is."""
        return np.concatenate(self._size)

    @property
    def origin(self) -> Array:
        """The value each variable is measured from."""
        return np.concatenate(self._origin)

    def add_columns(self, count: int, size: Array | float = 1.0) -> int:
        """Append `count` variables; the number of the first is returned."""
        first = self.columns
        self.columns += count
        self._size.append(np.full(count, size))
        self._origin.append(np.zeros(count))
        return first

    def equal(self, rows: Array, b: Array) -> None:
        """rows · v = b."""
        self._equal.append((np.atleast_2d(rows), np.atleast_1d(b)))

    def at_most(self, rows: Array, b: Array | float) -> None:
        """rows · v ≤ b."""
        self._at_most.append((np.atleast_2d(rows), np.atleast_1d(b)))

    def norm(self, rows: Array, b: Array) -> None:
        """‖(rows · v + b)[1:]‖₂ ≤ (rows · v + b)[0]."""
        self._norm.append((rows, b))

    def homogenised(self, size: float = 1.0) -> "ConeProgram":
        """The same rows for v = origin + u/t over (u, t), t ≥ 0: every b becomes a column of t.

        `size` is how large t is.
        """
        cone = ConeProgram(self.columns + 1, np.append(size * self.size, size))
        for rows, b in self._equal:
            cone.equal(*self._with_t(rows, -b))
        for rows, b in self._at_most:
            cone.at_most(*self._with_t(rows, -b))
        for rows, b in self._norm:
            cone.norm(*self._with_t(rows, b))
        sign = np.zeros(self.columns + 1)
        sign[-1] = -1.0
        cone.at_most(sign, 0.0)
        return cone

    def _with_t(self, rows: Array, b: Array) -> tuple[Array, Array]:
        """rows · v + b, times t, as rows over (u, t) without a constant."""
        at_origin = rows @ self.origin[: rows.shape[1]] + b
        missing = np.zeros((len(b), self.columns - rows.shape[1]))
        return np.column_stack([rows, missing, at_origin]), np.zeros(len(b))

    def solver(self, quadratic: Array | None = None) -> "ConeSolver":
        """A solver for these rows; `quadratic` is the diagonal of P."""
        blocks = [*self._equal, *self._at_most, *((-rows, b) for rows, b in self._norm)]
        height = sum(len(b) for _, b in blocks)
        matrix = np.zeros((height, self.columns))
        offset = np.empty(height)
        top = 0
        for rows, b in blocks:
            matrix[top : top + len(b), : rows.shape[1]] = rows
            offset[top : top + len(b)] = b
            top += len(b)
        cones: list[Any] = []
        equal = sum(len(b) for _, b in self._equal)
        at_most = sum(len(b) for _, b in self._at_most)
        if equal:
            cones.append(clarabel.ZeroConeT(equal))
        if at_most:
            cones.append(clarabel.NonnegativeConeT(at_most))
        cones += [clarabel.SecondOrderConeT(len(b)) for _, b in self._norm]
        size, origin = self.size, self.origin
        if self.columns:
            _rescale(matrix, offset, size, origin, [len(b) for _, b in self._norm])
        return ConeSolver(matrix, offset, cones, quadratic, size, origin)


class ConeSolver:
    """Fixed rows, solved again and again for another linear objective."""

    def __init__(
        self,
        matrix: Array,
        offset: Array,
        cones: list[Any],
        quadratic: Array | None,
        size: Array,
        origin: Array,
    ) -> None:
        columns = matrix.shape[1]
        self.solves = 0
        self._size, self._origin = size, origin
        curvature = np.zeros(columns) if quadratic is None else quadratic
        self._p = curvature * size * size
        # With v = origin + size·v̂ the objective is a constant + q̂ᵀv̂ + ½ v̂ᵀP̂v̂, q̂ = size·(q + Po).
        self._bend = curvature * origin
        self._steepest = float(self._p.max(initial=0.0))
        self._a = _compressed(matrix)
        self._b = offset
        self._cones = cones
        self._backend: clarabel.DefaultSolver | None = None
        self._latest_unit = 0.0

    def minimise(self, q: Array) -> ConeSolution:
        """Solve with the linear objective q."""
        self.solves += 1
        if not q.size:
            return self._without_variables()
        inner = (q + self._bend) * self._size
        constant = float((q + 0.5 * self._bend) @ self._origin)
        unit = max(float(np.abs(inner).max()), self._steepest) or 1.0
        inner /= unit
        if self._backend is None:
            self._backend = self._start(inner, unit, _settings())
        elif self._steepest and unit != self._latest_unit:
            self._backend.update(P=self._p / unit, q=inner)
        else:
            self._backend.update(q=inner)
        self._latest_unit = unit
        solution = self._read(self._backend)
        if solution.status in (ALMOST, FAILED):
            # Another scaling and more regularisation settle nearly all stalled solves.
            again = self._read(self._start(inner, unit, _settings(stalled=True)))
            solution = again if again.status != FAILED else solution
        return ConeSolution(
            solution.status,
            self._origin + self._size * solution.v,
            constant + unit * solution.value,
            constant + unit * solution.bound,
            solution.residual,
        )

    def _without_variables(self) -> ConeSolution:
        """The rows are constants: they hold or they do not."""
        holds, top = True, 0
        for cone in self._cones:
            size = cone.dim
            part = self._b[top : top + size]
            if isinstance(cone, clarabel.ZeroConeT):
                excess = float(np.abs(part).max())
            elif isinstance(cone, clarabel.NonnegativeConeT):
                excess = float(-part.min())
            else:
                excess = float(np.linalg.norm(part[1:]) - part[0])
            holds = holds and excess <= GAP_TOLERANCE * max(1.0, float(np.abs(part).max()))
            top += size
        return ConeSolution(SOLVED if holds else INFEASIBLE, np.zeros(0), 0.0, 0.0)

    def _start(self, q: Array, unit: float, settings: object) -> clarabel.DefaultSolver:
        p = _diagonal(self._p / unit) if self._steepest else _no_curvature(q.size)
        return clarabel.DefaultSolver(p, q, self._a, self._b, self._cones, settings)

    @staticmethod
    def _read(backend: clarabel.DefaultSolver) -> ConeSolution:
        """The answer in the backend's units."""
        result = backend.solve()
        name = str(result.status)
        if name not in _STATUS:
            message = f"Clarabel's statuses are {', '.join(_STATUS)}, got {name}"
            raise SolverFailure(message)
        status, bound = _STATUS[name], float(result.obj_val_dual)
        v = np.array(result.x)
        error = ALMOST_TOLERANCE if status == ALMOST else GAP_TOLERANCE
        # A dual point that misses its own rows promises too much by about so much at v.
        missed = float(result.r_dual) * max(1.0, float(np.linalg.norm(v)))
        bound -= error * max(1.0, abs(bound)) + missed
        # Clarabel's residual is relative to v, which may be far from the size expected of it.
        residual = float(result.r_prim) * max(1.0, float(np.abs(v).max()))
        return ConeSolution(status, v, float(result.obj_val), bound, residual)


def _settings(stalled: bool = False) -> object:
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.max_threads = 1
    settings.tol_gap_abs = settings.tol_gap_rel = GAP_TOLERANCE
    # Presolve drops rows, and a solver without them cannot be updated in place.
    settings.presolve_enable = False
    # The program is scaled already; scaling it again costs iterations and accuracy.
    settings.equilibrate_enable = stalled
    if stalled:
        settings.static_regularization_constant = 1e-7
    return settings


def _rescale(matrix: Array, offset: Array, size: Array, origin: Array, norms: list[int]) -> None:
    """Rewrite A v ≤ b, in place, for v̂ with v = origin + size·v̂ and rows of size 1.

    The rows of one norm, which come last, share one factor.
    """
    offset -= matrix @ origin
    matrix *= size
    largest = np.maximum(np.abs(matrix).max(axis=1), np.abs(offset))
    if norms:
        first = len(offset) - sum(norms)
        starts = first + np.cumsum([0, *norms[:-1]])
        largest[first:] = np.repeat(np.maximum.reduceat(largest, starts), norms)
    largest[largest == 0.0] = 1.0
    matrix /= largest[:, None]
    offset /= largest


def _diagonal(entries: Array) -> sparse.csc_array:
    places = np.arange(entries.size + 1)
    return sparse.csc_array((entries, places[:-1], places), shape=(entries.size, entries.size))


@cache
def _no_curvature(columns: int) -> sparse.csc_array:
    """P of a linear objective; kept, because making one takes as long as scaling the rows."""
    return _diagonal(np.zeros(columns))


def _compressed(matrix: Array) -> sparse.csc_array:
    columns, rows = np.nonzero(matrix.T)
    starts = np.searchsorted(columns, np.arange(matrix.shape[1] + 1))
    return sparse.csc_array((matrix[rows, columns], rows, starts), shape=matrix.shape)
