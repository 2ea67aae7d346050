"""Multiplying all models by c > 0 changes no decision, and no answer in deviations."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from problems import LINKS, THREE_WEIGHTINGS, random_case

from dirrac_core import ParameterMixture, find_recourse, worst_case_model
from dirrac_core.robustness import gelbrich_distance
from tests import oracle
from tests.robustness_cases import powers

AGREE = 1e-6
NUMBERS = ("worst_case_probability", "delta_min", "delta", "cost")
# Branch and bound stops anywhere within the gap it was asked for; rounding decides where.
GAP = 1e-3


def scaled(case, c):
    """The same applicant before models c times as large."""
    mixture = case.mixture
    times = ParameterMixture(mixture.weights, c * mixture.means, c * c * mixture.covariances)
    return type(case)(case.x0, times, case.rng)


def problem_of(case, **options):
    """A problem in deviations, in which today's model is the first component's mean."""
    today = case.mixture.means[0]
    return case.problem("everything", metric="deviations", current_model=today, **options)


@settings(max_examples=40)
@given(
    seed=st.integers(0, 10_000),
    c=powers(-3, 3),
    components=st.integers(1, 3),
    rank=st.sampled_from([None, 2]),
    solver=st.sampled_from(["certified", "projected_gradient"]),
    categories=st.sampled_from(["relaxed", "whole"]),
    weighting=st.sampled_from(THREE_WEIGHTINGS),
    link=st.sampled_from(LINKS),
    rho=st.floats(0.0, 0.6),
)
def test_plan_worst_case_and_bound_do_not_depend_on_the_scale(
    seed, c, components, rank, solver, categories, weighting, link, rho
):
    case = random_case(seed, components, rank=rank)
    options = {"categories": categories, "weighting": weighting, "link": link, "radii": rho}
    one, other = problem_of(case, **options), problem_of(scaled(case, c), **options)
    plan, again = find_recourse(one, solver), find_recourse(other, solver)
    assert (plan.x is None) == (again.x is None)
    assert plan.status == again.status
    if plan.x is None:
        assert again.explanation.blame == plan.explanation.blame
        assert again.explanation.largest_radius == pytest.approx(
            plan.explanation.largest_radius, rel=AGREE, abs=AGREE
        )
        return
    np.testing.assert_allclose(again.x, plan.x, atol=AGREE)
    for name in NUMBERS:
        assert getattr(again, name) == pytest.approx(getattr(plan, name), abs=AGREE)
    loose = GAP if components > 1 else AGREE
    assert again.lower_bound == pytest.approx(plan.lower_bound, abs=loose)
    ceilings = [p.feasible_set.largest_radius() for p in (one, other)]
    assert ceilings[1] == pytest.approx(ceilings[0], rel=AGREE)


@pytest.mark.parametrize("c", [1e-3, 1e3])
def test_the_second_opinion_does_not_depend_on_the_scale(c):
    case = random_case(3, 2)
    options = {"radii": 0.3, "weighting": "worst-component"}
    one, other = problem_of(case, **options), problem_of(scaled(case, c), **options)
    plan = find_recourse(one)
    first, second = (
        oracle.second_opinion(p.feasible_set, p.objective, plan.x) for p in (one, other)
    )
    assert first.broken == second.broken == ()
    assert second.value == pytest.approx(first.value, abs=1e-9)
    assert second.lower_bound == pytest.approx(first.lower_bound, abs=AGREE)


@given(seed=st.integers(0, 10_000), c=powers(-3, 3))
def test_the_adversary_scales_with_the_models_at_the_same_distance(seed, c):
    case = random_case(seed, 2)
    other = scaled(case, c)
    for k in range(2):
        worst, larger = (
            worst_case_model(each.x0, each.mixture, 0.5, k, "deviations") for each in (case, other)
        )
        np.testing.assert_allclose(larger.mean, c * worst.mean, rtol=1e-7, atol=1e-9 * c)
        distance = gelbrich_distance(
            larger.mean,
            larger.covariance,
            other.mixture.means[k],
            other.mixture.covariances[k],
            other.mixture.covariances[k],
        )
        assert distance == pytest.approx(0.5, abs=1e-5)


def test_in_weights_the_scale_does_matter():
    """The paper's radius has the unit of the weights: that is why there is another one."""
    case = random_case(5)
    values = [
        find_recourse(each.problem("box", radii=0.1)).worst_case_probability
        for each in (case, scaled(case, 10.0))
    ]
    assert values[0] > values[1] + 0.01
