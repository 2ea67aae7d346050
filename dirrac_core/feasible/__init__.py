"""The feasible set of one applicant, its convex pieces, its checklist and why it may be empty."""

from dirrac_core.feasible.cheapest import Cheapest
from dirrac_core.feasible.checks import Check, Checklist
from dirrac_core.feasible.explain import (
    Drop,
    Explanation,
    Unlock,
    dropped,
    explain,
    restricted_features,
    unlocked,
)
from dirrac_core.feasible.feasible_set import FeasibleSet
from dirrac_core.feasible.piece import Piece
from dirrac_core.feasible.projection import Projector, found_point

__all__ = [
    "Cheapest",
    "Check",
    "Checklist",
    "Drop",
    "Explanation",
    "FeasibleSet",
    "Piece",
    "Projector",
    "Unlock",
    "dropped",
    "explain",
    "found_point",
    "restricted_features",
    "unlocked",
]
