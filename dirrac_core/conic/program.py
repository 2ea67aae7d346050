"""Cone programs in plain rows: minimise ½ vᵀPv + qᵀv over v with rows of three kinds.

Equalities A v = b, inequalities A v ≤ b and norms ‖(A v + b)[1:]‖₂ ≤ (A v + b)[0].
The backend's accuracy is absolute, so it is given the program in units of its own: variable j is
measured in `size` from `origin` (v = origin + size·v̂), every row is divided by its largest
entry, and so is the objective.
"""

from typing import Any

import clarabel
import numpy as np

from dirrac_core.arrays import Array
from dirrac_core.conic.solver import ConeSolver


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

    def solver(self, quadratic: Array | None = None) -> ConeSolver:
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
