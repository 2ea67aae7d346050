"""Every method by name for a case, its averages, and the portfolio of a case."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier

from dirrac_core.case.case import formulate, make_case, solve_scenario
from dirrac_core.case.no_plan import why_no_plan
from dirrac_core.case.scenario import Scenario
from dirrac_core.data.actionability import FeatureRule
from dirrac_core.errors import InvalidInput, UnknownName
from dirrac_core.methods import Dirrac, Lime, Mint, RoarAverage
from dirrac_core.models.classifiers import FittedClassifier
from dirrac_core.studies import Judge, measure_all
from dirrac_core.studies.case_frontier import TodaysPlans
from dirrac_core.studies.case_methods import (
    DIRRAC_VARIANTS,
    ROARS,
    MintOnNumbers,
    case_applicants,
    case_method,
    dataset_method,
    dataset_rows,
    measured_plan,
    method_names,
    method_rows,
)
from dirrac_core.studies.people.portfolio import case_portfolio, locks_to_blame, planned

HARD = Scenario("german", 1, radii=0.3, edits=(FeatureRule("Status", "no"),))


@pytest.fixture(scope="module")
def german():
    return make_case(Scenario("german", 1, components=3))


@pytest.fixture(scope="module")
def network():
    """A case whose model is not linear, without training networks: a small forest."""
    case = make_case(Scenario("synthetic", 0))
    present = case.dataset.present
    forest = RandomForestClassifier(10, max_depth=3, random_state=0).fit(present.X, present.y)
    bundle = replace(case.bundle, current=FittedClassifier(forest), parameters=None, estimate=None)
    surrogate = bundle.surrogate(case.x0)
    dirrac, _ = formulate(replace(case.scenario, radii=0.01), bundle, surrogate)
    problem = dirrac.problem(case.x0, case.actions)
    return replace(case, bundle=bundle, surrogate=surrogate, dirrac=dirrac, problem=problem)


def test_a_linear_case_has_all_fifteen_and_another_dataset_no_mint(german):
    names = method_names(german)
    assert len(names) == len(set(names)) == 15 and names[:6] == tuple(DIRRAC_VARIANTS)
    assert names[-1] == "MINT" and isinstance(case_method(german, "MINT"), MintOnNumbers)
    assert isinstance(case_method(german, "ROAR-Avg"), RoarAverage)
    assert "MINT" not in method_names(make_case(Scenario("student", 0)))
    with pytest.raises(UnknownName, match="A method"):
        case_method(german, "LIME-AR")


@pytest.mark.parametrize("name", DIRRAC_VARIANTS)
def test_a_variant_is_the_scenario_with_its_link_and_weighting(german, name):
    link, weighting = DIRRAC_VARIANTS[name]
    found = measured_plan(german, name)
    (row,) = method_rows(german, {name: found}).itertuples()
    solved = solve_scenario(replace(german.scenario, link=link, weighting=weighting))
    assert row.method == name and np.allclose(row.x, solved.plan.exact.x, atol=1e-6)
    assert row.worst_case == german.problem.objective.value(row.x)


def test_the_case_s_own_dirrac_has_every_setting(german):
    scenario = replace(german.scenario, link="gaussian", delta_add=0.7, cost="l2")
    method = make_case(scenario).dirrac
    assert (method.link, method.delta_add, method.cost) == ("gaussian", 0.7, "l2")


def test_mint_moves_numbers_only_and_follows_the_causes(german):
    found = measured_plan(german, "MINT")
    change = {c.feature for c in german.dataset.schema.describe_change(german.x0, found.plan.x)}
    assert change <= {"Duration", "Credit amount"} and found.m1 and found.keeps_rules
    mint = case_method(german, "MINT").method
    assert isinstance(mint, Mint)
    schema = german.dataset.schema
    (amount,), (duration,) = schema.columns_of("Credit amount"), schema.columns_of("Duration")
    assert mint.causal.effects[duration, amount] > 0.0 == mint.causal.effects[amount, duration]


def test_a_method_that_asks_no_later_models_has_one_plan_for_all_futures(german):
    """So it may be kept while futures change; each future judges it for itself."""
    futures = [
        make_case(replace(german.scenario, futures="sampling", training_size=size))
        for size in (200, 900)
    ]
    kept = [
        name for name in method_names(german) if not case_method(german, name).asks_later_models
    ]
    assert kept == [*ROARS, "AR", "Wachter", "CEPM", "RBR", "MINT"]
    today = TodaysPlans()
    for name in kept:
        alone = [measured_plan(case, name) for case in futures]
        asked = [measured_plan(case, name, today=today) for case in futures]
        assert asked[0].plan.x is asked[1].plan.x
        for one, other in zip(alone, asked, strict=True):
            assert one.plan.x.tolist() == other.plan.x.tolist() and one.m2 == other.m2
            assert one.future.tolist() == other.future.tolist()


def test_mint_never_moves_a_category():
    numbers = tuple(FeatureRule(name, "no") for name in ("Duration", "Credit amount"))
    case = make_case(Scenario("german", 1, edits=numbers))
    assert measured_plan(case, "AR").plan.x is not None
    assert measured_plan(case, "MINT").plan.x is None


def test_a_network_gets_the_lime_variants(network):
    names = method_names(network)
    assert names[0] == "LIME-DiRRAc" and "LIME-AR" in names and "ROAR-Ensemble" not in names
    own, everyone = case_method(network, names[0]), dataset_method(network, names[0])
    assert isinstance(own, Dirrac) and isinstance(everyone, Lime)
    assert isinstance(case_method(network, "LIME-ROAR (exact)"), Lime)
    actions = network.actions
    here, there = own.recourse(network.x0, actions), everyone.recourse(network.x0, actions)
    assert np.allclose(here.x, there.x, atol=1e-6)


def test_averages_count_plans_and_name_what_they_break(german):
    names = ("DiRRAc", "Wachter")
    rows = german.bundle.declined[:3]
    people = case_applicants(german, rows)
    assert [person.row for person in people] == rows.tolist()
    methods = [dataset_method(german, name) for name in names]
    found = measure_all(people, methods, Judge.of(german.bundle), 1).results
    measured = {name: [m[i] for m in found] for i, name in enumerate(names)}
    table = dataset_rows(german, measured).set_index("method")
    assert table["n"].tolist() == [3, 3] and table.loc["DiRRAc", "broken"] == ""
    assert table.loc["Wachter", "broken"].startswith("whole category: ")
    objective = german.problem.objective
    bounds = [objective.value(m.plan.x) for m in measured["DiRRAc"]]
    assert table.loc["DiRRAc", "worst_case"] == pytest.approx(np.mean(bounds))


def test_a_network_has_no_common_worst_case(network):
    people = case_applicants(network, network.bundle.declined[:1])
    method = dataset_method(network, "CEPM")
    found = measure_all(people, [method], Judge.of(network.bundle), 1).results
    table = dataset_rows(network, {"CEPM": [m[0] for m in found]})
    assert np.isnan(table["worst_case"].iloc[0])


def test_the_portfolio_of_a_case_holds_everyone_s_own_answer():
    case = make_case(Scenario("german", 1))
    rows = case.bundle.declined[:4]
    ours = case_portfolio(case, rows, jobs=1)
    for row in ours.itertuples():
        plan = solve_scenario(replace(case.scenario, applicant=row.row)).plan
        assert np.array_equal(row.x, plan.x)
        assert (row.cost, row.worst_case) == (plan.cost, plan.worst_case_probability)
    assert ours["row"].tolist() == rows.tolist() and ours.attrs["complete"]
    assert not ours["too_much_doubt"].any() and set(ours["unlocks"]) == {()}


def test_the_portfolio_honours_what_was_edited_and_says_what_to_free():
    case = make_case(HARD)
    frame = case_portfolio(case, case.bundle.declined[:6], jobs=1)
    lost = frame[~frame["found"]]
    assert 0 < len(lost) < len(frame)
    schema = case.dataset.schema
    for row in lost.itertuples():
        explained = why_no_plan(make_case(replace(HARD, applicant=row.row)))
        assert row.too_much_doubt == ("radius" in explained.blame)
        assert ("Status",) in row.unlocks and len(row.unlocks) == len(explained.unlocks)
        freed = replace(HARD, applicant=row.row, edits=())
        assert solve_scenario(freed).plan.x is not None
    kept = frame[frame["found"]]
    for row, x in zip(kept["row"], kept["x"], strict=True):
        assert schema.decode(x)["Status"] == case.dataset.present.people["Status"].iloc[row]


def test_each_person_of_a_network_gets_their_own_surrogate(network):
    rows = network.bundle.declined[:2]
    frame = case_portfolio(network, rows, jobs=1)
    assert len(frame) == 2 and frame["price_of_robustness"].isna().all()
    case = replace(network, scenario=replace(network.scenario, applicant=int(rows[1])))
    own = network.bundle.surrogate(network.dataset.present.X[rows[1]])
    (applicant,) = case_applicants(network, rows[1:])
    plan = planned(applicant, replace(case.dirrac, mixture=own.mixture), network.dataset)
    np.testing.assert_array_equal(frame["x"].iloc[1], plan.x)
    # Here the network itself declines the plan of its surrogate: no number is left.
    assert not frame["m1"].iloc[1] and np.isnan(frame["worst_case"].iloc[1])


def test_a_cancelled_portfolio_is_a_first_part():
    case = make_case(Scenario("synthetic", 0))
    frame = case_portfolio(case, case.bundle.declined[:3], 1, cancel=lambda: True)
    assert frame.empty and not frame.attrs["complete"]


def test_locks_are_counted_alone_and_together():
    frame = pd.DataFrame(
        {
            "found": [True, False, False, False],
            "unlocks": [(), (("a",), ("b",)), (("b",),), (("a", "c"), ("b", "c"))],
        }
    )
    counted = locks_to_blame(frame).set_index("feature")
    assert counted.index.tolist() == ["b", "a", "c"]
    assert counted["alone"].tolist() == [2, 1, 0]
    assert counted["together"].tolist() == [1, 1, 1]
    assert locks_to_blame(frame[:1]).empty


def test_a_case_without_its_surrogate_cannot_be_formulated(network):
    with pytest.raises(InvalidInput, match="needs its surrogate"):
        formulate(network.scenario, network.bundle)
