"""Component bars, adversary bars and model icons hold the numbers of the core."""

import re

import numpy as np
import pytest

from dirrac_core import ParameterMixture, WeightBall, load_dataset, robust_scores, worst_case_model
from dirrac_core.errors import InvalidInput
from dirrac_core.figures.adversary_bars import CONSTANT_NAME, adversary_bars
from dirrac_core.figures.component_bars import component_bars
from dirrac_core.figures.drawing.palette import FAVOURABLE, UNFAVOURABLE, alt_text
from dirrac_core.figures.model_icons import model_icons
from dirrac_core.models.pulls import pulls_down
from dirrac_core.robustness import Chebyshev, Gaussian, Objective, gelbrich_distance
from dirrac_core.robustness.readings import readings_of

D = 14


@pytest.fixture(scope="module")
def mixture():
    rng = np.random.default_rng(3)
    factors = rng.normal(size=(3, D, D)) * 0.08
    return ParameterMixture(
        [0.2, 0.3, 0.5],
        rng.normal(size=(3, D)) * 0.2 + 0.6,
        factors @ factors.transpose(0, 2, 1),
    )


@pytest.fixture(scope="module")
def x():
    return np.append(np.random.default_rng(4).uniform(0.2, 1.0, D - 1), 1.0)


RHO = np.array([0.05, 0.1, 0.2])


def test_three_bars_a_component_and_the_total(mixture, x):
    ball = WeightBall("kl", 0.2)
    figure = component_bars(readings_of(x, mixture, RHO, ball))
    estimated, gaussian, worst = (np.array(bar.x) / 100 for bar in figure.data)
    plain, robust = robust_scores(x, mixture, 0.0), robust_scores(x, mixture, RHO)
    np.testing.assert_allclose(estimated[:3], Gaussian().probability(plain))
    np.testing.assert_allclose(gaussian[:3], Gaussian().probability(robust))
    np.testing.assert_allclose(worst[:3], Chebyshev().probability(robust))
    guarantee = Objective(mixture, RHO, "chebyshev", ball)
    assert worst[3] == pytest.approx(guarantee.value(x))
    assert worst[3] > mixture.weights @ worst[:3]
    labels = list(figure.data[0].y)
    assert len(labels) == 4
    for k, p in enumerate(guarantee.worst_weights(x)):
        assert f"weight {mixture.weights[k]:.0%}" in labels[k]
        assert f"at worst {p:.0%}" in labels[k]
        assert f"{p:.0%} on Component {k + 1}" in alt_text(figure)


@pytest.mark.parametrize("radius", [0.0, 0.05, 5.0])
def test_the_axis_is_the_same_for_all_and_counts_to_100(x, mixture, radius):
    axis = component_bars(readings_of(x, mixture, radius)).layout.xaxis
    assert axis.range == pytest.approx((0, 112)) and max(axis.tickvals) == 100


def test_one_component_is_shown_once(x):
    single = ParameterMixture([1.0], [np.full(D, 0.5)], [0.01 * np.eye(D)])
    figure = component_bars(readings_of(x, single, 0.1), ("Sampling noise",))
    assert [len(bar.y) for bar in figure.data] == [1, 1, 1]
    assert "Sampling noise at most" in alt_text(figure)
    assert "worst weights" not in alt_text(figure)


def test_adversary_shows_the_ten_largest_moves_in_order(mixture, x):
    worst = worst_case_model(x, mixture, RHO, 1)
    names = [f"Column {j}" for j in range(D - 1)]
    figure = adversary_bars(mixture.means[1], worst.mean, names)
    (bar,) = figure.data
    moves = dict(zip([*names, CONSTANT_NAME], worst.mean - mixture.means[1], strict=True))
    assert len(bar.x) == 10
    for name, label, move in zip(bar.customdata, bar.y, bar.x, strict=True):
        assert move == pytest.approx(moves[name])
        j = [*names, CONSTANT_NAME].index(name)
        assert label.startswith(name)
        written = re.findall(r"[+−]\d+\.\d+", label)
        before, after = (float(number.replace("−", "-")) for number in written)
        assert (before, after) == pytest.approx((mixture.means[1][j], worst.mean[j]), abs=0.005)
        # A move that is drawn can be read.
        assert (after > before) == (move > 0) and after != before
    sizes = np.abs(bar.x)
    assert (np.diff(sizes) <= 0).all()
    hidden = [abs(m) for name, m in moves.items() if name not in bar.customdata]
    assert max(hidden) <= sizes[-1]
    assert "4 smaller moves are not shown" in alt_text(figure)
    assert gelbrich_distance(
        mixture.means[1], mixture.covariances[1], worst.mean, worst.covariance
    ) == pytest.approx(RHO[1])


def test_without_a_radius_the_adversary_moves_nothing(mixture):
    names = [f"Column {j}" for j in range(D - 1)]
    figure = adversary_bars(mixture.means[0], mixture.means[0], names)
    assert figure.data[0].x.size == 0
    assert "no weight" in alt_text(figure)
    with pytest.raises(InvalidInput, match="different names"):
        adversary_bars(mixture.means[0], mixture.means[0], ["same"] * (D - 1))


def test_icons_keep_every_model_and_its_decision():
    accepts = np.random.default_rng(0).random(100) > 0.2
    reasons = [f"reason {m}" for m in range(100)]
    figure = model_icons(accepts, reasons)
    declining, accepting = figure.data
    np.testing.assert_array_equal(declining.customdata, np.flatnonzero(~accepts))
    np.testing.assert_array_equal(accepting.customdata, np.flatnonzero(accepts))
    cells = {(x, y) for t in figure.data for x, y in zip(t.x, t.y, strict=True)}
    assert cells == {(x, y) for x in range(10) for y in range(10)}
    for trace in figure.data:
        for model, text in zip(trace.customdata, trace.text, strict=True):
            assert text.endswith(f"reason {model}")
    assert (declining.marker.color, accepting.marker.color) == (UNFAVOURABLE, FAVOURABLE)
    assert declining.marker.symbol != accepting.marker.symbol
    last = max((y, x) for x, y in zip(declining.x, declining.y, strict=True))
    assert last < min((y, x) for x, y in zip(accepting.x, accepting.y, strict=True))
    assert f"{(~accepts).sum()} decline it" in alt_text(figure)


def test_nobody_declining_is_said_in_the_legend():
    figure = model_icons(np.ones(100, dtype=bool))
    assert [t.name for t in figure.data] == ["0 decline", "100 accept"]
    assert figure.data[0].x[0] is None


def test_icons_of_few_models_and_bad_decisions():
    figure = model_icons(np.array([True] * 9 + [False]))
    assert [len(t.x) for t in figure.data] == [1, 9]
    assert "1 declines it" in alt_text(figure)
    for bad in ([0.2, 0.4], [], np.ones((2, 2), dtype=bool)):
        with pytest.raises(InvalidInput, match="one decision"):
            model_icons(bad)
    with pytest.raises(InvalidInput, match="one reason per model"):
        model_icons(np.array([True, False]), ["only one"])


def test_pulls_are_named_by_the_feature_that_costs_most():
    schema = load_dataset("german").schema
    x = schema.encode(
        {
            "Status": "no account",
            "Duration": 60.0,
            "Credit amount": 2000.0,
            "Personal status": "female",
            "Age": 40.0,
        }
    )[0]
    typical = schema.encode(
        {
            "Status": "no account",
            "Duration": 18.0,
            "Credit amount": 2000.0,
            "Personal status": "female",
            "Age": 40.0,
        }
    )[0]
    theta = np.zeros((2, x.size + 1))
    (duration,) = schema.columns_of("Duration")
    theta[0, duration] = -2.0
    theta[1, duration] = 2.0
    first, second = pulls_down(theta, np.append(x, 1.0), typical, schema)
    pull = -2.0 * (x[duration] - typical[duration])
    assert first == f"Pulled down by Duration (60 months) {pull:+.2f}"
    assert second == "No feature pulls it down"
