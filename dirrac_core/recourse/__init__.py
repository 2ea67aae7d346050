"""One plan: problem → result, in exact and in whole units."""

from dirrac_core.recourse.find import SOLVERS, assess, find_recourse
from dirrac_core.recourse.problem import RecourseProblem
from dirrac_core.recourse.result import Recourse

__all__ = ["SOLVERS", "Recourse", "RecourseProblem", "assess", "find_recourse"]
