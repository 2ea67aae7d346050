"""CEPM: probabilistic PCA as it is defined, and plans inside the support of the data."""

import numpy as np
import pytest
from sklearn.decomposition import PCA

from dirrac_core.data.load import load_dataset
from dirrac_core.data.schema.actions import Actions
from dirrac_core.methods.cepm import Cepm, LatentModel
from dirrac_core.models.bundle import prepare
from dirrac_core.models.classifiers import LinearModel


@pytest.fixture(scope="module")
def plane():
    """People near a plane: the third feature is the sum of the first two, and a fixed one."""
    rng = np.random.default_rng(0)
    X = rng.random((400, 4))
    X[:, 2] = 0.4 * X[:, 0] + 0.4 * X[:, 1] + 0.1 * X[:, 3] + 0.001 * rng.normal(size=400)
    return X


def test_the_model_covariance_is_that_of_probabilistic_pca(plane):
    movable = np.arange(4)
    latent = LatentModel.fit(plane, movable, 2)
    spectrum = PCA(2).fit(plane)
    noise = spectrum.noise_variance_
    covariance = latent.loadings @ latent.loadings.T + noise * np.eye(4)
    assert covariance == pytest.approx(spectrum.get_covariance(), abs=1e-9)


def test_the_code_is_the_posterior_mean(plane):
    latent = LatentModel.fit(plane, np.arange(4), 2)
    noise = PCA(2).fit(plane).noise_variance_
    W = latent.loadings
    residual = plane[7] - plane.mean(axis=0)
    posterior = np.linalg.solve(W.T @ W + noise * np.eye(2), W.T @ residual)
    assert latent.encode(plane[7]) == pytest.approx(posterior)


def test_fixed_features_are_conditioned_on(plane):
    latent = LatentModel.fit(plane, np.array([0, 1, 2]), 3)
    person = plane[5].copy()
    decoded = latent.decode(np.zeros((1, 3)), person)[0]
    assert decoded[3] == person[3]
    richer = person + [0, 0, 0, 0.5]
    # The third feature depends on the fixed one with slope 0.1 when the others are average.
    moved = latent.decode(np.zeros((1, 3)), richer)[0]
    assert moved[2] - decoded[2] == pytest.approx(0.05, abs=0.02)


def test_plans_stay_in_the_support_of_the_data(plane):
    model = LinearModel([0.0, 0.0, 3.0, 0.0, -1.8])
    method = Cepm(model, plane, codes=2)
    for row in plane[~model.decision(plane)][:10]:
        plan = method.recourse(np.append(row, 1.0), Actions([0.0] * 4, [1.0] * 4, locked=(3,)))
        assert plan.accepted and plan.keeps_rules
        x = plan.x[:-1]
        # Raising the third feature alone would leave the plane; these plans do not.
        assert x[2] == pytest.approx(0.4 * x[0] + 0.4 * x[1] + 0.1 * x[3], abs=0.03)
        assert (x >= plane.min(axis=0)).all() and (x <= plane.max(axis=0)).all()


def test_no_plan_where_there_are_no_data(plane):
    # Accepted only where the third feature exceeds everybody's by far.
    model = LinearModel([0.0, 0.0, 1.0, 0.0, -2.0])
    plan = Cepm(model, plane).recourse(np.append(plane[0], 1.0), Actions([0.0] * 4, [3.0] * 4))
    assert plan.x is None and "support" in plan.message


def test_nothing_movable_means_no_plan(plane):
    actions = Actions(locked=range(4))
    plan = Cepm(LinearModel([1.0, 0, 0, 0, -5.0]), plane).recourse([*plane[0], 1.0], actions)
    assert plan.x is None and "fixed" in plan.message


def test_real_plans_name_real_categories_and_are_repeatable():
    dataset = load_dataset("german")
    bundle = prepare(dataset)
    method = Cepm(bundle.current, dataset.present.X[bundle.training], seed=3)
    for row in bundle.declined[:5]:
        x0 = np.append(dataset.present.X[row], 1.0)
        actions = dataset.actions(x0=x0)
        plan = method.recourse(x0, actions)
        assert plan.accepted and plan.keeps_rules
        assert (method.recourse(x0, actions).x == plan.x).all()
