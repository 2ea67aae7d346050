"""The common protocol: checks tell the truth, nothing is repaired, no plan has a reason."""

import numpy as np
import pytest

from dirrac_core.data.schema.actions import Actions
from dirrac_core.errors import InvalidInput, UnknownName
from dirrac_core.methods import Dirrac, Roar, RoarPublished, RoarSettings
from dirrac_core.methods.parts.actionable import QuickProjection, on_simplex
from dirrac_core.methods.parts.adam import adam_path
from dirrac_core.methods.protocol import TODAY, Answer, planned
from dirrac_core.models.classifiers import LinearModel
from dirrac_core.models.mixture import ParameterMixture
from dirrac_core.recourse import RecourseProblem, find_recourse

MODEL = LinearModel([2.0, 1.0, -2.0])
X0 = np.array([0.2, 0.3, 1.0])


def test_costs_are_weighted_and_the_applicant_is_not_changed():
    given = X0.copy()
    actions = Actions(weights=[2.0, 1.0])
    plan = planned("m", given, actions, MODEL, True, lambda x: Answer(x + [0.5, -0.4, 0], ""))
    assert plan.cost_l1 == pytest.approx(1.4)
    assert plan.cost_l2 == pytest.approx(np.hypot(1.0, 0.4))
    assert (given == X0).all()
    assert not plan.x.flags.writeable


def test_a_broken_rule_is_reported_and_not_repaired():
    actions = Actions(lower=[0.0, 0.0], upper=[1.0, 1.0], locked=(1,))
    plan = planned("m", X0, actions, MODEL, True, lambda x: Answer(x + [2.0, 0.1, 0], ""))
    assert plan.x[0] == pytest.approx(2.2)
    assert {check.name for check in plan.checks.broken} == {"range", "locked"}
    assert plan.accepted and not plan.keeps_rules


def test_todays_decision_is_a_check():
    plan = planned("m", X0, Actions(), MODEL, True, lambda x: Answer(x, ""))
    assert [check.name for check in plan.checks.broken] == [TODAY]
    assert plan.keeps_rules and not plan.accepted
    # 2·0.7 + 0.6 − 2 = 0: on the boundary counts as accepted.
    plan = planned("m", X0, Actions(), MODEL, True, lambda x: Answer(np.array([0.75, 0.5, 1]), ""))
    assert plan.accepted


def test_a_contradiction_gives_no_plan_and_says_why():
    actions = Actions(upper=[0.1, 1.0], lower=[0.0, 0.0], only_up=(0,))
    plan = Roar(MODEL).recourse(X0, actions)
    assert plan.x is None and plan.checks is None and not plan.accepted
    assert "column 0" in plan.message
    assert np.isnan(plan.cost_l1)


def test_an_empty_rule_set_gives_no_plan():
    impossible = Actions([0.0, 0.0], [1.0, 1.0], linear=[([1.0, 1.0], 3.0, 4.0)])
    plan = Roar(MODEL).recourse(X0, impossible)
    assert plan.x is None and "rules" in plan.message


def test_a_one_feature_roar_has_the_hand_worked_solution():
    # x = (z, 1), θ = (3, −1.5), box ball δ = 0.1: margin m = 3z − 1.5 − 0.1(z + 1) = 2.9z − 1.6.
    # Stationary where 2.9/(1 + exp(m)) = λ, so exp(m) = 2.9/λ − 1.
    lam = 0.5
    margin = np.log(2.9 / lam - 1.0)
    plan = Roar(LinearModel([3.0, -1.5]), RoarSettings(lam, 0.1, "box")).recourse(
        [0.0, 1.0], Actions([0.0], [5.0])
    )
    assert plan.x[0] == pytest.approx((margin + 1.6) / 2.9, abs=1e-3)
    assert plan.accepted


def test_a_large_lambda_leaves_the_applicant_declined_and_says_so():
    plan = Roar(MODEL, RoarSettings(lam=50.0)).recourse(X0, Actions())
    assert plan.cost_l1 == pytest.approx(0.0, abs=1e-6)
    assert [check.name for check in plan.checks.broken] == [TODAY]


def test_the_published_roar_says_when_it_stands_between_categories():
    # The loss falls steeply up to a margin of about 2 and costs more than it gains beyond.
    model = LinearModel([-3.0, 6.0, -1.0])
    actions = Actions([0.0, 0.0], [1.0, 1.0], groups=[(0, 1)])
    plan = RoarPublished(model, RoarSettings(lam=0.5)).recourse([1.0, 0.0, 1.0], actions)
    assert 0.01 < plan.x[0] < 0.99
    assert "whole category" in {check.name for check in plan.checks.broken}
    assert plan.x[:2].sum() == pytest.approx(1.0)


def test_dirrac_in_the_protocol_is_find_recourse():
    mixture = ParameterMixture([1.0], [MODEL.theta], [0.01 * np.eye(3)])
    plan = Dirrac(MODEL, mixture, delta_add=0.5, categories="relaxed").recourse(X0, Actions())
    own = find_recourse(RecourseProblem(X0, mixture, delta_add=0.5))
    assert plan.x == pytest.approx(own.x)
    assert plan.cost_l1 == pytest.approx(own.cost)
    assert plan.message == own.message


@pytest.mark.parametrize(
    "wrong",
    [
        {"lam": 0.0},
        {"delta_max": -0.1},
        {"lam": np.nan},
    ],
)
def test_settings_are_checked(wrong):
    with pytest.raises(InvalidInput, match="must be"):
        RoarSettings(**wrong)


def test_names_are_checked():
    with pytest.raises(UnknownName, match="l2"):
        RoarSettings(ball="l1")
    with pytest.raises(UnknownName, match="whole"):
        Roar(MODEL, categories="some")


def test_simplex_projection_solves_its_problem():
    rng = np.random.default_rng(0)
    for _ in range(50):
        v = rng.normal(size=4)
        z = on_simplex(v, np.zeros(4), np.ones(4))
        assert z.sum() == pytest.approx(1.0) and z.min() >= 0.0
        # Optimality: ⟨v − z, w − z⟩ ≤ 0 for every corner w of the simplex.
        assert ((np.eye(4) - z) @ (v - z)).max() <= 1e-12


def test_simplex_projection_keeps_one_way_bounds():
    z = on_simplex(np.array([0.0, 5.0]), np.array([0.6, 0.0]), np.array([1.0, 1.0]))
    assert z == pytest.approx([0.6, 0.4])


def test_quick_projection_is_idempotent_and_keeps_locks():
    actions = Actions([0.0] * 4, [1.0] * 4, locked=(3,), groups=[(0, 1)])
    x0 = np.array([1.0, 0.0, 0.5, 0.7, 1.0])
    project = QuickProjection(x0, actions)
    point = project(np.array([0.3, 2.0, -1.0, 0.1, 9.0]))
    assert point == pytest.approx([0.0, 1.0, 0.0, 0.7, 1.0])
    assert project(point) == pytest.approx(point)


def test_adam_finds_the_minimum_of_a_bowl():
    goal = np.array([1.0, -2.0])
    path = adam_path(np.zeros(2), lambda x: x - goal, lambda x: x, 0.05, 2000)
    assert list(path)[-1] == pytest.approx(goal, abs=1e-3)


def test_adam_steps_by_the_learning_rate_first():
    (x,) = adam_path(np.zeros(2), lambda x: np.array([3.0, -0.1]), lambda x: x, 0.01, 1)
    assert x == pytest.approx([-0.01, 0.01], rel=1e-5)


def test_branching_finds_the_best_pair_of_categories():
    # The rule forbids the pair that rounding picks, so only branching gets to the best one.
    model = LinearModel([0.0, 2.0, 0.0, 1.5, -2.0])
    actions = Actions(
        [0.0] * 4, [1.0] * 4, groups=[(0, 1), (2, 3)], linear=[([0.0, 1.5, 0.0, 1.0], 0.0, 2.0)]
    )
    x0 = np.array([1.0, 0.0, 1.0, 0.0, 1.0])
    settings = RoarSettings(lam=0.01)
    pairs = [np.array([1 - a, a, 1 - b, b, 1.0]) for a, b in ((0, 0), (1, 0), (0, 1))]
    best = min(pairs, key=lambda x: settings.objective(model.theta[None], x, x0, np.ones(4)))
    plan = Roar(model, settings).recourse(x0, actions)
    assert plan.x == pytest.approx(best, abs=1e-6)
    assert plan.keeps_rules
