"""A divergence is one entry: adding one to the list is all there is to do."""

import cvxpy as cp
import numpy as np
import pytest

from dirrac_core import ParameterMixture, RecourseProblem, WeightBall, find_recourse
from dirrac_core.case.settings import Settings
from dirrac_core.robustness import DIVERGENCES, Divergence, DualPoint, worst_weights
from dirrac_core.solvers.second_opinion import second_opinion

KL = DIVERGENCES["kl"]


def doubled_worst(p_hat, gaps, radius):
    """D ≤ ε is KL ≤ ε/2; a unit of ε is then worth half as much."""
    point = KL.worst(p_hat, gaps, radius / 2)
    return DualPoint(point.ratios, point.multiplier / 2)


DOUBLED = Divergence(
    name="doubled",
    label="twice Kullback–Leibler",
    phi=lambda t: 2 * KL.phi(t),
    conjugate=lambda s: 2 * KL.conjugate(s / 2),
    at_zero=2.0,
    domain_limit=np.inf,
    worst=doubled_worst,
    stated=lambda p, nominal: 2 * cp.sum(cp.kl_div(p, nominal)),
)


@pytest.fixture(autouse=True)
def _listed(monkeypatch):
    monkeypatch.setitem(DIVERGENCES, "doubled", DOUBLED)


def test_the_weight_ball_takes_it():
    weights, f = [0.2, 0.5, 0.3], [0.9, 0.2, 0.4]
    ours = worst_weights("doubled", weights, f, 0.2)
    assert ours.value == worst_weights("kl", weights, f, 0.1).value
    assert DOUBLED.between(ours.weights, weights) == pytest.approx(0.2, rel=1e-9)


def test_the_solver_and_the_second_opinion_take_it():
    means, covariances = [[1.0, 2.0, -1.5], [2.0, 1.0, -1.4]], [0.02 * np.eye(3)] * 2
    mixture = ParameterMixture([0.3, 0.7], means, covariances)
    problem = RecourseProblem(
        [0.2, 0.3, 1.0], mixture, weighting=WeightBall("doubled", 0.2), delta_add=0.3
    )
    plan = find_recourse(problem)
    opinion = second_opinion(problem.feasible_set, problem.objective, plan.x)
    assert opinion.broken == ()
    assert opinion.value == pytest.approx(plan.worst_case_probability, abs=1e-6)


def test_the_settings_take_it():
    assert Settings("german", weighting="ball", divergence="doubled").weighting_choice == (
        WeightBall("doubled", Settings("german").weight_radius)
    )
