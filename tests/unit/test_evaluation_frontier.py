"""The frontier of one applicant: its rows, its bound, its progress and its cancel."""

import numpy as np
import pytest

from dirrac_core.baselines import Dirrac, Roar, RoarPublished
from dirrac_core.data.load import load_dataset
from dirrac_core.evaluation import Judge, applicant_frontier, frontier_methods
from dirrac_core.models.bundle import prepare
from dirrac_core.robustness import Objective

DELTAS = (0.0, 0.3, 0.6)
LAMBDAS = (0.02, 0.2)


@pytest.fixture(scope="module")
def setting():
    dataset = load_dataset("student")
    bundle = prepare(dataset)
    x0 = np.append(dataset.present.X[bundle.declined[0]], 1.0)
    mixture = bundle.estimate.mixture
    dirrac = Dirrac(bundle.current, mixture, current_model=bundle.current.theta)
    roars = [Roar(bundle.current), RoarPublished(bundle.current)]
    methods = frontier_methods(dirrac, roars, delta_adds=DELTAS, lambdas=LAMBDAS)
    objective = Objective(mixture, np.array([0.1]), "chebyshev", "nominal")
    return x0, dataset.actions(x0=x0), methods, Judge.of(bundle), objective


def test_one_row_a_method_and_parameter(setting):
    frame = applicant_frontier(*setting)
    assert frame["method"].value_counts(sort=False).to_dict() == {
        "DiRRAc": 3,
        "ROAR (exact)": 2,
        "ROAR (as published)": 2,
    }
    assert frame["parameter"].tolist() == [*DELTAS, *LAMBDAS, *LAMBDAS]
    assert frame.attrs["complete"]
    assert (frame["m2_low"] <= frame["m2"]).all() and (frame["m2"] <= frame["m2_high"]).all()
    assert (frame["models"] == 100).all()


def test_more_budget_never_hurts_the_guarantee_of_dirrac(setting):
    frame = applicant_frontier(*setting)
    rows = frame[frame["method"] == "DiRRAc"]
    assert (np.diff(rows["worst_case"]) <= 1e-3).all()
    assert rows["worst_case"].iloc[-1] < rows["worst_case"].iloc[0]
    assert rows["m1"].all() and rows["keeps_rules"].all()


def test_a_larger_lambda_never_costs_more_with_exact_roar(setting):
    frame = applicant_frontier(*setting)
    costs = frame.loc[frame["method"] == "ROAR (exact)", "cost_l1"]
    assert costs.iloc[1] <= costs.iloc[0] + 1e-6


def test_the_numbers_belong_to_the_plan_in_the_row(setting):
    x0, _, _, judge, objective = setting
    for row in applicant_frontier(*setting).itertuples():
        assert row.m2 == judge.future.validity(row.x)
        assert row.worst_case == objective.value(row.x)
        assert row.cost_l1 == pytest.approx(np.abs(row.x - x0).sum())


def test_progress_and_cancel(setting):
    told = []
    frame = applicant_frontier(
        *setting,
        progress=lambda part, words: told.append((part, words)),
        cancel=lambda: len(told) == 2,
    )
    assert len(frame) == 2 and not frame.attrs["complete"]
    assert [part for part, _ in told] == pytest.approx([1 / 7, 2 / 7])
    assert "DiRRAc" in told[0][1]


def test_cancelled_at_once_gives_an_empty_table_with_the_same_columns(setting):
    frame = applicant_frontier(*setting, cancel=lambda: True)
    assert frame.empty and "worst_case" in frame.columns
