"""Boosted trees: plans proved over re-trainings, and models brought along."""

from dirrac_core.trees.answer import TreePlan
from dirrac_core.trees.problem import TreeProblem
from dirrac_core.trees.promise import Promise, promise_of
from dirrac_core.trees.retrainings import Retrainings, retrained
from dirrac_core.trees.search import cheapest_accepted, most_accepted

__all__ = [
    "Promise",
    "Retrainings",
    "TreePlan",
    "TreeProblem",
    "cheapest_accepted",
    "most_accepted",
    "promise_of",
    "retrained",
]
