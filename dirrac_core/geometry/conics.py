"""The boundary of a robust margin in the plane: a line or a conic, in closed form."""

import numpy as np

from dirrac_core.arrays import Array
from dirrac_core.geometry.plane_region import Cone, PlaneLength

Window = tuple[float, float, float, float]
"""Left, right, bottom and top of a picture."""

# A direction whose length grows by less than this share of the other's does not change it.
NO_CHANGE = 1e-9
ROUND = PlaneLength(np.eye(2), np.zeros(2), 0.0)


def line_across(g: Array, h: float, window: Window) -> Array:
    """The ends (2, 2) of the line g·u + h = 0, outside the window; empty when g = 0."""
    return boundary(Cone(g, h, 0.0, ROUND), window, points=2)


def boundary(cone: Cone, window: Window, points: int) -> Array:
    """The points u (n, 2) with g·u + h = ρ·√(n² + ‖L u + v‖²), as far as the window may show them.

    w = L u + v are coordinates in which the length is round, g·u + h = γ·w + η with Lᵀγ = g.
    Where L is singular, some direction of u leaves the length as it is (see `_cylinder`).
    """
    matrix, offset = cone.length.matrix, cone.length.offset
    if cone.rho == 0.0 or np.array_equal(matrix, np.eye(2)) and not offset.any():
        return _conic(cone.g, cone.h, cone.rho, cone.length.n, window, points)
    left, scales, right = np.linalg.svd(matrix)
    if scales[1] <= NO_CHANGE * scales[0]:
        return _cylinder(cone, left.T @ offset, scales[0], right, window, points)
    inverse: Array = np.linalg.inv(matrix).astype(np.float64)
    gamma = inverse.T @ cone.g
    corners = np.array([[u, v] for u in window[:2] for v in window[2:]]) @ matrix.T + offset
    low, high = corners.min(axis=0), corners.max(axis=0)
    seen = (low[0], high[0], low[1], high[1])
    eta = cone.h - float(gamma @ offset)
    w = _conic(gamma, eta, cone.rho, cone.length.n, seen, points)
    curve: Array = (w - offset) @ inverse.T
    return curve


def _cylinder(
    cone: Cone, turned: Array, scale: float, right: Array, window: Window, points: int
) -> Array:
    """The boundary where the length depends on p = right₁·u alone: √(N² + (scale·p + o)²).

    With t = right₂·u and g·u = a·p + b·t it is b·t = ρ·length(p) − h − a·p: a curve over p, or
    for b = 0 lines at the p that solve it.
    """
    held, o = float(np.hypot(cone.length.n, turned[1])), float(turned[0])
    a, b = (float(side) for side in right @ cone.g)
    middle = np.array([window[0] + window[1], window[2] + window[3]]) / 2.0
    half = float(np.hypot(window[1] - window[0], window[3] - window[2]))
    if abs(b) > NO_CHANGE * abs(a):
        p = middle @ right[0] + np.linspace(-half, half, points)
        t = (cone.rho * np.hypot(held, scale * p + o) - cone.h - a * p) / b
        curve: Array = np.outer(p, right[0]) + np.outer(t, right[1])
        return curve
    # (a·p + h)² = ρ²·(N² + (scale·p + o)²), on the side where a·p + h ≥ 0.
    rho = cone.rho
    squares = [
        a * a - (rho * scale) ** 2,
        2.0 * (a * cone.h - rho * rho * scale * o),
        cone.h**2 - rho * rho * (held**2 + o * o),
    ]
    roots = np.roots(squares) if any(squares) else np.array([])
    real = [float(z.real) for z in roots if abs(z.imag) <= NO_CHANGE * (1.0 + abs(z))]
    ends = middle @ right[1] + np.array([-half, half])
    lines = [
        np.vstack([np.outer([p, p], right[0]) + np.outer(ends, right[1]), [[np.nan] * 2]])
        for p in sorted(set(real))
        if a * p + cone.h >= 0.0
    ]
    return np.vstack(lines)[:-1] if lines else np.empty((0, 2))


def _conic(g: Array, h: float, rho: float, n: float, window: Window, points: int) -> Array:
    """The boundary g·u + h = ρ√(n² + ‖u‖²).

    With q along g and t across it, |g|q + h = ρ√(n² + q² + t²): for |g| > ρ one branch of a
    hyperbola (a line when ρ = 0), for |g| = ρ a parabola, for |g| < ρ an ellipse.
    """
    steep = float(np.linalg.norm(g))
    normal = g / steep if steep > 0.0 else np.array([1.0, 0.0])
    across = np.array([-normal[1], normal[0]])
    if steep < rho:
        q, t = _ellipse(h, rho, n, steep, points)
    elif steep == 0.0 or (steep == rho and h <= 0.0):
        return np.empty((0, 2))
    else:
        middle = np.array([window[0] + window[1], window[2] + window[3]]) / 2.0
        half = float(np.hypot(window[1] - window[0], window[3] - window[2]))
        t = middle @ across + np.linspace(-half, half, points)
        squared = n**2 + t * t
        root = rho * np.sqrt(h**2 + (steep**2 - rho**2) * squared)
        if h > 0.0:
            q = (rho**2 * squared - h**2) / (steep * h + root)
        else:
            q = (root - steep * h) / (steep**2 - rho**2)
    curve: Array = q[:, None] * normal + t[:, None] * across
    return curve


def _ellipse(h: float, rho: float, n: float, steep: float, points: int) -> tuple[Array, Array]:
    """|g| < ρ: (ρ² − |g|²)(q − q_c)² + ρ²t² = ρ²h²/(ρ² − |g|²) − ρ²n², when h > 0."""
    flat = rho**2 - steep**2
    size = rho**2 * (h**2 / flat - n**2)
    if h <= 0.0 or size < 0.0:
        return np.empty(0), np.empty(0)
    angles = np.linspace(0.0, 2.0 * np.pi, points)
    q = steep * h / flat + np.sqrt(size / flat) * np.cos(angles)
    return q, np.sqrt(size) / rho * np.sin(angles)
