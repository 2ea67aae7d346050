"""The ceiling on ρ in one piece: the largest radius that leaves a valid plan."""

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


def largest_radius_in(piece: Piece, delta: float, ratio: Array, known: float = 0.0) -> float:
    """The largest t ≥ `known` with θ̂_kᵀx − ε_k ≥ t·π_k·√(xᵀM_k x) for all k at some x of the piece.

    `known` where the piece has no larger one. π is `ratio` (K,), not all 0. The piece must be one
    without radii.
    """
    if piece.doubt.factors is None:
        return max(_common(piece, delta, ratio), known)
    return _own(piece, delta, ratio, known)


def _common(piece: Piece, delta: float, ratio: Array) -> float:
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
        return 0.0
    # The ratio at the point itself, which is attained even where the objective is inaccurate.
    t_value = float(cone.part(solution.v, "t")[0])
    y = cone.part(solution.v, "y") + piece.start * t_value
    reached = means[:, piece.free] @ y + (means @ piece.base - piece.margins) * t_value
    norm = np.hypot(np.linalg.norm(y), np.linalg.norm(piece.base) * t_value)
    counted = ratio > 0.0
    return max(float((reached[counted] / ratio[counted]).min()) / float(norm), 0.0)


def _own(piece: Piece, delta: float, ratio: Array, known: float) -> float:
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
    t, weights = known, piece.terms[counted]
    for _ in range(MOST_STEPS):
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
        if not reached > t * (1.0 + SMALL_GROWTH) or reached == np.inf:
            return max(reached, t)
        t = reached
        weights = np.maximum(ratio[counted] * lengths, NO_LENGTH * piece.terms[counted])
    return t
