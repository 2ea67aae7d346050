"""What a solver hands back: the best plan it found, what it proved, and how it got there."""

from dataclasses import dataclass

from dirrac_core.arrays import Array

OPTIMAL = "optimal"
TIME_LIMIT = "time limit"
CONVERGED = "converged"
ITERATION_LIMIT = "iteration limit"
STALLED = "stalled"


@dataclass(frozen=True, eq=False)
class Step:
    """One line of a solver's trace: the point it held, its value and the bound proved so far.

    `size` is the step λ^i·ζ of Algorithm 1 that led to the point; 0 where no such step did.
    """

    x: Array
    value: float
    lower_bound: float
    note: str
    size: float = 0.0


@dataclass(frozen=True, eq=False)
class Outcome:
    """The best point, its value, a proved lower bound on the optimum, and the trace."""

    status: str
    x: Array
    value: float
    lower_bound: float
    trace: tuple[Step, ...]
    solves: int
    nodes: int
