"""Whole categories against full enumeration: every combination pinned by locks and solved alone."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from problems import THREE_WEIGHTINGS, WEIGHTINGS, random_case

from dirrac_core import Actions, ParameterMixture, RecourseProblem, find_recourse
from dirrac_core.feasible.bounds import column_bounds
from dirrac_core.feasible.categories import Options

GAP = 1e-5
GROUPS = ((1, 2, 3), (4, 5))


def two_groups(seed, components):
    """One number and two one-hot groups, every change of category within the budget."""
    rng = np.random.default_rng(seed)
    x0 = np.array([rng.uniform(0.2, 0.6), *np.eye(3)[rng.integers(3)], *np.eye(2)[0], 1.0])
    means = np.array([1.0, 0.4, -0.4, 0.1, -0.2, 0.3, 0.0])
    means = means + 0.1 * rng.normal(size=(components, 7))
    means[:, -1] -= means @ x0 + rng.uniform(0.1, 0.4, components)
    factors = 0.1 * rng.normal(size=(components, 7, 7))
    covariances = factors @ factors.transpose(0, 2, 1)
    return x0, ParameterMixture(np.full(components, 1 / components), means, covariances)


def actions():
    return Actions(
        lower=np.zeros(6),
        upper=np.ones(6),
        groups=GROUPS,
        weights=[1.0, 0.6, 0.5, 0.8, 0.4, 0.7],
        conditional=[(2, 0, 0.0, 0.7)],
    )


def pinned_values(problem, options):
    """The best value and δ_min of every combination: the group columns fixed by their box."""
    values, costs = {}, {}
    for chosen in itertools.product(*GROUPS):
        lower, upper = np.zeros(6), np.ones(6)
        for group, column in zip(GROUPS, chosen, strict=True):
            upper[list(group)] = 0.0
            lower[column] = upper[column] = 1.0
        if 2 in chosen:
            upper[0] = 0.7
        pinned = RecourseProblem(
            problem.x0,
            problem.mixture,
            actions=Actions(lower=lower, upper=upper, weights=actions().weights),
            delta=problem.feasible_set.delta,
            **options,
        )
        costs[chosen] = pinned.delta_min
        if pinned.delta_min <= pinned.feasible_set.budget():
            plan = find_recourse(pinned, gap=GAP)
            values[chosen] = plan.worst_case_probability
    return values, costs


@pytest.mark.parametrize("cost", ["l1", "l2"])
@pytest.mark.parametrize("weighting", THREE_WEIGHTINGS)
def test_whole_equals_the_best_of_all_combinations(weighting, cost):
    changed = 0
    for seed in (51, 52, 55, 56):
        x0, mixture = two_groups(seed, components=2)
        options = {"cost": cost, "weighting": WEIGHTINGS[weighting], "radii": 0.05}
        problem = RecourseProblem(
            x0, mixture, actions=actions(), categories="whole", delta_add=1.2, **options
        )
        values, costs = pinned_values(problem, options)
        assert len(values) > 1
        assert problem.delta_min == pytest.approx(min(costs.values()), abs=1e-6)
        best = min(values.values())
        plan = find_recourse(problem, gap=GAP)
        assert plan.status == "optimal"
        assert plan.worst_case_probability == pytest.approx(best, abs=2 * GAP)
        assert plan.lower_bound <= best + 1e-7
        paper = find_recourse(problem, solver="projected_gradient")
        assert paper.worst_case_probability >= best - 2 * GAP
        assert paper.worst_case_probability == pytest.approx(best, abs=5e-3)
        for answer in (plan, paper):
            assert all(sorted(answer.x[list(g)])[-2:] == [0.0, 1.0] for g in GROUPS)
        changed += not np.array_equal(plan.x[1:6], x0[1:6])
        relaxed = find_recourse(
            RecourseProblem(
                x0, mixture, actions=actions(), delta=problem.feasible_set.delta, **options
            )
        )
        assert relaxed.lower_bound <= plan.worst_case_probability + 1e-7
    assert changed


@pytest.mark.parametrize("cost", ["l1", "l2"])
def test_combinations_come_once_each_in_order_of_their_cost(cost):
    rng = np.random.default_rng(53)
    groups = ((0, 1, 2), (3, 4), (5, 6, 7, 8))
    x0 = np.array([0, 1, 0, 1, 0, 0, 0, 1, 0, 1.0])
    actions = Actions(groups=groups, weights=rng.uniform(0.5, 2.0, 9))
    bounds = column_bounds(x0, actions)
    found = list(Options.of(x0, groups, bounds, cost).combinations())
    assert sorted(c.columns for c in found) == sorted(itertools.product(*groups))
    costs = [c.cost for c in found]
    assert costs == pytest.approx(sorted(costs))
    for combination in found:
        x = np.zeros(9)
        x[list(combination.columns)] = 1.0
        change = actions.weights * (x - x0[:9])
        expected = np.abs(change).sum() if cost == "l1" else np.linalg.norm(change)
        assert combination.cost == pytest.approx(expected)
    assert found[0].columns == (1, 3, 7) and found[0].cost == 0.0


def test_combinations_respect_locks_directions_and_ranges():
    groups = ((0, 1, 2), (3, 4))
    x0 = np.array([0.0, 1.0, 0.0, 1.0, 0.0, 1.0])

    def allowed(**restrictions):
        bounds = column_bounds(x0, Actions(groups=groups, **restrictions))
        return {c.columns for c in Options.of(x0, groups, bounds, "l1").combinations()}

    assert allowed(locked=(0, 1, 2)) == {(1, 3), (1, 4)}
    assert allowed(locked=(2, 3)) == {(0, 3), (1, 3)}
    assert allowed(only_up=(1,)) == {(1, 3), (1, 4)}
    assert allowed(upper=[1, 1, 0, 1, 1]) == {(0, 3), (0, 4), (1, 3), (1, 4)}
    assert allowed(locked=(0, 2), upper=[1, 0.5, 1, 1, 1]) == set()


def test_a_category_whose_relaxation_looks_better_is_still_closed_by_proof():
    """The lower bound of `whole` covers the combinations not searched for lack of time."""
    case = random_case(54, components=3, spread=0.6)
    problem = case.problem("groups", categories="whole", delta_add=2.5)
    hasty = find_recourse(problem, gap=1e-3, time_limit=0.0)
    calm = find_recourse(problem, gap=1e-3)
    relaxed = replace(problem.feasible_set, categories="relaxed")
    assert calm.status == "optimal"
    assert hasty.lower_bound <= calm.worst_case_probability
    assert relaxed.contains(calm.x)


@pytest.mark.parametrize("cost", ["l1", "l2"])
def test_a_change_of_category_can_be_the_cheapest_plan(cost):
    """Keeping the category is possible but dear: δ_min must look past the first combination."""
    mixture = ParameterMixture([1.0], [[1.0, 0.0, 1.0, -0.9]], np.zeros((1, 4, 4)))
    actions = Actions(groups=((1, 2),), weights=[10.0, 0.1, 0.1])
    problem = RecourseProblem(
        [0.0, 1.0, 0.0, 1.0], mixture, radii=0.0, cost=cost, actions=actions, categories="whole"
    )
    assert problem.delta_min == pytest.approx(0.2 if cost == "l1" else np.sqrt(0.02), abs=1e-6)
    assert problem.unbounded.cheapest.x == pytest.approx([0.0, 0.0, 1.0, 1.0], abs=1e-6)
