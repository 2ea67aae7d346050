"""A staircase keeps the efficient plans, and a sweep looks where something happens."""

import numpy as np
import pandas as pd
import pytest

from dirrac_core.case.case import bundle_of, make_case
from dirrac_core.case.scenario import Scenario
from dirrac_core.recourse import find_recourse
from dirrac_core.studies.case_frontier import case_frontier
from dirrac_core.studies.staircase import (
    efficient_plans,
    telling_parameters,
    with_declines,
    with_steps,
)


def test_only_plans_that_nothing_beats_are_efficient():
    costs = np.array([1.0, 2.0, 3.0, 2.0, 0.5, 1.0])
    values = np.array([0.5, 0.4, 0.4, 0.6, 0.9, 0.5])
    assert efficient_plans(costs, values).tolist() == [True, True, False, False, True, False]
    rng = np.random.default_rng(0)
    costs, values = rng.random(40), rng.random(40)
    kept = efficient_plans(costs, values)
    for i in range(40):
        beaten = any(
            costs[j] <= costs[i]
            and values[j] <= values[i]
            and (costs[j], values[j])
            != (
                costs[i],
                values[i],
            )
            for j in range(40)
        )
        assert kept[i] == (not beaten)


def test_a_plan_that_breaks_a_rule_beats_nobody():
    rows = pd.DataFrame(
        {
            "method": "A",
            "found": [True, True, False],
            "broken": ["range", "", ""],
            "cost_l1": [0.1, 1.0, np.nan],
            "m2": [1.0, 0.8, np.nan],
        }
    )
    marked = with_steps(rows, "cost_l1", "m2")
    assert marked["legal"].tolist() == [False, True, False]
    assert marked["efficient"].tolist() == [False, True, False]


def test_declines_are_what_is_left_of_acceptance():
    rows = pd.DataFrame({"m2": [0.9], "m2_low": [0.8], "m2_high": [0.95]})
    turned = with_declines(rows).iloc[0]
    assert turned["declined"] == pytest.approx(0.1)
    assert (turned["declined_low"], turned["declined_high"]) == pytest.approx((0.05, 0.2))


def test_a_sweep_looks_where_the_plan_changes():
    asked = []

    def solve(parameter):
        asked.append(parameter)
        # All of it happens below 0.2.
        return (min(parameter, 0.2), 0.5 - min(parameter, 0.2)) if parameter > 0.0 else None

    found = telling_parameters(solve, [0.0, 1.0, 2.0], 12, lambda low, high: (low + high) / 2)
    assert len(asked) == 12 and len(found) >= 7
    plans = [solve(parameter) for parameter in found]
    assert None not in plans and len(set(plans)) == len(plans)
    assert sum(parameter < 0.3 for parameter in found) >= len(found) - 1
    nothing = telling_parameters(lambda p: None, [0.0, 1.0], 5, lambda low, high: (low + high) / 2)
    assert nothing == (0.0,)


def test_a_gap_with_nothing_left_between_does_not_end_the_search():
    def solve(parameter):
        return (3.0 if parameter < 1.0 else min(parameter, 1.5), 0.0)

    def middle(low, high):
        # Nothing is left in the widest gap, which ends where the plan jumps.
        return low if (low, high) == (0.0, 1.0) else (low + high) / 2

    found = telling_parameters(solve, [0.0, 1.0, 2.0], 12, middle)
    assert found[:2] == (0.0, 1.0) and len(found) > 6 and found[-1] <= 1.5


def test_one_applicants_frontier_has_no_plan_twice_and_each_is_the_best_of_its_budget():
    scenario = Scenario("synthetic", 0)
    applicant = int(bundle_of(scenario).declined[0])
    case = make_case(Scenario("synthetic", applicant))
    rows = case_frontier(case, "dirrac", telling=True)
    plans = list(zip(rows["cost_l1"].round(5), rows["worst_case"].round(5), strict=True))
    assert 5 < len(plans) <= 12 and len(set(plans)) == len(plans)
    assert rows["keeps_rules"].all() and (rows["broken"] == "").all()
    for number in (0, len(rows) // 2):
        row = rows.iloc[number]
        own = Scenario("synthetic", applicant, delta_add=float(row["parameter"]))
        alone = find_recourse(make_case(own).problem)
        assert row["worst_case"] == pytest.approx(alone.worst_case_probability, abs=1.1e-3)
    roar = case_frontier(case, "roar", telling=True)
    assert len(roar) > 1 and roar["parameter"].is_monotonic_increasing
    objective = case.problem.objective
    assert roar["worst_case"].tolist() == [objective.value(x) for x in roar["x"]]
