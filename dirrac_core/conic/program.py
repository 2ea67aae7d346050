"""Cone programs over named blocks: minimise ½ vᵀPv + qᵀv over v with rows of three kinds.

Equalities A v = b, inequalities A v ≤ b and norms ‖R v + c‖₂ ≤ tᵀv + d. The variables come in
blocks with names, and every row is written as `Parts`, what it holds in each block: {"y": means,
("q", k): −1} is meansᵀy − q_k.

The backend's accuracy is absolute, so it is given the program in units of its own: variable j is
measured in `size` from `origin` (v = origin + size·v̂), every row is divided by its largest
entry, and so is the objective.
"""

from collections.abc import Hashable, Mapping
from typing import Any

import clarabel
import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array
from dirrac_core.conic.solver import ConeSolver

# A block is called by a word, or by a word and the number of a component.
Name = Hashable
# A number or a row for one row, a matrix for several; blocks that are not named hold zeros.
Parts = Mapping[Any, npt.ArrayLike]


class ConeProgram:
    """Collects blocks of variables and rows over them; `solver()` fixes both for many solves."""

    def __init__(self) -> None:
        self.columns = 0
        self._blocks: dict[Name, slice] = {}
        self._size: list[Array] = []
        self._origin: list[Array] = []
        self._equal: list[tuple[Array, Array]] = []
        self._at_most: list[tuple[Array, Array]] = []
        self._norm: list[tuple[Array, Array]] = []

    def copy(self) -> "ConeProgram":
        """An independent program with the same rows, to which more can be added."""
        twin = ConeProgram()
        twin.columns = self.columns
        twin._blocks = dict(self._blocks)
        twin._size, twin._origin = list(self._size), list(self._origin)
        twin._equal = list(self._equal)
        twin._at_most = list(self._at_most)
        twin._norm = list(self._norm)
        return twin

    @property
    def size(self) -> Array:
        """How large each variable is."""
        return np.concatenate([np.zeros(0), *self._size])

    @property
    def origin(self) -> Array:
        """The value each variable is measured from."""
        return np.concatenate([np.zeros(0), *self._origin])

    def add(
        self,
        name: Name,
        count: int = 1,
        size: Array | float = 1.0,
        origin: Array | float = 0.0,
    ) -> None:
        """Append a block of `count` variables.

        `size` and `origin` (one number each, or one per variable) say how large the variables are
        and around which values they lie. They change no answer, only how accurate it is.
        """
        self._blocks[name] = slice(self.columns, self.columns + count)
        self.columns += count
        self._size.append(np.full(count, size))
        self._origin.append(np.full(count, origin))

    def alias(self, name: Name, of: Name) -> None:
        """A second name for a block."""
        self._blocks[name] = self._blocks[of]

    def __contains__(self, name: Name) -> bool:
        return name in self._blocks

    def part(self, v: Array, name: Name) -> Array:
        """The entries of one block in a vector over all variables."""
        part: Array = v[self._blocks[name]]
        return part

    def row(self, parts: Parts) -> Array:
        """One row over all variables, such as an objective."""
        row: Array = self._rows(parts, 1)[0]
        return row

    def equal(self, parts: Parts, b: npt.ArrayLike) -> None:
        """parts · v = b."""
        limits = np.atleast_1d(np.asarray(b, dtype=float))
        self._equal.append((self._rows(parts, limits.size), limits))

    def at_most(self, parts: Parts, b: npt.ArrayLike) -> None:
        """parts · v ≤ b."""
        limits = np.atleast_1d(np.asarray(b, dtype=float))
        self._at_most.append((self._rows(parts, limits.size), limits))

    def norm(
        self, parts: Parts, constant: npt.ArrayLike, top: Parts, top_constant: float = 0.0
    ) -> None:
        """‖parts · v + constant‖₂ ≤ top · v + top_constant."""
        inside = np.atleast_1d(np.asarray(constant, dtype=float))
        rows = np.vstack([self._rows(top, 1), self._rows(parts, inside.size)])
        self._norm.append((rows, np.concatenate([[top_constant], inside])))

    def _rows(self, parts: Parts, height: int) -> Array:
        rows = np.zeros((height, self.columns))
        for name, values in parts.items():
            rows[:, self._blocks[name]] += np.asarray(values, dtype=float)
        return rows

    def homogenised(self, t: Name, size: float = 1.0) -> "ConeProgram":
        """The same rows for v = origin + u/t over (u, t), t ≥ 0: every b becomes a column of t.

        Block `t` is the last; `size` is how large it is.
        """
        cone = ConeProgram()
        cone._blocks = dict(self._blocks)
        cone.columns = self.columns
        cone._size, cone._origin = [size * self.size], [np.zeros(self.columns)]
        cone.add(t, 1, size)
        cone._equal = [self._with_t(rows, -b) for rows, b in self._equal]
        cone._at_most = [self._with_t(rows, -b) for rows, b in self._at_most]
        cone._norm = [self._with_t(rows, b) for rows, b in self._norm]
        cone.at_most({t: -1.0}, 0.0)
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
