"""MINT: a causal example worked by hand, and brute force over a grid of interventions."""

import itertools

import numpy as np
import pytest

from dirrac_core.data.schema.actions import Actions
from dirrac_core.errors import InvalidInput
from dirrac_core.methods.mint import CausalModel, Mint
from dirrac_core.models.classifiers import LinearModel

# x1 = 2·x0 + U1, x2 = x1 + U2 with x0 a root.
CHAIN = CausalModel(np.array([[0, 0, 0], [2.0, 0, 0], [0, 1.0, 0]]), np.zeros(3))


def test_moving_the_root_moves_its_descendants():
    # From (0, 0, 0) the score x0 + x1 + x2 − 5 rises by 1 + 2 + 2 = 5 for each unit of x0, by 2
    # for each of x1 and by 1 for each of x2: do(x0 = 1) costs 1, do(x1 = 2.5) costs 2.5.
    plan = Mint(LinearModel([1.0, 1.0, 1.0, -5.0]), CHAIN).recourse([0.0, 0, 0, 1], Actions())
    assert plan.x == pytest.approx([1.0, 2.0, 2.0, 1.0], abs=1e-5)
    assert plan.accepted
    assert plan.cost_l1 == pytest.approx(5.0, abs=1e-5)
    assert "columns [0] of total size 1" in plan.message


def test_a_locked_root_leaves_the_middle_variable():
    plan = Mint(LinearModel([1.0, 1.0, 1.0, -5.0]), CHAIN).recourse(
        [0.0, 0, 0, 1], Actions(locked=(0,))
    )
    assert plan.x == pytest.approx([0.0, 2.5, 2.5, 1.0], abs=1e-5)


def test_the_noise_of_the_applicant_is_kept():
    x = np.array([1.0, 5.0, 4.0])
    assert CHAIN.abduct(x) == pytest.approx([1.0, 3.0, -1.0])
    A, b = CHAIN.response((0,), x)
    # do(x0 = 2): x1 = 2·2 + 3, x2 = 7 − 1.
    assert A @ [2.0] + b == pytest.approx([2.0, 7.0, 6.0])
    A, b = CHAIN.response((0, 1), x)
    assert A @ [2.0, 0.0] + b == pytest.approx([2.0, 0.0, -1.0])


def test_bounds_hold_for_variables_that_only_follow():
    # x2 may not exceed 1: raising x0 to 1 would take it to 2, unless x2 is held by intervening.
    actions = Actions([0.0] * 3, [10.0, 10.0, 1.0])
    plan = Mint(LinearModel([1.0, 1.0, 0.0, -3.0]), CHAIN).recourse([0.0, 0, 0, 1], actions)
    assert plan.keeps_rules and plan.accepted
    assert plan.x[0] == pytest.approx(1.0, abs=1e-5) and plan.x[2] == pytest.approx(0.0, abs=1e-5)


def test_nothing_helps_when_the_causes_are_locked():
    plan = Mint(LinearModel([1.0, 0.0, 0.0, -1.0]), CHAIN).recourse(
        [0.0, 0, 0, 1], Actions(locked=(0,))
    )
    assert plan.x is None and "No intervention" in plan.message


@pytest.mark.parametrize("seed", range(5))
def test_no_grid_of_interventions_is_cheaper(seed):
    rng = np.random.default_rng(seed)
    causal = CausalModel(np.tril(rng.normal(size=(3, 3)), -1), rng.normal(size=3))
    theta = np.append(rng.normal(size=3), 0.0)
    x0 = np.append(rng.random(3), 1.0)
    theta[3] = -theta @ x0 - 0.4
    actions = Actions([-1.0] * 3, [2.0] * 3, only_up=(0,))
    plan = Mint(LinearModel(theta), causal).recourse(x0, actions)
    lower = np.array([x0[0], -1.0, -1.0])
    values = [np.linspace(low, 2.0, 21) for low in lower]
    best = np.inf
    for size in (1, 2, 3):
        for subset in itertools.combinations(range(3), size):
            A, b = causal.response(subset, x0[:-1])
            for v in itertools.product(*(values[c] for c in subset)):
                x = A @ np.array(v) + b
                if (x >= lower).all() and (x <= 2.0).all() and theta[:3] @ x + theta[3] >= 0:
                    best = min(best, np.abs(np.array(v) - x0[list(subset)]).sum())
    claimed = float(plan.message.split()[-1].rstrip(".")) if plan.x is not None else np.inf
    assert claimed <= best + 1e-3
    if np.isfinite(best):
        assert claimed >= best - 0.5


def test_regressions_recover_a_linear_model():
    rng = np.random.default_rng(1)
    root = rng.normal(size=500)
    X = np.column_stack([root, 3.0 * root + 1.0, np.zeros(500)])
    X[:, 2] = -X[:, 1] + 2.0 * root
    model = CausalModel.fit(X, {1: (0,), 2: (0, 1)})
    assert model.effects[1] == pytest.approx([3.0, 0.0, 0.0])
    assert model.intercepts[1] == pytest.approx(1.0)
    assert model.abduct(X[3])[1:] == pytest.approx([0.0, 0.0], abs=1e-9)


def test_wrong_input_is_named():
    with pytest.raises(InvalidInput, match="cycle"):
        CausalModel(np.array([[0.0, 1.0], [1.0, 0.0]]), np.zeros(2))
    with pytest.raises(InvalidInput, match="4 variables, got 3"):
        Mint(LinearModel(np.ones(5)), CHAIN)
    with pytest.raises(InvalidInput, match="one-hot"):
        Mint(LinearModel(np.ones(4)), CHAIN).recourse([1.0, 0, 0, 1], Actions(groups=[(0, 1)]))
    with pytest.raises(InvalidInput, match="run from 0 to 1"):
        CausalModel.fit(np.zeros((3, 2)), {1: (2,)})
