"""The menu: cheapest plans against cvxpy and bisection, few levers against full enumeration."""

import itertools

import cvxpy as cp
import numpy as np
import pytest
from problems import random_case

from dirrac_core import find_recourse
from dirrac_core.errors import InvalidInput
from dirrac_core.recourse.kinds.alternatives import (
    ALIKE,
    CHEAPEST,
    PLAN_KINDS,
    SAFEST,
    SPARING,
    alternatives,
)
from dirrac_core.recourse.kinds.at_most import cheapest_at_most, most_effort
from dirrac_core.recourse.kinds.chosen import chosen_plan
from dirrac_core.recourse.kinds.levers import (
    best_with_few_levers,
    changed_levers,
    levers,
    without_levers,
)
from dirrac_core.solvers import solve_cheapest, stated_set


def cheapest_by_cvxpy(feasible, objective, level):
    """min cost with (S) at the score of the level, stated in the full vector x, per category."""
    a = float(objective.link.score(level))
    costs = [np.inf]
    for categories in stated_set.category_choices(feasible):
        x = cp.Variable(feasible.x0.size)
        rules = [rule for _, rule in stated_set.all_constraints(feasible, x, categories)]
        for k, theta in enumerate(objective.mixture.means):
            s = cp.norm(objective.mixture.factors[k].T @ x)
            r = objective.radii[k] * cp.norm(x)
            rules.append(theta @ x >= a * s + np.hypot(1.0, a) * r)
        problem = cp.Problem(cp.Minimize(stated_set.stated_cost(feasible, x)), rules)
        problem.solve(solver=cp.CLARABEL)
        if problem.status in (cp.OPTIMAL, cp.OPTIMAL_INACCURATE):
            costs.append(problem.value)
    return min(costs)


@pytest.mark.parametrize("flags", ["box", "plausible", "everything"])
@pytest.mark.parametrize("categories", ["relaxed", "whole"])
@pytest.mark.parametrize("components, weighting", [(1, "nominal"), (3, "worst-component")])
def test_the_cheapest_lasting_plan_equals_cvxpy(flags, categories, components, weighting):
    problem = random_case(11, components=components).problem(
        flags, categories=categories, weighting=weighting
    )
    safest = find_recourse(problem)
    for above in (0.02, 0.2):
        level = safest.worst_case_probability + above
        found = solve_cheapest(problem.feasible_set, problem.objective, level)
        expected = cheapest_by_cvxpy(problem.feasible_set, problem.objective, level)
        assert found.cost == pytest.approx(expected, abs=1e-5)
        assert found.bound <= found.cost + 1e-6 and found.bound == pytest.approx(expected, abs=1e-5)
        assert problem.objective.value(found.x) <= level + 1e-6
        assert problem.feasible_set.contains(found.x)


@pytest.mark.slow
@pytest.mark.parametrize("link", ["chebyshev", "gaussian"])
def test_the_cheapest_lasting_plan_of_a_mixture_brackets_bisection_over_the_budget(link):
    for seed in (3, 4):
        problem = random_case(seed, components=3).problem("plausible", link=link)
        safest = find_recourse(problem)
        level = safest.worst_case_probability + 0.05
        found = solve_cheapest(problem.feasible_set, problem.objective, level, safest.x)
        assert problem.objective.value(found.x) <= level + 1e-6
        assert found.cost < safest.cost and found.cost - found.bound <= 0.006 * found.cost
        # A budget below the bound has no plan at the level, proved by the certified solver.
        below = find_recourse(problem.variant(delta=found.bound * 0.999), gap=1e-5)
        assert below.x is None or below.lower_bound > level - 1e-5
        above = find_recourse(problem.variant(delta=found.cost), gap=1e-5)
        assert above.worst_case_probability <= level + 1e-5


def test_no_plan_reaches_a_level_below_the_safest():
    problem = random_case(11).problem("box")
    level = find_recourse(problem).lower_bound - 1e-3
    found = solve_cheapest(problem.feasible_set, problem.objective, level)
    assert found.x is None and found.bound == np.inf


@pytest.mark.parametrize("components", [1, 3])
@pytest.mark.parametrize("weighting", ["nominal", "worst-component"])
@pytest.mark.parametrize("flags", ["box", "everything"])
def test_the_cheapest_plan_at_a_level_needs_no_budget(flags, components, weighting):
    """The same answer from the smallest budget as from the whole range, and as from cvxpy."""
    problem = random_case(11, components=components).problem(
        flags, weighting=weighting, categories="whole", delta_add=0.01
    )
    whole = problem.variant(delta=most_effort(problem))
    safest = find_recourse(whole, gap=1e-5)
    level = 0.5 * (
        safest.worst_case_probability + problem.objective.value(problem.unbounded.cheapest.x)
    )
    answer = cheapest_at_most(problem, level)
    plan, least = answer.found.plan, answer.found.least_cost
    assert problem.objective.value(plan.x) <= level + 1e-6 and answer.proved
    assert whole.feasible_set.contains(plan.x) and plan.cost > problem.delta_min + 0.01
    assert least <= plan.cost + 1e-9
    if components == 1 or weighting == "worst-component":
        expected = cheapest_by_cvxpy(whole.feasible_set, problem.objective, level)
        assert plan.cost == pytest.approx(expected, abs=1e-5)
        assert least == pytest.approx(expected, abs=1e-5)
    else:
        assert plan.cost - least <= 0.006 * plan.cost
        below = find_recourse(problem.variant(delta=least * 0.999), gap=1e-5)
        assert below.x is None or below.lower_bound > level - 1e-5
    assert f"{plan.cost:.3f}" in answer.sentence and f"{least:.3f}" in answer.sentence


def test_a_level_out_of_reach_is_answered_by_the_best_one_and_its_cost():
    problem = random_case(11).problem("box", weighting="worst-component")
    best = find_recourse(problem.variant(delta=most_effort(problem)), gap=1e-5)
    answer = cheapest_at_most(problem, best.lower_bound - 0.01)
    assert answer.found is None and answer.proved
    assert 0.0 <= answer.best.level - best.worst_case_probability <= 2e-3
    assert answer.best.plan.cost <= best.cost + 1e-6
    assert f"{answer.best.plan.cost:.3f}" in answer.sentence
    none = answer.as_alternative()
    assert none.plan.x is None and none.plan.status == "infeasible"
    assert none.plan.message == answer.sentence


def test_no_plan_at_all_is_explained_and_not_a_matter_of_the_level():
    problem = random_case(11).problem("box", radii=50.0)
    answer = cheapest_at_most(problem, 0.5)
    assert answer.safest.x is None and answer.sentence == find_recourse(problem).message


@pytest.mark.parametrize("kind", [kind for kind in PLAN_KINDS if kind != SAFEST])
def test_a_time_limit_of_nothing_ends_every_kind_with_a_verified_plan_or_says_so(kind):
    problem = random_case(2, components=3).problem("groups", categories="whole")
    chosen = chosen_plan(problem, kind, 0.9, time_limit=0.0)
    if chosen.plan.x is None:
        assert "time limit" in chosen.plan.message
    else:
        assert chosen.problem.feasible_set.contains(chosen.plan.x)


def enumerated(problem, most):
    """The smallest worst case over every set of `most` levers, each solved by itself."""
    every, delta = levers(problem), problem.feasible_set.delta
    values = [np.inf]
    for kept in itertools.combinations(every, most):
        rest = tuple(lever for lever in every if lever not in kept)
        actions = without_levers(problem.unbounded.actions, rest)
        plan = find_recourse(problem.variant(actions, delta), gap=1e-6)
        if plan.x is not None:
            values.append(plan.worst_case_probability)
    return min(values)


@pytest.mark.slow
@pytest.mark.parametrize("components", [1, 3])
@pytest.mark.parametrize("flags", ["box", "groups", "everything"])
def test_few_levers_equal_full_enumeration(components, flags):
    outcomes = set()
    for seed in (21, 22, 23):
        problem = random_case(seed, components=components).problem(
            flags, categories="whole", delta_add=0.6
        )
        for most in (1, 2, 3):
            few = best_with_few_levers(problem, most, gap=1e-5)
            expected = enumerated(problem, most)
            outcomes.add(bool(np.isfinite(expected)))
            if few.plan is None:
                assert expected == np.inf
                continue
            assert few.plan.worst_case_probability == pytest.approx(expected, abs=3e-5)
            assert few.plan.lower_bound <= expected + 1e-6
            assert len(changed_levers(problem, few.plan.x)) <= most
            assert problem.feasible_set.contains(few.plan.x)
            # Closing what cannot be useful changes no useful answer, and proves the others useless.
            same = best_with_few_levers(problem, most, gap=1e-5, useful=expected + 1e-4)
            assert same.plan.worst_case_probability == pytest.approx(expected, abs=3e-5)
            assert same.plan.lower_bound <= expected + 1e-6 and same.nodes <= few.nodes
            none = best_with_few_levers(problem, most, gap=1e-5, useful=expected - 1e-3)
            assert none.plan is None or none.plan.worst_case_probability > expected - 1e-3
    assert True in outcomes


def test_few_levers_need_a_lever():
    with pytest.raises(InvalidInput, match="at least 1"):
        best_with_few_levers(random_case(1).problem("box"), 0)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("components", [1, 3])
def test_the_menu_is_verified_distinct_and_not_dominated(seed, components):
    problem = random_case(seed, components=components).problem("groups", categories="whole")
    menu = alternatives(problem)
    assert menu[0].kind == SAFEST and 2 <= len(menu) <= 5
    for entry in menu:
        plan = entry.plan
        assert entry.problem.feasible_set.contains(plan.x) and plan.checks
        assert plan.worst_case_probability == pytest.approx(problem.objective.value(plan.x))
        assert plan.lower_bound <= plan.worst_case_probability
        if entry.kind == CHEAPEST:
            assert plan.worst_case_probability <= entry.level + 1e-6
            assert entry.least_cost <= plan.cost + 1e-9
        if entry.kind == SPARING:
            spared = list(entry.spared)
            assert plan.x[spared] == pytest.approx(problem.x0[spared])
    for one, other in itertools.permutations(menu, 2):
        assert np.abs(one.plan.x - other.plan.x).max() > ALIKE * 0.99
        if one.kind not in (SAFEST, SPARING):
            better = (
                other.plan.worst_case_probability < one.plan.worst_case_probability + 1e-3,
                other.plan.cost < one.plan.cost + 1e-3,
                other.changes <= one.changes,
            )
            assert not all(better)


@pytest.mark.parametrize("kind", PLAN_KINDS)
def test_one_kind_alone_is_a_verified_plan(kind):
    chosen = chosen_plan(random_case(2).problem("groups", categories="whole"), kind, 0.9)
    assert chosen.problem.feasible_set.contains(chosen.plan.x)


def test_no_plan_gives_an_empty_menu():
    assert alternatives(random_case(8).problem("box", delta=0.0)) == ()
