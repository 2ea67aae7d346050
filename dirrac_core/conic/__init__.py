"""The one conic layer: it scales, solves and checks every cone program in one way."""

from dirrac_core.conic.changing import ChangingRows
from dirrac_core.conic.program import ConeProgram, Parts
from dirrac_core.conic.solver import (
    ALMOST,
    FAILED,
    INFEASIBLE,
    ROW_ACCURACY,
    SOLVED,
    UNBOUNDED,
    ConeSolution,
    ConeSolver,
)

__all__ = [
    "ALMOST",
    "FAILED",
    "INFEASIBLE",
    "ROW_ACCURACY",
    "SOLVED",
    "UNBOUNDED",
    "ChangingRows",
    "ConeProgram",
    "ConeSolution",
    "ConeSolver",
    "Parts",
]
