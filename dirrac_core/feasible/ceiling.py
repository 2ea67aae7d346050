"""The ceiling on ρ in one piece: the largest radius that leaves a valid plan."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from dirrac_core.arrays import Array
from dirrac_core.conic import ChangingRows
from dirrac_core.feasible.piece import Piece
from dirrac_core.feasible.projection import found_point

# A length below this share of what it may come to is 0 as far as a cone program can say.
NO_LENGTH = 1e-8
# The iteration over ratios ends when the ceiling grows by less than this share.
SMALL_GROWTH = 1e-9
MOST_STEPS = 60


@dataclass(frozen=True, eq=False)
class Reached:
    """A radius that leaves a plan, and that plan; none where even the radius 0 leaves none."""

    radius: float = 0.0
    x: Array | None = None


NOTHING = Reached()


def largest_radius(pieces: Iterable[Piece], delta: float, ratio: Array) -> float:
    """The largest t with θ̂_kᵀx − ε_k ≥ t·π_k·√(xᵀM_k x) for all k at some x of one of the pieces.

    π is `ratio` (K,), not all 0. The pieces must be without radii. After the first one the most
    promising come first, and only those are solved that may have a larger one.
    """
    asked = iter(pieces)
    first = next(asked, None)
    if first is None:
        return 0.0
    best = largest_radius_in(first, delta, ratio)
    for piece in sorted(asked, key=lambda piece: -_ratio_at(piece, ratio, _nearest(piece, best.x))):
        if best.radius == np.inf:
            break
        if _may_have_more(piece, ratio, best):
            best = largest_radius_in(piece, delta, ratio, best)
    return best.radius


def largest_radius_in(
    piece: Piece, delta: float, ratio: Array, known: Reached = NOTHING
) -> Reached:
    """The largest radius of one piece; `known` where the piece has no larger one."""
    found = _common if piece.doubt.factors is None else _own
    return found(piece, delta, ratio, known)


def _nearest(piece: Piece, x: Array | None) -> Array:
    """The plan x with the categories of the piece; the applicant with them where there is none."""
    return piece.embed(piece.start if x is None else x[piece.free])


def _ratio_at(piece: Piece, ratio: Array, x: Array) -> float:
    """The radius that leaves x valid; negative where none does."""
    counted = ratio > 0.0
    lengths = np.broadcast_to(piece.doubt.lengths(x), ratio.shape)[counted]
    gains = (piece.mixture.means @ x - piece.margins)[counted]
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(np.nan_to_num(gains / (ratio[counted] * lengths)).min())


def _may_have_more(piece: Piece, ratio: Array, best: Reached) -> bool:
    """Whether it is not proved that the piece has no radius above the best.

    For any z with n_k(z) > 0, by Cauchy and Schwarz n_k(x) = √(xᵀM_k x) ≥ (M_k z)ᵀx / n_k(z). So
    θ̂_kᵀx − ε_k − t·π_k·n_k(x) is at most linear in x, and what that comes to in the box of the
    piece is its end: below 0 for one k, no x of the piece has a radius of t.
    """
    z = _nearest(piece, best.x)
    lengths = np.broadcast_to(piece.doubt.lengths(z), ratio.shape)
    harm = np.divide(ratio, lengths, out=np.zeros(ratio.size), where=lengths > 0.0)
    slopes = piece.mixture.means - best.radius * harm[:, None] * piece.doubt.images(z)
    free = slopes[:, piece.free]
    ends = np.where(free > 0.0, piece.upper, piece.lower)
    gains = np.multiply(free, ends, out=np.zeros_like(free), where=free != 0.0).sum(axis=1)
    return bool((slopes @ piece.base + gains >= piece.margins).all())


def _common(piece: Piece, delta: float, ratio: Array, known: Reached) -> Reached:
    """One ‖x‖ for all components: one cone program.

    With x = x0 + u/t the ratio min_k (θ̂_kᵀx − ε_k)/(π_k‖x‖) becomes: minimise ‖x t‖ with
    (θ̂_kᵀx t − ε_k t)/π_k ≥ 1.
    """
    # At the answer (θ̂_kᵀx − ε_k)·t = π_k for some k.
    size = float((ratio / piece.terms).max())
    cone = piece.rows(delta).program.homogenised("t", size)
    n, means = piece.free.size, piece.mixture.means
    cone.add("‖xt‖", 1, size * piece.lengths[0])
    moved = np.vstack([np.eye(n), np.zeros(n)])
    at_start = np.append(piece.start, np.linalg.norm(piece.base))
    cone.norm({"y": moved, "t": at_start[:, None]}, np.zeros(n + 1), {"‖xt‖": 1.0})
    missing = piece.margins - means @ piece.base - means[:, piece.free] @ piece.start
    cone.at_most({"y": -means[:, piece.free], "t": missing[:, None]}, -ratio)
    solution = cone.solver().minimise(cone.row({"‖xt‖": 1.0}))
    if not found_point(solution, "the ceiling on ρ"):
        return known
    # The ratio at the point itself, which is attained even where the objective is inaccurate.
    t_value = float(cone.part(solution.v, "t")[0])
    y = cone.part(solution.v, "y") + piece.start * t_value
    reached = means[:, piece.free] @ y + (means @ piece.base - piece.margins) * t_value
    norm = np.hypot(np.linalg.norm(y), np.linalg.norm(piece.base) * t_value)
    counted = ratio > 0.0
    radius = float((reached[counted] / ratio[counted]).min()) / float(norm)
    if not radius > known.radius:
        return known
    # At t = 0 the ray has no end in the piece.
    return Reached(radius, piece.embed(y / t_value) if t_value > 0.0 else None)


def _own(piece: Piece, delta: float, ratio: Array, known: Reached) -> Reached:
    """A length for each component: Dinkelbach's iteration for the smallest of several ratios.

    From the ceiling t reached so far, maximise min_k (θ̂_kᵀx − ε_k − t·π_k·n_k(x))/w_k with w_k =
    π_k·n_k at the last point; the maximiser has a larger ratio until t is the ceiling.
    """
    counted = np.flatnonzero(ratio > 0.0)
    means, doubt = piece.mixture.means, piece.doubt
    program = piece.rows(delta).program
    for k in counted:
        piece.add_length(program, int(k))
    program.add("least")
    with_length, lengths_at = program.columns_of([("length", int(k)) for k in counted])
    steps, q = ChangingRows(program), program.row({"least": -1.0})
    rows = np.zeros((counted.size, program.columns))
    rest = means[counted] @ piece.base - piece.margins[counted]
    best, weights = known, piece.terms[counted]
    for _ in range(MOST_STEPS):
        t = best.radius
        units = piece.terms[counted] + t * ratio[counted] * piece.lengths[counted]
        rows[:, : piece.free.size] = -means[np.ix_(counted, piece.free)] / units[:, None]
        rows[:, -1] = weights / units
        rows[with_length, lengths_at] = (t * ratio[counted] / units)[with_length]
        solution = steps.minimise(q, rows.copy(), rest / units)
        if not found_point(solution, "the ceiling on ρ"):
            return known
        x = piece.embed(solution.v)
        lengths = np.broadcast_to(doubt.lengths(x), ratio.shape)[counted]
        gains = means[counted] @ x - piece.margins[counted]
        lengths = np.where(lengths > NO_LENGTH * piece.lengths[counted], lengths, 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios = np.where(lengths > 0.0, gains / (ratio[counted] * lengths), np.inf)
        reached = float(np.where(gains >= 0.0, ratios, 0.0).min())
        if reached > t:
            best = Reached(reached, x)
        if not reached > t * (1.0 + SMALL_GROWTH) or reached == np.inf:
            break
        weights = np.maximum(ratio[counted] * lengths, NO_LENGTH * piece.terms[counted])
    return best
