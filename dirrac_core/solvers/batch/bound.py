"""The certificate: bounds that hold for every plan of a piece, however a point was found.

For any multipliers ≥ 0 the Lagrangian of the piece bounds the trial function from above on it. It
is concave, so its linearisation at any point bounds it in turn; and a linear function is maximised
exactly over box ∩ cost ball: a fractional knapsack for ℓ1, one multiplier for ℓ2. A maximum ≤ 0 at
a trial score proves that no plan reaches that score. The cost is bounded from below in the same
way, column by column. The method's multipliers make the bounds tight; wrong ones only loosen them.
"""

import numpy as np

from dirrac_core.arrays import Array
from dirrac_core.solvers.batch.interior import Found
from dirrac_core.solvers.batch.linear import combined, weighted
from dirrac_core.solvers.batch.objective import Goal, cost_unit
from dirrac_core.solvers.batch.pieces import Length, Pieces
from dirrac_core.solvers.certified import PROOF_SLACK
from dirrac_core.solvers.score_program import SCORE_CEILING

# Rounding in a bound, relative to the sum of the terms it is made of.
ROUNDING = 1e-15
HALVINGS = 80


def _conditions(pieces: Pieces, found: Found, slack: float) -> tuple[Array, Array, Array]:
    """The priced conditions of a piece, linearised at y: value at y, slope (n, people), terms.

    Validity may be missed by `slack`, relative to its terms. `terms` is the sum of the sizes of
    all that is added up, for rounding.
    """
    y, shared = found.y, pieces.shared
    rows = pieces.at_most.shape[0]
    prices = np.maximum(found.prices, 0.0)
    priced = prices[:rows] * pieces.at_most_on
    value = (priced * (pieces.at_most_limits - combined(pieces.at_most, y))).sum(axis=0)
    value += (found.nu * (pieces.equal_limits - combined(pieces.equal, y))).sum(axis=0)
    slope = -weighted(pieces.at_most, priced) - weighted(pieces.equal, found.nu)
    far = np.abs(y)
    terms = (priced * (np.abs(pieces.at_most_limits) + combined(np.abs(pieces.at_most), far))).sum(
        axis=0
    )
    sizes = np.abs(pieces.equal_limits) + combined(np.abs(pieces.equal), far)
    terms += (np.abs(found.nu) * sizes).sum(axis=0)
    m = pieces.mean(y)
    for k, radius in enumerate(pieces.radius):
        price = prices[rows + k] / pieces.scales[k]
        length, bend = radius.at(y)
        r = pieces.radii[k] * length
        size = np.abs(pieces.mean_base[k]) + (np.abs(pieces.means[k])[:, None] * far).sum(axis=0)
        size += r
        value += price * (m[k] - r - shared.margins[k] + slack * size)
        terms += price * (size + shared.margins[k])
        slope += price * (pieces.means[k][:, None] - pieces.radii[k] * bend)
    if pieces.cone is not None:
        limit = pieces.cone_limit
        price = prices[rows + len(pieces.radius)] / limit
        length, bend = pieces.cone.at(y)
        value += price * (limit - length)
        terms += price * (limit + length)
        slope -= price * bend
    return value, slope, terms


def score_bound(pieces: Pieces, goal: Goal, found: Found, trial: Array, budget: Array) -> Array:
    """An upper bound on min_k of m_k − a·s_k − √(1+a²)·r_k at the trial scores a, (people,).

    Each term is divided by its scale. It holds for every plan of the piece that costs no more than
    `budget`; −inf where there is none.
    """
    y = found.y
    value, slope, terms = _conditions(pieces, found, PROOF_SLACK)
    b = np.sqrt(1.0 + trial * trial)
    count = len(goal.components)
    shares = np.ones((count, y.shape[1]))
    if count > 1:
        shares = np.maximum(found.prices[-count:], 0.0)
        total = shares.sum(axis=0)
        shares = np.where(total > 0.0, shares / np.where(total > 0.0, total, 1.0), 1.0 / count)
    m = pieces.mean(y)
    for i, k in enumerate(goal.components):
        share = shares[i] / (pieces.scales[k] * b)
        s, bend_s = pieces.deviation[k].at(y)
        r, bend_r = pieces.radius[k].at(y)
        rho = pieces.radii[k]
        value += share * (m[k] - trial * s - b * rho * r)
        size = np.abs(pieces.mean_base[k])
        size = size + (np.abs(pieces.means[k])[:, None] * np.abs(y)).sum(axis=0)
        terms += share * (size + trial * s + b * rho * r)
        slope += share * (pieces.means[k][:, None] - trial * bend_s - b * rho * bend_r)
    gain, size = _most_gained(pieces, slope, y, budget)
    rounding = ROUNDING * (y.shape[0] + 2) * (terms + size)
    bound: Array = value + gain + rounding
    return bound


def proved_score(pieces: Pieces, goal: Goal, found: Found, trial: Array, budget: Array) -> Array:
    """A score that no plan of the piece within `budget` exceeds; infinite if none is proved.

    At most 0 at the trial score a proves that one. A bound η > 0 still proves a + η/σ when
    s + a/√(1+a²)·r ≥ σ on the whole piece, because h_a falls at least that fast in a.
    """
    eta = score_bound(pieces, goal, found, trial, budget)
    b = np.sqrt(1.0 + trial * trial)
    slowest = np.full(trial.size, np.inf)
    for k in goal.components:
        s = _least_length(pieces, pieces.deviation[k], found.y, budget)
        r = pieces.radii[k] * _least_length(pieces, pieces.radius[k], found.y, budget)
        slowest = np.minimum(slowest, (s + trial / b * r) / (pieces.scales[k] * b))
    beyond = np.where(slowest > 0.0, trial + eta / slowest, np.inf)
    proved = np.where(eta <= 0.0, trial, beyond)
    return np.where(proved <= SCORE_CEILING, proved, np.inf)


def _least_length(pieces: Pieces, length: Length, y: Array, budget: Array) -> Array:
    """A lower bound on a length over the piece: what never moves, or its linearisation at y."""
    value, slope = length.at(y)
    lost, size = _most_gained(pieces, -slope, y, budget)
    straight = value - lost - ROUNDING * (y.shape[0] + 2) * (value + size)
    return np.maximum(length.rest, np.where(np.isnan(straight), 0.0, straight))


def _most_gained(pieces: Pieces, slope: Array, y: Array, budget: Array) -> tuple[Array, Array]:
    """The largest slope · (y' − y) over the box and the cost ball, and the size of its terms."""
    w, at = pieces.weights, y - pieces.y0
    low, high = pieces.lower - pieces.y0, pieces.upper - pieces.y0
    nearest = np.minimum(np.maximum(0.0, low), high)
    gain = (slope * (nearest - at)).sum(axis=0)
    size = (np.abs(slope) * (np.abs(nearest) + np.abs(at))).sum(axis=0)
    if pieces.shared.euclidean:
        left = budget * budget - pieces.fixed_cost**2
        least = ((w * nearest) ** 2).sum(axis=0)
        best = _ball_gain(slope, w, low, high, left) - (slope * nearest).sum(axis=0)
        return np.where(left < least, -np.inf, gain + best), size + np.abs(best)
    left = budget - pieces.fixed_cost - (w * np.abs(nearest)).sum(axis=0)
    worth = np.abs(slope) / w
    room = w * np.where(slope > 0.0, high - nearest, nearest - low)
    order = np.argsort(-worth, axis=0, kind="stable")
    worth, room = (np.take_along_axis(v, order, axis=0) for v in (worth, room))
    empty = left < 0.0
    left = np.maximum(left, 0.0)
    for each, space in zip(worth, room, strict=True):
        taken = np.minimum(space, left)
        gain = gain + each * taken
        size = size + each * taken
        left = left - taken
    return np.where(empty, -np.inf, gain), size


def _ball_gain(c: Array, w: Array, low: Array, high: Array, square: Array) -> Array:
    """c·d over box ∩ ℓ2 ball, from above: ½νδ² + Σ max_d (c·d − ½ν·w²d²) at a good ν > 0."""
    square = np.maximum(square, 0.0)

    def best(nu: Array) -> Array:
        with np.errstate(over="ignore"):
            return np.minimum(np.maximum(c / (nu * w * w), low), high)

    # Between these ends Σ w²d² falls from at least δ² to at most δ², if it ever reaches δ².
    steepest = np.sqrt(((c / w) ** 2).sum(axis=0))
    length = np.sqrt(np.where(square > 0.0, square, 1.0))
    most = np.log(np.maximum(steepest / length, 1e-300)) + 1e-9
    least = most - 60.0
    for _ in range(HALVINGS):
        middle = 0.5 * (least + most)
        far = ((w * best(np.exp(middle))) ** 2).sum(axis=0) > square
        least, most = np.where(far, middle, least), np.where(far, most, middle)
    nu = np.exp(most)
    d = best(nu)
    value: Array = 0.5 * nu * square + (c * d - 0.5 * nu * (w * d) ** 2).sum(axis=0)
    return value


def cost_bound(pieces: Pieces, found: Found) -> Array:
    """A lower bound on the cost of every valid plan of the piece, (people,)."""
    value, slope, terms = _conditions(pieces, found, 0.0)
    w, at = pieces.weights, found.y - pieces.y0
    low, high = pieces.lower - pieces.y0, pieces.upper - pieces.y0
    if pieces.shared.euclidean:
        # The method's prices are those of ½·cost² in this unit.
        unit = cost_unit(pieces)
        slope, value, terms = slope * unit, value * unit, terms * unit
        step = np.minimum(np.maximum(slope / (w * w), low), high)
        least = (0.5 * (w * step) ** 2 - slope * (step - at)).sum(axis=0) - value
        terms = terms + (np.abs(slope) * (np.abs(step) + np.abs(at))).sum(axis=0)
        least = least - ROUNDING * (w.shape[0] + 2) * terms
        bound: Array = np.sqrt(2.0 * np.maximum(least, 0.0) + pieces.fixed_cost**2)
        return bound
    # Smaller multipliers are as good: no column without an end may be worth more than it costs.
    endless = np.where(slope > 0.0, high == np.inf, low == -np.inf)
    over = np.where(endless, np.abs(slope) / w, 0.0).max(axis=0, initial=0.0)
    shrink = np.where(over > 1.0, 1.0 / np.maximum(over, 1.0), 1.0)
    slope, value, terms = slope * shrink, value * shrink, terms * shrink
    nearest = np.minimum(np.maximum(0.0, low), high)
    step = np.where((slope > w) & np.isfinite(high), high, nearest)
    step = np.where((slope < -w) & np.isfinite(low), low, step)
    least = pieces.fixed_cost - value + (w * np.abs(step) - slope * (step - at)).sum(axis=0)
    terms = terms + ((w + np.abs(slope)) * np.abs(step) + np.abs(slope * at)).sum(axis=0)
    proved: Array = least - ROUNDING * (w.shape[0] + 2) * terms
    return np.maximum(proved, pieces.fixed_cost)
