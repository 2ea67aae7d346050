"""RBR: inner problems against a fine grid, gradients, boundary points and the descent."""

import numpy as np
import pytest

from dirrac_core.data.schema.actions import Actions
from dirrac_core.errors import InvalidInput
from dirrac_core.methods.parts.rbr_likelihood import interpolated, optimistic, pessimistic
from dirrac_core.methods.rbr import LikelihoodRatio, Rbr, RbrSettings
from dirrac_core.models.classifiers import LinearModel, train_mlp

DISTANCES = np.array([0.0, 0.05, 0.3, 0.5, 0.9, 1.5, 4.0])
GRID = 1201
CASES = [(1.0, 0.5, 5), (0.4, 0.3, 3), (1.0, 0.2, 12), (0.7, 0.0, 4), (1.0, 0.9, 1)]


@pytest.mark.parametrize(("sigma", "epsilon", "p"), CASES)
def test_the_optimistic_density_against_a_fine_grid(sigma, epsilon, p):
    u, v = np.meshgrid(np.linspace(0, epsilon, GRID), np.linspace(0, epsilon, GRID))
    inside = u**2 + v**2 <= epsilon**2 * (1 + 1e-12)
    u, v = u[inside], v[inside]
    found = optimistic(DISTANCES, sigma, epsilon, p)
    for c, value in zip(DISTANCES, found.value, strict=True):
        grid = np.log(sigma + v) + (c - u) ** 2 / (2 * (sigma + v) ** 2) + (p - 1) * np.log(sigma)
        # On the grid u cannot meet c exactly; the true minimum is never above it.
        assert value <= grid.min() + 1e-9
        assert value == pytest.approx(grid.min(), abs=5e-3)


@pytest.mark.parametrize(("sigma", "epsilon", "p"), CASES)
def test_the_pessimistic_density_against_a_fine_grid(sigma, epsilon, p):
    u, v = np.meshgrid(np.linspace(0, epsilon, GRID), np.linspace(-epsilon, epsilon, 2 * GRID))
    inside = u**2 + v**2 <= epsilon**2 * (1 + 1e-12)
    u, v = u[inside], v[inside]
    left = np.sqrt(np.maximum(epsilon**2 - u**2 - v**2, 0))
    found = pessimistic(DISTANCES, sigma, epsilon, p)
    for c, value in zip(DISTANCES, found.value, strict=True):
        grid = np.log(sigma + v) + (c + u) ** 2 / (2 * (sigma + v) ** 2)
        grid = grid + (p - 1) * np.log(sigma + left / np.sqrt(max(p - 1, 1)))
        assert value >= grid.max() - 1e-9 * max(1.0, abs(grid.max()))
        assert value == pytest.approx(grid.max(), rel=1e-2, abs=5e-3)


def test_without_a_ball_both_are_the_gaussian():
    gaussian = np.log(0.7) * 4 + DISTANCES**2 / (2 * 0.7**2)
    for problem in (optimistic, pessimistic):
        extreme = problem(DISTANCES, 0.7, 0.0, 4)
        assert extreme.value == pytest.approx(gaussian)
        assert extreme.slope == pytest.approx(DISTANCES / 0.7**2)


def test_optimism_never_exceeds_pessimism():
    low, high = (f(DISTANCES, 1.0, 0.5, 6).value for f in (optimistic, pessimistic))
    assert (low <= high).all()


@pytest.mark.parametrize("problem", [optimistic, pessimistic])
def test_interpolation_agrees_with_the_exact_solution(problem):
    curve = interpolated(problem, 3.0, 1.0, 0.5, 6)
    c = np.linspace(0.013, 2.97, 57)
    exact = problem(c, 1.0, 0.5, 6)
    assert curve(c) == pytest.approx(exact.value, abs=1e-4)
    assert curve(c, 1) == pytest.approx(exact.slope, abs=1e-2)


def test_the_gradient_of_the_ratio_by_central_differences():
    rng = np.random.default_rng(0)
    curves = [interpolated(f, 6.0, 1.0, 0.4, 3) for f in (optimistic, pessimistic)]
    ratio = LikelihoodRatio(rng.normal(size=(9, 3)), rng.normal(size=(7, 3)) + 1.0, *curves)
    x, step = rng.normal(size=3), 1e-6
    gradient = ratio.value_and_gradient(x)[1]
    for c in range(3):
        move = step * np.eye(3)[c]
        values = [ratio.value_and_gradient(x + sign * move)[0] for sign in (1, -1)]
        assert gradient[c] == pytest.approx((values[0] - values[1]) / (2 * step), abs=1e-5)


@pytest.fixture(scope="module")
def people():
    rng = np.random.default_rng(0)
    X = rng.random((300, 3))
    return X, train_mlp(X, (X[:, 0] + X[:, 1] > 1.1).astype(float), 0)


def test_the_boundary_point_is_on_the_boundary_and_cheapest(people):
    X, _ = people
    model = LinearModel([1.0, 1.0, 0.0, -1.1])
    x0 = np.array([0.2, 0.3, 0.5, 1.0])
    actions = Actions([0.0] * 3, [1.0] * 3, locked=(2,))
    boundary = Rbr(model, X, RbrSettings(neighbours=300)).boundary_point(x0, actions)
    assert model.theta[:-1] @ boundary + model.theta[-1] == pytest.approx(0.0, abs=1e-6)
    assert boundary[2] == 0.5
    # No way to a favourable person flips for less than the straight distance to the boundary.
    assert 0.6 - 1e-6 <= np.abs(boundary - x0[:-1]).sum() < 0.65


def test_the_plan_is_accepted_and_inside_its_budget(people):
    X, network = people
    settings = RbrSettings(delta_plus=0.3)
    method = Rbr(network, X, settings)
    actions = Actions([0.0] * 3, [1.0] * 3, only_up=(0,), locked=(2,))
    x0 = np.array([0.2, 0.3, 0.5, 1.0])
    plan = method.recourse(x0, actions)
    reach = np.abs(method.boundary_point(x0, actions) - x0[:-1]).sum()
    assert plan.accepted and plan.keeps_rules
    assert plan.cost_l1 <= reach + 0.3 + 1e-5
    assert plan.cost_l1 > reach
    assert (method.recourse(x0, actions).x == plan.x).all()


# The narrow kernels make the ratio steep: steps that are not shortened would jump about.
@pytest.mark.parametrize("kernel", [(1.0, 0.5), (0.15, 0.05)])
def test_the_descent_ends_at_the_best_point_of_a_fine_grid(kernel):
    rng = np.random.default_rng(2)
    X = rng.random((200, 2))
    model = LinearModel([1.0, 0.6, -1.0])
    x0 = np.array([0.2, 0.3, 1.0])
    sigma, epsilon = kernel
    settings = RbrSettings(
        sigma=sigma, epsilon_op=epsilon, epsilon_pe=epsilon, delta_plus=0.2, steps=300
    )
    method = Rbr(model, X, settings)
    actions = Actions([0.0, 0.0], [1.0, 1.0])
    plan = method.recourse(x0, actions)
    boundary = method.boundary_point(x0, actions)
    budget = np.abs(boundary - x0[:-1]).sum() + 0.2
    ratio = method._ratio(boundary, 3.0)
    a, b = np.meshgrid(np.linspace(0, 1, 41), np.linspace(0, 1, 41))
    grid = np.column_stack([a.ravel(), b.ravel()])
    grid = grid[np.abs(grid - x0[:-1]).sum(axis=1) <= budget]
    best = min(ratio.value_and_gradient(x)[0] for x in grid)
    assert ratio.value_and_gradient(plan.x[:-1])[0] <= best + 1e-4


def test_nobody_favourable_means_no_plan(people):
    X, _ = people
    plan = Rbr(LinearModel([0.0, 0.0, 0.0, -1.0]), X).recourse([0.2, 0.2, 0.2, 1.0], Actions())
    assert plan.x is None and "favourable" in plan.message


def test_settings_are_checked():
    with pytest.raises(InvalidInput, match="below sigma"):
        RbrSettings(epsilon_pe=1.0)
    with pytest.raises(InvalidInput, match="radius"):
        RbrSettings(radius=0.0)
