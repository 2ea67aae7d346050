"""Preparing for one more shift on the workbench, and taking back what was tried by hand."""

from dataclasses import replace

from screen import button, edit, row_of, said

from dirrac_core.case.case import make_case, solve
from dirrac_core.case.facts import facts_of
from dirrac_core.case.futures import shifts_with
from dirrac_core.models.futures.shift import NOISE
from pages.shared.promise import promise_headline


def scenario_of(at):
    return at.session_state["scenario"]


def test_both_plans_are_judged_by_the_futures_with_the_shift(open_app):
    at = open_app(dataset="synthetic", tab="Shifts")
    assert not at.exception and not at.error
    scenario = scenario_of(at)
    (chosen,) = [box for box in at.selectbox if box.label == "If this shift may come"]
    case = make_case(scenario)
    prepared = replace(scenario, shifts=shifts_with(scenario, case.dataset, chosen.value))
    judging = make_case(prepared)
    for planned in (case, judging):
        x = solve(planned).plan.x
        words = promise_headline(facts_of(judging, x).guarantee)
        assert f"with this shift:** {words[0].lower()}{words[1:]}." in said(at)
    button(at, "Prepare for this shift").click().run()
    assert scenario_of(at) == prepared
    assert prepared.shifts[0].story == NOISE  # luck stays among the futures


def test_undo_and_redo_reach_the_values_tried_by_hand(open_app):
    at = open_app(dataset="german")
    planned = row_of(at, "Duration")["value"]
    edit(at, "Duration", "try", planned + 3)
    edit(at, "Duration", "try", planned + 5)
    button(at, "Undo").click().run()
    assert row_of(at, "Duration")["value"] == planned + 3
    button(at, "Undo").click().run()
    assert row_of(at, "Duration")["value"] == planned and not row_of(at, "Duration")["tried"]
    button(at, "Redo").click().run()
    assert row_of(at, "Duration")["value"] == planned + 3
    assert at.query_params["if"] == f"Duration:{planned + 3:g}"
