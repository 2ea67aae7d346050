"""The cheapest valid plan of one piece, and a bound that says how far its cost is proved."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dirrac_core.arrays import Array
from dirrac_core.conic import ConeSolution
from dirrac_core.errors import SolverFailure
from dirrac_core.feasible.checks import TOLERANCE
from dirrac_core.feasible.piece import Piece
from dirrac_core.feasible.piece_rows import Rows
from dirrac_core.feasible.projection import found_point

# Aimed at: a cost proved to this share of itself, or of what the least change that matters costs.
COST_ACCURACY = 1e-7
MOST_SOLVES = 8
# A program around a plan reaches to this many times its cost: the cheapest one lies well inside.
AROUND = 2.0
# Validity is asked for with so many times what a point missed it by.
SPARE = 2.0

Cost = Callable[[Array], float]
Test = Callable[[Array], bool]


@dataclass(frozen=True, eq=False)
class Cheapest:
    """The cheapest valid plan known, with its cost; no valid plan costs less than `bound`."""

    cost: float
    x: Array
    bound: float

    @property
    def proved(self) -> bool:
        """Whether the bound lies as near the cost as a budget's tolerance."""
        return self.cost - self.bound <= TOLERANCE * self.cost

    def with_other(self, other: "Cheapest") -> "Cheapest":
        """The cheaper of two plans, where valid plans lie in the pieces of both."""
        better = other if other.cost < self.cost else self
        return Cheapest(better.cost, better.x, min(self.bound, other.bound))


def cheapest_in(piece: Piece, cost_of: Cost, is_valid: Test, unit: float) -> Cheapest | None:
    """The cheapest valid plan of a piece; None with a proof that it has none.

    The accuracy of a cone program is a share of its largest steps. Where the cheapest plan is much
    smaller than those, the plan found first is only a plan, and not the cheapest: the steps are cut
    to what it costs and the program is solved again, until the bound meets the cost. So it is where
    the point found first misses validity. `unit` is the cost of the smallest change that matters.
    """
    solution, rows = _solved(piece, np.inf)
    if not found_point(solution, "δ_min"):
        if solution.reach < piece.farthest:
            message = (
                f"A proof that no plan is valid must cover the whole box, {piece.farthest:.2g} "
                f"changes that matter wide, got one for {solution.reach:.2g}"
            )
            raise SolverFailure(message)
        return None
    x = piece.embed(solution.v)
    best = Cheapest(cost_of(x), x, max(piece.fixed_cost, solution.bound + rows.cost_constant))
    valid = is_valid(x)
    for _ in range(MOST_SOLVES - 1):
        if valid and best.cost - best.bound <= COST_ACCURACY * max(best.cost, unit):
            break
        solution, rows = _solved(piece, AROUND * best.cost)
        if not solution.usable:
            # The plan at hand lies inside this program: its numbers are too small to go on with.
            break
        x = piece.embed(solution.v)
        cost, kept, before = cost_of(x), is_valid(x), best
        bound = max(best.bound, solution.bound + rows.cost_constant)
        if kept > valid or (kept == valid and cost < best.cost):
            best, valid = Cheapest(cost, x, bound), kept
        best = Cheapest(best.cost, best.x, bound)
        if best.cost == before.cost and bound == before.bound:
            break
    return best if valid else _beyond(piece, best, cost_of, is_valid)


def _beyond(piece: Piece, best: Cheapest, cost_of: Cost, is_valid: Test) -> Cheapest:
    """The cheapest plan of those that clear validity by what the point found misses it.

    Where √(xᵀMx) is all but zero, it is the root of a rounding error, which differs from one
    processor to the next and between program and checklist. The bound stays that of all plans.
    """
    extra, x = np.zeros(piece.margins.size), best.x
    for _ in range(MOST_SOLVES):
        extra += SPARE * piece.shortfalls(x)
        solution, _ = _solved(piece, AROUND * best.cost, -extra)
        if not solution.usable:
            break
        x = piece.embed(solution.v)
        if is_valid(x):
            return Cheapest(cost_of(x), x, best.bound)
    return best


def _solved(piece: Piece, delta: float, slack: Array | float = 0.0) -> tuple[ConeSolution, Rows]:
    rows = piece.rows(delta, slack)
    return rows.program.solver().minimise(rows.program.row(rows.cost)), rows
