"""The certificates of the batched kernel against brute force, cvxpy and the second opinion."""

import itertools

import cvxpy as cp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_problems import random_problem

from dirrac_core.solvers.batch.bound import _most_gained, cost_bound, proved_score, score_bound
from dirrac_core.solvers.batch.crowd import crowd_of
from dirrac_core.solvers.batch.interior import Found, interior
from dirrac_core.solvers.batch.objective import (
    CHEAPEST,
    SCORE,
    Goal,
    general_count,
    trial_score,
)
from dirrac_core.solvers.batch.search import cheapest_plans
from dirrac_core.solvers.second_opinion import best_common_score


@pytest.mark.slow
@given(st.integers(0, 10_000), st.sampled_from(["l1", "l2"]))
@settings(max_examples=12)
def test_the_bound_covers_a_grid_in_two_dimensions(seed, cost):
    """No point of a fine grid beats the bound, whatever the point and the multipliers are."""
    rng = np.random.default_rng(seed)
    problem = random_problem(rng, d=2, components=2, cost=cost, delta=1.0)
    feasible = problem.feasible_set
    crowd = crowd_of([problem.unbounded], problem.objective)
    axis = np.linspace(0.0, 1.0, 60)
    grid = np.stack([g.ravel() for g in np.meshgrid(axis, axis)] + [np.ones(3600)], axis=1)
    inside = grid[[bool(feasible.contains(x)) for x in grid]]
    m, s, r = crowd.terms(inside.T)
    scores = np.array([problem.objective.scores(x) for x in inside]).reshape(-1, 2)
    for _, part in crowd.parts(None, np.arange(1)):
        n = part.free.size
        for goal, price in itertools.product((Goal(SCORE, (0,)), Goal(SCORE, (0, 1))), (0.0, 1.0)):
            anything = Found(
                np.repeat(rng.random((n, 1)), 2, axis=1),
                price * np.repeat(rng.exponential(size=(general_count(part, goal), 1)), 2, axis=1),
                np.zeros((0, 2)),
            )
            trial = np.full(2, rng.exponential())
            bound = score_bound(part, goal, anything, trial, np.full(2, 1.0))[0]
            upper = proved_score(part, goal, anything, trial, np.full(2, 1.0))[0]
            b = np.hypot(1.0, trial[0])
            h = (m - trial[0] * s - b * r) / (part.scales[:, :1] * b)
            assert (h[list(goal.components)].min(axis=0) <= bound + 1e-9).all()
            assert (scores[:, list(goal.components)].min(axis=1) <= upper + 1e-9).all()


@given(st.integers(0, 10_000), st.sampled_from(["l1", "l2"]))
@settings(max_examples=12)
def test_the_linear_maximum_is_that_of_cvxpy(seed, cost):
    """slope · (y' − y) over box ∩ cost ball: the knapsack, and the one multiplier, are exact."""
    rng = np.random.default_rng(seed)
    problem = random_problem(rng, components=1, cost=cost)
    crowd = crowd_of([problem.unbounded], problem.objective)
    for _, part in crowd.parts(None, np.arange(1)):
        n = part.free.size
        slope, y = rng.normal(size=n), rng.random(n)
        budget = part.fixed_cost[0] + rng.uniform(0.05, 2.0)
        gain, _ = _most_gained(
            part, np.stack([slope] * 2, 1), np.stack([y] * 2, 1), np.full(2, budget)
        )
        point = cp.Variable(n)
        change = cp.multiply(part.weights[:, 0], point - part.y0[:, 0])
        length = cp.norm1(change) if cost == "l1" else cp.norm2(change)
        inside = [point >= part.lower[:, 0], point <= part.upper[:, 0], length <= budget]
        best = cp.Problem(cp.Maximize(slope @ (point - y)), inside).solve(solver=cp.CLARABEL)
        assert gain[0] == pytest.approx(best, rel=1e-6, abs=1e-7)


@given(st.integers(0, 10_000), st.sampled_from(["l1", "l2"]))
@settings(max_examples=12)
def test_the_bound_of_the_cost_covers_a_grid_and_meets_cvxpy(seed, cost):
    """No valid point of a grid costs less, whatever the multipliers; the best ones are tight."""
    rng = np.random.default_rng(seed)
    problem = random_problem(rng, d=2, components=2, cost=cost, radii=0.05)
    feasible = problem.unbounded
    crowd = crowd_of([feasible], problem.objective)
    axis = np.linspace(0.0, 1.0, 40)
    grid = np.stack([g.ravel() for g in np.meshgrid(axis, axis)] + [np.ones(1600)], axis=1)
    costs = [feasible.cost_of(x) for x in grid if feasible.contains(x)]
    for _, part in crowd.parts(None, np.arange(1)):
        goal, n = Goal(CHEAPEST), part.free.size
        count = general_count(part, goal)
        anything = Found(
            np.repeat(rng.random((n, 1)), 2, axis=1),
            np.repeat(rng.exponential(size=(count, 1)), 2, axis=1),
            np.zeros((0, 2)),
        )
        assert cost_bound(part, anything)[0] <= min(costs, default=np.inf) + 1e-9
        point = cp.Variable(2)
        x = cp.hstack([point, [1.0]])
        change = cp.multiply(feasible.bounds.weights, point - problem.x0[:2])
        rules = [point >= feasible.bounds.lower, point <= feasible.bounds.upper]
        rules += [rule.coefficients @ point <= rule.high for rule in feasible.actions.linear]
        rules += [
            mean @ x - 0.05 * cp.norm2(x) >= margin
            for mean, margin in zip(feasible.mixture.means, feasible.margins, strict=True)
        ]
        length = cp.norm1(change) if cost == "l1" else cp.norm2(change)
        least = cp.Problem(cp.Minimize(length), rules).solve(solver=cp.CLARABEL)
        assert cost_bound(part, anything)[0] <= least + 1e-6
        found = cheapest_plans(crowd)
        if np.isfinite(least) and found.settled[0]:
            assert found.floor[0] == pytest.approx(least, abs=1e-5)
            assert found.cost[0] == pytest.approx(least, abs=1e-5)
        else:
            assert not found.settled[0]


@pytest.mark.parametrize("seed", [1, 2, 5])
@pytest.mark.parametrize("cost", ["l1", "l2"])
def test_the_proved_score_meets_the_second_opinion(seed, cost):
    problem = random_problem(np.random.default_rng(seed), components=2, cost=cost, delta=1.5)
    feasible = problem.feasible_set
    best = best_common_score(feasible, (0, 1)).score
    crowd = crowd_of([problem.unbounded], problem.objective)
    goal, budget = Goal(SCORE, (0, 1)), np.full(2, feasible.proof_budget())
    for _, part in crowd.parts(None, np.arange(1)):
        found = interior(part, goal, budget, part.y0)
        reached = problem.objective.scores(part.plan(found.y)[:, 0]).min()
        upper = proved_score(part, goal, found, trial_score(np.full(2, reached)), budget)[0]
        assert upper >= best - 1e-4
        assert reached == pytest.approx(best, abs=1e-4)
        assert upper == pytest.approx(reached, rel=1e-5, abs=1e-5)
