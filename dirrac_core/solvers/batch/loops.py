"""The array operations of `linear` as compiled loops: same order of sums, hence the same digits.

Imported only on request, because numba is an optional extra that takes a second to load. Compiled
code is kept in the cache of this folder, or of the user where the folder is read-only.
"""

import numba
import numpy as np

from dirrac_core.arrays import Array

compiled = numba.njit(cache=True, nogil=True, error_model="numpy")


@compiled
def factor(matrix: Array) -> Array:
    """See `linear.factor`."""
    n, _, people = matrix.shape
    root = np.zeros((n, n, people))
    total = np.empty(people)
    for j in range(n):
        total[:] = 0.0
        for k in range(j):
            for p in range(people):
                total[p] += root[j, k, p] * root[j, k, p]
        for p in range(people):
            pivot = matrix[j, j, p] - total[p]
            root[j, j, p] = np.sqrt(pivot) if pivot > 0.0 else np.nan
        for i in range(j + 1, n):
            total[:] = 0.0
            for k in range(j):
                for p in range(people):
                    total[p] += root[i, k, p] * root[j, k, p]
            for p in range(people):
                root[i, j, p] = (matrix[i, j, p] - total[p]) / root[j, j, p]
    return root


@compiled
def substitute(root: Array, b: Array) -> Array:
    """See `linear.substitute`."""
    n, people = b.shape
    x = b.copy()
    total = np.empty(people)
    for i in range(n):
        total[:] = 0.0
        for k in range(i):
            for p in range(people):
                total[p] += root[i, k, p] * x[k, p]
        for p in range(people):
            x[i, p] = (x[i, p] - total[p]) / root[i, i, p]
    for i in range(n - 1, -1, -1):
        total[:] = 0.0
        for k in range(i + 1, n):
            for p in range(people):
                total[p] += root[k, i, p] * x[k, p]
        for p in range(people):
            x[i, p] = (x[i, p] - total[p]) / root[i, i, p]
    return x


@compiled
def combined(rows: Array, x: Array) -> Array:
    """See `linear.combined`."""
    m, n, people = rows.shape
    total = np.zeros((m, people))
    for i in range(m):
        for j in range(n):
            for p in range(people):
                total[i, p] += rows[i, j, p] * x[j, p]
    return total


@compiled
def weighted(rows: Array, prices: Array) -> Array:
    """See `linear.weighted`."""
    m, n, people = rows.shape
    total = np.zeros((n, people))
    for i in range(m):
        for j in range(n):
            for p in range(people):
                total[j, p] += rows[i, j, p] * prices[i, p]
    return total


@compiled
def applied(matrix: Array, x: Array) -> Array:
    """See `linear.applied`."""
    m, n = matrix.shape
    people = x.shape[1]
    total = np.zeros((m, people))
    for i in range(m):
        for j in range(n):
            a = matrix[i, j]
            for p in range(people):
                total[i, p] += a * x[j, p]
    return total


@compiled
def add_squares(matrix: Array, rows: Array, weights: Array) -> None:
    """See `linear.add_squares`."""
    m, n, people = rows.shape
    for i in range(m):
        for j in range(n):
            for k in range(n):
                for p in range(people):
                    matrix[j, k, p] += (weights[i, p] * rows[i, j, p]) * rows[i, k, p]


@compiled
def add_scaled(matrix: Array, weight: Array, square: Array) -> None:
    """See `linear.add_scaled`."""
    n, people = square.shape[0], weight.size
    for j in range(n):
        for k in range(n):
            a = square[j, k]
            for p in range(people):
                matrix[j, k, p] += weight[p] * a


@compiled
def add_bend(matrix: Array, weight: Array, square: Array, slope: Array) -> None:
    """See `linear.add_bend`."""
    n, people = slope.shape
    for j in range(n):
        for k in range(n):
            a = square[j, k]
            for p in range(people):
                matrix[j, k, p] += weight[p] * (a - slope[j, p] * slope[k, p])
