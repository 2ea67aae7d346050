"""Exact ROAR against cvxpy, against enumeration of categories, and against the published one."""

import itertools
from dataclasses import replace

import cvxpy as cp
import numpy as np
import pytest

from dirrac_core.data.schema.actions import Actions
from dirrac_core.feasible.bounds import column_bounds
from dirrac_core.methods import Descent, Roar, RoarPublished, RoarSettings, roar
from dirrac_core.methods.parts.category_search import with_category
from dirrac_core.methods.roar import RoarPrograms
from dirrac_core.models.classifiers import LinearModel

OBJECTIVE_TOLERANCE = 2e-6
GROUPS = ((0, 1, 2), (3, 4))
COLUMNS = 8


def random_case(seed):
    """An applicant with two one-hot groups and three numbers, and three linear models."""
    rng = np.random.default_rng(seed)
    thetas = rng.normal(size=(3, COLUMNS + 1))
    thetas[:, -1] -= 1.5
    x0 = np.concatenate(
        [np.eye(3)[rng.integers(3)], np.eye(2)[rng.integers(2)], rng.random(3), [1]]
    )
    row = np.zeros(COLUMNS)
    row[5:] = rng.normal(size=3)
    reach = float(row @ x0[:-1])
    actions = Actions(
        lower=np.zeros(COLUMNS),
        upper=np.ones(COLUMNS),
        locked=(5,) if seed % 2 else (),
        only_up=(6,),
        groups=GROUPS,
        weights=rng.uniform(0.5, 2.0, COLUMNS),
        linear=[(row, reach - 0.3, reach + 0.3)],
    )
    return x0, thetas, actions


def cvxpy_minimum(x0, thetas, actions, settings, category=None):
    x = cp.Variable(COLUMNS + 1)
    norm = cp.norm(x, 2 if settings.ball == "l2" else 1)
    worst = cp.max(cp.hstack([cp.logistic(settings.delta_max * norm - t @ x) for t in thetas]))
    cost = cp.sum(cp.multiply(actions.weights, cp.abs(x[:-1] - x0[:-1])))
    rules = [x[-1] == 1, x[:-1] >= actions.lower, x[:-1] <= actions.upper]
    rules += [x[c] == x0[c] for c in actions.locked] + [x[c] >= x0[c] for c in actions.only_up]
    rules += [cp.sum(x[list(group)]) == 1 for group in actions.groups]
    rules += [r.coefficients @ x[:-1] >= r.low for r in actions.linear]
    rules += [r.coefficients @ x[:-1] <= r.high for r in actions.linear]
    rules += [x[c] == 1 for c in category or ()]
    return cp.Problem(cp.Minimize(worst + settings.lam * cost), rules).solve(cp.CLARABEL)


@pytest.mark.parametrize("ball", ["l2", "box"])
@pytest.mark.parametrize("seed", range(6))
def test_exact_roar_reaches_the_cvxpy_minimum(seed, ball):
    x0, thetas, actions = random_case(seed)
    settings = RoarSettings(lam=[0.02, 0.1, 0.3][seed % 3], delta_max=0.2, ball=ball)
    expected = cvxpy_minimum(x0, thetas[:1], actions, settings)
    plan = Roar(LinearModel(thetas[0]), settings, "relaxed").recourse(x0, actions)
    value = settings.objective(thetas[:1], plan.x, x0, actions.weights)
    assert value == pytest.approx(expected, abs=OBJECTIVE_TOLERANCE)
    assert plan.keeps_rules


@pytest.mark.parametrize("seed", range(6))
def test_a_steep_model_is_no_failure(seed):
    """Programs are less accurate there, and the minimum is still found."""
    x0, thetas, actions = random_case(seed)
    steep = 60.0 * thetas[:1]
    settings = RoarSettings(lam=[0.01, 0.05, 0.2][seed % 3], delta_max=0.1)
    expected = cvxpy_minimum(x0, steep, actions, settings)
    plan = Roar(LinearModel(steep[0]), settings, "relaxed").recourse(x0, actions)
    value = settings.objective(steep, plan.x, x0, actions.weights)
    assert value == pytest.approx(expected, abs=1e-5) and plan.keeps_rules


@pytest.mark.parametrize("seed", range(4))
def test_the_worst_of_several_models_is_minimised(seed):
    x0, thetas, actions = random_case(seed)
    settings = RoarSettings(lam=0.05)
    found = RoarPrograms(thetas, x0, actions, settings).minimum(settings.lam, whole=False)
    expected = cvxpy_minimum(x0, thetas, actions, settings)
    assert found.value == pytest.approx(expected, abs=OBJECTIVE_TOLERANCE)
    assert found.bound <= expected + OBJECTIVE_TOLERANCE
    assert found.value - found.bound <= OBJECTIVE_TOLERANCE


@pytest.mark.parametrize("seed", range(6))
def test_whole_categories_are_the_best_of_all_combinations(seed):
    x0, thetas, actions = random_case(seed)
    settings = RoarSettings(lam=0.03, delta_max=0.3)
    expected = min(
        cvxpy_minimum(x0, thetas[:1], actions, settings, pair)
        for pair in itertools.product(*GROUPS)
    )
    plan = Roar(LinearModel(thetas[0]), settings, "whole").recourse(x0, actions)
    value = settings.objective(thetas[:1], plan.x, x0, actions.weights)
    assert value == pytest.approx(expected, abs=OBJECTIVE_TOLERANCE)
    assert plan.keeps_rules


@pytest.mark.parametrize("kept", [0, 2, roar.MOST_KEPT])
@pytest.mark.parametrize("categories", ["whole", "relaxed"])
@pytest.mark.parametrize("seed", range(3))
def test_a_sweep_has_the_plan_of_each_lambda_alone(monkeypatch, seed, categories, kept):
    monkeypatch.setattr(roar, "MOST_KEPT", kept)
    x0, thetas, actions = random_case(seed)
    lams = (0.3, 0.02, 0.1, 0.3)
    method = Roar(LinearModel(thetas[0]), RoarSettings(delta_max=0.2), categories)
    plan_at = method.over_cost_weight(x0, actions)
    for lam, plan in zip(lams, map(plan_at, lams), strict=True):
        alone = replace(method, settings=replace(method.settings, lam=lam))
        expected = alone.recourse(x0, actions)
        np.testing.assert_array_equal(plan.x, expected.x)
        assert (plan.message, plan.method) == (expected.message, expected.method)
        assert plan.keeps_rules == expected.keeps_rules


@pytest.mark.parametrize("ball", ["l2", "box"])
@pytest.mark.parametrize("seed", range(6))
def test_the_published_optimiser_is_never_better_than_the_exact_one(seed, ball):
    x0, thetas, actions = random_case(seed)
    actions = Actions(actions.lower, actions.upper, actions.locked, actions.only_up, groups=GROUPS)
    settings = RoarSettings(lam=0.05, ball=ball)
    model, weights = LinearModel(thetas[0]), np.ones(COLUMNS)
    exact = Roar(model, settings, "relaxed").recourse(x0, actions)
    published = RoarPublished(model, settings, "relaxed").recourse(x0, actions)
    best = settings.objective(thetas[:1], exact.x, x0, weights)
    reached = settings.objective(thetas[:1], published.x, x0, weights)
    assert best <= reached + OBJECTIVE_TOLERANCE
    assert reached <= settings.objective(thetas[:1], x0, x0, weights)
    assert published.keeps_rules


def test_the_published_optimiser_comes_close_when_it_is_given_time():
    x0, thetas, _ = random_case(0)
    settings = RoarSettings(lam=0.05)
    slow = Descent(learning_rate=0.01, steps=6000, tolerance=0.0)
    model, weights = LinearModel(thetas[0]), np.ones(COLUMNS)
    free = Actions(np.zeros(COLUMNS), np.ones(COLUMNS), groups=GROUPS)
    exact = Roar(model, settings, "relaxed").recourse(x0, free)
    published = RoarPublished(model, settings, "relaxed", slow).recourse(x0, free)
    best = settings.objective(thetas[:1], exact.x, x0, weights)
    assert settings.objective(thetas[:1], published.x, x0, weights) == pytest.approx(best, abs=2e-3)


def test_no_sampled_shift_lowers_the_margin_further():
    x0, thetas, _ = random_case(1)
    rng = np.random.default_rng(3)
    for ball in ("l2", "box"):
        settings = RoarSettings(delta_max=0.4, ball=ball)
        shifts = rng.normal(size=(500, x0.size))
        order = 2 if ball == "l2" else np.inf
        shifts *= 0.4 / np.linalg.norm(shifts, order, axis=1, keepdims=True)
        assert ((thetas[0] + shifts) @ x0).min() >= settings.margin(thetas[:1], x0) - 1e-12


def test_fixing_a_category_leaves_the_other_columns_alone():
    x0, _, actions = random_case(0)
    bounds = column_bounds(x0, actions)
    fixed = with_category(bounds, GROUPS[0], 2)
    assert fixed.lower[:3].tolist() == fixed.upper[:3].tolist() == [0.0, 0.0, 1.0]
    assert (fixed.lower[3:] == bounds.lower[3:]).all()
    assert bounds.upper[0] == 1.0
