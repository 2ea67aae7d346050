"""Robustness: Gelbrich distance, robust score, adversary, links, weightings, the objective."""

from dirrac_core.robustness.adversary import WorstCaseModel, worst_case_model
from dirrac_core.robustness.divergence import Divergence, DualPoint
from dirrac_core.robustness.divergences import DIVERGENCES, divergence_named
from dirrac_core.robustness.doubt import METRICS, Doubt, Metric
from dirrac_core.robustness.gelbrich import gelbrich_distance
from dirrac_core.robustness.links import LINKS, Chebyshev, Gaussian, Link, link_named
from dirrac_core.robustness.objective import Objective
from dirrac_core.robustness.score import (
    checked_applicant,
    robust_scores,
    score_gradients,
    score_terms,
    signed_score,
)
from dirrac_core.robustness.weight_ball import WorstWeights, worst_weights
from dirrac_core.robustness.weightings import (
    Nominal,
    WeightBall,
    Weighting,
    WorstComponent,
    weighting_named,
)

__all__ = [
    "DIVERGENCES",
    "LINKS",
    "METRICS",
    "Chebyshev",
    "Divergence",
    "Doubt",
    "DualPoint",
    "Gaussian",
    "Link",
    "Metric",
    "Nominal",
    "Objective",
    "WeightBall",
    "Weighting",
    "WorstCaseModel",
    "WorstComponent",
    "WorstWeights",
    "checked_applicant",
    "divergence_named",
    "gelbrich_distance",
    "link_named",
    "robust_scores",
    "score_gradients",
    "score_terms",
    "signed_score",
    "weighting_named",
    "worst_case_model",
    "worst_weights",
]
