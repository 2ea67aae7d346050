"""Euclidean projection on one piece of a feasible set."""

from dirrac_core.arrays import Array
from dirrac_core.conic import INFEASIBLE, ConeSolution
from dirrac_core.errors import SolverFailure
from dirrac_core.feasible.piece import Piece


class Projector:
    """Euclidean projection on one piece with cost ≤ delta; the cone program is built once."""

    def __init__(self, piece: Piece, delta: float) -> None:
        self._piece = piece
        self._program = piece.rows(delta).program
        self._solver = self._program.solver(self._program.row({"y": 1.0}))

    def __call__(self, point: Array) -> Array | None:
        """The nearest point of the piece, or None when the piece is empty."""
        solution = self._solver.minimise(self._program.row({"y": -point[self._piece.free]}))
        if not found_point(solution, "projection"):
            return None
        if not solution.accurate:
            message = (
                "A projection must lie in the set, got a point that misses a condition by "
                f"{solution.residual:.2g}"
            )
            raise SolverFailure(message)
        return self._piece.embed(solution.v)


def found_point(solution: ConeSolution, purpose: str) -> bool:
    """Whether a solve found a point; False only with a proof that there is none."""
    if solution.usable:
        return True
    if solution.status == INFEASIBLE:
        return False
    message = f"The cone program for {purpose} must end solved or infeasible, got {solution.status}"
    raise SolverFailure(message)
