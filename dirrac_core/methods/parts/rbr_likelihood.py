"""RBR's two inner problems: the most and the least favourable density of one sample.

A sample x_i carries the Gaussian N(x_i, σ²I) in dimension p. With c = ‖x − x_i‖ its negative
log-density at x (up to a constant) is log σ + c²/(2σ²) + (p − 1) log σ. Mean and covariance may
move within a Gelbrich ball of radius ε; both problems depend on x through c alone, so they are
solved on a grid of c and interpolated with their exact slopes.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.interpolate import CubicHermiteSpline

from dirrac_core.arrays import Array

ZOOMS = 16
POINTS = 17
# Each zoom keeps this part of the range around the best point: two cells to each side.
KEPT = 4.0 / (POINTS - 1)
NODES = 200


@dataclass(frozen=True, eq=False)
class Extreme:
    """The extreme negative log-densities of samples at distances c (n,), and their slopes in c."""

    value: Array
    slope: Array


def optimistic(c: Array, sigma: float, epsilon: float, dimension: int) -> Extreme:
    """min over u, v ≥ 0, u² + v² ≤ ε² of log(σ+v) + (c−u)²/(2(σ+v)²) + (p−1) log σ.

    The mean moves towards x by u, the deviation along the way grows by v. Where c ≤ ε the mean
    reaches x (u = c, v = 0). Else the ball binds: u = ε cos t, v = ε sin t.
    """

    def at(t: Array) -> Array:
        along = sigma + epsilon * np.sin(t)
        rest: Array = np.log(along) + (c[:, None] - epsilon * np.cos(t)) ** 2 / (2 * along**2)
        return rest

    t = _best_angle(lambda t: -at(t), np.zeros(c.size), np.full(c.size, np.pi / 2))
    along, gap = sigma + epsilon * np.sin(t), c - epsilon * np.cos(t)
    reached = c <= epsilon
    value = np.where(reached, np.log(sigma), np.log(along) + gap**2 / (2 * along**2))
    slope = np.where(reached, 0.0, gap / along**2)
    return Extreme(value + (dimension - 1) * np.log(sigma), slope)


def pessimistic(c: Array, sigma: float, epsilon: float, dimension: int) -> Extreme:
    """max over u² + v² ≤ ε² of log(σ+v) + (c+u)²/(2(σ+v)²) + (p−1) log(σ + w/√(p−1)).

    The mean moves away by u ≥ 0, the deviation along the way changes by v, and what the ball has
    left, w = √(ε² − u² − v²), widens the p − 1 directions across.
    """
    across = max(dimension - 1, 1)

    def value_at(u: Array, v: Array, distance: Array) -> Array:
        left = np.sqrt(np.maximum(epsilon**2 - u**2 - v**2, 0.0))
        along = sigma + v
        wide = (dimension - 1) * np.log(sigma + left / np.sqrt(across))
        value: Array = np.log(along) + (distance + u) ** 2 / (2 * along**2) + wide
        return value

    # Polar coordinates of the half disc u ≥ 0: radius r ≤ ε, angle a in [−π/2, π/2].
    low = np.column_stack([np.zeros(c.size), np.full(c.size, -np.pi / 2)])
    high = np.column_stack([np.full(c.size, epsilon), np.full(c.size, np.pi / 2)])
    first, last = low.copy(), high.copy()
    best = low.copy()
    unit = np.linspace(0.0, 1.0, POINTS)
    rows = np.arange(c.size)
    for _ in range(ZOOMS):
        r = low[:, :1] + (high - low)[:, :1] * unit
        a = low[:, 1:] + (high - low)[:, 1:] * unit
        u = r[:, :, None] * np.cos(a)[:, None, :]
        v = r[:, :, None] * np.sin(a)[:, None, :]
        top = value_at(u, v, c[:, None, None]).reshape(c.size, -1).argmax(axis=1)
        best = np.column_stack([r[rows, top // POINTS], a[rows, top % POINTS]])
        half = KEPT / 2 * (high - low)
        low, high = np.maximum(best - half, first), np.minimum(best + half, last)
    u, v = best[:, 0] * np.cos(best[:, 1]), best[:, 0] * np.sin(best[:, 1])
    return Extreme(value_at(u, v, c), (c + u) / (sigma + v) ** 2)


def _best_angle(gain: Callable[[Array], Array], first: Array, last: Array) -> Array:
    """The t (n,) in [first, last] with the largest gain, by zooming into a grid."""
    low, high = first, last
    unit = np.linspace(0.0, 1.0, POINTS)
    rows = np.arange(first.size)
    best = first
    for _ in range(ZOOMS):
        t = low[:, None] + (high - low)[:, None] * unit
        best = t[rows, gain(t).argmax(axis=1)]
        half = KEPT / 2 * (high - low)
        low, high = np.maximum(best - half, first), np.minimum(best + half, last)
    return best


@lru_cache(maxsize=256)
def interpolated(
    problem: Callable[[Array, float, float, int], Extreme],
    furthest: float,
    sigma: float,
    epsilon: float,
    dimension: int,
) -> CubicHermiteSpline:
    """The extreme as a function of c in [0, furthest], from NODES exact values and slopes."""
    c = np.linspace(0.0, furthest, NODES)
    extreme = problem(c, sigma, epsilon, dimension)
    return CubicHermiteSpline(c, extreme.value, extreme.slope)
