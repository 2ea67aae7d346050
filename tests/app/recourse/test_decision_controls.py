"""The cut-off and the question in the sidebar, and what the pages make of them."""

import pytest
from screen import ready, said

from dirrac_core.case.case import bundle_of, solve_scenario
from dirrac_core.recourse.kinds.alternatives import AT_MOST
from pages.shared.address.links import to_query


def scenario_of(at):
    return at.session_state["scenario"]


def widget(at, key):
    kinds = ("selectbox", "number_input", "button_group", "button")
    return next(w for kind in kinds for w in at.get(kind) if w.key == key)


def test_another_cut_off_is_needed_and_reaches_plan_address_and_applicant(open_app):
    at = ready(open_app(dataset="german", v="2"))
    assert "(50 needed)" in said(at)
    widget(at, "set cut_off").set_value(0.62).run()
    scenario = scenario_of(ready(at))
    assert scenario.cut_off == 0.62 and to_query(scenario)["cut"] == "0.62"
    assert "(62 needed)" in said(at)
    plan = solve_scenario(scenario).plan
    assert bundle_of(scenario).current.probability(plan.x[None, :-1])[0] >= 0.62


def test_another_kind_of_cut_off_means_the_same_decisions(open_app):
    at = ready(open_app(dataset="student", v="2"))
    before = bundle_of(scenario_of(at)).declined.tolist()
    for kind in ("approval", "score", "probability"):
        widget(at, "set cut_off_kind").set_value(kind).run()
        scenario = scenario_of(ready(at))
        assert scenario.cut_off_kind == kind
        assert bundle_of(scenario).declined.tolist() == pytest.approx(before)


def test_the_cheapest_plan_at_a_level_and_a_level_out_of_reach(open_app):
    at = ready(open_app(dataset="german", v="2", plan="at most", level="0.3"))
    scenario = scenario_of(at)
    assert (scenario.plan_kind, scenario.level) == (AT_MOST, 0.3)
    assert "The cheapest plan with a worst case of at most 30 in 100 takes" in said(at)
    real = solve_scenario(scenario).plan
    assert real.worst_case_probability <= 0.3 + 1e-6
    widget(at, "set level").set_value(0.01).run()
    assert "No plan has a worst case of at most 10 in 1,000" in said(ready(at))
    best = next(b for b in at.button if b.label == "Ask for the best that can be reached")
    best.click().run()
    again = scenario_of(ready(at))
    assert again.level > 0.01 and solve_scenario(again).plan.x is not None
