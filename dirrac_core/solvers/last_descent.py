"""What a plain descent would still find near a plan that meets the requested gap, or misses it."""

from collections.abc import Callable
from dataclasses import dataclass

from dirrac_core.arrays import Array
from dirrac_core.feasible import FeasibleSet, Projector
from dirrac_core.robustness import Objective
from dirrac_core.solvers.algorithm_1 import Algorithm1, projected, solve_projected_gradient
from dirrac_core.solvers.majorise import Majoriser
from dirrac_core.solvers.score_program import ScoreProgram

# A descent goes on while a step gains this much.
SMALLEST_GAIN = 1e-5
# How long Algorithm 1 may take: steps always; seconds only where the clock counts anyway,
# because without a time limit an answer is the same on every run.
FEW_STEPS = Algorithm1(iterations=100)
ALGORITHM_1_SECONDS = 0.1


@dataclass(frozen=True, eq=False)
class Descent:
    """Where descents ended, each to be judged; `stalled` when a step could not be computed."""

    ends: tuple[Array, ...]
    solves: int
    stalled: bool = False


def descend(
    feasible: FeasibleSet, objective: Objective, x: Array, late: Callable[[], bool]
) -> Descent:
    """Majorise–minimise from the plan x, and in every piece from where Algorithm 1 starts in it.

    A piece that cannot beat x by the requested gap was left unsearched and may still beat it by
    less. Once it is `late`, no further step is taken.
    """
    budget = feasible.budget()
    components = range(objective.mixture.components)
    ends: list[Array] = []
    solves, stalled = 0, False
    for piece in feasible.pieces():
        if late():
            break
        here = piece.holds(x)
        nearest = projected(Projector(piece, budget), feasible.x0)
        majoriser = Majoriser(ScoreProgram(piece, budget, components), objective)
        starts = ([x] if here else []) + ([] if nearest is None else [nearest])
        ends += [majoriser.improve(start, SMALLEST_GAIN, late)[0] for start in starts]
        solves += 1 + majoriser.solves
        stalled = stalled or majoriser.stalled
    return Descent(tuple(ends), solves, stalled)


def algorithm_1(feasible: FeasibleSet, objective: Objective, time_limit: float | None) -> Descent:
    """The first steps of the paper's own descent; only a moment of them with a time limit."""
    limit = None if time_limit is None else min(ALGORITHM_1_SECONDS, time_limit)
    found = solve_projected_gradient(feasible, objective, FEW_STEPS, time_limit=limit)
    return Descent((found.x,), found.solves)
