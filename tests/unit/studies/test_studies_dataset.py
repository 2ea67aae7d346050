"""Dataset-level studies: parallel map, frontier, sensitivity, shift impact, portfolio, equity."""

import math
import os
import signal
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from joblib import parallel_config

from dirrac_core.case.case import make_case
from dirrac_core.case.scenario import Scenario
from dirrac_core.data.load import load_dataset
from dirrac_core.errors import InvalidInput, UnknownName, WorkerFailure
from dirrac_core.methods import Dirrac, Roar, Wachter
from dirrac_core.models.bundle import prepare
from dirrac_core.parallel import mapped
from dirrac_core.studies import (
    Applicant,
    Judge,
    case_portfolio,
    dataset_frontier,
    declined_applicants,
    describe,
    frontier_methods,
    measure_all,
    sensitivity,
    shift_impact,
)
from dirrac_core.studies.people.equity import equity
from dirrac_core.studies.people.portfolio import PortfolioPlanner


def halved(number):
    return number / 2


@pytest.fixture(scope="module")
def german():
    bundle = prepare(load_dataset("german"))
    dirrac = Dirrac(
        bundle.current,
        bundle.estimate.mixture,
        delta_add=0.5,
        current_model=bundle.current.theta,
    )
    return bundle, declined_applicants(bundle)[:12], dirrac, Judge.of(bundle)


@pytest.fixture(scope="module")
def case(german):
    row = german[1][0].row
    return make_case(Scenario("german", row, components=1, delta_add=0.5))


@pytest.fixture(scope="module")
def plans(german, case):
    return case_portfolio(case, [a.row for a in german[1]], jobs=1, rounded=False)


def test_the_map_keeps_the_order_and_reports():
    told = []
    done = mapped(halved, [4, 2, 8], jobs=1, progress=lambda part, words: told.append(part))
    assert done.results == [2.0, 1.0, 4.0] and done.complete
    assert told == pytest.approx([1 / 3, 2 / 3, 1.0])


def test_the_map_gives_the_same_with_more_workers():
    numbers = list(range(30))
    assert mapped(math.sqrt, numbers, jobs=2).results == [math.sqrt(n) for n in numbers]


def test_the_map_takes_the_backend_around_it():
    with parallel_config(backend="threading", n_jobs=2):
        assert mapped(halved, [1, 2], jobs=None).results == [0.5, 1.0]


def test_the_map_stops_when_asked():
    told = []
    done = mapped(
        halved,
        list(range(10)),
        jobs=1,
        progress=lambda part, words: told.append(part),
        cancel=lambda: len(told) >= 3,
    )
    assert done.results == [0.0, 0.5, 1.0] and not done.complete
    assert mapped(halved, [1], jobs=1, cancel=lambda: True).results == []
    assert mapped(halved, [], jobs=1).complete


@pytest.mark.slow
def test_a_killed_worker_is_told_in_words_and_the_next_map_works():
    # In here it is pickled by value: a worker need not import this file.
    def deadly(number):
        return os.kill(os.getpid(), signal.SIGKILL) if number == 3 else number

    with pytest.raises(WorkerFailure, match="ended from outside"):
        mapped(deadly, [1, 2, 3, 4], jobs=2)
    assert mapped(math.sqrt, [4, 9], jobs=2).results == [2, 3]


def test_only_declined_rows_are_applicants(german):
    bundle, applicants, _, _ = german
    assert [a.row for a in applicants] == list(bundle.declined[:12])
    assert all(a.x0[-1] == 1.0 for a in applicants)
    accepted = int(np.setdiff1d(np.arange(100), bundle.declined)[0])
    with pytest.raises(InvalidInput, match=str(accepted)):
        declined_applicants(bundle, rows=[accepted])


def test_the_dataset_frontier_averages_its_plans(german):
    bundle, applicants, dirrac, judge = german
    methods = frontier_methods(
        dirrac, [Roar(bundle.current)], [Wachter(bundle.current)], (0.0, 1.0), (0.1,)
    )
    frame = dataset_frontier(applicants[:4], methods, judge, dirrac.objective(), jobs=1)
    assert frame["method"].tolist() == ["DiRRAc", "DiRRAc", "ROAR (exact)", "Wachter"]
    assert (frame["n"] == 4).all() and frame.attrs["complete"]
    done = measure_all(applicants[:4], methods, judge, jobs=1)
    for index, row in frame.iterrows():
        own = describe([result[index] for result in done.results])
        same = [name for name in own if name in frame and not name.startswith("seconds")]
        assert len(same) > 20
        assert [row[name] for name in same] == pytest.approx(
            [own[name] for name in same], nan_ok=True
        )
    worst = [dirrac.objective().value(done.results[a][1].plan.x) for a in range(4)]
    assert frame["worst_case"][1] == pytest.approx(np.mean(worst))
    assert frame["worst_case"][1] < frame["worst_case"][0]


def test_a_cancelled_frontier_counts_only_what_was_done(german):
    _, applicants, dirrac, judge = german
    told = []
    frame = dataset_frontier(
        applicants[:5],
        [dirrac],
        judge,
        dirrac.objective(),
        jobs=1,
        progress=lambda part, words: told.append(part),
        cancel=lambda: len(told) == 2,
    )
    assert frame["n"].tolist() == [2] and not frame.attrs["complete"]


def test_a_larger_radius_costs_more_and_leaves_fewer_plans(german):
    _, applicants, dirrac, judge = german
    frame = sensitivity(applicants[:6], dirrac, judge, (0.0, 0.2, 5.0), (0.1,), jobs=1)
    assert frame["rho"].tolist() == [0.0, 0.2, 5.0]
    assert frame["cost_l1"][1] > frame["cost_l1"][0]
    assert frame["worst_case"][1] > frame["worst_case"][0]
    assert frame["plans"].tolist() == [6, 6, 0]
    assert np.isnan(frame["cost_l1"][2]) and frame["success"][2] == 0.0 and frame["n"][2] == 6


def test_more_budget_lowers_the_bound(german):
    _, applicants, dirrac, judge = german
    frame = sensitivity(applicants[:4], dirrac, judge, (0.1,), (0.0, 0.5, 2.5), jobs=1)
    assert frame["delta_add"].tolist() == [0.0, 0.5, 2.5]
    assert (np.diff(frame["worst_case"]) < 0).all()


def test_validity_falls_with_the_shift_and_robust_plans_hold_out():
    bundle = prepare(load_dataset("synthetic"))
    applicants = declined_applicants(bundle)[:5]
    robust = Dirrac(bundle.current, bundle.estimate.mixture, delta_add=0.2)
    methods = [robust, Wachter(bundle.current)]
    schema = bundle.dataset.schema
    ask = {"kinds": ("mean", "both"), "magnitudes": (0.0, 1.5), "models": 5, "per_class": 100}
    told = []
    frame = shift_impact(
        applicants, methods, schema, **ask, progress=lambda part, words: told.append(part)
    )
    assert len(frame) == 8 and frame.attrs["complete"] and told[-1] == 1.0
    m2 = frame.set_index(["method", "kind", "magnitude"])["m2"]
    for kind in ("mean", "both"):
        assert m2["Wachter", kind, 1.5] < m2["Wachter", kind, 0.0]
        assert m2["DiRRAc", kind, 1.5] > m2["Wachter", kind, 1.5]
    again = shift_impact(applicants, methods, schema, **ask)
    assert (again["m2"] == frame["m2"]).all()
    stopped = shift_impact(applicants, methods, schema, **ask, cancel=lambda: True)
    assert stopped.empty and not stopped.attrs["complete"]


def test_the_portfolio_has_plans_with_certificates(german, plans):
    _, applicants, _, judge = german
    assert plans["row"].tolist() == [a.row for a in applicants]
    assert plans["found"].all() and plans["m1"].all() and plans.attrs["complete"]
    assert (plans["lower_bound"] <= plans["worst_case"] + 1e-9).all()
    assert plans["gap"].to_numpy() == pytest.approx(plans["worst_case"] - plans["lower_bound"])
    assert (plans["cost"] <= plans["delta_min"] + 0.5 + 1e-6).all()
    for row in plans.itertuples():
        assert row.m2 == judge.future.validity(row.x)


def test_robustness_has_a_price(plans):
    # With the same ε the robust plan can never cost less than the cheapest plan of today.
    assert (plans["price_of_robustness"] > -1e-9).all()
    assert (plans["price_of_robustness"] > 1e-3).any()
    assert (plans["price_of_robustness"] < plans["cost"]).all()


def test_an_infeasible_applicant_stays_in_the_table(german, case):
    bundle, applicants, _, _ = german
    first = applicants[0]
    stuck = replace(first.actions, locked=range(first.x0.size - 1))
    asked = [Applicant(first.row, first.x0, stuck), applicants[1]]
    frame = pd.DataFrame(map(PortfolioPlanner.of(case), asked))
    assert frame["found"].tolist() == [False, True]
    assert np.isnan(frame["cost"][0]) and frame["x"][0] is None and frame["message"][0]
    groups = equity(frame, bundle.dataset, "Duration", bins=1)
    assert groups["n"].tolist() == [2] and groups["plans"].tolist() == [1]
    assert groups["infeasible"].tolist() == [0.5]
    assert groups["cost"][0] == pytest.approx(frame["cost"][1])


def test_equity_groups_by_category(german, plans):
    bundle = german[0]
    groups = equity(plans, bundle.dataset, "Status")
    people = bundle.dataset.present.people["Status"].iloc[plans["row"]].astype(str)
    assert groups["n"].sum() == len(plans)
    for row in groups.itertuples():
        own = plans[(people == row.group).to_numpy()]
        assert row.n == len(own)
        assert row.cost == pytest.approx(own["cost"].mean())
        assert row.price_of_robustness == pytest.approx(own["price_of_robustness"].mean())


def test_equity_groups_by_quantiles_named_by_their_ends(german, plans):
    bundle = german[0]
    groups = equity(plans, bundle.dataset, "Duration", bins=2)
    months = bundle.dataset.present.people["Duration"].iloc[plans["row"]].to_numpy()
    assert groups["n"].sum() == len(plans) and len(groups) == 2
    assert groups["group"][0].startswith(f"{months.min():g} – ")
    assert groups["group"][1].endswith(f" – {months.max():g} months")
    low = months <= np.median(months)
    assert groups["cost"][0] == pytest.approx(plans["cost"][low].mean())


def test_equity_checks_its_input(german, plans):
    with pytest.raises(UnknownName, match="A feature"):
        equity(plans, german[0].dataset, "Shoe size")
    with pytest.raises(InvalidInput, match="≥ 1"):
        equity(plans, german[0].dataset, "Duration", bins=0)
