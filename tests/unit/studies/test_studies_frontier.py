"""The frontier of one applicant: its rows and their bound."""

import numpy as np
import pytest

from dirrac_core.data.load import load_dataset
from dirrac_core.methods import Dirrac, Roar, RoarPublished
from dirrac_core.models.bundle import prepare
from dirrac_core.robustness import Objective
from dirrac_core.studies import Applicant, Judge, frontier_methods, table
from dirrac_core.studies.measures import measure_methods, worst_cases

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
    judge, applicant = Judge.of(bundle), Applicant(0, x0, dataset.actions(x0=x0))
    measured = measure_methods(applicant, methods, judge)
    return x0, judge, objective, table(measured).assign(worst_case=worst_cases(measured, objective))


def test_one_row_a_method_and_parameter(setting):
    *_, frame = setting
    assert frame["method"].value_counts(sort=False).to_dict() == {
        "DiRRAc": 3,
        "ROAR (exact)": 2,
        "ROAR (as published)": 2,
    }
    assert frame["parameter"].tolist() == [*DELTAS, *LAMBDAS, *LAMBDAS]
    assert (frame["m2_low"] <= frame["m2"]).all() and (frame["m2"] <= frame["m2_high"]).all()
    assert (frame["models"] == 100).all()


def test_more_budget_never_hurts_the_guarantee_of_dirrac(setting):
    *_, frame = setting
    rows = frame[frame["method"] == "DiRRAc"]
    assert (np.diff(rows["worst_case"]) <= 1e-3).all()
    assert rows["worst_case"].iloc[-1] < rows["worst_case"].iloc[0]
    assert rows["m1"].all() and rows["keeps_rules"].all()


def test_a_larger_lambda_never_costs_more_with_exact_roar(setting):
    *_, frame = setting
    costs = frame.loc[frame["method"] == "ROAR (exact)", "cost_l1"]
    assert costs.iloc[1] <= costs.iloc[0] + 1e-6


def test_the_numbers_belong_to_the_plan_in_the_row(setting):
    x0, judge, objective, frame = setting
    for row in frame.itertuples():
        assert row.m2 == judge.future.validity(row.x)
        assert row.worst_case == objective.value(row.x)
        assert row.cost_l1 == pytest.approx(np.abs(row.x - x0).sum())
