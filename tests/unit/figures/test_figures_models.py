"""The parameter cloud, the elbow and the picture of the idea."""

import numpy as np
import pytest

from dirrac_core import ParameterMixture
from dirrac_core.errors import InvalidInput
from dirrac_core.figures.drawing.palette import alt_text
from dirrac_core.figures.lessons.elbow import elbow
from dirrac_core.figures.parameter_cloud import parameter_cloud
from dirrac_core.figures.plane.recourse_idea import recourse_idea
from dirrac_core.geometry.axes import plain_axis
from dirrac_core.geometry.model_cloud import model_cloud, plane_of
from dirrac_core.models.estimate import estimate_mixture
from dirrac_core.robustness import gelbrich_distance

COLUMNS = ("a", "b", "c", "constant")
RHO = np.array([0.3, 0.7])


@pytest.fixture(scope="module")
def cloud():
    rng = np.random.default_rng(1)
    centres = np.array([[0.0, 0.0, 0.0, 0.0], [4.0, 2.0, 0.0, 1.0]])
    models = np.vstack([c + rng.normal(size=(40, 4)) * [0.5, 0.3, 0.2, 0.1] for c in centres])
    return models, estimate_mixture(models, 2)


def named(figure, name):
    (trace,) = [t for t in figure.data if t.name == name]
    return np.column_stack([trace.x, trace.y])


@pytest.mark.parametrize("view", ["principal", (0, 2), (3, 1)])
def test_ellipses_and_balls_lie_where_the_mixture_says(cloud, view):
    models, estimate = cloud
    mixture = estimate.mixture
    figure = parameter_cloud(model_cloud(models, estimate.labels, mixture, RHO, COLUMNS, view))
    rows, _ = plane_of(models, view, COLUMNS)
    np.testing.assert_allclose(rows @ rows.T, np.eye(2), atol=1e-12)
    for k in range(2):
        mean, covariance = rows @ mixture.means[k], rows @ mixture.covariances[k] @ rows.T
        label = f"Component {k + 1}"
        gap = named(figure, f"{label}: two deviations") - mean
        lengths = np.einsum("ni,ij,nj->n", gap, np.linalg.inv(covariance), gap)
        np.testing.assert_allclose(lengths, 4.0)
        ball = named(figure, f"{label}: means within ρ = {RHO[k]:.3g}") - mean
        np.testing.assert_allclose(np.linalg.norm(ball, axis=1), RHO[k])
        *drawn, last = named(figure, label)
        np.testing.assert_allclose(last, mean)
        np.testing.assert_allclose(drawn, models[estimate.labels == k] @ rows.T, atol=1e-12)
        (trace,) = (trace for trace in figure.data if trace.name == label)
        assert trace.text[-1] == f"<b>{k + 1}</b>" and not any(trace.text[:-1])
        assert trace.marker.size[-1] > trace.marker.size[0]
    assert figure.layout.yaxis.scaleanchor == "x"


def test_the_principal_plane_keeps_the_most_spread(cloud):
    models, _ = cloud
    rows, titles = plane_of(models, "principal", COLUMNS)
    centred = models - models.mean(axis=0)
    values = np.linalg.eigvalsh(centred.T @ centred)[::-1]
    kept = ((centred @ rows.T) ** 2).sum(axis=0)
    np.testing.assert_allclose(kept, values[:2])
    assert f"{values[0] / values.sum():.0%}" in titles[0]


def test_shifted_models_are_drawn_and_judged_by_their_moments(cloud):
    models, estimate = cloud
    mixture = estimate.mixture
    near = models[estimate.labels == 0]
    far = near + 5.0
    for shifted, where in ((near, "inside"), (far, "outside")):
        figure = parameter_cloud(
            model_cloud(models, estimate.labels, mixture, RHO, COLUMNS, (0, 1), shifted=shifted)
        )
        np.testing.assert_allclose(named(figure, "After the shift"), shifted[:, :2])
        assert f", {where} its radius" in alt_text(figure)
    distance = min(
        gelbrich_distance(far.mean(axis=0), np.cov(far, rowvar=False), mean, covariance)
        for mean, covariance in zip(mixture.means, mixture.covariances, strict=True)
    )
    assert f"Gelbrich distance {distance:.2g} from" in alt_text(figure)


def test_of_many_models_a_few_of_each_kind_are_drawn(cloud):
    models, estimate = cloud
    seen = model_cloud(models, estimate.labels, estimate.mixture, RHO, COLUMNS, (0, 1), models)
    figure = parameter_cloud(seen, most=3)
    for k in range(2):
        *drawn, _ = named(figure, f"Component {k + 1}")
        np.testing.assert_array_equal(drawn, models[estimate.labels == k][:3, :2])
    np.testing.assert_array_equal(named(figure, "After the shift"), models[:3, :2])
    assert f"{len(models)} re-trained models" in alt_text(figure)


def test_bad_clouds_are_refused(cloud):
    models, estimate = cloud
    given = (models, estimate.labels, estimate.mixture, RHO)
    with pytest.raises(InvalidInput, match="two different weights"):
        model_cloud(*given, COLUMNS, (0, 4))
    with pytest.raises(InvalidInput, match="two different weights"):
        model_cloud(*given, COLUMNS, (1, 1))
    with pytest.raises(InvalidInput, match="name all 4 weights"):
        model_cloud(*given, COLUMNS[:3])
    with pytest.raises(InvalidInput, match="labels"):
        model_cloud(models, estimate.labels[:5], estimate.mixture, RHO, COLUMNS)


def test_elbow_shows_shares_and_the_choice():
    figure = elbow([80.0, 20.0, 10.0, 8.0], 2)
    np.testing.assert_allclose(figure.data[1].y, [100.0, 25.0, 12.5, 10.0])
    assert (figure.data[2].x[0], figure.data[2].y[0]) == (2, 25.0)
    assert "25 % at the chosen K = 2" in alt_text(figure)
    with pytest.raises(InvalidInput, match="from 1 to 4"):
        elbow([80.0, 20.0, 10.0, 8.0], 5)
    with pytest.raises(InvalidInput, match="must be > 0"):
        elbow([0.0, 0.0], 1)


def test_the_idea_counts_and_draws_the_real_models():
    rng = np.random.default_rng(0)
    today = np.array([1.0, 1.0, -1.0])
    tomorrow = today + rng.normal(size=(60, 3)) * 0.2
    x0, plain, robust = [0.1, 0.2, 1.0], [0.5, 0.5, 1.0], [0.9, 1.0, 1.0]
    axes = (plain_axis("First"), plain_axis("Second"))
    figure = recourse_idea(x0, plain, robust, today, tomorrow, axes)
    worse, better = (int((tomorrow @ x < 0).sum()) for x in np.array([plain, robust]))
    assert worse > better
    texts = [a.text for a in figure.layout.annotations]
    assert any(f"{worse} of 60 decline" in text for text in texts)
    assert f"by {worse} of 60" in alt_text(figure)
    assert alt_text(figure).endswith(f"by {better} of 60.")
    lines = named(figure, "Tomorrow's boundaries").reshape(60, 3, 2)
    assert np.isnan(lines[:, 2]).all()
    for theta, ends in zip(tomorrow, lines[:, :2], strict=True):
        np.testing.assert_allclose(ends @ theta[:2] + theta[2], 0.0, atol=1e-9)
    np.testing.assert_allclose(named(figure, "Today's boundary") @ today[:2], 1.0)
    side = named(figure, "Accepted today")
    left, right = figure.layout.xaxis.range
    assert (side @ today[:2] - 1.0).min() == pytest.approx(0.0, abs=1e-9)
    assert side[:, 0].max() == pytest.approx(right)


def test_a_single_component_cloud_needs_no_plural():
    models = np.random.default_rng(2).normal(size=(20, 3))
    mixture = ParameterMixture([1.0], [models.mean(axis=0)], [np.cov(models, rowvar=False)])
    cloud = model_cloud(models, np.zeros(20, dtype=int), mixture, 0.1, ("a", "b", "bias"))
    figure = parameter_cloud(cloud)
    assert "in 1 component, each" in alt_text(figure)


@pytest.mark.parametrize(
    ("simulated", "legend", "told"),
    [
        (False, "After the shift", "10 models after the shift"),
        (True, "Simulated future", "10 simulated future models"),
    ],
)
def test_simulated_models_are_called_so(simulated, legend, told):
    models = np.random.default_rng(2).normal(size=(20, 3))
    mixture = ParameterMixture([1.0], [models.mean(axis=0)], [np.cov(models, rowvar=False)])
    labels, names = np.zeros(20, dtype=int), ("a", "b", "bias")
    cloud = model_cloud(models, labels, mixture, 0.1, names, (0, 1), models[:10])
    figure = parameter_cloud(cloud, simulated=simulated)
    assert legend in [trace.name for trace in figure.data] and told in alt_text(figure)
