"""Boxes of scores, the regions of the certified solver: what they rule out, how they are split."""

from dataclasses import dataclass

import numpy as np

from dirrac_core.arrays import Array
from dirrac_core.robustness import Objective
from dirrac_core.solvers.relaxation import Relaxation, Relaxed

# A split leaves each part at least this share of the interval, and a probability known this well
# is not split again.
SMALLEST_PART = 0.15
NARROWEST = 1e-7


@dataclass(frozen=True, eq=False)
class Box:
    """A region of one piece: the plans whose scores lie between lo and hi."""

    relaxation: Relaxation
    lo: Array
    hi: Array
    relaxed: Relaxed


def raised_floors(objective: Objective, lo: Array, hi: Array, target: float, known: Array) -> Array:
    """Floors that every plan with a value below the target must meet, given the ceilings hi.

    For any weights p the weighting allows, Σ p_j f_j ≤ value; with f_j ≥ link(hi_j) for the
    others this caps f_k, and so floors score k. `known` are such weights; those that are worst at
    the ceilings are used, too.
    """
    if target <= 0.0:
        return lo
    least = objective.link.probability(hi)
    cap = np.full(lo.size, np.inf)
    for p in (objective.weigh(least)[1], known):
        others = p @ least - p * least
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            allowed = np.where(p > 0, (target - others) / p, np.inf)
        cap = np.minimum(cap, allowed)
    return np.maximum(lo, objective.link.score(cap))


def split_in_two(
    objective: Objective, lo: Array, hi: Array, relaxed: Relaxed
) -> tuple[tuple[Array, Array], tuple[Array, Array]] | None:
    """The (lo, hi) of both parts of a box, split where its relaxation is furthest from the truth.

    None when it is a point as far as probabilities go: no split would raise its bound.
    """
    link = objective.link
    # In probabilities, which is what counts: a score may reach from 0 to a million.
    most, least = link.probability(lo), link.probability(hi)
    width = most - least
    if width.max() <= NARROWEST:
        return None
    if relaxed.x is None or relaxed.scores is None:
        weights, off, middle = objective.weigh(least)[1], width, 0.5 * (most + least)
    else:
        truth, claimed = objective.probabilities(relaxed.x), link.probability(relaxed.scores)
        # The weights of the truth: those at the best scores may give a component none at all.
        weights, off, middle = objective.weigh(truth)[1], truth - claimed, 0.5 * (truth + claimed)
    k = int(np.argmax(np.where(width > NARROWEST, weights * off, -np.inf)))
    # Never so close to an end that a part hardly shrinks.
    edge = SMALLEST_PART * width[k]
    at = float(link.score(np.clip(middle[k], least[k] + edge, most[k] - edge)))
    upper_lo, lower_hi = lo.copy(), hi.copy()
    upper_lo[k] = lower_hi[k] = at
    return (upper_lo, hi), (lo, lower_hi)
