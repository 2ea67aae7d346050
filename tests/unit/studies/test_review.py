"""A finished portfolio read: promised and happened, the tail, demands, edges, the stored ones."""

from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import pytest

from dirrac_core.__main__ import main
from dirrac_core.case.case import make_case
from dirrac_core.case.recommended import recommended
from dirrac_core.case.scenario import Scenario
from dirrac_core.cli import review
from dirrac_core.data import load_dataset
from dirrac_core.data.schema.schema import with_constant
from dirrac_core.errors import InvalidInput, InvalidTable
from dirrac_core.recourse.find import promise_words
from dirrac_core.studies import Judge
from dirrac_core.studies.people.portfolio import PortfolioPlanner, case_portfolio
from dirrac_core.studies.people.review import demands, edges, riskier_than, verdict
from dirrac_core.studies.people.stored_portfolio import store_portfolio, stored_portfolio

FRAME = pd.DataFrame(
    {
        "row": [3, 5, 8, 9, 11],
        "found": [True, True, True, False, True],
        "worst_case": [0.1, 0.2, 0.6, np.nan, np.nan],
        "m2": [0.8, 0.9, 0.7, np.nan, 0.0],
    }
)
SHIPPED = ("german", "sba")


def test_promised_and_happened_are_about_the_same_plans():
    found = verdict(FRAME)
    assert (found.people, found.plans, found.promises, found.broken) == (5, 4, 3, 1)
    assert found.promised == pytest.approx(0.3) and found.happened == pytest.approx(0.2)
    assert found.covered
    assert not verdict(FRAME.assign(m2=0.1)).covered


def test_without_a_promise_there_is_nothing_to_cover():
    nobody = verdict(FRAME.assign(found=False))
    assert nobody.plans == nobody.promises == 0 and np.isnan(nobody.promised)


def test_the_tail_counts_plans_beyond_a_share_and_those_without_a_promise():
    assert [riskier_than(FRAME, share) for share in (0.05, 0.1, 0.2, 0.5, 1.0)] == [4, 3, 2, 2, 1]
    with pytest.raises(InvalidInput, match="between 0 and 1"):
        riskier_than(FRAME, 20)


@pytest.fixture
def two_plans():
    """Two applicants of German credit: one plan shortens the credit, one goes to the shortest."""
    data = load_dataset("german")
    schema = data.schema
    rows, plans = [0, 1], []
    for row, months in zip(rows, (12.0, schema.feature("Duration").low), strict=True):
        values = schema.decode(data.present.X[row]) | {"Duration": months}
        plans.append(with_constant(schema.encode(pd.DataFrame([values]))[0]))
    return data, pd.DataFrame({"row": rows, "found": True, "x": plans})


def test_demands_are_in_real_units(two_plans):
    data, frame = two_plans
    before = data.present.people["Duration"].iloc[[0, 1]].median()
    changed = {demand.feature: demand for demand in demands(frame, data)}
    duration = changed["Duration"]
    assert set(changed) == {"Duration"} and duration.people >= 1
    if duration.people == 2:
        assert duration.before == data.schema.feature("Duration").format_value(before)
    assert duration.at_edge == 1
    assert edges(frame, data) == {1: ("Duration",)}


@pytest.mark.parametrize("dataset", SHIPPED)
def test_a_shipped_portfolio_is_what_the_settings_give(dataset):
    settings = recommended(dataset)
    frame = stored_portfolio(settings)
    assert frame is not None and frame.attrs["complete"]
    rows = [int(frame["row"].iloc[i]) for i in (0, len(frame) // 2, len(frame) - 1)]
    case = make_case(Scenario.of(settings, rows[0]))
    assert frame["row"].tolist() == case.bundle.declined.tolist()
    again = case_portfolio(case, rows, jobs=1)
    kept = frame.set_index("row").loc[rows].reset_index()
    for name in ("found", "status", "unlocks", "features_changed"):
        assert kept[name].tolist() == again[name].tolist()
    for name in ("cost", "delta_min", "price_of_robustness", "worst_case", "m2"):
        assert kept[name].to_numpy() == pytest.approx(again[name].to_numpy(), abs=1e-6, nan_ok=True)
    for one, other in zip(kept["x"], again["x"], strict=True):
        assert (one is None) == (other is None)
        assert one is None or one == pytest.approx(other, abs=1e-6)


@pytest.mark.parametrize("dataset", SHIPPED)
def test_every_number_of_a_row_describes_the_plan_of_that_row(dataset):
    settings = recommended(dataset)
    frame = stored_portfolio(settings)
    case = make_case(Scenario.of(settings, int(frame["row"].iloc[0])))
    planner, judge = PortfolioPlanner.of(case), Judge.of(case.bundle)
    plans = frame[frame["found"]]
    assert len(plans) > 80
    for _, row in plans.iterrows():
        x, person = row["x"], case.dataset.present.X[row["row"]]
        x0 = with_constant(person)
        problem = case.dirrac.problem(x0, planner.allowed.actions(person))
        worst = problem.objective.value(x)
        assert row["cost"] == pytest.approx(problem.unbounded.cost_of(x), abs=1e-9)
        assert row["worst_case"] == pytest.approx(worst, abs=1e-9)
        assert row["message"] == promise_words(row["worst_case"], row["lower_bound"])
        assert row["m2"] == judge.future.accepts(x).mean()
        assert row["m1"] == bool(case.bundle.current.decision(x[None, :-1])[0])
        assert row["features_changed"] == len(case.dataset.schema.describe_change(x0, x))


def test_other_settings_have_no_stored_portfolio():
    settings = recommended("german")
    assert stored_portfolio(replace(settings, radii=0.2)) is None
    assert stored_portfolio(replace(settings, dataset="student")) is None


def test_a_stored_portfolio_comes_back_whole(tmp_path):
    settings = recommended("german")
    frame = stored_portfolio(settings).head(3)
    frame.attrs["complete"] = True
    store_portfolio(frame, settings, 1.0, tmp_path)
    again = stored_portfolio(settings, tmp_path)
    assert again.drop(columns="x").equals(frame.drop(columns="x"))
    assert all(np.array_equal(a, b) for a, b in zip(again["x"], frame["x"], strict=True))
    frame.attrs["complete"] = False
    with pytest.raises(InvalidInput, match="complete"):
        store_portfolio(frame, settings, 1.0, tmp_path)
    (tmp_path / "german.json").write_text("{}")
    stored_portfolio.cache_clear()
    with pytest.raises(InvalidTable, match="must hold"):
        stored_portfolio(settings, tmp_path)


def test_the_command_says_what_was_promised_and_writes_on_request(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(review, "store_portfolio", partial(store_portfolio, folder=tmp_path))
    assert main(["review", "--dataset", "sba", "--jobs", "1", "--store"]) == 0
    assert "82 of 83 declined people have a plan" in capsys.readouterr().out
    assert len(stored_portfolio(recommended("sba"), tmp_path)) == 83
