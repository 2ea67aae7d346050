"""What the interior-point method needs of the pieces at a point: slopes, curvature, inequalities.

CHEAPEST minimises the cost (ℓ1 through the columns e of the method itself; ½·cost² for ℓ2).
SCORE maximises h_a = m − a·s − √(1+a²)·r, the smallest of several components through τ ≤ h_a,k.
The trial score a lies just above the score at the point itself: Dinkelbach's iteration with one
Newton step for each trial. MIXTURE minimises Σ p̂_k f_k by the curvature of the majorant of
`majorise` at the point.
"""

from dataclasses import dataclass

import numpy as np

from dirrac_core.arrays import Array
from dirrac_core.solvers.batch.linear import add_bend, add_scaled, add_squares, combined
from dirrac_core.solvers.batch.pieces import Length, Pieces, scores
from dirrac_core.solvers.score_program import FIRST_STEP

CHEAPEST, SCORE, MIXTURE = "cheapest", "score", "mixture"
# The tolerance of a score is relative to its deviation, which counts as at least this much of m.
SMALLEST_TERM = 1e-6
LOWEST_SCORE = 1e-3


def trial_score(reached: Array) -> Array:
    """The score to require when `reached` is the best one known, as in `best_score`."""
    return reached * (1.0 + FIRST_STEP) + FIRST_STEP


@dataclass(frozen=True, eq=False)
class Goal:
    """What is sought: a mode, and the components that count."""

    mode: str
    components: tuple[int, ...] = ()

    @property
    def common(self) -> bool:
        """Whether the smallest of several scores is sought, by the further column τ."""
        return self.mode == SCORE and len(self.components) > 1


@dataclass(frozen=True, eq=False)
class Model:
    """Slope and curvature of the Lagrangian; values and slopes of the general inequalities.

    They are rows, validity of every component, the cone, the ℓ2 budget (unless the cost is
    minimised), and τ − h_k for several components. `small` is what counts as small at the end.
    """

    gradient: Array
    hessian: Array
    values: Array
    rows: Array
    small: Array


def bend(hessian: Array, weight: Array, length: Length, value: Array, gradient: Array) -> None:
    """Add weight · ∇² of a length, which is (TᵀT − ggᵀ)/length, to the free columns."""
    share = np.where(value > 0.0, weight / np.where(value > 0.0, value, 1.0), 0.0)
    add_bend(hessian, share, length.square, gradient)


def general_count(pieces: Pieces, goal: Goal) -> int:
    """How many general inequalities there are."""
    count = int(pieces.at_most.shape[0] + pieces.means.shape[0])
    count += int(pieces.cone is not None)
    count += int(pieces.shared.euclidean and goal.mode != CHEAPEST)
    return count + (len(goal.components) if goal.common else 0)


def cost_unit(pieces: Pieces) -> Array:
    """The unit in which ½·cost² is minimised."""
    largest = (pieces.weights * pieces.units).max(axis=0, initial=0.0)
    unit = np.maximum(largest, pieces.fixed_cost)
    return np.where(unit > 0.0, unit, 1.0)


def model_at(
    pieces: Pieces, goal: Goal, y: Array, budget: Array, level: Array, prices: Array
) -> Model:
    """The model at y, with `prices` on the general inequalities and τ = `level`."""
    n, people = y.shape
    shared = pieces.shared
    size = n + int(goal.common)
    count = general_count(pieces, goal)
    gradient, hessian = np.zeros((size, people)), np.zeros((size, size, people))
    values, rows = np.zeros((count, people)), np.zeros((count, size, people))
    place = pieces.at_most.shape[0]
    rows[:place, :n] = pieces.at_most
    values[:place] = combined(pieces.at_most, y) - pieces.at_most_limits
    m = pieces.mean(y)
    r, slope_r = np.zeros_like(m), np.zeros((m.shape[0], n, people))
    reach = np.zeros_like(m)
    for k, radius in enumerate(pieces.radius):
        if pieces.radii[k].any():
            reach[k], slope_r[k] = radius.at(y)
            weight = prices[place] * pieces.radii[k] / pieces.scales[k]
            bend(hessian, weight, radius, reach[k], slope_r[k])
            r[k] = pieces.radii[k] * reach[k]
        values[place] = (r[k] - m[k] + shared.margins[k]) / pieces.scales[k]
        slope = pieces.radii[k] * slope_r[k] - pieces.means[k][:, None]
        rows[place, :n] = slope / pieces.scales[k]
        place += 1
    if pieces.cone is not None:
        limit = pieces.cone_limit
        length, slope = pieces.cone.at(y)
        bend(hessian, prices[place] / limit, pieces.cone, length, slope)
        values[place], rows[place, :n] = length / limit - 1.0, slope / limit
        place += 1
    if shared.euclidean:
        change = pieces.weights * (y - pieces.y0)
        if goal.mode == CHEAPEST:
            unit = cost_unit(pieces)
            gradient[:n] += pieces.weights * change / unit
            weight = 1.0 / unit
        else:
            unit = np.maximum(budget * budget - pieces.fixed_cost**2, 1e-300)
            values[place] = 0.5 * ((change * change).sum(axis=0) / unit - 1.0)
            rows[place, :n] = pieces.weights * change / unit
            weight = prices[place] / unit
            place += 1
        for i in range(n):
            hessian[i, i] += weight * pieces.weights[i] ** 2
    if goal.mode == CHEAPEST:
        least = (pieces.weights * pieces.units).min(axis=0, initial=np.inf)
        if shared.euclidean:
            least = least * least / cost_unit(pieces)
        small = np.where(np.isfinite(least), least, 1.0)
        return Model(gradient, hessian, values, rows, small)
    s, slope_s = np.zeros_like(m), np.zeros_like(slope_r)
    for k in goal.components:
        s[k], slope_s[k] = pieces.deviation[k].at(y)
    a = scores(m, s, r)
    if goal.mode == MIXTURE:
        small = _mixture(pieces, (m, s, r, a, slope_s, slope_r), gradient, hessian)
        return Model(gradient, hessian, values, rows, small)
    chosen = list(goal.components)
    at = trial_score(a[chosen].min(axis=0))
    b = np.sqrt(1.0 + at * at)
    small = np.full(people, np.inf)
    for k in chosen:
        unit = pieces.scales[k] * b
        weight = prices[place] / unit if goal.common else 1.0 / unit
        steep = pieces.means[k][:, None] - at * slope_s[k] - b * pieces.radii[k] * slope_r[k]
        bend(hessian, weight * at, pieces.deviation[k], s[k], slope_s[k])
        if pieces.radii[k].any():
            bend(hessian, weight * b * pieces.radii[k], pieces.radius[k], reach[k], slope_r[k])
        if goal.common:
            values[place] = level - (m[k] - at * s[k] - b * r[k]) / unit
            rows[place, :n], rows[place, n] = -steep / unit, 1.0
            place += 1
        else:
            gradient[:n] = -steep / unit
        fall = (s[k] + at / b * r[k]) / unit * np.maximum(at, 1.0)
        small = np.minimum(small, np.maximum(fall, SMALLEST_TERM / b))
    if goal.common:
        gradient[n] = -1.0
    return Model(gradient, hessian, values, rows, small)


def _mixture(pieces: Pieces, terms: tuple[Array, ...], gradient: Array, hessian: Array) -> Array:
    """Add the slope of Σ p̂_k f_k and the curvature of its majorant; its size.

    β = 1/(1+a²) is majorised by C/q with C = ½(1/c + 1/e) and the concave
    q = m + ½/c − ½c·s² − ½e·r², c = a/s, e = √(1+a²)/r, tight at the point. Each link is a convex
    function G of β: G = β, or Φ(−√(1/β − 1)).
    """
    m, s, r, a, slope_s, slope_r = terms
    total = np.zeros(m.shape[1])
    for k in range(m.shape[0]):
        at = np.maximum(a[k], LOWEST_SCORE)
        b_squared = 1.0 + at * at
        floor = SMALLEST_TERM * pieces.scales[k]
        c, e = at / np.maximum(s[k], floor), np.sqrt(b_squared) / np.maximum(r[k], floor)
        weight = pieces.shared.weights[k]
        if pieces.shared.gaussian:
            density = np.exp(-0.5 * at * at) / np.sqrt(2.0 * np.pi)
            total += weight * density / at
            first = density * b_squared**2 / (2.0 * at)
            second = density * b_squared**3 * (at * at - 1.0) ** 2 / (4.0 * at**3)
        else:
            total += weight / b_squared
            first, second = np.ones_like(at), np.zeros_like(at)
        uncertain = pieces.radii[k] > 0.0
        inverse = 0.5 / c + np.where(uncertain, 0.5 / e, 0.0)
        q = inverse * b_squared
        fall = inverse / (q * q)
        slope = pieces.means[k][:, None] - c * s[k] * slope_s[k]
        slope = slope - np.where(uncertain, e * r[k] * pieces.radii[k], 0.0) * slope_r[k]
        gradient -= weight * first * fall * slope
        outer = weight * (2.0 * first * fall / q + second * fall * fall)
        pull = weight * first * fall
        add_squares(hessian, slope[None], outer[None])
        add_scaled(hessian, pull * c, pieces.deviation[k].square)
        if uncertain.any():
            rho = np.where(uncertain, pieces.radii[k], 0.0)
            add_scaled(hessian, pull * e * rho * rho, pieces.radius[k].square)
    return total
