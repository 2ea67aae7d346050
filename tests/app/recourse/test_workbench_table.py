"""The one table of the workbench: locks, ranges, weights, values to try; pins; links."""

import re

import pytest
from screen import button, edit, part, plan_title, ready, row_of, said, send

from dirrac_core.case.case import make_case, solve_scenario
from dirrac_core.case.facts import facts_of
from dirrac_core.data import with_constant
from dirrac_core.data.actionability import FeatureRule
from dirrac_core.wording import in_100
from pages.shared.plain_text import plain
from pages.shared.promise import NO_PROMISE

GERMAN = {"dataset": "german", "v": "2", "applicant": "1"}


def scenario_of(at):
    return at.session_state["scenario"]


def address(at):
    """The parameters of the address; those that are there several times as lists."""
    given = {name: at.query_params[name] for name in at.query_params}
    return {n: v[0] if isinstance(v, list) and len(v) == 1 else v for n, v in given.items()}


def worst_shown(at):
    return int(re.search(r"<p>at most (\d+) of 100 decline</p>", said(at)).group(1))


@pytest.mark.parametrize(
    ("feature", "what", "value", "rule"),
    [
        ("Duration", "move", "no", FeatureRule("Duration", "no")),
        ("Duration", "move", "down", FeatureRule("Duration", "down")),
        ("Duration", "least", 12, FeatureRule("Duration", "both", low=12.0)),
        ("Credit amount", "most", 6000, FeatureRule("Credit amount", "both", high=6000.0)),
        ("Duration", "effort", 3, FeatureRule("Duration", "both", effort=3.0)),
        ("Age", "move", "up", FeatureRule("Age", "up")),
    ],
)
def test_every_edit_in_a_row_changes_the_scenario_the_plan_and_the_link(
    open_app, feature, what, value, rule
):
    at = ready(open_app(**GERMAN))
    assert scenario_of(ready(edit(at, feature, what, value))).edits == (rule,)
    solution = solve_scenario(scenario_of(at))
    case, x = solution.case, solution.plan.x
    none = "There is no plan under these conditions."
    sentence = none if x is None else case.dataset.schema.sentence(case.x0, x)
    assert plan_title(at) == sentence and row_of(at, feature)["edited"]
    again = ready(open_app(**address(at)))
    assert scenario_of(again).edits == (rule,)
    button(at, "Back to the preset").click().run()
    assert scenario_of(ready(at)).edits == () and not row_of(at, feature)["edited"]


def test_a_limit_at_the_end_of_the_data_is_no_limit(open_app):
    at = ready(open_app(**GERMAN, may="Duration:both:12"))
    row = row_of(at, "Duration")
    assert (row["least"], row["most"]) == (12.0, row["high"])
    edit(at, "Duration", "least", row["low"])
    assert scenario_of(ready(at)).edits == ()


@pytest.mark.parametrize(
    "sent",
    [
        None,
        "Duration",
        {"feature": "Duration"},
        {"feature": "Colour", "what": "move", "value": "no"},
        {"feature": ["Duration"], "what": "move", "value": "no"},
        {"feature": "Duration", "what": "burn", "value": 1},
        {"feature": "Duration", "what": "move", "value": "sideways"},
        {"feature": "Duration", "what": "move", "value": 3},
        {"feature": "Status", "what": "move", "value": "up"},
        {"feature": "Status", "what": "least", "value": 3},
        {"feature": "Duration", "what": "least", "value": "12"},
        {"feature": "Duration", "what": "least", "value": 1e9},
        {"feature": "Duration", "what": "effort", "value": 0},
        {"feature": "Duration", "what": "effort", "value": True},
        {"feature": "Duration", "what": "try", "value": 1e6},
        {"feature": "Duration", "what": "try", "value": "many"},
        {"feature": "Status", "what": "try", "value": "rich"},
    ],
)
def test_an_edit_that_makes_no_sense_is_refused_in_a_sentence(open_app, sent):
    at = ready(open_app(**GERMAN))
    start = scenario_of(at)
    send(at, "plan table", "edit", sent)
    assert not at.exception and scenario_of(at) == start and "if" not in at.query_params
    (problem,) = at.error
    assert problem.value.endswith("The change was not applied.")
    assert not at.run().error


def test_a_value_tried_in_the_row_is_judged_and_is_in_the_link(open_app):
    at = ready(open_app(**GERMAN))
    before = worst_shown(at)
    edit(at, "Duration", "try", 12)
    case = make_case(scenario_of(ready(at)))
    plan = solve_scenario(scenario_of(at)).plan.x
    schema = case.dataset.schema
    own = with_constant(schema.encode({**schema.decode(plan), "Duration": 12.0})[0])
    assert worst_shown(at) == in_100(facts_of(case, own).guarantee) > before
    assert f"{before} → {worst_shown(at)}" in said(at)
    assert plan_title(at).startswith("Your version: Shorten the loan from 48 to 12 months")
    assert row_of(at, "Duration")["tried"] and not row_of(at, "Credit amount")["tried"]
    assert address(at)["if"] == "Duration:12"
    elsewhere = ready(open_app(**address(at)))
    assert plan_title(elsewhere) == plan_title(at)
    assert part(elsewhere, "plan table") == part(at, "plan table")
    # Another setting keeps the visitor's own value; the plan can be taken up again.
    next(s for s in at.slider if s.key == "set radii").set_value(0.2).run()
    assert row_of(ready(at), "Duration")["value"] == 12.0
    button(at, "Back to the plan").click().run()
    assert not row_of(ready(at), "Duration")["tried"] and "if" not in at.query_params


def test_a_version_that_breaks_a_rule_says_which(open_app):
    at = ready(open_app(**GERMAN))
    edit(at, "Age", "try", 60)
    assert "It breaks: “what may not change stays as it is”" in said(ready(at))
    edit(at, "Age", "untry")
    edit(at, "Duration", "try", 48)
    edit(at, "Credit amount", "try", 5951)
    # Today's own model declines the applicant as they are: there is nothing to promise.
    assert "<p class='label'>No promise</p><p>declined today</p>" in said(ready(at))
    assert "at most" not in said(at).split("<style>")[-1]


def test_a_tried_value_of_another_person_is_forgotten(open_app):
    at = ready(open_app(**GERMAN))
    edit(at, "Duration", "try", 12)
    button(at, "Next").click().run()
    assert not row_of(ready(at), "Duration")["tried"] and "if" not in at.query_params


@pytest.mark.parametrize("text", ["Colour:red", "Duration:many", "Duration", "Duration:1e9"])
def test_a_tried_value_of_a_bad_link_is_reported(open_app, text):
    at = ready(open_app(**GERMAN, **{"if": text}))
    assert plain(f"if = {text}:") in at.warning[0].value and not row_of(at, "Duration")["tried"]
    # It stays until something is changed.
    assert at.run().warning
    edit(at, "Duration", "try", 12)
    assert not ready(at).warning


def test_pins_are_judged_under_the_settings_of_now_and_are_in_the_link(open_app):
    at = ready(open_app(**GERMAN, tab="Compare"))
    for delta in (0.2, 0.4, 0.6, 0.8):
        next(s for s in at.slider if s.key == "set delta_add").set_value(delta).run()
        button(at, "Pin this plan").click().run()
    table = ready(at).table[0].value
    count = len(table.columns)
    assert 2 <= count <= 4 and "Made with" in table.index
    assert "Extra effort δ_add 0.2" in table.loc["Made with", "Plan A"]
    now = make_case(scenario_of(at))
    assert [p.changes for p in at.session_state["pins"]["german", 1]]
    for i, pin in enumerate(at.session_state["pins"]["german", 1]):
        facts = facts_of(now, pin.point(now))
        said_of_it = table.loc["Worst case", f"Plan {'ABCD'[i]}"]
        promised = in_100(facts.guarantee)
        assert said_of_it == (NO_PROMISE if promised > 50 else f"at most {promised} of 100")
    elsewhere = ready(open_app(**address(at)))
    assert elsewhere.table[0].value.equals(table)
    button(at, "Open plan A").click().run()
    assert scenario_of(ready(at)).delta_add == 0.2
    button(at, "Try plan B").click().run()
    assert "Your version" in plan_title(at)
    button(at, "Unpin A").click().run()
    assert len(ready(at).table[0].value.columns) == count - 1


def test_a_change_that_changes_nothing_says_why(open_app):
    at = ready(open_app(**GERMAN, add="1"))
    next(s for s in at.slider if s.key == "set delta_add").set_value(1.1).run()
    assert "The plan stays the same: " in said(ready(at))
    assert "at their limit" in said(at) or "nothing else within the budget" in said(at)


def test_nobody_is_advised_to_change_what_is_protected(open_app):
    at = ready(open_app(**GERMAN, tab="Price"))
    freed = [b.key for b in at.button if (b.key or "").startswith("free ")]
    assert not {"free Age", "free Personal status"} & set(freed)
    assert row_of(at, "Age")["protected"]
    at = ready(open_app(dataset="student", tab="Price"))
    assert "Robustness costs" in said(at)


@pytest.mark.slow
def test_observed_beyond_the_worst_case_warns_and_offers_what_helps(open_app, at_once):
    at = ready(open_app(dataset="sba"))
    assert "Worst case exceeded" in said(at) and "of 100 declined it.** These models" in said(at)
    assert "larger ρ" not in said(at)
    button(at, "Find what helps").click().run()
    assert "past situations" in said(ready(at))
    at = ready(open_app(dataset="sba", v="2"))
    assert "exceeded" not in said(at) and "of 100 declined it" not in said(at)


def test_the_bars_hold_the_guarantee_and_the_state_before(open_app):
    at = ready(open_app(**GERMAN))
    before = worst_shown(at)
    next(s for s in at.slider if s.key == "set radii").set_value(0.2).run()
    now = worst_shown(ready(at))
    svg = part(at, "small bars")["svg"]
    assert now > before and f"{before} → {now}" in svg and ">100</text>" in svg
