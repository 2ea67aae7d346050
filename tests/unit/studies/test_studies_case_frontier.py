"""The frontier of a case: families, averages over applicants, and who beats whom."""

from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import pytest

from dirrac_core.case.case import bundle_of, make_case
from dirrac_core.case.recommended import recommended
from dirrac_core.case.scenario import Scenario
from dirrac_core.errors import DirracError
from dirrac_core.methods import Roar, RoarPublished
from dirrac_core.methods.protocol import SearchMethod
from dirrac_core.models.classifiers import LinearModel
from dirrac_core.recourse import find_recourse
from dirrac_core.studies import Judge, dataset_frontier, declined_applicants, table
from dirrac_core.studies import case_frontier as case_frontier_module
from dirrac_core.studies.case_frontier import (
    CURRENT,
    DIRRAC,
    FAMILIES,
    OnStandIn,
    TodaysPlans,
    case_frontier,
    case_methods,
    current_setting,
    linear_stand_in,
    with_guarantee,
)
from dirrac_core.studies.frontier import DELTA_ADDS, LAMBDAS, average_frontier
from dirrac_core.studies.frontier_comparison import Reach, compare
from dirrac_core.studies.measures import measure_methods, worst_cases


@pytest.fixture(scope="module")
def case():
    scenario = Scenario("synthetic", 0, delta_add=0.3)
    return make_case(replace(scenario, applicant=int(bundle_of(scenario).declined[0])))


def test_each_family_runs_over_its_own_parameter(case):
    parameters = {name: [m.parameter for m in case_methods(case, name)] for name in FAMILIES}
    assert parameters["dirrac"] == list(DELTA_ADDS)
    assert parameters["roar"] == parameters["roar-published"] == list(LAMBDAS)
    assert len(parameters["others"]) == 5


def test_an_unknown_family_is_refused(case):
    with pytest.raises(DirracError, match="family"):
        case_methods(case, "best")


def test_the_rows_carry_the_guarantee_of_their_plan(case):
    frame = case_frontier(case, "roar")
    for row in frame.itertuples():
        assert row.guaranteed == pytest.approx(1.0 - case.problem.objective.value(row.x))
        assert row.applicant == case.scenario.applicant


@pytest.mark.parametrize("family", [name for name in FAMILIES if name != DIRRAC])
def test_plans_of_today_are_found_once_and_judged_by_each_future(case, family, monkeypatch):
    today, searched, search = TodaysPlans(), [], RoarPublished.recourse

    def counted(self, x0, actions):
        searched.append(self.parameter)
        return search(self, x0, actions)

    monkeypatch.setattr(RoarPublished, "recourse", counted)
    frames = []
    for size in (200, 900):
        other = make_case(replace(case.scenario, futures="sampling", training_size=size))
        kept = case_frontier(other, family, telling=True, today=today)
        times = len(searched)
        alone = case_frontier(other, family, telling=True)
        del searched[times:]
        pd.testing.assert_frame_equal(kept.drop(columns="seconds"), alone.drop(columns="seconds"))
        frames.append(kept)
    assert not frames[0]["worst_case"].equals(frames[1]["worst_case"])
    assert searched == (list(LAMBDAS) if family == "roar-published" else [])


def first_declined(dataset):
    """The first person declined, with the recommended settings."""
    settings = recommended(dataset)
    return Scenario.of(settings, int(bundle_of(settings).declined[0]))


@pytest.fixture(scope="module")
def students():
    """Two cases of one student whose usual limits give way by different factors."""
    scenario = first_declined("student")
    made = [make_case(replace(scenario, link=link)) for link in ("chebyshev", "gaussian")]
    assert made[0].widened != made[1].widened and min(case.widened for case in made) > 1.0
    return made


@pytest.mark.parametrize("family", [name for name in FAMILIES if name != DIRRAC])
def test_plans_of_today_are_those_of_their_own_limits(students, family):
    today = TodaysPlans()
    for case in (*students, students[0]):
        kept = case_frontier(case, family, telling=True, today=today)
        alone = case_frontier(case, family, telling=True)
        pd.testing.assert_frame_equal(kept.drop(columns="seconds"), alone.drop(columns="seconds"))


def test_a_method_that_knows_no_usual_limits_plans_the_same_under_any(students):
    methods = [method for name in FAMILIES for method in case_methods(students[0], name)]
    free = [
        method
        for method in methods
        if isinstance(method, SearchMethod) and not method.knows_usual_limits(students[0].actions)
    ]
    assert {method.name for method in free} == {"ROAR (as published)", "Wachter", "CEPM"}
    for method in free:
        one, other = (method.recourse(case.x0, case.actions) for case in students)
        assert one.x.tolist() == other.x.tolist() and one.message == other.message
        limits = [plan.checks.checks[-2].high for plan in (one, other)]
        assert limits == [case.actions.plausible.size for case in students]


def test_only_the_last_plans_of_today_are_kept(students, monkeypatch):
    monkeypatch.setattr(case_frontier_module, "MOST_KEPT", 2)
    today, searched = TodaysPlans(), []
    roars = case_methods(students[0], "roar")[:3]

    def ask(method):
        find = partial(searched.append, method.parameter)
        today.answered(students[0], method, lambda: find() or method)

    for number in (0, 1, 0, 2, 0, 1):
        ask(roars[number])
    # Asking for the first one again kept it, so the second one had to go.
    assert searched == [roars[number].parameter for number in (0, 1, 2, 1)]


@pytest.mark.parametrize(("dataset", "plans"), [("student", 3), ("german", 2), ("synthetic", 12)])
def test_between_two_steps_of_roar_there_is_no_third_plan(dataset, plans):
    case = make_case(first_declined(dataset))
    rows = case_frontier(case, "roar", telling=True)
    method = Roar(linear_stand_in(case), categories=case.scenario.categories)
    losses = [method.worst_loss(x) for x in rows["x"]]
    minimum_at = method.over_cost_weight(case.x0, case.actions)
    assert len(rows) == plans
    for lam in np.geomspace(LAMBDAS[0], LAMBDAS[-1], 15):
        plan = minimum_at(float(lam))
        least = method.worst_loss(plan.x) + lam * plan.cost_l1
        best = min(loss + lam * cost for loss, cost in zip(losses, rows["cost_l1"], strict=True))
        # Exact at the steps; between them the frontier of a smooth loss is followed this closely.
        assert least - 1e-6 <= best <= least + (1e-6 if plans <= 3 else 1e-3)


def test_kept_plans_get_the_guarantee_of_another_future(case):
    other = make_case(replace(case.scenario, radii=0.3))
    frame = with_guarantee(case_frontier(case, "roar"), other)
    fresh = case_frontier(other, "roar")
    assert np.array_equal(np.stack(frame["x"]), np.stack(fresh["x"]))
    assert frame["guaranteed"].tolist() == fresh["guaranteed"].tolist()


def test_the_current_setting_is_the_plan_of_the_problem(case):
    (row,) = current_setting(case).itertuples()
    plan = find_recourse(case.problem)
    assert row.method == CURRENT and row.parameter == 0.3
    assert row.cost_l1 == pytest.approx(plan.cost)
    assert row.guaranteed == pytest.approx(1.0 - plan.worst_case_probability)


def test_the_current_setting_takes_a_plan_that_is_known(case):
    plan = find_recourse(case.problem)
    (fresh,), (known,) = (current_setting(case, safest).itertuples() for safest in (None, plan))
    assert known.x.tolist() == fresh.x.tolist() and known.broken == fresh.broken
    other = replace(plan, x=case.x0)
    (row,) = current_setting(case, other).itertuples()
    assert row.x.tolist() == case.x0.tolist() and row.cost_l1 == 0.0


def test_roar_is_not_bound_by_the_rule_that_today_accepts(case):
    assert len(case.actions.linear) == len(case.problem.unbounded.actions.linear) - 1


def test_averages_count_those_without_a_plan():
    rows = pd.DataFrame(
        {
            "method": ["A", "A", "B"],
            "parameter": [0.1, 0.1, np.nan],
            "found": [True, False, True],
            "m1": [True, False, False],
            "cost_l1": [2.0, np.nan, 1.0],
            "cost_l2": [1.0, np.nan, 1.0],
            "m2": [0.8, np.nan, 0.5],
            "keeps_rules": [True, False, True],
            "seconds": [0.1, 0.2, 0.1],
            "features_changed": [2.0, np.nan, 1.0],
            "plausibility": [0.5, np.nan, 0.5],
            "worst_case": [0.25, np.nan, 1.0],
        }
    )
    first, second = average_frontier(rows).to_dict("records")
    assert (first["n"], first["plans"], first["success"]) == (2, 1, 0.5)
    assert (first["cost_l1"], first["m2"], first["guaranteed"]) == (2.0, 0.8, 0.75)
    assert (second["n"], second["plans"], second["success"]) == (1, 1, 0.0)


def test_averages_over_applicants_are_those_of_the_dataset(case):
    bundle = case.bundle
    asked = declined_applicants(bundle)[:3]
    methods, judge = case_methods(case, DIRRAC)[::4], Judge.of(bundle)
    objective = case.problem.objective
    measured = [m for a in asked for m in measure_methods(a, methods, judge)]
    averaged = average_frontier(table(measured).assign(worst_case=worst_cases(measured, objective)))
    whole = dataset_frontier(asked, methods, judge, objective, jobs=1)
    timed = [column for column in averaged if str(column).startswith("seconds")]
    common = [c for c in averaged if c in whole and c not in ("method", *timed)]
    assert averaged["method"].tolist() == whole["method"].tolist()
    assert averaged[common].to_numpy(dtype=float) == pytest.approx(
        whole[common].to_numpy(dtype=float), nan_ok=True
    )
    assert averaged["guaranteed"].to_numpy() == pytest.approx(1.0 - whole["worst_case"].to_numpy())
    assert (averaged["guaranteed_low_applicants"] <= averaged["guaranteed"] + 1e-12).all()
    assert (averaged["guaranteed_high_applicants"] <= 1.0).all()


def points(**methods):
    return pd.DataFrame(
        [(name, *point) for name, listed in methods.items() for point in listed],
        columns=["method", "cost", "value"],
    )


def test_compare_finds_the_common_level_and_the_beaten_plans():
    rows = points(
        A=[(1.0, 0.5), (2.0, 0.9), (4.0, 0.7)], B=[(1.5, 0.9), (3.0, 1.0), (np.nan, np.nan)]
    )
    found = compare(rows, "A", "B", "cost", "value")
    assert found.level == 0.9
    assert found.first == Reach(
        plans=3, best=0.9, best_cost=2.0, dearest=0.7, level_cost=2.0, beaten=2
    )
    assert found.second == Reach(
        plans=2, best=1.0, best_cost=3.0, dearest=1.0, level_cost=1.5, beaten=0
    )


def test_equal_plans_do_not_beat_each_other():
    rows = points(A=[(1.0, 0.5)], B=[(1.0 + 1e-9, 0.5)])
    found = compare(rows, "A", "B", "cost", "value")
    assert found.first.beaten == found.second.beaten == 0


def test_nothing_to_compare_without_a_plan():
    rows = points(A=[(1.0, 0.5)], B=[(np.nan, np.nan)])
    assert compare(rows, "A", "B", "cost", "value") is None
    assert compare(rows, "A", "C", "cost", "value") is None


class Declines:
    """A model unlike the stand-in: it declines everybody."""

    threshold = 0.0

    def probability(self, X):
        return np.zeros(len(X))

    def decision(self, X):
        return np.zeros(len(X), dtype=bool)


def test_a_plan_made_on_a_stand_in_is_judged_by_the_real_model(case):
    method = case_methods(case, "roar")[0]
    actions = case.actions
    assert method.recourse(case.x0, actions).accepted
    real = OnStandIn(method, Declines())
    assert (real.name, real.parameter) == (method.name, method.parameter)
    plan = real.recourse(case.x0, actions)
    assert not plan.accepted and plan.keeps_rules


def test_a_linear_model_stands_for_itself(case):
    assert isinstance(case.bundle.current, LinearModel)
    assert linear_stand_in(case) is case.bundle.current
