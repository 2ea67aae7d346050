"""Levers left alone: each choice of them is stated once, and its cheapest plan found once."""

import numpy as np

from dirrac_core import Actions, ParameterMixture, RecourseProblem
from dirrac_core.feasible import feasible_set
from dirrac_core.recourse.kinds.alternatives import alternatives
from dirrac_core.recourse.kinds.levers import Narrowed, best_with_few_levers, levers


def asked():
    """Four numbers, each of which helps a little: a plan changes several of them."""
    means = [[1.0, 0.9, 0.8, 0.7, -1.5], [0.7, 0.9, 1.0, 0.8, -1.4]]
    mixture = ParameterMixture([0.5, 0.5], means, [0.02 * np.eye(5), 0.03 * np.eye(5)])
    actions = Actions(lower=[0.0] * 4, upper=[0.8] * 4)
    x0 = [0.1, 0.2, 0.1, 0.0, 1.0]
    return RecourseProblem(x0, mixture, 0.05, 0.3, weighting="worst-component", actions=actions)


def test_the_same_levers_give_the_same_problem():
    problem = asked()
    narrowed = Narrowed(problem)
    first, second, *_ = levers(problem)
    assert narrowed.without(frozenset()) is problem
    one = narrowed.without(frozenset({first}))
    assert narrowed.without(frozenset({first})) is one
    both = narrowed.without(frozenset({second, first}))
    assert both.unbounded.actions.locked == (*first, *second)
    assert one.feasible_set.delta == one.delta_min + problem.delta_add


def test_what_was_asked_before_changes_no_plan():
    problem = asked()
    narrowed = Narrowed(problem)
    for most in (1, 2, 3):
        alone = best_with_few_levers(asked(), most)
        shared = best_with_few_levers(problem, most, narrowed=narrowed)
        assert (alone.nodes, alone.plan is None) == (shared.nodes, shared.plan is None)
        if alone.plan is not None:
            assert alone.plan.x.tolist() == shared.plan.x.tolist()
            assert alone.plan.lower_bound == shared.plan.lower_bound


def test_no_cheapest_plan_is_looked_for_twice(monkeypatch):
    free = []
    cheapest_in = feasible_set.cheapest_in

    def counted(piece, *rest):
        free.append(tuple(piece.free))
        return cheapest_in(piece, *rest)

    monkeypatch.setattr(feasible_set, "cheapest_in", counted)
    menu = alternatives(asked())
    assert len(menu) > 1 and len(free) > 3
    assert len(set(free)) == len(free)
