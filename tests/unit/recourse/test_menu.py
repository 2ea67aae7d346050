"""The menu of plans: what is known already is not computed again."""

from dataclasses import replace

import pytest

from dirrac_core import load_dataset
from dirrac_core.case.case import make_case, solve
from dirrac_core.case.scenario import Scenario
from dirrac_core.models.bundle import prepare
from dirrac_core.recourse.kinds import menu as module
from dirrac_core.recourse.kinds.menu import menu
from pages.shared.defaults import usual_settings


def shown(plans):
    return [(entry.kind, entry.plan.x.tolist(), entry.plan.rounding_note) for entry in plans]


@pytest.mark.parametrize("name", ["german", "student"])
def test_a_safest_plan_in_whole_units_is_shown_as_it_is(monkeypatch, name):
    row = int(prepare(load_dataset(name)).declined[1])
    scenario = replace(Scenario.of(usual_settings(name), row), radii=0.1)
    case = make_case(scenario)
    plan = solve(case).plan
    usual = menu(case.dataset, case.problem, scenario.gap, plan.exact)
    rounded = []
    in_whole_units = module.plan_in_real_units

    def counted(dataset, problem, exact, *rest):
        rounded.append(exact)
        return in_whole_units(dataset, problem, exact, *rest)

    monkeypatch.setattr(module, "plan_in_real_units", counted)
    found = menu(case.dataset, case.problem, scenario.gap, plan)
    assert shown(found) == shown(usual)
    assert found[0].plan is plan and found[0].alternative.plan is plan.exact
    assert not any(exact is plan.exact for exact in rounded)
