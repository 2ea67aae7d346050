"""The streamed portfolio gives what the scenario, the portfolio in memory and 2 processes give."""

import math

import joblib
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dirrac_core import load_dataset
from dirrac_core.bulk.people import people_in_file, people_in_table
from dirrac_core.bulk.planner import NUMBERS
from dirrac_core.bulk.stream import Bulk, stream_portfolio
from dirrac_core.case.case import make_case, solve_scenario
from dirrac_core.case.scenario import Scenario
from dirrac_core.case.settings import Settings
from dirrac_core.parallel import LARGEST_BATCH, batch_size, mapped
from dirrac_core.studies import case_portfolio

EVERYBODY = slice(None, 80)


@pytest.mark.parametrize("name", ["german", "student", "sba"])
def test_the_plan_of_a_row_is_the_plan_of_its_scenario(name, tmp_path):
    dataset = load_dataset(name)
    people = people_in_table(dataset.present.people, name)
    bulk = Bulk(Settings(name, components=1, radii=0.15), most_plans=3)
    stream_portfolio(people, tmp_path / "out.parquet", bulk, "1", jobs=1)
    rows = pd.read_parquet(tmp_path / "out.parquet").query("status == 'optimal'")
    assert len(rows) == 3
    for row in rows.to_dict("records"):
        case = Scenario(name, row["row"], components=1, radii=0.15)
        solution = solve_scenario(case)
        plan, schema = solution.plan, dataset.schema
        # Found by the kernel, not by the certified solver: the last digits may differ.
        assert row["worst_case"] == pytest.approx(plan.worst_case_probability, abs=1e-9)
        assert row["cost"] == pytest.approx(plan.cost, abs=1e-9)
        assert row["lower_bound"] == pytest.approx(plan.lower_bound, abs=1e-6)
        assert row["gap"] == pytest.approx(plan.gap, abs=1e-6)
        assert row["plan"] == schema.sentence(solution.case.x0, plan.x)
        values = {feature: row[f"plan: {feature}"] for feature in schema.decode(plan.x)}
        assert values == schema.decode(plan.x)
        assert row["m2"] == solution.case.bundle.future.validity(plan.x)


@pytest.fixture(scope="module")
def german():
    case = make_case(Scenario("german", 0, components=1))
    return case, [row for row in case.bundle.declined if row < EVERYBODY.stop]


@pytest.mark.parametrize("rounded", [True, False])
def test_the_portfolio_in_memory_has_the_same_rows(german, tmp_path, rounded):
    case, rows = german
    dataset = case.dataset
    dataset.present.people[EVERYBODY].to_csv(tmp_path / "people.csv", index=False)
    people = people_in_file(tmp_path / "people.csv", dataset.schema)
    bulk = Bulk(Settings("german", components=1), rounded, chunk=30)
    stream_portfolio(people, tmp_path / "out.parquet", bulk, "1", jobs=1)
    streamed = pd.read_parquet(tmp_path / "out.parquet").query("decision == 'declined'")
    frame = case_portfolio(case, rows, jobs=1, rounded=rounded)
    assert streamed["row"].tolist() == frame["row"].tolist()
    assert streamed["status"].tolist() == frame["status"].tolist()
    for column in NUMBERS:
        assert np.array_equal(streamed[column], frame[column], equal_nan=True), column


def test_plans_in_whole_units_are_whole_and_cost_hardly_more_probability(german):
    case, rows = german
    exact = case_portfolio(case, rows, jobs=1, rounded=False)
    whole = case_portfolio(case, rows, jobs=1)
    decode = case.dataset.schema.decode
    months = np.array([decode(x)["Duration"] for x in whole["x"]])
    assert (months == months.round()).all()
    assert any(decode(x)["Duration"] % 1 for x in exact["x"])
    loss = whole["worst_case"] - exact["worst_case"]
    assert (loss >= -1e-9).all() and (loss <= 0.02).all()
    assert (whole["lower_bound"] == exact["lower_bound"]).all() and whole["m1"].all()


def test_two_processes_give_the_same_rows_and_bytes(german, tmp_path):
    case, rows = german
    one = case_portfolio(case, rows, jobs=1)
    with joblib.parallel_config(n_jobs=2):
        two = case_portfolio(case, rows, jobs=None)
    assert np.array_equal(np.stack(one["x"]), np.stack(two["x"]))
    left, right = (frame.drop(columns=["seconds", "x"]) for frame in (one, two))
    pd.testing.assert_frame_equal(left, right, check_exact=True)
    people = people_in_table(case.dataset.present.people[EVERYBODY], "german")
    bulk = Bulk(Settings("german", components=1), rounded=False, chunk=30)
    for jobs in (1, 2):
        stream_portfolio(people, tmp_path / f"{jobs}.csv", bulk, "1", jobs=jobs)
    assert (tmp_path / "1.csv").read_bytes() == (tmp_path / "2.csv").read_bytes()


@given(st.integers(0, 100_000), st.integers(1, 128))
def test_items_travel_in_batches_that_leave_work_for_everybody(items, workers):
    size = batch_size(items, workers)
    assert 1 <= size <= LARGEST_BATCH
    assert workers > 1 or size == 1
    assert -(-items // size) >= min(items, workers)


def test_results_of_batches_come_back_in_order():
    with joblib.parallel_config("threading", n_jobs=2):
        done = mapped(math.sqrt, range(1000), jobs=None)
    assert done.complete and done.results == [math.sqrt(n) for n in range(1000)]
