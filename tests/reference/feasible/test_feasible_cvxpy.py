"""δ_min, projection and the ceiling on ρ, each against the same problem stated in cvxpy."""

import numpy as np
import pytest
from problems import FLAGS, random_case

from dirrac_core import FeasibleSet
from tests import oracle

each_flag = pytest.mark.parametrize("flags", FLAGS)
each_cost = pytest.mark.parametrize("cost", ["l1", "l2"])
each_categories = pytest.mark.parametrize("categories", ["relaxed", "whole"])


@each_flag
@each_cost
@each_categories
def test_delta_min_equals_cvxpy(flags, cost, categories):
    for seed in range(2):
        problem = random_case(seed, components=2).problem(flags, cost=cost, categories=categories)
        expected = oracle.cheapest_cost(problem.unbounded)
        assert 0.01 < expected < np.inf
        assert problem.delta_min == pytest.approx(expected, abs=1e-6)
        cheapest = problem.unbounded.cheapest
        assert cheapest.cost == pytest.approx(problem.unbounded.cost_of(cheapest.x))
        assert oracle.broken_constraints(problem.unbounded, cheapest.x) == ()


@each_cost
def test_delta_min_is_infinite_exactly_when_cvxpy_finds_no_point(cost):
    outcomes = set()
    for seed in range(8):
        problem = random_case(seed, components=2, spread=0.6).problem(
            "everything", cost=cost, radii=0.5, categories="whole" if seed % 2 else "relaxed"
        )
        expected = oracle.cheapest_cost(problem.unbounded)
        assert problem.delta_min == pytest.approx(expected, abs=1e-6)
        outcomes.add(bool(np.isfinite(expected)))
    assert outcomes == {True, False}


@each_flag
@each_cost
def test_projection_equals_cvxpy(flags, cost):
    case = random_case(3, components=2)
    feasible = case.problem(flags, cost=cost).feasible_set
    for spread in (0.1, 1.0):
        point = np.append(case.x0[:-1] + spread * case.rng.normal(size=case.x0.size - 1), 1.0)
        ours, expected = feasible.project(point), oracle.projection(feasible, point)
        assert np.linalg.norm(ours - point) == pytest.approx(
            np.linalg.norm(expected - point), abs=1e-6
        )
        assert ours == pytest.approx(expected, abs=1e-4)


@each_cost
@pytest.mark.parametrize("flags", ["groups", "conditional", "everything"])
def test_projection_on_whole_categories_equals_cvxpy(flags, cost):
    case = random_case(4, components=2)
    feasible = case.problem(flags, cost=cost, categories="whole", delta_add=2.5).feasible_set
    changed = 0
    for _ in range(4):
        point = np.append(case.x0[:-1] + case.rng.normal(size=case.x0.size - 1), 1.0)
        ours, expected = feasible.project(point), oracle.projection(feasible, point)
        assert ours == pytest.approx(expected, abs=1e-4)
        assert sorted(ours[3:6]) == [0.0, 0.0, 1.0]
        changed += not np.array_equal(ours[3:6], case.x0[3:6])
    assert changed


@each_flag
@each_cost
def test_largest_radius_equals_bisection(flags, cost):
    for seed, categories in ((5, "relaxed"), (6, "whole")):
        problem = random_case(seed, components=2).problem(flags, cost=cost, categories=categories)
        expected = oracle.largest_radius(problem.feasible_set)
        assert expected > problem.radii.max()
        assert problem.feasible_set.largest_radius() == pytest.approx(expected, abs=1e-6)


def test_the_largest_radius_works_and_a_larger_one_does_not():
    problem = random_case(7, components=3).problem("everything", radii=[0.02, 0.04, 0.06])
    feasible = problem.feasible_set
    factor = feasible.largest_radius(problem.radii)
    assert factor > 1.0
    for stretch, exists in ((1 - 1e-4, True), (1 + 1e-4, False)):
        stretched = FeasibleSet(
            problem.x0,
            problem.mixture,
            stretch * factor * problem.radii,
            problem.feasible_set.actions,
            delta=feasible.delta,
        )
        assert (stretched.delta_min() <= stretched.budget()) == exists


def test_the_largest_radius_is_zero_without_any_plan():
    problem = random_case(8).problem("box", delta=0.0)
    assert problem.feasible_set.largest_radius() == 0.0
    assert oracle.largest_radius(problem.feasible_set) == 0.0


def test_a_projection_on_an_empty_set_is_none():
    feasible = random_case(8).problem("box", delta=0.0).feasible_set
    assert feasible.project(feasible.x0) is None
    assert oracle.projection(feasible, feasible.x0) is None
