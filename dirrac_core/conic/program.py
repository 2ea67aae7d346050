"""Cone programs over named blocks: minimise ½ vᵀPv + qᵀv over v with rows of three kinds.

Equalities A v = b, inequalities A v ≤ b and norms ‖R v + c‖₂ ≤ tᵀv + d. The variables come in
blocks with names, and every row is written as `Parts`, what it holds in each block: {"y": means,
("q", k): −1} is meansᵀy − q_k.

The backend's accuracy is absolute, so it is given the program in units of its own: variable j is
measured in `size` from `origin` (v = origin + size·v̂), every row is divided by its largest
entry, and so is the objective.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any

import clarabel
import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array
from dirrac_core.conic.solver import ConeSolver

Places = npt.NDArray[np.intp]
# A block is called by a word, or by a word and the number of a component.
Name = Hashable
# A number or a row for one row, a matrix for several; blocks that are not named hold zeros.
Parts = Mapping[Any, npt.ArrayLike]


class ConeProgram:
    """Collects blocks of variables and rows over them; `solver()` fixes both for many solves."""

    def __init__(self) -> None:
        self.columns = 0
        self._blocks: dict[Name, slice] = {}
        self._size: dict[Name, Array] = {}
        self._origin: dict[Name, Array] = {}
        self._equal: list[tuple[Array, Array]] = []
        self._at_most: list[tuple[Array, Array]] = []
        self._norm: list[tuple[Array, Array]] = []

    def copy(self) -> "ConeProgram":
        """An independent program with the same rows, to which more can be added."""
        twin = ConeProgram()
        twin.columns = self.columns
        twin._blocks = dict(self._blocks)
        twin._size, twin._origin = dict(self._size), dict(self._origin)
        twin._equal = list(self._equal)
        twin._at_most = list(self._at_most)
        twin._norm = list(self._norm)
        return twin

    @property
    def size(self) -> Array:
        """How large each variable is."""
        return np.concatenate([np.zeros(0), *self._size.values()])

    @property
    def origin(self) -> Array:
        """The value each variable is measured from."""
        return np.concatenate([np.zeros(0), *self._origin.values()])

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
        self._size[name] = np.full(count, size)
        self._origin[name] = np.full(count, origin)

    def resize(self, name: Name, size: Array | float) -> None:
        """Another size of the variables of a block, for the same rows."""
        self._size[name] = np.full(len(self._size[name]), size)

    def alias(self, name: Name, of: Name) -> None:
        """A second name for a block."""
        self._blocks[name] = self._blocks[of]

    def __contains__(self, name: Name) -> bool:
        return name in self._blocks

    def columns_of(self, names: Sequence[Name]) -> tuple[Places, Places]:
        """Which of the names have a block, and the first column of each that has."""
        there = [i for i, name in enumerate(names) if name in self._blocks]
        columns = [self._blocks[names[i]].start for i in there]
        return np.array(there, dtype=np.intp), np.array(columns, dtype=np.intp)

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

    def at_most(self, parts: Parts | Array, b: npt.ArrayLike) -> None:
        """parts · v ≤ b; rows over all variables may come as they are."""
        limits = np.atleast_1d(np.asarray(b, dtype=float))
        self._at_most.append((self._rows(parts, limits.size), limits))

    def norm(
        self, parts: Parts, constant: npt.ArrayLike, top: Parts, top_constant: float = 0.0
    ) -> None:
        """‖parts · v + constant‖₂ ≤ top · v + top_constant."""
        inside = np.atleast_1d(np.asarray(constant, dtype=float))
        rows = np.zeros((1 + inside.size, self.columns))
        self._fill(rows[:1], top)
        self._fill(rows[1:], parts)
        self._norm.append((rows, np.concatenate([[top_constant], inside])))

    def _rows(self, parts: Parts | Array, height: int) -> Array:
        if isinstance(parts, np.ndarray):
            return parts
        rows = np.zeros((height, self.columns))
        self._fill(rows, parts)
        return rows

    def _fill(self, rows: Array, parts: Parts) -> None:
        for name, values in parts.items():
            rows[:, self._blocks[name]] += np.asarray(values, dtype=float)

    def homogenised(self, t: Name, size: float = 1.0) -> "ConeProgram":
        """The same rows for v = origin + u/t over (u, t), t ≥ 0: every b becomes a column of t.

        Block `t` is the last; `size` is how large it is.
        """
        cone = ConeProgram()
        cone._blocks = dict(self._blocks)
        cone.columns = self.columns
        cone._size = {name: size * own for name, own in self._size.items()}
        cone._origin = {name: np.zeros_like(own) for name, own in self._origin.items()}
        cone.add(t, 1, size)
        cone._equal = [self._with_t(*row) for row in self._one_by_one(self._equal)]
        cone._at_most = [self._with_t(*row) for row in self._one_by_one(self._at_most)]
        cone._norm = [self._with_t(rows, b) for rows, b in self._norm]
        cone.at_most({t: -1.0}, 0.0)
        return cone

    def _one_by_one(self, blocks: list[tuple[Array, Array]]) -> Iterator[tuple[Array, Array]]:
        """Row by row, rows · v − b: the last digit is then the same however rows were added."""
        for rows, b in blocks:
            for i in range(len(b)):
                yield rows[i : i + 1], -b[i : i + 1]

    def _with_t(self, rows: Array, b: Array) -> tuple[Array, Array]:
        """rows · v + b, times t, as rows over (u, t) without a constant."""
        at_origin = rows @ self.origin[: rows.shape[1]] + b
        missing = np.zeros((len(b), self.columns - rows.shape[1]))
        return np.column_stack([rows, missing, at_origin]), np.zeros(len(b))

    def solver(self, quadratic: Array | None = None) -> ConeSolver:
        """A solver for these rows; `quadratic` is the diagonal of P."""
        return self.solver_of(*self.stacked(), quadratic)

    def stacked(self) -> tuple[Array, Array]:
        """(A, b) of all rows in the units they were given in: equalities, inequalities, norms."""
        blocks = [*self._equal, *self._at_most]
        height = sum(len(b) for _, b in blocks) + sum(len(b) for _, b in self._norm)
        matrix = np.zeros((height, self.columns))
        offset = np.empty(height)
        top = 0
        for rows, b in blocks:
            matrix[top : top + len(b), : rows.shape[1]] = rows
            offset[top : top + len(b)] = b
            top += len(b)
        for rows, b in self._norm:
            np.negative(rows, out=matrix[top : top + len(b), : rows.shape[1]])
            offset[top : top + len(b)] = b
            top += len(b)
        return matrix, offset

    def last_inequalities(self, count: int) -> slice:
        """Where the inequalities added last are among the `stacked` rows."""
        end = sum(len(b) for _, b in (*self._equal, *self._at_most))
        return slice(end - count, end)

    def solver_of(self, matrix: Array, offset: Array, quadratic: Array | None = None) -> ConeSolver:
        """A solver for the `stacked` rows, which become its own."""
        cones: list[Any] = []
        norms = [len(b) for _, b in self._norm]
        equal = sum(len(b) for _, b in self._equal)
        at_most = len(offset) - equal - sum(norms)
        if equal:
            cones.append(clarabel.ZeroConeT(equal))
        if at_most:
            cones.append(clarabel.NonnegativeConeT(at_most))
        cones += [clarabel.SecondOrderConeT(norm) for norm in norms]
        size, origin = self.size, self.origin
        if self.columns:
            offset -= matrix @ origin
            rescale(matrix, offset, size, norms)
        return ConeSolver(matrix, offset, cones, quadratic, size, origin)


def rescale(matrix: Array, offset: Array, size: Array, norms: Sequence[int] = ()) -> None:
    """Rewrite A v ≤ b, in place, for v̂ with v = size·v̂ and rows of size 1.

    The rows of one norm, which come last, share one factor.
    """
    matrix *= size
    largest = np.maximum(np.abs(matrix).max(axis=1), np.abs(offset))
    if norms:
        first = len(offset) - sum(norms)
        starts = first + np.cumsum([0, *norms[:-1]])
        largest[first:] = np.repeat(np.maximum.reduceat(largest, starts), norms)
    largest[largest == 0.0] = 1.0
    matrix /= largest[:, None]
    offset /= largest
