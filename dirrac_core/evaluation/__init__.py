"""How plans fare: validity today and later, cost, sparsity, plausibility, frontiers, equity."""

from dirrac_core.evaluation.applicants import Applicant, declined_applicants
from dirrac_core.evaluation.frontier import (
    applicant_frontier,
    dataset_frontier,
    frontier_methods,
    measure_all,
    sensitivity,
)
from dirrac_core.evaluation.intervals import Interval, mean_interval, share_interval
from dirrac_core.evaluation.measures import Judge, Measures, describe, measure, summary, table
from dirrac_core.evaluation.parallel import Mapped, mapped
from dirrac_core.evaluation.portfolio import equity, portfolio
from dirrac_core.evaluation.shift_impact import shift_impact

__all__ = [
    "Applicant",
    "Interval",
    "Judge",
    "Mapped",
    "Measures",
    "applicant_frontier",
    "dataset_frontier",
    "declined_applicants",
    "describe",
    "equity",
    "frontier_methods",
    "mapped",
    "mean_interval",
    "measure",
    "measure_all",
    "portfolio",
    "sensitivity",
    "share_interval",
    "shift_impact",
    "summary",
    "table",
]
