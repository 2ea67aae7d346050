"""Fixed rows of a cone program, solved by Clarabel again and again for other objectives."""

from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import clarabel
import numpy as np

from dirrac_core.arrays import Array
from dirrac_core.errors import SolverFailure
from dirrac_core.progress import look_up

GAP_TOLERANCE = 1e-9
# What a point of full accuracy may miss a row by, far inside the tolerance of a checklist.
ROW_ACCURACY = 2e-7
# Ten times the accuracy Clarabel promises when it stops "almost solved".
ALMOST_TOLERANCE = 5e-4
# A proof that there is no point must hold up to this many sizes of the variables.
LEAST_REACH = 1e6

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
    `residual` is how far v misses the rows, relative to their size. "Infeasible" is proved for
    every v with |v − origin| < `reach`·size only: the proof is rounded too.
    """

    status: str
    v: Array
    value: float
    bound: float
    residual: float = 0.0
    reach: float = np.inf

    @property
    def usable(self) -> bool:
        """Whether `v` is a point of the program, to full or to reduced accuracy."""
        return self.status in (SOLVED, ALMOST)

    @property
    def accurate(self) -> bool:
        """Whether `v` misses no row by more than a trace, also when its objective might."""
        return self.usable and self.residual <= ROW_ACCURACY


class Columns(NamedTuple):
    """A sparse matrix by its columns, with the names the backend reads one of scipy by.

    Lists, and not a matrix of scipy: for matrices this small, making one and having it read takes
    as long as a third of the solve.
    """

    data: list[float]
    indices: list[int]
    indptr: list[int]
    shape: tuple[int, int]
    has_canonical_format: bool = True


class ConeSolver:
    """Fixed rows, solved again and again for another linear objective.

    `matrix` and `offset` belong to the solver from here on.
    """

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
        self._matrix, self._b = matrix, offset
        self._columns, self._rows = np.nonzero(matrix.T)
        self._entries = matrix[self._rows, self._columns]
        self._cones = cones
        self._backend: clarabel.DefaultSolver | None = None
        self._latest_unit = 1.0

    def rewrite(self, place: slice, rows: Array, offset: Array) -> None:
        """Other numbers in the rows at `place`, in the units of the backend."""
        same = bool(((rows != 0.0) == (self._matrix[place] != 0.0)).all())
        self._matrix[place], self._b[place] = rows, offset
        if not same:
            # The backend was made for entries in other places.
            self._columns, self._rows = np.nonzero(self._matrix.T)
            self._backend = None
        self._entries = self._matrix[self._rows, self._columns]
        if self._backend is not None:
            self._backend.update(A=self._entries.tolist(), b=self._b.tolist())

    def minimise(self, q: Array) -> ConeSolution:
        """Solve with the linear objective q."""
        look_up()
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
        solution = self._read(self._backend, inner)
        if solution.status in (ALMOST, FAILED):
            # Another scaling and more regularisation settle nearly all stalled solves.
            again = self._read(self._start(inner, unit, _settings(stalled=True)), inner)
            solution = again if again.status != FAILED else solution
        return ConeSolution(
            solution.status,
            self._origin + self._size * solution.v,
            constant + unit * solution.value,
            constant + unit * solution.bound,
            solution.residual,
            solution.reach,
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
        starts = np.searchsorted(self._columns, np.arange(q.size + 1))
        a = Columns(
            self._entries.tolist(), self._rows.tolist(), starts.tolist(), self._matrix.shape
        )
        return clarabel.DefaultSolver(p, q.tolist(), a, self._b.tolist(), self._cones, settings)

    def _pulled(self, z: Array) -> Array:
        """Aᵀz, summed in the order of the rows."""
        products = self._entries * z[self._rows]
        pulled = np.bincount(self._columns, products, self._matrix.shape[1])
        return np.asarray(pulled, dtype=np.float64)

    def _read(self, backend: clarabel.DefaultSolver, q: Array) -> ConeSolution:
        """The answer in the backend's units, for its objective q."""
        result = backend.solve()
        name = str(result.status)
        if name not in _STATUS:
            message = f"Clarabel's statuses are {', '.join(_STATUS)}, got {name}"
            raise SolverFailure(message)
        status, bound = _STATUS[name], float(result.obj_val_dual)
        reach = self._reach(np.array(result.z)) if status == INFEASIBLE else np.inf
        if reach < LEAST_REACH:
            status = FAILED
        v = np.array(result.x)
        error = ALMOST_TOLERANCE if status == ALMOST else GAP_TOLERANCE
        # A dual point that misses its own rows, q + Pv + Aᵀz = 0, promises too much by what is
        # missed, times the best point. Clarabel's own number is relative to v and z.
        largest = max(1.0, float(np.abs(v).max()))
        missed = q + (self._p / self._latest_unit) * v + self._pulled(np.array(result.z))
        bound -= error * max(1.0, abs(bound)) + float(np.abs(missed).sum()) * largest
        residual = float(result.r_prim) * largest
        return ConeSolution(status, v, float(result.obj_val), bound, residual, reach)

    def _reach(self, z: Array) -> float:
        """How far from the origin the certificate z of infeasibility excludes every point.

        A point v̂ has zᵀ(b − Av̂) ≥ 0, so (Aᵀz)ᵀv̂ ≤ bᵀz < 0: no v̂ with |v̂_j| < −bᵀz/‖Aᵀz‖₁ for all j.
        """
        missed = float(np.abs(self._pulled(z)).sum())
        return -float(self._b @ z) / missed if missed else np.inf


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


def _diagonal(entries: Array) -> Columns:
    places = list(range(entries.size + 1))
    return Columns(entries.tolist(), places[:-1], places, (entries.size, entries.size))


@cache
def _no_curvature(columns: int) -> Columns:
    """P of a linear objective."""
    return _diagonal(np.zeros(columns))
