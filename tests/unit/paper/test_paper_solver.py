"""The published solver: one-hot entries 0 or 1 by brute force, its budget, and its early stop."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dirrac_core.data import Actions
from dirrac_core.feasible import FeasibleSet
from dirrac_core.models.classifiers import LinearModel
from dirrac_core.models.mixture import ParameterMixture
from dirrac_core.paper.published_solver import BinaryEntries, PublishedDirrac
from dirrac_core.recourse import RecourseProblem, find_recourse
from dirrac_core.robustness import Objective

BINARY = (2, 3, 4)


def problem(seed, delta=np.inf):
    """Two numbers, three one-hot entries, a declined applicant."""
    rng = np.random.default_rng(seed)
    theta = rng.normal(size=6) + np.array([1.5, 1.0, 0.0, 0.0, 0.0, -2.5])
    spread = 0.3 * rng.normal(size=(6, 6))
    mixture = ParameterMixture([1.0], theta[None], (spread @ spread.T)[None])
    x0 = np.array([*rng.uniform(size=2), *rng.integers(0, 2, 3).astype(float), 1.0])
    return FeasibleSet(x0, mixture, 0.1, delta=delta)


def fixed(feasible, values):
    lower = np.full(5, -np.inf)
    upper = -lower
    lower[list(BINARY)] = upper[list(BINARY)] = values
    return replace(feasible, actions=Actions(lower=lower, upper=upper))


def every_way(feasible):
    return [fixed(feasible, values) for values in product((0.0, 1.0), repeat=3)]


@given(seed=st.integers(0, 10_000))
def test_cheapest_is_that_of_all_ways(seed):
    feasible = problem(seed)
    best = min(way.delta_min() for way in every_way(feasible))
    assert BinaryEntries(feasible, BINARY).delta_min() == pytest.approx(best, abs=1e-6)


@given(seed=st.integers(0, 10_000), reach=st.floats(0.2, 3.0), far=st.floats(0.1, 20.0))
def test_projection_is_the_nearest_of_all_ways(seed, reach, far):
    unbounded = problem(seed)
    delta = BinaryEntries(unbounded, BINARY).delta_min() + reach
    feasible = replace(unbounded, delta=delta)
    point = feasible.x0 + far * np.append(np.random.default_rng(seed + 1).normal(size=5), 0.0)
    found = [x for way in every_way(feasible) if (x := way.project(point)) is not None]
    nearest = min(np.linalg.norm(x - point) for x in found)
    x = BinaryEntries(feasible, BINARY).project(point)
    assert np.isin(x[list(BINARY)], (0.0, 1.0)).all()
    assert np.linalg.norm(x - point) == pytest.approx(nearest, abs=1e-5)


def test_nothing_within_reach():
    hopeless = replace(problem(0), radii=np.array([50.0]))
    assert BinaryEntries(hopeless, BINARY).delta_min() == np.inf
    assert BinaryEntries(replace(hopeless, delta=1.0), BINARY).project(hopeless.x0) is None


@pytest.mark.parametrize("link", ["chebyshev", "gaussian"])
def test_plan_keeps_the_budget_and_is_no_better_than_the_optimum(link):
    early = 0
    for seed in range(12):
        feasible = problem(seed)
        model = LinearModel(feasible.mixture.means[0])
        method = PublishedDirrac(model, feasible.mixture, BINARY, link=link)
        plan = method.recourse(feasible.x0, Actions())
        assert plan.accepted
        assert np.isin(plan.x[list(BINARY)], (0.0, 1.0)).all()
        budget = BinaryEntries(feasible, BINARY).delta_min() + 1.0
        assert plan.cost_l1 <= budget + 1e-5
        reached = Objective(feasible.mixture, 0.1, link).value(plan.x)
        same_entries = fixed(feasible, plan.x[list(BINARY)]).actions
        optimum = find_recourse(
            RecourseProblem(
                feasible.x0, feasible.mixture, 0.1, link=link, actions=same_entries, delta=budget
            ),
            gap=1e-6,
        )
        assert reached >= optimum.lower_bound - 1e-6
        early += reached > optimum.worst_case_probability + 1e-3
    assert early > 0


@pytest.mark.parametrize(("kind", "sign"), [("only_up", 1.0), ("only_down", -1.0)])
def test_locks_and_directions_are_obeyed(kind, sign):
    feasible = problem(4)
    theta = feasible.mixture.means[0].copy()
    # The number is pulled the way it may not go.
    theta[1] = -sign * 2.0
    mixture = ParameterMixture([1.0], theta[None], feasible.mixture.covariances)
    method = PublishedDirrac(LinearModel(theta), mixture, BINARY)
    held = Actions(locked=BINARY)
    pulled = method.recourse(feasible.x0, held)
    assert sign * (pulled.x[1] - feasible.x0[1]) < -0.01
    plan = method.recourse(feasible.x0, Actions(locked=BINARY, **{kind: (1,)}))
    assert sign * (plan.x[1] - feasible.x0[1]) >= 0.0
    assert plan.x[list(BINARY)].tolist() == feasible.x0[list(BINARY)].tolist()
    still = method.recourse(feasible.x0, Actions(locked=(1, *BINARY)))
    assert still.x[1] == feasible.x0[1]


def test_no_plan_says_so():
    feasible = problem(0)
    method = PublishedDirrac(
        LinearModel(feasible.mixture.means[0]), feasible.mixture, BINARY, radius=50.0
    )
    plan = method.recourse(feasible.x0, Actions())
    assert plan.x is None and "margin" in plan.message
