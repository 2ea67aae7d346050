"""Small systems and sums, one for each person, all at once: (n, n, people).

In numpy, or as compiled loops with the same digits after `compile_loops`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array

Values = TypeVar("Values", bound=npt.NDArray[Any])


class _Loops:
    """The compiled loops of this process, once they are loaded."""

    module: ModuleType | None = None


def compile_loops() -> bool:
    """Use compiled loops from now on in this process; False where numba is not installed.

    Loading them takes about a second, and compiling them the first time about ten: worth it for
    tens of thousands of plans. No answer changes.
    """
    if _Loops.module is None and find_spec("numba") is not None:
        _Loops.module = import_module("dirrac_core.solvers.batch.loops")
    return _Loops.module is not None


@contextmanager
def loops(compiled: bool) -> Iterator[None]:
    """Inside, compiled loops (which must be there) or plain numpy; no answer changes."""
    before = _Loops.module
    _Loops.module = import_module("dirrac_core.solvers.batch.loops") if compiled else None
    try:
        yield
    finally:
        _Loops.module = before


def _plain(*arrays: Array) -> tuple[Array, ...]:
    """The arrays as the loops are compiled for: contiguous and their own."""
    plain = (np.ascontiguousarray(each) for each in arrays)
    return tuple(each if each.flags.writeable else each.copy() for each in plain)


def factor(matrix: Array) -> Array:
    """L with M = LLᵀ (Cholesky), in the lower triangle; NaN for who has no positive pivot."""
    if _Loops.module is not None:
        found: Array = _Loops.module.factor(*_plain(matrix))
        return found
    n = matrix.shape[0]
    root = np.zeros_like(matrix)
    for j in range(n):
        pivot = matrix[j, j] - (root[j, :j] * root[j, :j]).sum(axis=0)
        root[j, j] = np.sqrt(np.where(pivot > 0.0, pivot, np.nan))
        below = matrix[j + 1 :, j] - (root[j + 1 :, :j] * root[j, :j]).sum(axis=1)
        root[j + 1 :, j] = below / root[j, j]
    return root


def substitute(root: Array, b: Array) -> Array:
    """x with LLᵀx = b; b is (n, people)."""
    if _Loops.module is not None:
        found: Array = _Loops.module.substitute(*_plain(root, b))
        return found
    n = root.shape[0]
    x = b.copy()
    for i in range(n):
        x[i] = (x[i] - (root[i, :i] * x[:i]).sum(axis=0)) / root[i, i]
    for i in range(n - 1, -1, -1):
        x[i] = (x[i] - (root[i + 1 :, i] * x[i + 1 :]).sum(axis=0)) / root[i, i]
    return x


def picked(values: Values, who: npt.NDArray[Any]) -> Values:
    """Some of the people, by place or mask, with the people still next to each other in memory.

    numpy adds up along an axis in an order that depends on how the array lies there, and
    `values[..., who]` may lie in another way than `values`.
    """
    places = np.flatnonzero(who) if who.dtype == np.bool_ else who
    return np.take(values, places, axis=-1)  # type: ignore[return-value]


def summed(values: Array, axis: int) -> Array:
    """The sum over an axis other than that of the people, in the same order for any number of them.

    numpy adds up a single person's terms in another order than those of several.
    """
    values = np.ascontiguousarray(values)
    if values.shape[-1] != 1:
        total: Array = values.sum(axis=axis)
        return total
    twice: Array = np.repeat(values, 2, axis=-1).sum(axis=axis)
    return twice[..., :1]


def combined(rows: Array, x: Array) -> Array:
    """rows · x for (m, n, people) rows and (n, people) x: (m, people)."""
    if _Loops.module is not None:
        found: Array = _Loops.module.combined(*_plain(rows, x))
        return found
    total: Array = (rows * x).sum(axis=1)
    return total


def weighted(rows: Array, prices: Array) -> Array:
    """Σ_i prices_i · rows_i for (m, n, people) rows and (m, people) prices: (n, people)."""
    if _Loops.module is not None:
        found: Array = _Loops.module.weighted(*_plain(rows, prices))
        return found
    total: Array = (rows * prices[:, None]).sum(axis=0)
    return total


def applied(matrix: Array, x: Array) -> Array:
    """matrix · x for one (m, n) matrix and (n, people) x: (m, people)."""
    if _Loops.module is not None:
        found: Array = _Loops.module.applied(*_plain(matrix, x))
        return found
    return summed(np.ascontiguousarray(matrix)[:, :, None] * np.ascontiguousarray(x), 1)


def add_squares(matrix: Array, rows: Array, weights: Array) -> None:
    """Add Σ_i weights_i · rows_i rows_iᵀ to the (n, n, people) matrix, in place."""
    if _Loops.module is not None:
        _Loops.module.add_squares(matrix, *_plain(rows, weights))
        return
    for row, weight in zip(rows, weights, strict=True):
        matrix += (weight * row)[:, None] * row[None]


def add_scaled(matrix: Array, weight: Array, square: Array) -> None:
    """Add weight · square of one (n, n) matrix to the leading columns, in place."""
    n = square.shape[0]
    if _Loops.module is not None:
        _Loops.module.add_scaled(matrix, *_plain(weight, square))
        return
    matrix[:n, :n] += weight * square[:, :, None]


def add_bend(matrix: Array, weight: Array, square: Array, slope: Array) -> None:
    """Add weight · (square − slope slopeᵀ), slope (n, people), to the leading columns, in place."""
    n = square.shape[0]
    if _Loops.module is not None:
        _Loops.module.add_bend(matrix, *_plain(weight, square, slope))
        return
    matrix[:n, :n] += weight * (square[:, :, None] - slope[:, None] * slope[None])
