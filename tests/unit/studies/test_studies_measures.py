"""Validity, cost, sparsity, plausibility, and the counts beside every mean."""

import numpy as np
import pytest

from dirrac_core.data.schema.actions import Actions
from dirrac_core.errors import InvalidInput
from dirrac_core.methods.protocol import Answer, planned
from dirrac_core.models.classifiers import LinearModel
from dirrac_core.models.futures.future import FutureModels
from dirrac_core.studies import Judge, describe, mean_interval, measure, share_interval, table
from dirrac_core.studies.intervals import exact_interval

TODAY = LinearModel([1.0, 1.0, -1.0])
X0 = np.array([0.0, 0.0, 1.0])


def judge(biases):
    thetas = np.array([[1.0, 1.0, bias] for bias in biases])
    models = tuple(LinearModel(theta) for theta in thetas)
    future = FutureModels(models, thetas, "given", False, None)
    return Judge(future, np.array([[1.0, 1.0], [0.0, 2.0]]))


def plan_to(x, method="m", actions=None):
    point = None if x is None else np.append(x, 1.0)
    actions = actions or Actions()
    return planned(method, X0, actions, TODAY, True, lambda _: Answer(point, "because"))


def test_wilson_interval_by_its_formula():
    share = share_interval(np.array([True] * 8 + [False] * 2))
    z, p, n = 1.959963984540054, 0.8, 10
    centre = (p + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z * np.sqrt(p * (1 - p) / n + z**2 / (4 * n**2)) / (1 + z**2 / n)
    assert (share.low, share.high) == pytest.approx((centre - half, centre + half))
    assert share.n == 10


def test_a_certain_share_still_has_a_width():
    share = share_interval(np.ones(100, dtype=bool))
    assert share.value == share.high == 1.0
    assert share.low == pytest.approx(0.963, abs=1e-3)


def test_mean_interval_by_its_formula():
    mean = mean_interval([1.0, 2.0, 3.0, 4.0])
    # t quantile of 3 degrees of freedom: 3.182446; standard error: sqrt(5/3)/2.
    half = 3.182446305284263 * np.sqrt(5 / 3) / 2
    assert (mean.value, mean.low, mean.high) == pytest.approx((2.5, 2.5 - half, 2.5 + half))


def test_one_number_has_no_interval_and_none_has_no_mean():
    assert np.isnan(mean_interval([2.0]).low)
    assert mean_interval([]).n == 0 and np.isnan(mean_interval([]).value)
    assert share_interval(np.zeros(0, dtype=bool)).n == 0


def test_the_interval_of_shares_stays_between_0_and_1():
    free, cut = mean_interval([1.0, 0.9, 0.5]), mean_interval([1.0, 0.9, 0.5], shares=True)
    assert free.high > 1.0 == cut.high
    assert cut.low == free.low


def test_confidence_is_checked():
    with pytest.raises(InvalidInput, match="between 0 and 1"):
        exact_interval(1, 3, confidence=1.0)


def test_m2_is_the_share_of_future_models():
    measured = measure(plan_to([0.7, 0.5]), X0, Actions(), judge([-1.0, -1.1, -1.3, -2.0]), 0.5)
    assert measured.m1 and measured.m2.value == 0.5 and measured.m2.n == 4
    assert measured.future.tolist() == [True, True, False, False]
    assert measured.parameter == 0.5


def test_sparsity_counts_a_group_once():
    actions = Actions([0.0] * 3, [1.0] * 3, groups=[(0, 1)])
    model = LinearModel([1.0, 1.0, 1.0, -1.0])
    x0 = np.array([1.0, 0.0, 0.2, 1.0])
    thetas = model.theta[None]
    who = Judge(FutureModels((model,), thetas, "", False, None), np.ones((1, 3)))
    for x, expected in (([0, 1, 0.2, 1], 1), ([0, 1, 0.3, 1], 2), ([1, 0, 0.2 + 1e-9, 1], 0)):
        point = np.array(x, dtype=float)
        plan = planned("m", x0, actions, model, True, lambda _, p=point: Answer(p, ""))
        assert measure(plan, x0, actions, who).features_changed == expected


def test_plausibility_is_the_distance_to_the_nearest_favourable_case():
    measured = measure(plan_to([0.25, 1.5]), X0, Actions(), judge([-1.0]))
    assert measured.plausibility == pytest.approx(0.75)


def test_no_plan_is_counted_and_not_averaged():
    who = judge([-1.0, -1.1])
    plans = [plan_to([0.7, 0.5]), plan_to(None), plan_to([0.1, 0.0])]
    measured = [measure(plan, X0, Actions(), who) for plan in plans]
    row = describe(measured)
    assert (row["n"], row["plans"]) == (3, 2)
    assert row["success"] == pytest.approx(1 / 3)
    assert row["m1"] == pytest.approx(1 / 2)
    assert row["m2"] == pytest.approx(1 / 2)
    assert row["cost_l1"] == pytest.approx((1.2 + 0.1) / 2)
    frame = table(measured)
    assert frame["found"].tolist() == [True, False, True]
    assert np.isnan(frame["m2"][1]) and frame["message"][1] == "because"
    assert frame["broken"][2] == "today's model accepts"


def test_both_spreads_of_m2():
    # Two applicants, two models: one plan is accepted by both, one by the first only.
    who = judge([-0.5, -1.1])
    plans = [plan_to([0.7, 0.5]), plan_to([0.4, 0.3])]
    row = describe([measure(plan, X0, Actions(), who) for plan in plans])
    assert row["m2"] == 0.75
    assert row["m2_spread_applicants"] == 0.25
    assert row["m2_spread_models"] == 0.25
    assert row["m2_low_models"] < 0.75 < row["m2_high_models"]
