"""How plans fare: validity today and later, cost, sparsity, plausibility, frontiers."""

from dirrac_core.evaluation.frontier import applicant_frontier, frontier_methods
from dirrac_core.evaluation.intervals import Interval, mean_interval, share_interval
from dirrac_core.evaluation.measures import Judge, Measures, measure, summary, table

__all__ = [
    "Interval",
    "Judge",
    "Measures",
    "applicant_frontier",
    "frontier_methods",
    "mean_interval",
    "measure",
    "share_interval",
    "summary",
    "table",
]
