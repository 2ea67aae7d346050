"""The two solvers: `certified` and the paper's `projected_gradient`."""

from dirrac_core.solvers.certified import solve_certified
from dirrac_core.solvers.outcome import Outcome, Step
from dirrac_core.solvers.projected_gradient import Algorithm1, solve_projected_gradient

__all__ = ["Algorithm1", "Outcome", "Step", "solve_certified", "solve_projected_gradient"]
