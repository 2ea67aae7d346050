"""Plans in every metric of the radius: against cvxpy, grids, the paper's descent and themselves."""

from dataclasses import replace

import cvxpy as cp
import numpy as np
import pytest
from problems import LINKS, METRICS, PLANE, THREE_WEIGHTINGS, WEIGHTINGS, plane_case, random_case

from dirrac_core import Actions, FeasibleSet, ParameterMixture, RecourseProblem, find_recourse
from dirrac_core.feasible import explain
from tests import oracle

AGREE = 1e-5
RADIUS = {"weights": 0.05, "deviations": 0.4, "matrices": 0.05}
OTHERS = ("deviations", "matrices")
each_metric = pytest.mark.parametrize("metric", OTHERS)
each_cost = pytest.mark.parametrize("cost", ["l1", "l2"])


def problem_in(case, metric, flags="everything", **options):
    """The problem of the case in a named metric, with a radius that leaves a plan."""
    options = {"radii": RADIUS[metric]} | options
    return case.problem(flags, metric=case.metric(metric), **options)


@each_metric
@each_cost
@pytest.mark.parametrize("components", [1, 3])
@pytest.mark.parametrize("rank", [None, 2])
def test_the_optimum_equals_bisection_in_cvxpy(metric, cost, components, rank):
    case = random_case(21, components, rank=rank)
    problem = problem_in(case, metric, cost=cost, weighting="worst-component")
    plan = find_recourse(problem, gap=1e-6)
    opinion = oracle.second_opinion(problem.feasible_set, problem.objective, plan.x)
    assert plan.status == "optimal" and opinion.broken == ()
    assert opinion.value == pytest.approx(plan.worst_case_probability, abs=1e-9)
    assert plan.worst_case_probability == pytest.approx(opinion.lower_bound, abs=AGREE)
    assert plan.lower_bound <= opinion.lower_bound + 1e-6


@each_metric
def test_whole_categories_equal_bisection_in_cvxpy(metric):
    case = random_case(22, 2)
    problem = problem_in(
        case, metric, categories="whole", delta_add=2.5, weighting="worst-component"
    )
    plan = find_recourse(problem, gap=1e-6)
    opinion = oracle.second_opinion(problem.feasible_set, problem.objective, plan.x)
    assert opinion.broken == ()
    assert plan.worst_case_probability == pytest.approx(opinion.lower_bound, abs=AGREE)


@each_metric
@each_cost
def test_delta_min_projection_and_ceiling_equal_cvxpy(metric, cost):
    for seed in (23, 24):
        case = random_case(seed, 2, rank=3)
        problem = problem_in(case, metric, cost=cost)
        feasible = problem.feasible_set
        assert problem.delta_min == pytest.approx(oracle.cheapest_cost(feasible), abs=1e-6)
        target = np.append(case.rng.normal(size=6), 1.0)
        expected = oracle.projection(feasible, target)
        np.testing.assert_allclose(feasible.project(target), expected, atol=1e-4)
        ceiling = oracle.largest_radius(feasible)
        assert ceiling > problem.radii.max()
        assert feasible.largest_radius() == pytest.approx(ceiling, rel=1e-5)


@each_metric
def test_the_largest_radius_works_and_a_larger_one_does_not(metric):
    case = random_case(25, 3)
    radii = RADIUS[metric] * np.array([0.5, 1.0, 0.0])
    feasible = problem_in(case, metric, radii=radii).feasible_set
    factor = feasible.largest_radius(radii)
    assert 1.0 < factor < np.inf
    for stretch, exists in ((1 - 1e-4, True), (1 + 1e-4, False)):
        stretched = replace(feasible, radii=stretch * factor * radii)
        assert (stretched.delta_min() <= stretched.budget()) == exists
    reason = explain(replace(feasible, radii=2.0 * factor * radii))
    assert "radius" in reason.blame
    assert reason.radius_factor == pytest.approx(0.5, rel=1e-4)


def test_without_any_deviation_no_radius_in_deviations_harms():
    """Σ̂ = 0: no re-training ever moved, so the ball is a point and there is no ceiling."""
    mixture = ParameterMixture([1.0], [[1.0, -0.5]], [np.zeros((2, 2))])
    box = Actions(lower=[0.0], upper=[1.0])
    feasible = FeasibleSet([0.2, 1.0], mixture, 3.0, box, delta=0.5, metric="deviations")
    assert feasible.largest_radius() == np.inf == oracle.largest_radius(feasible)
    problem = RecourseProblem([0.2, 1.0], mixture, 3.0, actions=box, metric="deviations")
    plan = find_recourse(problem)
    assert plan.status == "optimal" and plan.worst_case_probability == 0.0


def test_a_plan_may_leave_the_directions_in_which_re_trainings_moved():
    """Σ̂ moves only the second weight against the bias, and x₂ = 0.4 makes θᵀx certain."""
    moved = np.array([0.0, 1.0, -0.4])
    mixture = ParameterMixture([1.0], [[1.0, 0.2, -0.6]], [np.outer(moved, moved)])
    box = Actions(lower=[0.0, 0.0], upper=[1.0, 1.0])
    problem = RecourseProblem(
        [0.1, 0.1, 1.0], mixture, 2.0, delta_add=1.0, actions=box, metric="deviations"
    )
    assert problem.feasible_set.largest_radius() == np.inf
    plan = find_recourse(problem)
    assert plan.x[1] == pytest.approx(0.4, abs=1e-3)
    assert plan.worst_case_probability <= 1e-6


@each_metric
@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize("weighting", THREE_WEIGHTINGS)
def test_mixtures_against_a_grid_and_algorithm_1(metric, link, weighting):
    case = plane_case(31, 3)
    problem = RecourseProblem(
        case.x0,
        case.mixture,
        radii=0.2 if metric == "deviations" else 0.05,
        delta_add=0.3,
        link=link,
        weighting=WEIGHTINGS[weighting],
        actions=PLANE,
        metric=case.metric(metric, rank=2),
    )
    plan = find_recourse(problem, gap=1e-4)
    assert plan.status == "optimal" and plan.gap <= 1e-4 * (1 + 1e-6)
    sides = np.linspace(0.0, 1.0, 61)
    points = [np.array([u, v, 1.0]) for u in sides for v in sides]
    inside = [x for x in points if problem.feasible_set.contains(x)]
    assert len(inside) > 20
    best = min(problem.objective.value(x) for x in inside)
    assert plan.lower_bound <= best + 1e-9 and plan.worst_case_probability <= best + 1e-4
    paper = find_recourse(problem, "projected_gradient")
    assert paper.worst_case_probability >= plan.lower_bound - 1e-6
    assert plan.worst_case_probability <= paper.worst_case_probability + 1e-4
    assert paper.worst_case_probability <= plan.worst_case_probability + 0.02


@pytest.mark.parametrize("components", [1, 3])
def test_the_paper_s_ball_is_the_metric_of_identities(components):
    case = random_case(27, components)
    plain = find_recourse(case.problem("everything"), gap=1e-6)
    written = find_recourse(case.problem("everything", metric=[np.eye(7)] * components), gap=1e-6)
    np.testing.assert_allclose(written.x, plain.x, atol=1e-5)
    assert written.worst_case_probability == pytest.approx(plain.worst_case_probability, abs=1e-6)
    assert written.delta_min == pytest.approx(plain.delta_min, abs=1e-7)


@pytest.mark.parametrize("rank", [None, 3])
def test_deviations_are_the_metric_of_the_covariances(rank):
    """With margin 0: that of "deviations" is relative, that of matrices is not."""
    case = random_case(28, 2, rank=rank)
    options = {"radii": [0.2, 0.5], "margin": 0.0}
    named = find_recourse(case.problem("everything", metric="deviations", **options), gap=1e-6)
    matrices = case.mixture.covariances
    written = find_recourse(case.problem("everything", metric=matrices, **options), gap=1e-6)
    np.testing.assert_allclose(written.x, named.x, atol=1e-4)
    assert written.worst_case_probability == pytest.approx(named.worst_case_probability, abs=2e-6)


@pytest.mark.parametrize("seed", [41, 42, 43])
def test_the_transformed_problem_has_the_same_optimum(seed):
    """θ̃ = G⁻¹θ, x̃ = Gᵀx and the paper's ball, stated in cvxpy from the transformed numbers."""
    case = random_case(seed)
    metric = case.metric("matrices", rank=9)
    problem = case.problem("box", metric=metric, radii=0.1)
    root = np.linalg.cholesky(metric[0])
    back = np.linalg.inv(root)
    theta, rho = back @ case.mixture.means[0], problem.radii[0]
    spread = back @ np.linalg.cholesky(case.mixture.covariances[0])
    moved, cosine, sine = cp.Variable(7), cp.Parameter(nonneg=True), cp.Parameter(nonneg=True)
    x = back.T @ moved
    score = cosine * theta @ moved - sine * cp.norm(spread.T @ moved) - rho * cp.norm(moved)
    rules = [
        x[-1] == 1.0,
        x[:-1] >= 0.0,
        x[:-1] <= 1.0,
        cp.norm(x[:-1] - case.x0[:-1], 1) <= problem.feasible_set.budget(),
        theta @ moved - rho * cp.norm(moved) >= problem.unbounded.margin,
    ]
    search = cp.Problem(cp.Maximize(score), rules)
    low, high = 0.0, np.pi / 2
    for _ in range(26):
        angle = 0.5 * (low + high)
        cosine.value, sine.value = np.cos(angle), np.sin(angle)
        search.solve(solver=cp.CLARABEL)
        low, high = (angle, high) if search.value >= 0.0 else (low, angle)
    plan = find_recourse(problem, gap=1e-7)
    assert plan.worst_case_probability == pytest.approx(1 / (1 + np.tan(low) ** 2), abs=1e-6)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("solver", ["certified", "projected_gradient"])
def test_every_plan_passes_its_checklist_and_moves_no_input(metric, solver):
    case = random_case(29, 3, rank=2)
    matrices = case.metric(metric)
    before = np.array(matrices, copy=True)
    plan = find_recourse(problem_in(case, metric), solver)
    assert plan.checks.ok
    assert np.array_equal(before, np.array(matrices))
