"""The pieces of whole categories: kept for other budgets, and asked for no more than needed."""

from dataclasses import replace

import numpy as np
import pytest

from dirrac_core import Actions, ParameterMixture
from dirrac_core.errors import InvalidInput
from dirrac_core.feasible import FeasibleSet
from dirrac_core.feasible import feasible_set as module

GROUPS = ((1, 2), (3, 4, 5))


def whole(theta=(1.0, 0.5, -0.5, 0.4, 0.0, -0.4, -2.0), top=5.0, **options):
    """One number from 0 to `top` and two groups, of the second and the third category."""
    mixture = ParameterMixture([1.0], [theta], [1e-4 * np.eye(7)])
    actions = Actions(lower=[0.0] * 6, upper=[top, *[1.0] * 5], groups=GROUPS)
    x0 = [0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0]
    return FeasibleSet(x0, mixture, actions=actions, categories="whole", **options)


@pytest.fixture
def looked_at(monkeypatch):
    """The categories of the pieces whose cheapest plan was asked for."""
    seen = []
    cheapest_in = module.cheapest_in

    def counted(piece, *rest):
        seen.append(piece.categories)
        return cheapest_in(piece, *rest)

    monkeypatch.setattr(module, "cheapest_in", counted)
    return seen


def test_a_plan_in_the_first_piece_needs_no_proof_for_all_categories(looked_at):
    found = whole().cheapest
    assert found is not None and None not in looked_at
    assert looked_at[0] == (2, 5)


def test_without_a_plan_in_the_first_piece_one_proof_covers_all_categories(looked_at):
    """Two models that contradict each other, whatever the categories; the box shows neither."""
    ones = [[1.0, *[0.0] * 5, -3.0], [-1.0, *[0.0] * 5, 2.0]]
    mixture = ParameterMixture([0.5, 0.5], ones, np.zeros((2, 7, 7)))
    assert replace(whole(), mixture=mixture, radii=np.zeros(2)).cheapest is None
    assert looked_at == [(2, 5), None]


def test_where_only_other_categories_have_a_plan_it_is_found():
    feasible = whole(top=2.5)
    found = feasible.cheapest
    assert found is not None and feasible.contains(found.x)
    assert found.x[1:6].tolist() != [0.0, 1.0, 0.0, 0.0, 1.0]


def test_every_budget_has_the_same_pieces():
    feasible = whole()
    narrow, wide = feasible.with_delta(0.5), feasible.with_delta(3.0)
    (first,) = narrow.pieces()
    others = list(wide.pieces())
    assert others[0] is first and len(others) > 1
    assert list(wide.with_delta(np.inf).pieces())[: len(others)] == others


def test_no_more_than_a_few_pieces_are_kept(monkeypatch):
    monkeypatch.setattr(module, "MOST_KEPT", 2)
    feasible = whole()
    assert len(list(feasible.pieces())) > 2
    again = feasible.with_delta(4.0)
    assert [piece.categories for piece in again.pieces()] == [
        piece.categories for piece in feasible.pieces() if piece.fixed_cost <= 4.0
    ]
    assert len(feasible._kept_pieces) == 2


def test_another_budget_changes_the_budget_and_nothing_else():
    feasible = whole()
    least = feasible.delta_min()
    narrow = feasible.with_delta(0.5 * least)
    assert (feasible.delta, narrow.delta) == (np.inf, 0.5 * least)
    assert narrow.delta_min() == replace(feasible, delta=0.5 * least).delta_min() == least
    x = feasible.cheapest.x
    assert feasible.contains(x) and [check.name for check in narrow.contains(x).broken] == [
        "budget"
    ]
    with pytest.raises(InvalidInput, match="budget"):
        feasible.with_delta(-1.0)


def test_the_checks_of_one_point_do_not_depend_on_those_looked_at_before():
    feasible = whole()
    points = [feasible.x0, feasible.cheapest.x, feasible.x0 + [7.0, 0, 0, 0.5, 0, 0, 0]]
    for x in (*points, *points):
        assert feasible.contains(x) == whole().contains(x)
    assert feasible.contains(points[-1]) != feasible.contains(points[0])


def test_a_rule_without_ends_holds_everywhere():
    free = Actions(linear=[([1.0] * 6, -np.inf, np.inf)])
    checks = replace(whole(), actions=free, categories="relaxed").contains(whole().x0).checks
    assert [check.ok for check in checks if check.name == "rule"] == [True]
