"""AR against brute force over its grid: cost, flip sets, percentiles, rules, followers."""

import itertools

import numpy as np
import pytest

from dirrac_core.data.schema.actions import Actions
from dirrac_core.errors import InvalidInput
from dirrac_core.methods.actionable_recourse import TIE_BREAK, ActionableRecourse
from dirrac_core.models.classifiers import LinearModel

GRID = 6


def random_case(seed):
    rng = np.random.default_rng(seed)
    theta = rng.normal(size=6)
    x0 = np.concatenate([np.eye(3)[rng.integers(3)], rng.random(2), [1.0]])
    theta[-1] -= theta @ x0 + rng.uniform(0.1, 1.0)
    actions = Actions(
        [0.0] * 5,
        [1.0] * 5,
        only_up=(3,),
        groups=[(0, 1, 2)],
        weights=rng.uniform(0.5, 2.0, 5),
        linear=[([0, 0, 0, 1.0, 1.0], 0.2, 1.8)],
        conditional=[(2, 4, 0.5, 1.0), (0, 4, 0.0, 0.7)],
    )
    return x0, LinearModel(theta), actions, rng.random((40, 5))


def grid_points(x0, actions, size):
    """Every point of the grid that keeps the rules."""
    third = np.unique(np.append(np.linspace(x0[3], 1.0, size), x0[3]))
    fourth = np.unique(np.append(np.linspace(0.0, 1.0, size), x0[4]))
    for category, a, b in itertools.product(range(3), third, fourth):
        allowed = {0: (0.0, 0.7), 1: (0.0, 1.0), 2: (0.5, 1.0)}[category]
        if 0.2 <= a + b <= 1.8 and allowed[0] <= b <= allowed[1]:
            yield np.concatenate([np.eye(3)[category], [a, b, 1.0]])


@pytest.mark.parametrize("seed", range(15))
def test_the_plan_is_the_cheapest_point_of_the_grid(seed):
    x0, model, actions, people = random_case(seed)
    plan = ActionableRecourse(model, people, grid=GRID).recourse(x0, actions)
    costs = [
        np.abs(actions.weights * (x - x0)[:-1]).sum()
        for x in grid_points(x0, actions, GRID)
        if model.theta @ x >= 1e-4
    ]
    if not costs:
        assert plan.x is None and "today's model" in plan.message
    else:
        assert plan.cost_l1 == pytest.approx(min(costs))
        assert plan.accepted and plan.keeps_rules


@pytest.mark.parametrize("seed", range(8))
def test_the_largest_percentile_shift_is_minimised(seed):
    x0, model, actions, people = random_case(seed)
    method = ActionableRecourse(model, people, cost="percentile", grid=GRID)

    def shift(x):
        moved = [
            weight * abs(np.mean(column <= new) - np.mean(column <= old))
            for weight, column, new, old in zip(actions.weights, people.T, x, x0, strict=False)
        ]
        features = [max(moved[:3]), moved[3], moved[4]]
        return max(features) + TIE_BREAK * sum(features)

    plan = method.recourse(x0, actions)
    accepted = [x for x in grid_points(x0, actions, GRID) if model.theta @ x >= 1e-4]
    if not accepted:
        assert plan.x is None
    else:
        assert shift(plan.x) == pytest.approx(min(map(shift, accepted)), abs=1e-6)


def test_a_column_tied_by_an_equality_follows_its_rule():
    # x1 = 0.5·x0 + 0.1 exactly; the score needs x0 + x1 above 0.85, so x0 above 0.5: 0.6 is next.
    model = LinearModel([1.0, 1.0, -0.85])
    actions = Actions([0.0] * 2, [1.0] * 2, linear=[([-0.5, 1.0], 0.1, 0.1)])
    people = np.random.default_rng(0).random((10, 2))
    plan = ActionableRecourse(model, people, grid=11).recourse([0.2, 0.2, 1.0], actions)
    assert plan.x[0] == pytest.approx(0.6)
    assert plan.x[1] == pytest.approx(0.4, abs=1e-6)
    assert plan.cost_l1 == pytest.approx(0.6, abs=1e-6)
    assert plan.keeps_rules


def test_without_bounds_the_grid_ends_where_the_data_end():
    model = LinearModel([1.0, -3.0])
    people = np.array([[0.0], [2.0]])
    assert ActionableRecourse(model, people).recourse([1.0, 1.0], Actions()).x is None
    wider = ActionableRecourse(model, np.array([[0.0], [4.0]]), grid=5)
    assert wider.recourse([1.0, 1.0], Actions()).x[0] == pytest.approx(4.0)


def test_wrong_input_is_named():
    model = LinearModel([1.0, -3.0])
    with pytest.raises(InvalidInput, match="people"):
        ActionableRecourse(model, np.zeros((3, 2)))
