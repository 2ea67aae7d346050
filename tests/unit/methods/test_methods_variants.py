"""ROAR-Ensemble, ROAR-Avg and the LIME variants."""

import numpy as np
import pytest

from dirrac_core.data.schema.actions import Actions
from dirrac_core.errors import InvalidInput
from dirrac_core.methods import Dirrac, Roar, RoarPublished, RoarSettings
from dirrac_core.methods.actionable_recourse import ActionableRecourse
from dirrac_core.methods.lime import Lime
from dirrac_core.methods.roar_variants.ensemble import RoarAverage, RoarEnsemble
from dirrac_core.models.classifiers import LinearModel, train_mlp
from dirrac_core.models.mixture import ParameterMixture

TODAY = LinearModel([2.0, 1.0, -2.0])
X0 = np.array([0.1, 0.2, 1.0])
BOX = Actions([0.0, 0.0], [1.5, 1.5])
THETAS = TODAY.theta + np.random.default_rng(0).normal(scale=0.3, size=(7, 3))
SETTINGS = RoarSettings(lam=0.1)


def test_an_ensemble_of_one_is_roar():
    alone = Roar(TODAY, SETTINGS).recourse(X0, BOX)
    for method in (RoarEnsemble, RoarAverage):
        plan = method(TODAY, TODAY.theta[None], SETTINGS).recourse(X0, BOX)
        assert plan.x == pytest.approx(alone.x, abs=1e-6)


def test_the_ensemble_beats_every_single_plan_in_the_worst_loss():
    plan = RoarEnsemble(TODAY, THETAS, SETTINGS).recourse(X0, BOX)
    best = SETTINGS.objective(THETAS, plan.x, X0, np.ones(2))
    for theta in THETAS:
        single = Roar(LinearModel(theta), SETTINGS).recourse(X0, BOX)
        assert best <= SETTINGS.objective(THETAS, single.x, X0, np.ones(2)) + 1e-6


def test_the_average_is_the_mean_of_the_single_plans():
    plan = RoarAverage(TODAY, THETAS, SETTINGS).recourse(X0, BOX)
    singles = [Roar(LinearModel(theta), SETTINGS).recourse(X0, BOX).x for theta in THETAS]
    assert plan.x == pytest.approx(np.mean(singles, axis=0), abs=1e-6)


def test_an_average_between_categories_is_not_repaired():
    actions = Actions([0.0, 0.0], [1.0, 1.0], groups=[(0, 1)])
    thetas = np.array([[-5.0, 5.0, 0.0], [5.0, -5.0, 0.0]])
    plan = RoarAverage(TODAY, thetas, RoarSettings(lam=0.01)).recourse([1.0, 0.0, 1.0], actions)
    assert plan.x == pytest.approx([0.5, 0.5, 1.0], abs=1e-6)
    assert "whole category" in {check.name for check in plan.checks.broken}


@pytest.fixture(scope="module")
def network():
    rng = np.random.default_rng(0)
    X = rng.random((400, 3))
    return train_mlp(X, (X[:, 0] + X[:, 1] > 1.1).astype(float), 0), X


def linear_methods(people):
    nothing = LinearModel(np.zeros(4))
    mixture = ParameterMixture([1.0], np.zeros((1, 4)), np.zeros((1, 4, 4)))
    return [
        ActionableRecourse(nothing, people),
        Roar(nothing, RoarSettings(lam=0.05, delta_max=0.01)),
        RoarPublished(nothing, RoarSettings(lam=0.05, delta_max=0.01)),
        Dirrac(nothing, mixture, radii=0.01, delta_add=0.2),
    ]


@pytest.mark.parametrize("number", range(4))
def test_lime_variants_flip_a_nearly_linear_network(network, number):
    classifier, X = network
    base = linear_methods(X)[number]
    method = Lime(classifier, X, base, samples=500)
    assert method.name == f"LIME-{base.name}"
    actions = Actions([0.0] * 3, [1.0] * 3, locked=(2,))
    x0 = np.array([0.3, 0.4, 0.5, 1.0])
    plan = method.recourse(x0, actions)
    assert plan.keeps_rules and plan.x[2] == 0.5
    assert plan.cost_l1 > 0.2
    # The network itself, not the surrogate, judges the plan.
    assert plan.accepted == classifier.decision(plan.x[None, :-1])[0]
    again = method.recourse(x0, actions)
    assert (again.x == plan.x).all()


def test_lime_dirrac_refuses_a_linear_current_model(network):
    classifier, X = network
    mixture = ParameterMixture([1.0], np.zeros((1, 4)), np.zeros((1, 4, 4)))
    with pytest.raises(InvalidInput, match="current_model"):
        Lime(classifier, X, Dirrac(classifier, mixture, current_model=np.ones(4)))
