"""The three kinds of facts, the price of robustness, the value of unlocking, and no plan."""

import math
from dataclasses import replace

import numpy as np
import pytest

from dirrac_core import find_recourse
from dirrac_core.case.case import make_case, solve_scenario
from dirrac_core.case.facts import (
    facts_of,
    plan_for_today,
    price_of_robustness,
    value_of_unlocking,
)
from dirrac_core.case.no_plan import why_no_plan
from dirrac_core.case.scenario import Scenario
from dirrac_core.data.actionability import FeatureRule
from dirrac_core.studies import case_portfolio

SCENARIO = Scenario("german", 1, components=3)


def test_three_facts_are_three_different_numbers():
    solution = solve_scenario(SCENARIO)
    case, x = solution.case, solution.plan.x
    facts = facts_of(case, x)
    assert facts.guarantee == solution.plan.worst_case_probability
    gaussian = make_case(replace(SCENARIO, link="gaussian")).problem.objective
    assert facts.if_gaussian == gaussian.value(x) < facts.guarantee
    declined = (case.bundle.future.parameters @ x < 0).sum()
    assert facts.declined == declined and len(facts.observed) == 100
    assert facts.accepted_today


def test_the_facts_do_not_depend_on_which_link_is_minimised():
    x = solve_scenario(SCENARIO).plan.x
    one, other = (
        facts_of(make_case(replace(SCENARIO, link=link)), x) for link in ("chebyshev", "gaussian")
    )
    assert one.guarantee == other.guarantee and one.if_gaussian == other.if_gaussian


def test_an_unchanged_applicant_is_declined_today_and_promises_nothing():
    case = make_case(SCENARIO)
    facts = facts_of(case, case.x0)
    assert not facts.accepted_today and facts.guarantee == 1.0


def test_robustness_costs_more_the_larger_the_radius():
    prices = [price_of_robustness(make_case(replace(SCENARIO, radii=r))) for r in (0.0, 0.2, 0.6)]
    assert -1e-7 < prices[0].extra < prices[1].extra < prices[2].extra
    assert [price.plain for price in prices] == pytest.approx([prices[0].plain] * 3)
    nothing = price_of_robustness(make_case(replace(SCENARIO, radii=50.0)))
    assert math.isinf(nothing.robust) and math.isfinite(nothing.plain)


def test_the_price_is_the_same_in_a_portfolio_and_leaves_the_added_budget_out():
    for scenario in (SCENARIO, replace(SCENARIO, delta_add=2.0)):
        case = make_case(scenario)
        row = case_portfolio(case, [scenario.applicant], jobs=1).iloc[0]
        price = price_of_robustness(case).extra
        assert row["price_of_robustness"] == pytest.approx(price, abs=1e-7)
        assert row["cost"] > row["delta_min"] + 0.1


def test_unlocking_is_worth_what_solving_with_it_unlocked_says():
    case = make_case(SCENARIO)
    plan = find_recourse(case.problem)
    values = {value.feature: value for value in value_of_unlocking(case, plan.delta)}
    assert set(values) == {"Age", "Personal status"}
    unlocked = make_case(replace(SCENARIO, edits=(FeatureRule("Age", "both"),)))
    assert values["Age"].delta_min == pytest.approx(unlocked.problem.delta_min)
    for value in values.values():
        assert value.probability <= plan.worst_case_probability + SCENARIO.gap


def test_no_plan_is_explained_and_the_ways_out_work():
    scenario = Scenario("student", 0, radii=1.0)
    case = make_case(scenario)
    assert find_recourse(case.problem).x is None
    explanation = why_no_plan(case)
    # What the table calls no plan, the first grade and the student's age, is never offered.
    assert explanation.blame == ("radius",) and explanation.unlocks == ()
    lower = replace(scenario, radii=0.999 * explanation.radius_factor)
    assert solve_scenario(lower).plan.x is not None
    locked = replace(scenario, radii=0.1, edits=(FeatureRule("Second grade", "no"),))
    (unlock,) = why_no_plan(make_case(locked)).unlocks
    assert unlock.features == (case.dataset.schema.columns_of("Second grade"),)
    freed = solve_scenario(replace(locked, edits=())).case.problem.delta_min
    assert freed == pytest.approx(unlock.delta_min, abs=1e-5)
    assert why_no_plan(make_case(lower)) is None


def test_the_plan_for_today_only_just_satisfies_today():
    case = make_case(Scenario("synthetic", 0))
    x = plan_for_today(case)
    assert case.problem.current_model @ x == pytest.approx(1e-3, abs=1e-6)
    robust = solve_scenario(Scenario("synthetic", 0)).plan
    assert np.abs(x - case.x0).sum() < robust.cost
    assert facts_of(case, x).declined > facts_of(case, robust.x).declined
