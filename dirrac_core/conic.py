"""The one conic layer: cone programs in plain rows, solved by Clarabel.

A program is  minimise ½ vᵀPv + qᵀv  over v with rows of three kinds:
equalities A v = b, inequalities A v ≤ b and norms ‖(A v + b)[1:]‖₂ ≤ (A v + b)[0].
"""

from dataclasses import dataclass
from typing import Any

import clarabel
import numpy as np
from scipy import sparse

from dirrac_core.arrays import Array
from dirrac_core.errors import SolverFailure

GAP_TOLERANCE = 1e-9

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
    """What one solve gave; `bound` is the dual objective, a lower bound on the minimum."""

    status: str
    v: Array
    value: float
    bound: float

    @property
    def usable(self) -> bool:
        """Whether `v` is a point of the program, to full or to reduced accuracy."""
        return self.status in (SOLVED, ALMOST)


class ConeProgram:
    """Collects rows over `columns` variables; `solver()` fixes them for repeated solves."""

    def __init__(self, columns: int) -> None:
        self.columns = columns
        self._equal: list[tuple[Array, Array]] = []
        self._at_most: list[tuple[Array, Array]] = []
        self._norm: list[tuple[Array, Array]] = []

    def copy(self) -> "ConeProgram":
        """An independent program with the same rows, to which more can be added."""
        twin = ConeProgram(self.columns)
        twin._equal = list(self._equal)
        twin._at_most = list(self._at_most)
        twin._norm = list(self._norm)
        return twin

    def add_columns(self, count: int) -> int:
        """Append `count` variables; the number of the first is returned."""
        first = self.columns
        self.columns += count
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

    def homogenised(self) -> "ConeProgram":
        """The same rows for v = u/t over (u, t), t ≥ 0: every b becomes the column of t."""
        cone = ConeProgram(self.columns + 1)
        for rows, b in self._equal:
            cone.equal(np.column_stack([_padded(rows, self.columns), -b]), np.zeros(len(b)))
        for rows, b in self._at_most:
            cone.at_most(np.column_stack([_padded(rows, self.columns), -b]), np.zeros(len(b)))
        for rows, b in self._norm:
            cone.norm(np.column_stack([_padded(rows, self.columns), b]), np.zeros(len(b)))
        sign = np.zeros(self.columns + 1)
        sign[-1] = -1.0
        cone.at_most(sign, 0.0)
        return cone

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
        return ConeSolver(matrix, offset, cones, quadratic)


class ConeSolver:
    """Fixed rows, solved again and again for another linear objective."""

    def __init__(
        self, matrix: Array, offset: Array, cones: list[Any], quadratic: Array | None
    ) -> None:
        columns = matrix.shape[1]
        self.solves = 0
        p = np.zeros(columns) if quadratic is None else quadratic
        entries = np.arange(columns + 1)
        self._p = sparse.csc_array((p, entries[:-1], entries), shape=(columns, columns))
        self._a = _compressed(matrix)
        self._b = offset
        self._cones = cones
        self._backend: clarabel.DefaultSolver | None = None

    def minimise(self, q: Array) -> ConeSolution:
        """Solve with the linear objective q."""
        self.solves += 1
        if not q.size:
            return self._without_variables()
        if self._backend is None:
            self._backend = self._start(q, _settings())
        else:
            self._backend.update(q=q)
        solution = self._read(self._backend)
        if solution.status in (SOLVED, INFEASIBLE, UNBOUNDED):
            return solution
        # A second opinion with shorter, more careful steps settles nearly all stalled solves.
        careful = self._read(self._start(q, _settings(careful=True)))
        return careful if careful.status != FAILED else solution

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

    def _start(self, q: Array, settings: object) -> clarabel.DefaultSolver:
        return clarabel.DefaultSolver(self._p, q, self._a, self._b, self._cones, settings)

    @staticmethod
    def _read(backend: clarabel.DefaultSolver) -> ConeSolution:
        result = backend.solve()
        name = str(result.status)
        if name not in _STATUS:
            message = f"Clarabel's statuses are {', '.join(_STATUS)}, got {name}"
            raise SolverFailure(message)
        return ConeSolution(
            _STATUS[name], np.array(result.x), float(result.obj_val), float(result.obj_val_dual)
        )


def _settings(careful: bool = False) -> object:
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.max_threads = 1
    settings.tol_gap_abs = settings.tol_gap_rel = GAP_TOLERANCE
    # Presolve drops rows, and a solver without them cannot be updated in place.
    settings.presolve_enable = False
    if careful:
        settings.max_step_fraction = 0.9
        settings.static_regularization_constant = 1e-10
        settings.iterative_refinement_max_iter = 50
        settings.equilibrate_max_iter = 50
    return settings


def _compressed(matrix: Array) -> sparse.csc_array:
    columns, rows = np.nonzero(matrix.T)
    starts = np.searchsorted(columns, np.arange(matrix.shape[1] + 1))
    return sparse.csc_array((matrix[rows, columns], rows, starts), shape=matrix.shape)


def _padded(rows: Array, columns: int) -> Array:
    missing = columns - rows.shape[1]
    return np.pad(rows, ((0, 0), (0, missing))) if missing else rows
