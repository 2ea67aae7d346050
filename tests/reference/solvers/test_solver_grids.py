"""All six formulations, every divergence, against exhaustive search in two dimensions.

The search uses nothing of the core but the divergence: its own score, link, weighting and set.
"""

import numpy as np
import pytest
from problems import LINKS, PLANE, WEIGHTINGS, plane_case
from scipy.optimize import brentq
from scipy.stats import norm

from dirrac_core import WeightBall, find_recourse
from dirrac_core.robustness import divergence_named
from dirrac_core.solvers.majorise import Majoriser

GAP = 1e-4
# What a plan may miss a constraint by; the search itself misses none.
PLAN_SLACK = 2e-6


def extreme_weights(problem):
    """Weights one of which is always the worst: for K = 2 a ball is an interval."""
    weighting, nominal = problem.objective.weighting, problem.mixture.weights
    if weighting.name == "nominal":
        return [nominal]
    if weighting.name == "worst-component":
        return list(np.eye(len(nominal)))
    assert isinstance(weighting, WeightBall) and len(nominal) == 2
    distance = divergence_named(weighting.divergence).between

    def excess(p):
        return distance([p, 1 - p], nominal) - weighting.radius

    centre, ends = nominal[0], []
    for edge in (1e-12, 1 - 1e-12):
        end = brentq(excess, edge, centre, xtol=1e-15) if excess(edge) > 0 else edge
        ends.append(np.array([end, 1 - end]))
    return ends


def brute_values(problem, points, slack=0.0):
    """The objective at each row of points (n, 2); infinite where a constraint is broken."""
    x = np.column_stack([points, np.ones(len(points))])
    feasible = problem.feasible_set
    length = np.linalg.norm(x, axis=1)
    change = points - problem.x0[:2]
    order = 1 if feasible.cost == "l1" else 2
    valid = np.linalg.norm(change, ord=order, axis=1) <= feasible.delta + slack
    valid &= ((points >= -slack) & (points <= 1 + slack)).all(axis=1)
    probabilities = []
    for k in range(problem.mixture.components):
        m = x @ problem.mixture.means[k]
        s = np.sqrt(np.einsum("nd,de,ne->n", x, problem.mixture.covariances[k], x))
        r = problem.radii[k] * length
        valid &= m - r >= feasible.margin - slack
        with np.errstate(invalid="ignore", divide="ignore"):
            a = (m**2 - r**2) / (m * s + r * np.sqrt(m**2 + s**2 - r**2))
        chebyshev = problem.objective.link.name == "chebyshev"
        probabilities.append(1 / (1 + a**2) if chebyshev else norm.sf(a))
    f = np.array(probabilities)
    value = np.max([p @ f for p in extreme_weights(problem)], axis=0)
    return np.where(valid, value, np.inf)


def brute_minimum(problem):
    """The least value on a grid of the whole square, then on finer grids around the best point."""
    middle, half, best = np.array([0.5, 0.5]), 0.5, np.inf
    for count in (241, 61, 61, 61):
        steps = np.linspace(-half, half, count)
        points = middle + np.array(np.meshgrid(steps, steps)).reshape(2, -1).T
        values = brute_values(problem, points)
        lowest = int(np.argmin(values))
        if values[lowest] < best:
            best, middle = values[lowest], points[lowest]
        half *= 0.05
    return best


def assert_beats_every_grid_point(problem, gap=GAP):
    plan = find_recourse(problem, gap=gap)
    least = brute_minimum(problem)
    assert np.isfinite(least)
    assert plan.status == "optimal"
    assert brute_values(problem, plan.x[None, :2], PLAN_SLACK)[0] == pytest.approx(
        plan.worst_case_probability, abs=1e-9
    )
    assert plan.worst_case_probability <= least + gap + 1e-8
    assert plan.lower_bound <= least + 1e-8
    assert 0.0 <= plan.gap <= gap * (1 + 1e-6)


@pytest.mark.parametrize("cost", ["l1", "l2"])
@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize("weighting", WEIGHTINGS)
def test_formulation_equals_exhaustive_search(weighting, link, cost):
    for seed in (31, 32):
        case = plane_case(seed, components=2)
        assert_beats_every_grid_point(
            case.problem(actions=PLANE, weighting=weighting, link=link, cost=cost)
        )


@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize(("components", "seeds"), [(3, range(33, 37)), (5, [38])])
def test_nominal_mixtures_of_more_components(components, seeds, link):
    for seed in seeds:
        case = plane_case(seed, components)
        radii = case.rng.uniform(0.0, 0.1, components)
        assert_beats_every_grid_point(
            case.problem(actions=PLANE, link=link, radii=radii, delta_add=0.3)
        )


@pytest.mark.parametrize("link", LINKS)
def test_branch_and_bound_finds_the_best_plan_on_its_own(link, monkeypatch):
    """Without majorise–minimise nothing but the search is left, so a wrong cut would show."""
    monkeypatch.setattr(Majoriser, "improve", lambda self, x, *_: (x, self._objective.value(x)))
    nodes = 0
    for seed in (31, 39, 40):
        case = plane_case(seed, components=2)
        problem = case.problem(actions=PLANE, link=link, delta_add=0.3)
        # A coarse gap leaves better plans in closed boxes: the bound must still cover them.
        for gap in (3e-2, GAP):
            assert_beats_every_grid_point(problem, gap)
        nodes += find_recourse(problem, gap=GAP).nodes
    assert nodes > 6
