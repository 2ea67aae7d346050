"""What a plain descent would still find near a plan that meets the gap asked for, or misses it."""

from dataclasses import dataclass

from dirrac_core.arrays import Array
from dirrac_core.feasible import FeasibleSet, Projector
from dirrac_core.robustness import Objective
from dirrac_core.solvers.majorise import Majoriser
from dirrac_core.solvers.projected_gradient import (
    Algorithm1,
    projected,
    solve_projected_gradient,
)
from dirrac_core.solvers.score_program import ScoreProgram

# A descent goes on while a step gains this much.
SMALLEST_GAIN = 1e-5
# For how long Algorithm 1 has a try: steps always; seconds only where the clock counts anyway,
# because without a time limit an answer is the same on every run.
FEW_STEPS = Algorithm1(iterations=100)
ALGORITHM_1_SECONDS = 0.1


@dataclass(frozen=True, eq=False)
class Descent:
    """Where descents ended, each to be judged; `stalled` when a step could not be computed."""

    ends: tuple[Array, ...]
    solves: int
    stalled: bool = False


def descend(feasible: FeasibleSet, objective: Objective, x: Array) -> Descent:
    """Majorise–minimise from the plan x and from where Algorithm 1 starts in the piece of x."""
    budget = feasible.budget()
    components = range(objective.mixture.components)
    for piece in feasible.pieces():
        if piece.holds(x):
            majoriser = Majoriser(ScoreProgram(piece, budget, components), objective)
            nearest = projected(Projector(piece, budget), feasible.x0)
            starts = [x] if nearest is None else [x, nearest]
            ends = tuple(majoriser.improve(start, SMALLEST_GAIN)[0] for start in starts)
            return Descent(ends, 1 + majoriser.solves, majoriser.stalled)
    return Descent((), 0)


def algorithm_1(feasible: FeasibleSet, objective: Objective, hurried: bool) -> Descent:
    """The first steps of the paper's own descent; `hurried` when there is a time limit."""
    limit = ALGORITHM_1_SECONDS if hurried else None
    found = solve_projected_gradient(feasible, objective, FEW_STEPS, time_limit=limit)
    return Descent((found.x,), found.solves)
