"""The feasible set of one applicant, its convex pieces, its checklist and why it may be empty."""

from dirrac_core.feasible.checks import Check, Checklist
from dirrac_core.feasible.explain import (
    Explanation,
    Unlock,
    explain,
    restricted_features,
    unlocked,
)
from dirrac_core.feasible.feasible_set import Cheapest, FeasibleSet, Projector
from dirrac_core.feasible.piece import Piece

__all__ = [
    "Cheapest",
    "Check",
    "Checklist",
    "Explanation",
    "FeasibleSet",
    "Piece",
    "Projector",
    "Unlock",
    "explain",
    "restricted_features",
    "unlocked",
]
