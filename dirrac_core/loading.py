"""Two libraries that each bring their own HiGHS under one name: whichever comes first stays.

OR-tools cannot be loaded after the `highspy` that cvxpy imports, while cvxpy, which is only asked
for Clarabel here, does without HiGHS. So OR-tools goes first wherever cvxpy is wanted. Both take
long to import, so they are imported where they are used.
"""

from importlib import import_module
from typing import Any

from dirrac_core.errors import SolverFailure


def cp_sat() -> Any:
    """OR-tools' CP-SAT."""
    try:
        return import_module("ortools.sat.python.cp_model")
    except ImportError as problem:
        raise SolverFailure(
            "OR-tools cannot be loaded after cvxpy or highspy in one process, because all bring "
            f"their own HiGHS; call dirrac_core.loading.cp_sat() before importing them ({problem})"
        ) from problem


def convex_programs() -> Any:
    """cvxpy, after OR-tools."""
    cp_sat()
    return import_module("cvxpy")
