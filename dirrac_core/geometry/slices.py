"""The feasible set seen in two columns, the others held: the geometry of the paper's Figure 2."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array, frozen_array
from dirrac_core.errors import InvalidInput
from dirrac_core.feasible.checks import TOLERANCE
from dirrac_core.feasible.feasible_set import FeasibleSet
from dirrac_core.geometry.conics import Window, boundary, line_across
from dirrac_core.geometry.plane_region import Cone, Ellipse, PlaneLength, PlaneRegion
from dirrac_core.robustness import Objective, checked_applicant, signed_score

LIKENESS_POINTS = 240


@dataclass(frozen=True, eq=False)
class Slice:
    """The points x(u) with x_i = u₁, x_j = u₂ and every other entry as in `base` (D,)."""

    feasible: FeasibleSet
    base: Array
    columns: tuple[int, int]

    def __init__(
        self, feasible: FeasibleSet, base: npt.ArrayLike, columns: tuple[int, int]
    ) -> None:
        held = checked_applicant("base", base, feasible.x0.size)
        i, j = columns
        last = held.size - 2
        if i == j or not (0 <= i <= last and 0 <= j <= last):
            raise InvalidInput(
                f"A slice needs two different columns from 0 to {last}, got {i} and {j}"
            )
        if not np.isfinite(feasible.delta):
            raise InvalidInput(f"A slice needs a finite budget 'delta', got {feasible.delta:g}")
        object.__setattr__(self, "feasible", feasible)
        object.__setattr__(self, "base", held)
        object.__setattr__(self, "columns", (int(i), int(j)))

    def embed(self, points: npt.ArrayLike) -> Array:
        """The full vectors x(u) (n, D) of the points u (n, 2)."""
        plane = frozen_array("points", points, (None, 2))
        x = np.tile(self.base, (len(plane), 1))
        x[:, list(self.columns)] = plane
        return x

    def contains_vector(self, x: npt.ArrayLike) -> bool:
        """Whether the full vector x lies in this slice, not merely above or below it."""
        vector = frozen_array("x", x, self.base.shape)
        others = np.delete(np.arange(self.base.size), self.columns)
        return bool(np.abs(vector - self.base)[others].max(initial=0.0) <= TOLERANCE)

    @property
    def centre(self) -> Array:
        """The applicant's own place in the plane, the middle of the proximity ball."""
        return self.feasible.x0[list(self.columns)]

    @cached_property
    def budget_left(self) -> float:
        """The budget the two columns share: δ less the cost of the others; negative when none."""
        level = self.base.copy()
        level[list(self.columns)] = self.centre
        spent, delta = self.feasible.cost_of(level), self.feasible.delta
        if self.feasible.cost == "l1" or spent > delta:
            return delta - spent
        return float(np.sqrt((delta - spent) * (delta + spent)))

    def hyperplane(self, k: int) -> tuple[Array, float]:
        """(g, h) with θ̂_kᵀx(u) = g·u + h."""
        theta = self.feasible.mixture.means[k]
        g = theta[list(self.columns)]
        return g, float(theta @ self.base - g @ self.base[list(self.columns)])

    def margin(self, k: int) -> Cone:
        """The robust margin θ̂_kᵀx ≥ r_k(x) + ε_k in the plane."""
        g, h = self.hyperplane(k)
        limit = h - float(self.feasible.margins[k])
        return Cone(g, limit, float(self.feasible.radii[k]), self._lengths[k])

    @cached_property
    def _lengths(self) -> tuple[PlaneLength, ...]:
        """√(xᵀM_k x) of every component in the plane; the same one for all when M = I."""
        count, factors = self.feasible.mixture.components, self.feasible.doubt.factors
        if factors is None:
            held = float(np.linalg.norm(np.delete(self.base, self.columns)))
            return (PlaneLength(np.eye(2), np.zeros(2), held),) * count
        level = self.base.copy()
        level[list(self.columns)] = 0.0
        return tuple(
            PlaneLength.of(factor[list(self.columns)].T, factor.T @ level) for factor in factors
        )

    @cached_property
    def outlines(self) -> tuple[Array, ...]:
        """The boundary of the feasible set in this slice: none, or one convex outline (n, 2).

        See `PlaneRegion.outline`. Only two columns of one group of whole categories give two
        outlines, each a single point.
        """
        same_group = any(set(self.columns) <= set(g) for g in self.feasible.actions.groups)
        if self.feasible.whole and same_group:
            corners = np.array([[1.0, 0.0], [0.0, 1.0]])
            allowed = [bool(self.feasible.contains(x)) for x in self.embed(corners)]
            return tuple(corner[None] for corner in corners[allowed])
        if self.feasible.bounds.contradiction is not None or self.budget_left < -TOLERANCE:
            return ()
        vertices = self._region().outline()
        # Conditions that do not depend on u are judged here, at any one point of the outline.
        if not len(vertices) or not self.feasible.contains(self.embed(vertices[:1])[0]):
            return ()
        return (vertices,)

    def ball(self, points: int = 240) -> Array:
        """The proximity boundary cost(x, x0) = δ: an ℓ1 diamond or an ℓ2 ellipse (n, 2).

        Empty when the other columns alone cost more than the budget.
        """
        if self.budget_left < 0.0:
            return np.empty((0, 2))
        w = self.feasible.bounds.weights[list(self.columns)]
        count = 4 if self.feasible.cost == "l1" else points
        angles = np.linspace(0.0, 2.0 * np.pi, count, endpoint=False)
        circle = np.column_stack([np.cos(angles), np.sin(angles)])
        return self.centre + self.budget_left * circle / w

    def likeness_curve(self) -> Array:
        """The boundary of likeness to real people (n, 2), closed; empty when it has none here."""
        likeness = self._likeness()
        return np.empty((0, 2)) if likeness is None else likeness.curve(LIKENESS_POINTS)

    def hyperplane_line(self, k: int, window: Window) -> Array:
        """The ends (2, 2) of the boundary θ̂_kᵀx = 0, across the window; empty when it has none."""
        return line_across(*self.hyperplane(k), window)

    def rule_lines(self, window: Window) -> list[tuple[str, Array]]:
        """The name of every linear rule that cuts this plane, with the ends (2, 2) of its edge."""
        columns = list(self.columns)
        lines = []
        for rule in self.feasible.actions.linear:
            g = rule.coefficients[columns]
            rest = float(rule.coefficients @ self.base[:-1] - g @ self.base[columns])
            for limit in sorted({rule.low, rule.high}):
                if g.any() and np.isfinite(limit):
                    lines.append((rule.name, line_across(g, rest - limit, window)))
        return lines

    def margin_curve(self, k: int, window: Window, points: int = 201) -> Array:
        """The robust margin θ̂_kᵀx = r_k(x) + ε_k (n, 2), as far as the window may show it.

        Empty when no point of the plane is on it; two branches have a row of NaN between them.
        """
        return boundary(self.margin(k), window, points)

    def failure_grid(self, objective: Objective, xs: Array, ys: Array) -> Array:
        """The worst-case probability of failing (len(ys), len(xs)) on a grid of the plane."""
        x = self.embed(np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2))
        mixture = objective.mixture
        s = np.linalg.norm(np.einsum("nd,kde->nke", x, mixture.factors), axis=2)
        doubt = objective.doubt
        if doubt.factors is None:
            r = np.linalg.norm(x, axis=1)[:, None] * objective.radii
        else:
            r = objective.radii * np.linalg.norm(np.einsum("nd,kde->nke", x, doubt.factors), axis=2)
        f = objective.link.probability(signed_score(x @ mixture.means.T, s, r))
        values = [objective.weigh(row)[0] for row in f]
        return np.array(values).reshape(len(ys), len(xs))

    def _region(self) -> PlaneRegion:
        """All conditions that depend on u; bounds and rules are cut down to the two columns."""
        columns = list(self.columns)
        feasible, bounds = self.feasible, self.feasible.bounds
        equal: list[tuple[Array, float]] = []
        below: list[tuple[Array, float]] = []
        for axis, c in enumerate(columns):
            unit = np.eye(2)[axis]
            if bounds.lower[c] == bounds.upper[c]:
                equal.append((unit, float(bounds.lower[c])))
                continue
            low, high = self._conditional(c, float(bounds.lower[c]), float(bounds.upper[c]))
            below += [(unit, high), (-unit, -low)]
        places = np.arange(self.base.size - 1)
        ranges: list[tuple[Array, float, float]] = [
            (np.isin(places, group).astype(np.float64), 1.0, 1.0)
            for group in feasible.actions.groups
        ]
        ranges += [(rule.coefficients, rule.low, rule.high) for rule in feasible.actions.linear]
        for coefficients, low, high in ranges:
            part = coefficients[columns]
            rest = float(coefficients @ self.base[:-1] - part @ self.base[columns])
            if not part.any():
                continue
            if low == high:
                equal.append((part, low - rest))
            else:
                below += [(part, high - rest), (-part, rest - low)]
        margins = [self.margin(k) for k in range(feasible.mixture.components)]
        below += [(-m.g, m.h) for m in margins if m.rho == 0.0 and m.g.any()]
        ellipses = [] if (likeness := self._likeness()) is None else [likeness]
        w = bounds.weights[columns]
        left = max(self.budget_left, 0.0)
        if feasible.cost == "l1":
            signs = np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]]) * w
            below += [(row, float(left + row @ self.centre)) for row in signs]
        else:
            ellipses.append(Ellipse(np.diag(w), -w * self.centre, left))
        below = [(row, limit) for row, limit in below if np.isfinite(limit)]
        return PlaneRegion(
            *_stacked(equal),
            *_stacked(below),
            tuple(m for m in margins if m.rho > 0.0),
            tuple(ellipses),
        )

    def _likeness(self) -> Ellipse | None:
        """Likeness to real people in the plane; None where it does not depend on the columns."""
        people = self.feasible.actions.plausible
        if people is None or not people.factor[:, list(self.columns)].any():
            return None
        columns = list(self.columns)
        matrix = people.factor[:, columns]
        held = people.factor @ (self.base[:-1] - people.centre) - matrix @ self.base[columns]
        return Ellipse(matrix, held, people.size)

    def _conditional(self, column: int, low: float, high: float) -> tuple[float, float]:
        """The bounds of a column with the rules of the categories chosen in this slice."""
        groups = {c: group for group in self.feasible.actions.groups for c in group}
        for rule in self.feasible.actions.conditional:
            chosen = self.base[rule.category]
            if rule.category in self.columns:
                # The rest of its group pins a category that is an axis.
                others = [c for c in groups[rule.category] if c != rule.category]
                chosen = 1.0 - self.base[others].sum()
            if rule.column == column:
                share = float(np.clip(chosen, 0.0, 1.0))
                bottom, top = self.feasible.bounds.in_force(rule, self.feasible.x0, share)
                low, high = max(low, bottom), min(high, top)
        return low, high


def _stacked(pairs: list[tuple[Array, float]]) -> tuple[Array, Array]:
    rows = np.array([row for row, _ in pairs], dtype=np.float64).reshape(-1, 2)
    return rows, np.array([limit for _, limit in pairs], dtype=np.float64)
