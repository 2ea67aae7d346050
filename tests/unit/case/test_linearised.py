"""Where a non-linear model is made linear: the point its plans lead to."""

import numpy as np
import pytest

from dirrac_core.case.case import case_of
from dirrac_core.case.nonlinear.linearised import FURTHEST, where_plans_lead
from dirrac_core.case.recommended import recommended
from dirrac_core.case.scenario import Scenario
from dirrac_core.data.load import load_dataset
from dirrac_core.models.bundle import prepare
from dirrac_core.models.classifiers import MLPSettings
from dirrac_core.models.futures.bootstrap import Bootstrap
from dirrac_core.models.stand_in import StandIn

SMALL = MLPSettings(hidden_layers=(16, 16), passes=60)


@pytest.mark.parametrize("rate", [-1.5, -0.9, -0.2, 0.3, 0.8])
def test_plans_that_shrink_or_turn_at_one_rate_lead_to_where_they_end(rate):
    end, start = np.array([0.3, 0.7, 1.0]), np.array([0.9, 0.2, 1.0])

    def planned(point):
        return end + rate * (point - end)

    first = planned(start)
    second = planned(first)
    lead = where_plans_lead(second, second - first, first, first - start)
    np.testing.assert_allclose(lead, end, atol=1e-12)


def test_nobody_looks_far_ahead_of_plans_that_walk_on():
    plans = [np.array([0.1 * step, 1.0]) for step in range(4)]
    steps = np.diff(plans, axis=0)
    for step in (steps[1], 1.5 * steps[1]):
        lead = where_plans_lead(plans[2], step, plans[1], steps[0])
        assert lead.tolist() == plans[2].tolist()
    slower = 0.99 * steps[1]
    lead = where_plans_lead(plans[2], slower, plans[1], steps[0])
    assert lead[0] == pytest.approx(0.2 + FURTHEST * 0.1) and lead[1] == 1.0


def test_surrogates_are_fitted_around_people_of_whole_categories(monkeypatch):
    """Also where plans go from one category to another, as for these people."""
    bundle = prepare(load_dataset("student"), "mlp", mlp=SMALL, bootstrap=Bootstrap())
    around, fitted = StandIn.around, []

    def seen(stand_in, x):
        fitted.append(x[: bundle.people.shape[1]])
        return around(stand_in, x)

    monkeypatch.setattr(StandIn, "around", seen)
    settings = recommended("student", "mlp")
    for row in (35, 73, 166, 170):
        assert case_of(Scenario.of(settings, row), bundle).linearised.rounds > 2
    columns = [column for group in bundle.dataset.schema.groups for column in group]
    assert set(np.round(fitted, 9)[:, columns].ravel()) == {0.0, 1.0}


def test_plans_that_swing_about_their_end_settle_sooner():
    larger = MLPSettings(hidden_layers=(32, 32), passes=60)
    bundle = prepare(load_dataset("synthetic"), "mlp", mlp=larger, bootstrap=Bootstrap())
    settings = recommended("synthetic", "mlp")
    cases = [case_of(Scenario.of(settings, int(row)), bundle) for row in bundle.declined[:8]]
    assert all(case.linearised.settled for case in cases)
    # One after the other, without looking ahead, it took 55.
    assert sum(case.linearised.rounds for case in cases) < 50
