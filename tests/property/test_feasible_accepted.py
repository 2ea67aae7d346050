"""Nothing the checklist accepts is called infeasible."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dirrac_core import Actions, FeasibleSet, ParameterMixture, RecourseProblem, find_recourse
from dirrac_core.feasible import explain
from tests.robustness_cases import powers, seeds

SOLVERS = ("certified", "projected_gradient")
MIXTURE = ParameterMixture([1.0], [[1.0, 2.0, -1.5]], [0.02 * np.eye(3)])


@pytest.mark.parametrize("solver", SOLVERS)
def test_who_satisfies_everything_needs_no_budget(solver):
    problem = RecourseProblem([1, 1, 1], MIXTURE, 0.1, delta=0, actions=Actions(weights=[100, 1]))
    plan = find_recourse(problem, solver)
    assert plan.delta_min == 0.0 and plan.checks
    np.testing.assert_allclose(plan.x, [1, 1, 1], atol=1e-6)


@st.composite
def satisfied(draw):
    """A set with budget 0 whose applicant stands where the checklist begins to accept."""
    rng = np.random.default_rng(draw(seeds))
    d, k = draw(st.integers(1, 5)), draw(st.integers(1, 3))
    x0 = np.append(rng.uniform(-1, 1, d), 1.0)
    means = rng.normal(size=(k, d + 1))
    radius, margin = draw(st.sampled_from([0.0, 0.05])), 1e-3
    # The bias puts every component at the margin, give or take what the checklist forgives.
    short = margin - (means @ x0 - radius * np.linalg.norm(x0))
    means[:, -1] += short + draw(st.sampled_from([-5e-7, -1e-8, 0.0, 1e-8, 1e-3, 0.5]))
    mixture = ParameterMixture(np.full(k, 1 / k), means, 0.05 * np.tile(np.eye(d + 1), (k, 1, 1)))
    actions = Actions(weights=10.0 ** rng.uniform(-3, 3, d))
    return FeasibleSet(x0, mixture, radius, actions, draw(st.sampled_from(["l1", "l2"])), 0.0)


@settings(max_examples=40)
@given(accepted=satisfied(), solver=st.sampled_from(SOLVERS))
def test_an_applicant_the_checklist_accepts_has_a_plan_at_budget_0(accepted, solver):
    assume(accepted.contains(accepted.x0))
    assert accepted.delta_min() == 0.0 and explain(accepted) is None
    problem = RecourseProblem(
        accepted.x0,
        accepted.mixture,
        accepted.radii,
        cost=accepted.cost,
        actions=accepted.actions,
        delta=0.0,
    )
    plan = find_recourse(problem, solver)
    assert plan.x is not None and plan.checks, plan.message


@settings(max_examples=40)
@given(seed=seeds, spread=powers(0, 3), cost=st.sampled_from(["l1", "l2"]))
def test_the_cheapest_plan_known_by_hand_is_affordable(seed, spread, cost):
    """Without radii the cheapest way over θᵀx = ε is known, so that is what the budget is."""
    rng = np.random.default_rng(seed)
    theta, weights = rng.uniform(0.5, 2, 2), np.array([spread, 1.0])
    x0 = np.array([*rng.uniform(-1, 0, 2), 1.0])
    mixture = ParameterMixture([1.0], [[*theta, 0.0]], [0.02 * np.eye(3)])
    missing = 1e-3 - theta @ x0[:-1]
    size = np.max(theta / weights) if cost == "l1" else np.linalg.norm(theta / weights)
    problem = RecourseProblem(
        x0, mixture, 0.0, cost=cost, actions=Actions(weights=weights), delta=missing / size
    )
    plan = find_recourse(problem)
    assert plan.x is not None and plan.checks, plan.message
