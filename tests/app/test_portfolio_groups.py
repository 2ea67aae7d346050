"""Groups of a portfolio side by side: sentences, gaps, tiny groups and groups without any plan."""

import numpy as np
import pandas as pd

from dirrac_core.case.recommended import recommended
from dirrac_core.case.scenario import Scenario
from dirrac_core.studies.people.equity import equity, largest_gap, without_any_plan_first
from dirrac_core.studies.people.stored_portfolio import stored_portfolio
from pages.portfolio.groups import GAP, RATIO, clear_gaps, contrast, matrix, warnings, without_plans
from pages.portfolio.quantities import group_measures as measures
from pages.shared import computing

CASE = computing.case(Scenario("german", 1))
FRAME = stored_portfolio(recommended("german"))


def groups_table(**columns):
    table = pd.DataFrame({"group": ["a", "b"], "n": [40, 50], "plans": [40, 50]})
    shares = {"infeasible": [0.0, 0.0], "infeasible_low": [0.0] * 2, "infeasible_high": [0.1] * 2}
    return table.assign(**{**shares, **columns})


def test_the_contrast_says_whether_intervals_overlap():
    effort = measures(CASE)["cost"]
    apart = groups_table(cost=[1.0, 2.0], cost_low=[0.9, 1.8], cost_high=[1.1, 2.2])
    assert "highest for “b”, 2.00 (1.80 to 2.20)" in contrast(apart, effort)
    assert "do not overlap" in contrast(apart, effort)
    near = groups_table(cost=[1.0, 1.1], cost_low=[0.8, 0.9], cost_high=[1.2, 1.3])
    assert "may be chance" in contrast(near, effort)
    assert "There are not two groups of 30 or more" in contrast(apart.iloc[:1], effort)


def test_every_clear_gap_is_said_whichever_measure_is_chosen():
    known = measures(CASE)
    table = groups_table(
        **{"cost": [1.0, 1.1], "cost_low": [0.8, 0.9], "cost_high": [1.2, 1.3]},
        **{"worst_case": [0.24, 0.58], "worst_case_low": [0.2, 0.5]},
        worst_case_high=[0.28, 0.63],
    )
    (sentence,) = clear_gaps(table, [known["cost"], known["worst_case"]])
    assert "58 (50 to 63) for “b” against 24 (20 to 28) for “a”" in sentence
    assert clear_gaps(table.iloc[:1], [known["worst_case"]]) == []


def test_a_gap_of_less_than_one_of_100_is_no_finding_and_has_no_ratio():
    later = measures(CASE)["declined"]
    table = groups_table(
        declined=[0.007, 0.0003], declined_low=[0.006, 0.0], declined_high=[0.009, 0.001]
    )
    assert largest_gap(table, "declined").is_clear and clear_gaps(table, [later]) == []
    names = ("cost", "worst_case")
    others = {f"{name}{end}": [0.1] * 2 for name in names for end in ("", "_low", "_high")}
    shown = matrix(table.assign(**others), measures(CASE))
    assert shown["Declined later, in 100"].tolist()[-2:] == ["1", "–"]
    assert shown["Effort (ℓ1)"].tolist()[-1] == "1.00"


def test_no_gap_is_read_from_a_tiny_group_or_one_without_plans():
    effort = measures(CASE)["cost"]
    table = pd.DataFrame(
        {
            "group": ["tiny", "lost", "large", "larger"],
            "n": [29, 31, 30, 50],
            "plans": [29, 0, 30, 45],
            "infeasible": [0.0, 1.0, 0.0, 0.1],
            "cost": [9.0, np.nan, 1.0, 2.0],
            "cost_low": [8.0, np.nan, 0.9, 1.9],
            "cost_high": [9.9, np.nan, 1.1, 2.1],
        }
    )
    said = contrast(table, effort)
    assert "highest for “larger”, 2.00" in said and "lowest for “large”, 1.00" in said
    assert without_plans(table) == "Nobody in “lost” (31 people) has a plan."
    gap = largest_gap(table, "cost")
    assert gap.difference == 1.0 and gap.ratio == 2.0 and gap.is_clear
    left_out = warnings(table)[-1]
    assert "100 in 100 in “lost”, 0 in 100 in “large”" in left_out
    assert without_any_plan_first(table)["group"].tolist() == ["lost", "tiny", "large", "larger"]


def test_a_mean_counts_those_who_have_a_plan_and_a_share_all_people():
    known = measures(CASE)
    few_plans = groups_table(
        plans=[2, 50],
        infeasible=[0.95, 0.0],
        cost=[9.0, 2.0],
        cost_low=[1.0] * 2,
        cost_high=[9] * 2,
    )
    assert "not two groups of 30 or more people with a plan" in contrast(few_plans, known["cost"])
    assert "highest for “a”, 95 (0 to 10)" in contrast(few_plans, known["infeasible"])
    shown = matrix(few_plans.assign(**_other_measures(2)), known)
    assert shown["Effort (ℓ1)"].tolist()[-2:] == ["", ""]
    assert shown["Without a plan, in 100"].tolist()[-2:] == ["95", "–"]


def test_no_interval_begins_with_minus_nought():
    row = pd.Series({"worst_case": 0.1, "worst_case_low": -0.004, "worst_case_high": 0.19})
    assert measures(CASE)["worst_case"].with_interval(row) == "10 (0 to 19)"


def _other_measures(groups):
    names = ("worst_case", "declined")
    return {f"{name}{end}": [0.1] * groups for name in names for end in ("", "_low", "_high")}


def test_the_matrix_has_groups_without_a_plan_first_and_the_gaps_last():
    # Nobody in one of the groups has a plan.
    status = CASE.dataset.present.people["Personal status"].iloc[FRAME["row"]].astype(str)
    lost_group = (status == "male, single").to_numpy()
    table = equity(FRAME.assign(found=~lost_group), CASE.dataset, "Personal status")
    shown = matrix(without_any_plan_first(table), measures(CASE))
    assert shown["Group"][0] == "male, single"
    assert shown["Group"].tolist()[-2:] == [GAP, RATIO]
    assert shown["Effort (ℓ1)"][0] == "no plan" and shown["Without a plan, in 100"][0][:3] == "100"
    assert shown["People"][:-2].astype(int).sum() == len(FRAME)


def test_warnings_name_small_groups_and_those_left_out():
    assert warnings(groups_table()) == []
    (small,) = warnings(groups_table(n=[29, 30]))
    assert "“a” (29)" in small and "“b”" not in small
    (left_out,) = warnings(groups_table(infeasible=[0.5, 0.1]))
    assert "50 in 100 in “a”, 10 in 100 in “b”" in left_out
