"""Distributionally robust recourse: what to change, and how well that survives future models."""

from dirrac_core.data import DATASETS, Actions, Dataset, load_dataset
from dirrac_core.feasible import FeasibleSet
from dirrac_core.models.mixture import ParameterMixture
from dirrac_core.recourse import Recourse, RecourseProblem, assess, find_recourse
from dirrac_core.robustness import WeightBall, robust_scores, worst_case_model

__all__ = [
    "DATASETS",
    "Actions",
    "Dataset",
    "FeasibleSet",
    "ParameterMixture",
    "Recourse",
    "RecourseProblem",
    "WeightBall",
    "assess",
    "find_recourse",
    "load_dataset",
    "robust_scores",
    "worst_case_model",
]
