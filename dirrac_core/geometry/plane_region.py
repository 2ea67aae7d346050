"""A convex region of the plane: its centre, how far a ray runs in it, and its true boundary."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg import null_space

from dirrac_core.arrays import Array
from dirrac_core.conic import ConeProgram
from dirrac_core.feasible import found_point

# A region whose largest disc has a radius below this is a single point.
FLAT = 1e-7
# Vertices of a boundary, besides its corners.
OUTLINE_POINTS = 360
# Corners to 1e-12 of the size; roughly, where they only help to spread the rays.
BISECTIONS, FEW_BISECTIONS = 36, 8


@dataclass(frozen=True, eq=False)
class PlaneLength:
    """√(n² + ‖L u + v‖²): the length √(xᵀMx) seen in the plane. For M = I it has L = I, v = 0."""

    matrix: Array
    offset: Array
    n: float

    @classmethod
    def of(cls, rows: Array, constant: Array) -> "PlaneLength":
        """‖rows·u + constant‖ for rows (p, 2), in its triangular form."""
        stacked = np.column_stack([rows, constant])
        triangle: Array = np.linalg.qr(np.vstack([stacked, np.zeros((3, 3))])).R
        return cls(triangle[:2, :2], triangle[:2, 2], abs(float(triangle[2, 2])))

    @cached_property
    def rows(self) -> Array:
        """(3, 3) with √(n² + ‖L u + v‖²) = ‖rows·(u, 1)‖."""
        rows = np.zeros((3, 3))
        rows[:2, :2], rows[:2, 2], rows[2, 2] = self.matrix, self.offset, self.n
        return rows

    @cached_property
    def steepest(self) -> float:
        """No step of u changes the length by more than this times the step."""
        return float(np.linalg.norm(self.matrix, 2))


@dataclass(frozen=True, eq=False)
class Cone:
    """g·u + h ≥ ρ·length(u), with ρ > 0: a robust margin seen in the plane."""

    g: Array
    h: float
    rho: float
    length: PlaneLength

    @property
    def quadric(self) -> Array:
        """M with (u, 1)ᵀM(u, 1) ≥ 0 inside, 0 on the boundary."""
        row = np.append(self.g, self.h)
        rows = self.length.rows
        matrix: Array = np.outer(row, row) - self.rho**2 * (rows.T @ rows)
        return matrix


@dataclass(frozen=True, eq=False)
class Ellipse:
    """‖A u + b‖₂ ≤ radius: the weighted ℓ2 budget, or likeness to real people, in the plane."""

    matrix: Array
    offset: Array
    radius: float

    @property
    def quadric(self) -> Array:
        """M with (u, 1)ᵀM(u, 1) ≥ 0 inside, 0 on the boundary."""
        rows = np.column_stack([self.matrix, self.offset])
        matrix: Array = np.diag([0.0, 0.0, self.radius**2]) - rows.T @ rows
        return matrix

    def curve(self, points: int) -> Array:
        """The boundary (n, 2), closed; empty when there is none, or no bounded one."""
        if np.linalg.matrix_rank(self.matrix) < 2:
            return np.empty((0, 2))
        centre: Array = -np.linalg.pinv(self.matrix) @ self.offset
        left = self.radius**2 - float(np.sum((self.matrix @ centre + self.offset) ** 2))
        if left < 0.0:
            return np.empty((0, 2))
        angles = np.linspace(0.0, 2.0 * np.pi, points)
        circle = np.sqrt(left) * np.vstack([np.cos(angles), np.sin(angles)])
        root: Array = np.linalg.qr(self.matrix).R
        ellipse: Array = centre + np.linalg.solve(root, circle).T
        return ellipse


@dataclass(frozen=True, eq=False)
class PlaneRegion:
    """{u : E u = e, A u ≤ b, every cone, every ellipse}; bounded, or its outline cannot be traced.

    Rows of zeros (conditions that do not depend on u) must not be among A and E.
    """

    equal_rows: Array
    equal_values: Array
    rows: Array
    limits: Array
    cones: tuple[Cone, ...] = ()
    ellipses: tuple[Ellipse, ...] = ()

    def outline(self) -> Array:
        """The vertices (n, 2) of the boundary in order, every one of them exactly on it.

        Empty region: n = 0; a single point: 1; a segment: its 2 ends. Otherwise rays from the
        centre meet the boundary in closed form. The corners, where the binding condition
        changes, are found by bisection of the angle; a second pass spreads the rays evenly along
        the boundary, so that thin regions are drawn as well as round ones.
        """
        origin, directions = self._affine_hull()
        if origin is None:
            return np.empty((0, 2))
        centre, radius = self._centre(origin, directions)
        if centre is None:
            return np.empty((0, 2))
        if radius <= FLAT or not directions.size:
            return centre[None]
        if directions.shape[1] == 1:
            rays = np.vstack([directions.T, -directions.T])
            ends: Array = centre + self.reach(centre, rays).min(axis=0)[:, None] * rays
            return ends
        angles = np.linspace(0.0, 2.0 * np.pi, OUTLINE_POINTS, endpoint=False)
        angles = np.sort(np.append(angles, self._corners(centre, angles, FEW_BISECTIONS)))
        angles = self._evenly(centre, angles)
        angles = np.unique(np.append(angles, self._corners(centre, angles, BISECTIONS)))
        return self._hits(centre, angles)[0]

    def reach(self, start: Array, rays: Array) -> Array:
        """(conditions, rays): how far each ray runs from a `start` inside until it breaks each.

        Half-planes: slack/speed. Cone and ellipse: the first positive root of the quadratic
        (start + τ·ray, 1)ᵀM(start + τ·ray, 1).
        """
        slack = np.maximum(self.limits - self.rows @ start, 0.0)[:, None]
        speed = self.rows @ rays.T
        far = np.full_like(speed, np.inf)
        straight = np.divide(slack, speed, out=far, where=speed > 0.0)
        matrices = self._quadrics
        if not len(matrices):
            return straight
        point = np.append(start, 1.0)
        along = np.column_stack([rays, np.zeros(len(rays))])
        a0 = np.maximum(matrices @ point @ point, 0.0)[:, None]
        a1 = (matrices @ point) @ along.T
        a2 = np.einsum("ai,qij,aj->qa", along, matrices, along)
        return np.vstack([straight, _first_root(a2, a1, a0)])

    @cached_property
    def _quadrics(self) -> Array:
        """The matrices of cones and ellipses; built once, because rays ask for them often."""
        matrices = [cone.quadric for cone in self.cones]
        matrices += [ellipse.quadric for ellipse in self.ellipses]
        return np.array(matrices).reshape(-1, 3, 3)

    def _affine_hull(self) -> tuple[Array | None, Array]:
        """A point that satisfies E u = e (None: there is none) and a basis of the directions."""
        if not len(self.equal_rows):
            return np.zeros(2), np.eye(2)
        origin: Array = np.linalg.pinv(self.equal_rows) @ self.equal_values
        missed = np.abs(self.equal_rows @ origin - self.equal_values).max()
        directions: Array = null_space(self.equal_rows)
        return (origin if missed <= FLAT else None), directions

    def _centre(self, origin: Array, directions: Array) -> tuple[Array | None, float]:
        """Centre and radius t of a disc inside the region, the largest these bounds can prove.

        maximise t with every condition kept by its Lipschitz constant times t, over
        u = origin + directions·τ. Conditions constant in τ are left to the caller.
        """
        f = directions.shape[1]
        if f == 0:
            return origin, 0.0
        program = ConeProgram()
        program.add("τ", f)
        program.add("t")
        rows = self.rows @ directions
        steep = np.linalg.norm(rows, axis=1)
        live = steep > FLAT
        if live.any():
            limits = self.limits - self.rows @ origin
            program.at_most({"τ": rows[live], "t": steep[live, None]}, limits[live])
        for cone in self.cones:
            length = cone.length
            if length not in program:
                program.add(length)
                inside = length.rows @ np.append(origin, 1.0)
                program.norm({"τ": length.rows[:, :2] @ directions}, inside, {length: 1.0})
            slope = -cone.g @ directions
            steepest = np.linalg.norm(slope) + cone.rho * length.steepest
            program.at_most(
                {"τ": slope, "t": steepest, length: cone.rho}, float(cone.h + cone.g @ origin)
            )
        for ellipse in self.ellipses:
            program.norm(
                {"τ": ellipse.matrix @ directions},
                ellipse.matrix @ origin + ellipse.offset,
                {"t": -np.linalg.norm(ellipse.matrix, 2)},
                ellipse.radius,
            )
        solution = program.solver().minimise(program.row({"t": -1.0}))
        if not found_point(solution, "the centre of a slice"):
            return None, 0.0
        radius = float(program.part(solution.v, "t")[0])
        if radius < -FLAT:
            return None, 0.0
        return origin + directions @ program.part(solution.v, "τ"), radius

    def _hits(self, centre: Array, angles: Array) -> tuple[Array, Array]:
        """Where the rays at these angles leave the region, and the condition each one meets."""
        rays = np.column_stack([np.cos(angles), np.sin(angles)])
        reach = self.reach(centre, rays)
        return centre + reach.min(axis=0)[:, None] * rays, reach.argmin(axis=0)

    def _corners(self, centre: Array, angles: Array, bisections: int) -> Array:
        """The angles between neighbouring rays at which another condition becomes binding."""
        active = self._hits(centre, angles)[1]
        following = np.roll(active, -1)
        changes = np.flatnonzero(active != following)
        low = angles[changes]
        high = np.append(angles[1:], angles[0] + 2.0 * np.pi)[changes]
        for _ in range(bisections if changes.size else 0):
            middle = (low + high) / 2.0
            same = self._hits(centre, middle)[1] == active[changes]
            low, high = np.where(same, middle, low), np.where(same, high, middle)
        return np.mod(low, 2.0 * np.pi)

    def _evenly(self, centre: Array, angles: Array) -> Array:
        """About as many angles, at equal distances along the boundary."""
        around = np.append(angles, angles[0] + 2.0 * np.pi)
        vertices = self._hits(centre, around)[0]
        length = np.append(0.0, np.cumsum(np.linalg.norm(np.diff(vertices, axis=0), axis=1)))
        even = np.linspace(0.0, length[-1], OUTLINE_POINTS, endpoint=False)
        return np.sort(np.mod(np.interp(even, length, around), 2.0 * np.pi))


def _first_root(a2: Array, a1: Array, a0: Array) -> Array:
    """The first τ > 0 with a2·τ² + 2·a1·τ + a0 = 0, for a0 ≥ 0; ∞ where there is none.

    Of the two forms of the root, the one that does not cancel.
    """
    discriminant = a1 * a1 - a2 * a0
    root = np.sqrt(np.maximum(discriminant, 0.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        tau: Array = np.where(
            a1 < 0.0,
            a0 / (root - a1),
            np.where(a2 < 0.0, (root + a1) / -a2, np.inf),
        )
    return np.where(discriminant >= 0.0, tau, np.inf)
