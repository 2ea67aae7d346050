"""The best score of each component by itself: a bound on all plans of a piece.

It is the same for every link and every weighting, so the latest is kept with the piece: the six
formulations of one question share it.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dirrac_core.arrays import Array
from dirrac_core.feasible import Piece
from dirrac_core.progress import never
from dirrac_core.robustness import score_terms, signed_score
from dirrac_core.solvers.score_program import SCORE_CEILING, ScoreProgram, best_score


@dataclass(frozen=True, eq=False)
class BestAlone:
    """No point of the piece has a score above `upper` (K,), which is at most SCORE_CEILING.

    Each component has its best score at one of the `points`; `solves` cone programs were solved.
    """

    upper: Array
    points: tuple[Array, ...]
    solves: int

    @property
    def empty(self) -> bool:
        """Whether the piece is proved to have no point."""
        return bool((self.upper == -np.inf).any())


def best_alone(
    piece: Piece, budget: float, slack: Array, late: Callable[[], bool] = never
) -> BestAlone:
    """The best score of each component within the budget; validity may be missed by `slack` (K,).

    Once it is `late` nothing more is solved, and what was not proved is at SCORE_CEILING.
    """
    asked = budget, slack.tobytes()
    before, found = piece.kept.get(BestAlone, (None, None))
    if before == asked and isinstance(found, BestAlone):
        return found
    found = _search(piece, budget, slack, late)
    # What was left for want of time is no answer for whoever has more of it.
    if not late():
        piece.kept[BestAlone] = asked, found
    return found


def _search(piece: Piece, budget: float, slack: Array, late: Callable[[], bool]) -> BestAlone:
    count = piece.mixture.components
    upper, solves = np.full(count, np.inf), 0
    points: list[Array] = []
    for k in range(count):

        def score_of(x: Array, k: int = k) -> float:
            return float(signed_score(*score_terms(x, piece.mixture, piece.doubt))[k])

        program = ScoreProgram(piece, budget, [k], slack)
        start = max((score_of(x) for x in points), default=0.0)
        best = best_score(program.try_score, score_of, start, late)
        upper[k] = min(best.upper, SCORE_CEILING)
        solves += program.solves
        if best.x is not None:
            best.x.setflags(write=False)
            points.append(best.x)
        if upper[k] == -np.inf:
            break
    upper.setflags(write=False)
    return BestAlone(upper, tuple(points), solves)
