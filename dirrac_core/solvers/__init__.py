"""The two solvers: `certified` and the paper's `projected_gradient`."""

from dirrac_core.solvers.algorithm_1 import Algorithm1, solve_projected_gradient
from dirrac_core.solvers.certified import solve_certified
from dirrac_core.solvers.cheapest import CheapestLasting, solve_cheapest
from dirrac_core.solvers.outcome import Outcome, Step

__all__ = [
    "Algorithm1",
    "CheapestLasting",
    "Outcome",
    "Step",
    "solve_certified",
    "solve_cheapest",
    "solve_projected_gradient",
]
