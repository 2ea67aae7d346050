"""Corners: no budget, nothing to change, one feature, no radius, no covariance, every scale."""

import numpy as np
import pytest
from problems import LINKS, THREE_WEIGHTINGS, WEIGHTINGS, random_case

from dirrac_core import Actions, ParameterMixture, RecourseProblem, find_recourse

SOLVERS = ("certified", "projected_gradient")
each_solver = pytest.mark.parametrize("solver", SOLVERS)


@each_solver
@pytest.mark.parametrize("cost", ["l1", "l2"])
@pytest.mark.parametrize("weighting", THREE_WEIGHTINGS)
def test_no_budget_beyond_the_cheapest_plan(weighting, cost, solver):
    problem = random_case(91, components=2).problem(
        "everything", delta_add=0.0, cost=cost, weighting=weighting
    )
    plan = find_recourse(problem, solver=solver)
    assert plan.checks.ok
    assert plan.cost == pytest.approx(plan.delta_min, abs=1e-6)


@each_solver
@pytest.mark.parametrize("weighting", THREE_WEIGHTINGS)
def test_everything_locked(weighting, solver):
    case = random_case(92, components=2)
    locked = Actions(locked=range(6))
    declined = find_recourse(case.problem(actions=locked, weighting=weighting), solver=solver)
    assert declined.x is None and declined.explanation.blame == ("locks",)
    means = case.mixture.means.copy()
    means[:, -1] += 1.0
    accepted = ParameterMixture(case.mixture.weights, means, case.mixture.covariances)
    problem = RecourseProblem(
        case.x0, accepted, actions=locked, weighting=WEIGHTINGS[weighting], radii=0.05
    )
    plan = find_recourse(problem, solver=solver)
    assert np.array_equal(plan.x, case.x0) and plan.cost == plan.delta_min == 0.0
    assert plan.worst_case_probability == problem.objective.value(case.x0)
    if solver == "certified":
        assert plan.gap <= 1e-3


@each_solver
@pytest.mark.parametrize("link", LINKS)
def test_one_feature(link, solver):
    """θ = (1, −½): the best plan spends the whole budget upwards."""
    mixture = ParameterMixture([1.0], [[1.0, -0.5]], [np.diag([0.04, 0.01])])
    problem = RecourseProblem([0.2, 1.0], mixture, radii=0.1, delta_add=0.3, link=link)
    plan = find_recourse(problem, solver=solver)
    # (0.5 + ...): x − ½ = 0.1·√(x² + 1) + 0.001 is a quadratic in x.
    a, b, c = 1 - 0.01, -2 * 0.501, 0.501**2 - 0.01
    cheapest = (-b + np.sqrt(b * b - 4 * a * c)) / (2 * a)
    assert plan.delta_min == pytest.approx(cheapest - 0.2, abs=1e-6)
    assert plan.x[0] == pytest.approx(cheapest + 0.3, abs=1e-5)


@each_solver
@pytest.mark.parametrize("weighting", THREE_WEIGHTINGS)
def test_without_radius_and_without_covariance_nothing_can_fail(weighting, solver):
    case = random_case(93, components=2, rank=0)
    plan = find_recourse(case.problem("box", radii=0.0, weighting=weighting), solver=solver)
    assert plan.worst_case_probability <= 1e-11
    assert plan.lower_bound >= 0.0 and plan.checks.ok


@pytest.mark.parametrize("weighting", THREE_WEIGHTINGS)
@pytest.mark.parametrize("link", LINKS)
def test_a_deviation_that_can_be_moved_to_zero(link, weighting):
    """Σ̂ has rank 1 and a kernel inside the set: s = 0 is reached, only the radius remains."""
    direction = np.array([0.0, 1.0, -0.4])
    sigma = np.outer(direction, direction)
    mixture = ParameterMixture([0.4, 0.6], [[1.0, 0.0, -0.3], [1.2, 0.0, -0.4]], [sigma] * 2)
    problem = RecourseProblem(
        [0.1, 0.1, 1.0],
        mixture,
        radii=0.05,
        delta_add=1.0,
        link=link,
        weighting=WEIGHTINGS[weighting],
        actions=Actions(lower=[0, 0], upper=[1, 1]),
    )
    plan = find_recourse(problem, gap=1e-5)
    assert plan.status == "optimal" and plan.gap <= 1e-5 * (1 + 1e-6)
    assert plan.x[1] == pytest.approx(0.4, abs=0.05)


@pytest.mark.parametrize("rank", [0, 1, 2])
@pytest.mark.parametrize("radii", [0.0, [0.0, 0.05]])
def test_singular_mixtures_reach_their_gap(rank, radii):
    for link in LINKS:
        problem = random_case(94, components=2, rank=rank).problem("groups", radii=radii, link=link)
        plan = find_recourse(problem, gap=1e-4)
        assert plan.status == "optimal" and plan.gap <= 1e-4 * (1 + 1e-6)


@each_solver
def test_an_applicant_who_is_already_safe_keeps_a_plan(solver):
    case = random_case(95)
    means = case.mixture.means.copy()
    means[:, -1] += 1.0
    mixture = ParameterMixture([1.0], means, case.mixture.covariances)
    problem = RecourseProblem(case.x0, mixture, radii=0.05, delta_add=0.2)
    plan = find_recourse(problem, solver=solver)
    assert plan.delta_min == pytest.approx(0.0, abs=1e-7)
    assert plan.cost <= 0.2 + 1e-6
    assert plan.worst_case_probability < problem.objective.value(case.x0)


@pytest.mark.parametrize("size", [1e-3, 1e3])
def test_the_unit_of_the_features_does_not_matter(size):
    """x → size·x with θ → θ/size, cost weights / size: the same scores when ρ = 0."""
    case = random_case(96, components=2)
    plan = find_recourse(case.problem("box", radii=0.0), gap=1e-5)
    scale = np.append(np.full(6, size), 1.0)
    mixture = ParameterMixture(
        case.mixture.weights,
        case.mixture.means / scale,
        case.mixture.covariances / np.outer(scale, scale),
    )
    actions = Actions(lower=np.zeros(6), upper=np.full(6, size), weights=np.full(6, 1 / size))
    other = find_recourse(
        RecourseProblem(case.x0 * scale, mixture, radii=0.0, delta_add=0.4, actions=actions),
        gap=1e-5,
    )
    assert other.delta_min == pytest.approx(plan.delta_min, abs=1e-5)
    assert other.worst_case_probability == pytest.approx(plan.worst_case_probability, abs=3e-5)


@each_solver
@pytest.mark.parametrize("categories", ["relaxed", "whole"])
def test_the_same_question_has_the_same_answer_to_the_bit(categories, solver):
    def answer():
        problem = random_case(97, components=3).problem(
            "everything", categories=categories, delta_add=2.3
        )
        return find_recourse(problem, solver=solver)

    first, second = answer(), answer()
    assert np.array_equal(first.x, second.x)
    assert first.worst_case_probability == second.worst_case_probability
    assert (first.lower_bound, first.delta_min) == (second.lower_bound, second.delta_min)
    assert (first.solves, first.nodes) == (second.solves, second.nodes)
