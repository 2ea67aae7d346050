"""The ceiling on ρ in one piece: the largest radius that leaves a valid plan."""

from collections.abc import Hashable

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array
from dirrac_core.feasible.piece import Piece
from dirrac_core.feasible.projection import found_point

# A length below this share of what it may come to is 0 as far as a cone program can say.
NO_LENGTH = 1e-8
# The iteration over ratios ends when the ceiling grows by less than this share.
SMALL_GROWTH = 1e-9
MOST_STEPS = 60


def largest_radius_in(piece: Piece, delta: float, ratio: Array) -> float:
    """The largest t with θ̂_kᵀx − ε_k ≥ t·π_k·√(xᵀM_k x) for all k at some x of the piece.

    π is `ratio` (K,), not all 0. The piece must be one without radii.
    """
    return (
        _common(piece, delta, ratio) if piece.doubt.factors is None else _own(piece, delta, ratio)
    )


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


def _own(piece: Piece, delta: float, ratio: Array) -> float:
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
    q = program.row({"least": -1.0})
    t, weights = 0.0, piece.terms[counted]
    for _ in range(MOST_STEPS):
        step = program.copy()
        for weight, k in zip(weights, counted, strict=True):
            unit = piece.terms[k] + t * ratio[k] * piece.lengths[k]
            row: dict[Hashable, npt.ArrayLike] = {
                "y": -means[k, piece.free] / unit,
                "least": weight / unit,
            }
            if ("length", int(k)) in program:
                row["length", int(k)] = t * ratio[k] / unit
            step.at_most(row, (means[k] @ piece.base - piece.margins[k]) / unit)
        solution = step.solver().minimise(q)
        if not found_point(solution, "the ceiling on ρ"):
            return 0.0
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
