"""How plans fare: validity today and later, cost, sparsity, plausibility, frontiers, equity."""

from dirrac_core.studies.frontier import dataset_frontier, frontier_methods
from dirrac_core.studies.intervals import Interval, mean_interval, share_interval
from dirrac_core.studies.measures import Judge, Measures, describe, measure, measure_all, table
from dirrac_core.studies.people.applicants import (
    Applicant,
    applicants_of,
    declined_applicants,
    spread_applicants,
)
from dirrac_core.studies.people.equity import equity
from dirrac_core.studies.people.portfolio import case_portfolio
from dirrac_core.studies.sensitivity import sensitivity
from dirrac_core.studies.shift_impact import shift_impact

__all__ = [
    "Applicant",
    "Interval",
    "Judge",
    "Measures",
    "applicants_of",
    "case_portfolio",
    "dataset_frontier",
    "declined_applicants",
    "describe",
    "equity",
    "frontier_methods",
    "mean_interval",
    "measure",
    "measure_all",
    "sensitivity",
    "share_interval",
    "shift_impact",
    "spread_applicants",
    "table",
]
