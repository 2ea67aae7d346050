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
# How often a step that still gains is doubled, and how finely its end is looked for.
MOST_DOUBLINGS, HALVINGS = 40, 8
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
        project = Projector(piece, budget)
        nearest = projected(project, feasible.x0)
        majoriser = Majoriser(ScoreProgram(piece, budget, components), objective)
        starts = ([x] if here else []) + ([] if nearest is None else [nearest])
        for start in starts:
            end = majoriser.improve(start, SMALLEST_GAIN, late)[0]
            further = _followed(feasible, objective, end, majoriser.latest_step)
            beyond = None if further is None else projected(project, further)
            ends += [end] if beyond is None else [end, beyond]
            solves += further is not None
        solves += 1 + majoriser.solves
        stalled = stalled or majoriser.stalled
    return Descent(tuple(ends), solves, stalled)


def _followed(
    feasible: FeasibleSet, objective: Objective, x: Array, step: Array | None
) -> Array | None:
    """Where the direction of the last step stops gaining, if that gains a step's worth or more.

    The majorant of a component whose deviation almost vanishes is far steeper than the component
    itself: steps then end much too early, and gain so little that the descent seems to be over.
    """
    if step is None:
        return None
    value = best = objective.value(x)
    low, high = 0.0, 1.0

    def gains(length: float) -> bool:
        nonlocal best
        there = objective.value(x + length * step)
        if there >= best or not feasible.contains(x + length * step):
            return False
        best = there
        return True

    for _ in range(MOST_DOUBLINGS):
        if not gains(high):
            break
        low, high = high, 2.0 * high
    if low == 0.0:
        return None
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if gains(middle) else (low, middle)
    return x + low * step if value - best > SMALLEST_GAIN else None


def algorithm_1(feasible: FeasibleSet, objective: Objective, time_limit: float | None) -> Descent:
    """The first steps of the paper's own descent; only a moment of them with a time limit."""
    limit = None if time_limit is None else min(ALGORITHM_1_SECONDS, time_limit)
    found = solve_projected_gradient(feasible, objective, FEW_STEPS, time_limit=limit)
    return Descent((found.x,), found.solves)
