"""What pages keep for all visitors is kept for every setting it depends on, and for no other."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from dirrac_core.case import facts
from dirrac_core.case.case import bundle_of, make_case
from dirrac_core.case.outlook import outlook_of
from dirrac_core.case.recommended import recommended
from dirrac_core.case.scenario import Scenario
from dirrac_core.models.futures.bootstrap import Bootstrap
from dirrac_core.models.futures.shift import Shift
from dirrac_core.studies.case_frontier import case_frontier, linear_stand_in, with_guarantee
from dirrac_core.studies.case_methods import measured_plan
from dirrac_core.studies.quick_frontier import dirrac_points, roar_plans
from pages.frontier.computing import family_rows
from pages.frontier.sweep import relevant_settings
from pages.methods import computing as methods_computing
from pages.methods.computing import begin_long, method_plan
from pages.methods.computing import relevant_settings as settings_of_method
from pages.recourse.computing import small_dirrac, small_roar
from pages.runs import background
from pages.shared import computing
from pages.shared.defaults import first_declined

CHANGES = {
    "nothing": {},
    "radius": {"radii": 0.3},
    "unit": {"radius_unit": "weights", "radii": 0.1},
    "cost": {"cost": "l2"},
    "link": {"link": "gaussian"},
    "futures": {"futures": "sampling"},
    "size": {"training_size": 400},
    "preset": {"preset": "free"},
    "likeness": {"plausibility": None, "widen": False},
    "decision": {"cut_off": 0.7, "cut_off_kind": "probability"},
    "categories": {"categories": "relaxed"},
}


@pytest.mark.parametrize("dataset", ["german", "student"])
def test_the_plan_for_today_is_that_of_its_own_settings(dataset):
    start = first_declined(dataset)
    plans = set()
    for changes in CHANGES.values():
        scenario = replace(start, **changes)
        found = computing.plan_for_today(scenario)
        assert np.array_equal(found, facts.plan_for_today(make_case(scenario)))
        plans.add(None if found is None else tuple(found))
    assert len(plans) > 2


def test_the_plan_for_today_is_solved_once_for_all_futures(monkeypatch):
    start, solved, solve = first_declined("german"), [], facts.plan_for_today

    def counted(case):
        solved.append(case)
        return solve(case)

    monkeypatch.setattr(facts, "plan_for_today", counted)
    for radius in (0.111, 0.222):
        for futures in ("sampling", "stress"):
            computing.plan_for_today(replace(start, seed=3, radii=radius, futures=futures))
    assert len(solved) == 1


def measured(outlook):
    """All numbers and words of an outlook."""
    lists = [outlook.parameters, outlook.labels, outlook.radii, outlook.shifted]
    lists += [outlook.mixture.weights, outlook.mixture.means, outlook.mixture.covariances]
    for each in (outlook.reality, outlook.training, outlook.undeclared):
        lists += [] if each is None else [each.radii, each.distances, each.group_distances]
    words = (outlook.names, outlook.descriptions, outlook.reason)
    return [np.asarray(each).tolist() for each in lists], words


def test_the_futures_are_those_of_their_own_settings_and_the_same_for_everybody():
    start = first_declined("german")
    someone = computing.declined_rows(start)[1]
    others = [{"futures": "sampling", "components": 3}, {"applicant": someone, "radii": 0.4}]
    others += [{"shifts": (Shift("sampling-noise", radius=radius),)} for radius in (0.1, 0.2)]
    for changes in (*CHANGES.values(), *others):
        scenario = replace(start, **changes)
        assert measured(computing.outlook(scenario)) == measured(outlook_of(make_case(scenario)))
    found = [computing.outlook(replace(start, applicant=row)) for row in (start.applicant, someone)]
    assert found[0].reality.distances is found[1].reality.distances


def test_plans_of_today_are_kept_for_every_training_size_where_they_may():
    start = replace(first_declined("german"), widen=False)
    today = computing.todays_plans(start)
    for changes in ({"radii": 0.3}, {"futures": "sampling"}, {"training_size": 400}):
        assert computing.todays_plans(replace(start, **changes)) is today
    someone = computing.declined_rows(start)[1]
    for changes in ({"applicant": someone}, {"categories": "relaxed"}, {"seed": 3}):
        assert computing.todays_plans(replace(start, **changes)) is not today
    assert computing.todays_plans(replace(start, widen=True)) is today


def test_a_plan_of_today_depends_on_how_far_limits_give_way():
    start = first_declined("student")
    one, same, other = (
        replace(start, **changes) for changes in ({}, {"delta_add": 0.1}, {"link": "gaussian"})
    )
    assert computing.made_today(one) == computing.made_today(same) != computing.made_today(other)
    assert computing.todays_plans(one) is computing.todays_plans(other)
    for scenario in (one, other):
        alone = facts.plan_for_today(make_case(scenario))
        assert computing.plan_for_today(scenario).tolist() == alone.tolist()


@pytest.mark.parametrize("dataset", ["german", "sba", "student"])
def test_compared_plans_are_those_of_their_own_settings(dataset):
    start = first_declined(dataset)
    for changes in ({}, {"training_size": 400}, {"categories": "relaxed"}, {"cut_off": 0.7}):
        scenario = replace(start, **changes)
        for family in ("roar", "others"):
            asked = make_case(relevant_settings(scenario, family))
            fresh = with_guarantee(case_frontier(asked, family, telling=True), make_case(scenario))
            kept = family_rows(scenario, family)
            rows = [each.drop(columns="seconds") for each in (kept, fresh)]
            pd.testing.assert_frame_equal(*rows)
        kept, alone = (
            method_plan(scenario, "Wachter"),
            measured_plan(make_case(scenario), "Wachter"),
        )
        assert kept.m2 == alone.m2 and kept.plan.x.tolist() == alone.plan.x.tolist()


def test_compared_plans_of_a_network_do_not_depend_on_who_came_before():
    """Its approximation is another one for every plan of DiRRAc."""
    settings = recommended("synthetic", "mlp")
    start = Scenario.of(settings, int(bundle_of(settings).declined[0]))
    changed = ({}, {"delta_add": 0.2}, {"radii": 1.0}, {"training_size": 200}, {"futures": "paper"})
    seen = set()
    for changes in changed:
        scenario = replace(start, **changes)
        case = make_case(scenario)
        points = [(point.x.tolist(), point.worst_case) for point in small_dirrac(scenario)]
        assert points == [(point.x.tolist(), point.worst_case) for point in dirrac_points(case)]
        seen.add(str(points))
        kept, alone = small_roar(scenario), roar_plans(case)
        assert [plan.x.tolist() for plan in kept] == [plan.x.tolist() for plan in alone]
        for family in ("dirrac", "roar", "others"):
            fresh = with_guarantee(case_frontier(case, family, telling=True), case)
            rows = [each.drop(columns="seconds") for each in (family_rows(scenario, family), fresh)]
            pd.testing.assert_frame_equal(*rows)
    assert len(seen) == len(changed)
    size = replace(start, training_size=200)
    assert computing.todays_plans(start) is computing.todays_plans(size)


def test_what_stands_in_for_a_network_lies_around_the_applicant():
    settings = recommended("synthetic", "mlp")
    case = make_case(Scenario.of(settings, int(bundle_of(settings).declined[0])))
    theta = linear_stand_in(case).theta
    around = case.bundle.stand_in(Bootstrap()).around(case.x0)
    assert theta.tolist() == around.mixture.means[0].tolist()
    assert theta.tolist() != case.problem.mixture.means[0].tolist()


def test_variants_with_one_link_have_the_limits_of_that_link():
    start = first_declined("student")
    widths = set()
    for name in ("DiRRAc", "Gaussian DiRRAc", "Gaussian DiRRAc, worst component"):
        asked = make_case(settings_of_method(start, name))
        widths.add(asked.widened)
        kept, alone = method_plan(start, name), measured_plan(asked, name)
        assert kept.plan.x.tolist() == alone.plan.x.tolist() and kept.m2 == alone.m2
        checks = [[check.high for check in each.plan.checks.checks] for each in (kept, alone)]
        assert checks[0] == checks[1]
    assert len(widths) == 2


def test_a_page_does_not_put_together_the_problem_of_a_run_beside_it(monkeypatch):
    asked, begun, found = first_declined("german"), [], []
    monkeypatch.setattr(background, "start", lambda *told: begun.append(told))
    monkeypatch.setattr(methods_computing, "run_apart", lambda *told: found.append(told))
    with monkeypatch.context() as page:
        page.setattr(computing, "case", lambda _: pytest.fail("The page waits for the problem."))
        begin_long(asked, "ROAR-Avg")
    ((name, about, work, keep, rest),) = begun
    assert (name, about, keep) == ("ROAR-Avg", asked, True) and rest > 0.0
    work("progress", "cancel")
    assert found == [(measured_plan, (computing.case(asked), "ROAR-Avg"), "progress", "cancel")]
