"""The workbench: a plan for every dataset, and every control with its effect."""

import math
from dataclasses import replace

import pytest
from screen import button, part, plan_title, said

from dirrac_core import DATASETS, load_dataset
from dirrac_core.case.case import solve_scenario
from dirrac_core.case.facts import facts_of
from dirrac_core.case.scenario import Scenario
from dirrac_core.studies.evidence.track_record import promise_word, track_record
from pages.shared.defaults import PAPER
from pages.shared.plain_text import plain
from pages.shared.plan_tables import CHECKS

TABS = ("How to read it", "Why it holds", "Price", "Shifts", "Compare", "Export")


def clean(at):
    assert not at.exception and not at.error
    return at


def scenario_of(at) -> Scenario:
    return at.session_state["scenario"]


def shows_the_plan_of(at, scenario):
    """The page tells the sentence and the three facts the core computes for the scenario."""
    solution = solve_scenario(scenario)
    x = solution.plan.x
    facts = facts_of(solution.case, x)
    text = said(at)
    assert plan_title(at) == solution.case.dataset.schema.sentence(solution.case.x0, x)
    worst = math.ceil(100 * facts.guarantee - 1e-9)
    if facts.guarantee > 0.5:
        assert "<p>No useful promise</p>" in text
        assert f"in the worst case {worst} of 100 decline" in text
    else:
        assert f"<p>at most {worst} of 100 decline</p>" in text
    gaussian = max(1, math.ceil(100 * facts.if_gaussian - 1e-9))
    assert f"If Gaussian</p><p>{gaussian} of 100</p>" in text
    total = len(facts.observed)
    kind = "Simulated" if solution.case.bundle.future.simulated else "Observed"
    assert f"{kind}</p><p>{facts.declined} of {total}</p>" in text
    nothing = facts_of(solution.case, solution.case.x0)
    assert f"Do nothing</p><p>{nothing.declined} of {total}</p>" in text


@pytest.mark.parametrize("dataset", DATASETS)
@pytest.mark.parametrize("version", [{}, {"v": "2"}])
def test_every_dataset_opens_with_a_plan(open_app, dataset, version):
    at = clean(open_app(dataset=dataset, **version))
    assert "declined today" in at.header[0].value
    shows_the_plan_of(at, scenario_of(at))
    table, schema = part(at, "plan table"), load_dataset(dataset).schema
    assert {row["name"] for row in table["rows"]} == {each.name for each in schema.features}
    assert {row["name"] for row in table["derived"]} == {each.name for each in schema.derived}
    for picture in ("small plane", "small frontier", "small bars"):
        assert "aria-label=" in part(at, picture)["svg"]


@pytest.mark.parametrize("dataset", DATASETS)
@pytest.mark.parametrize("tab", TABS)
def test_every_tab_opens_on_every_dataset(open_app, dataset, tab):
    clean(open_app(dataset=dataset, tab=tab))


@pytest.mark.parametrize(
    ("key", "value", "changed"),
    [
        ("set link", "gaussian", {"link": "gaussian"}),
        ("set futures", "sampling", {"futures": "sampling"}),
        ("set futures", "paper", PAPER),
        ("set radius_unit", "weights", {"radius_unit": "weights", "radii": 0.1}),
        ("set training_size", 300, {"training_size": 300}),
        ("set radii", 0.4, {"radii": 0.4}),
        ("set delta_add", 0.1, {"delta_add": 0.1}),
        ("set cost", "l2", {"cost": "l2"}),
        ("set weighting", "worst-component", {"weighting": "worst-component"}),
        ("set weighting", "ball", {"weighting": "ball"}),
        ("set categories", "relaxed", {"categories": "relaxed"}),
        ("set solver", "projected_gradient", {"solver": "projected_gradient"}),
        ("set seed", 5, {"seed": 5}),
        ("set applicant", 11, {"applicant": 11}),
        ("set preset", "free", {"preset": "free"}),
    ],
)
def test_every_control_changes_the_scenario_and_the_plan_shown(open_app, key, value, changed):
    at = clean(open_app())
    start = scenario_of(at)
    widget(at, key).set_value(value).run()
    clean(at)
    assert scenario_of(at) == replace(start, **changed)
    shows_the_plan_of(at, replace(start, **changed))
    # The link holds it, and opening it gives the same scenario.
    again = clean(open_app(**address(at)))
    assert scenario_of(again) == scenario_of(at)


def widget(at, key):
    kinds = ("selectbox", "slider", "number_input", "toggle", "button_group", "button")
    return next(w for kind in kinds for w in at.get(kind) if w.key == key)


def address(at):
    """The parameters of the address, as text."""
    return {n: v[0] if isinstance(v, list) else v for n, v in dict(at.query_params).items()}


def test_the_weight_ball_shows_its_own_controls(open_app):
    at = clean(open_app(weights="ball"))
    widget(at, "set divergence").set_value("burg").run()
    widget(at, "set weight_radius").set_value(0.3).run()
    clean(at)
    assert scenario_of(at).divergence == "burg" and scenario_of(at).weight_radius == 0.3
    shows_the_plan_of(at, scenario_of(at))


@pytest.mark.parametrize("people", ["0", "-5", "1e9", "99999999"])
def test_a_training_size_that_makes_no_sense_is_refused_in_a_sentence(open_app, people):
    at = clean(open_app(dataset="german", v="2", people=people))
    assert scenario_of(at).training_size is None
    assert f"people = {people}:" in at.warning[0].value
    shows_the_plan_of(at, scenario_of(at))


def test_a_promise_is_named_by_its_record(open_app):
    at = clean(open_app(dataset="sba", v="2"))
    record = track_record(scenario_of(at).settings)
    assert promise_word(record) == "Guarantee" and ">Guarantee</p>" in said(at)
    broken, made = record.tally.broken, record.tally.promises
    assert f"Track record</p><p>{broken} of {made}</p>" in said(at)
    at = clean(open_app(dataset="sba", v="2", futures="sampling"))
    assert "Worst case within what was declared" in said(at) and ">Guarantee<" not in said(at)
    assert "no past promise checked" in said(at)


def test_a_radius_for_each_component(open_app):
    at = clean(open_app(k="2"))
    widget(at, "rho each").set_value(True).run()
    assert scenario_of(at).radii == (0.1, 0.1)
    widget(at, "set radius 1").set_value(0.3).run()
    clean(at)
    assert scenario_of(at).radii == (0.1, 0.3)
    shows_the_plan_of(at, scenario_of(at))
    widget(at, "rho each").set_value(False).run()
    assert scenario_of(at).radii == 0.3
    widget(at, "rho each").set_value(True).run()
    widget(at, "set components").set_value(3).run()
    assert scenario_of(clean(at)).radii == 0.3


def test_another_dataset_keeps_what_still_makes_sense(open_app):
    at = clean(open_app(rho="0.2", may="Age:both"))
    widget(at, "set dataset").set_value("student").run()
    assert scenario_of(clean(at)) == Scenario("student", 0, radii=0.2)


def test_undo_redo_and_reset(open_app):
    at = clean(open_app())
    start = scenario_of(at)
    assert button(at, "Undo").disabled and button(at, "Redo").disabled
    widget(at, "set radii").set_value(0.3).run()
    widget(at, "set delta_add").set_value(0.7).run()
    changed = scenario_of(at)
    button(at, "Undo").click().run()
    assert scenario_of(at) == replace(start, radii=0.3)
    assert widget(at, "set delta_add").value == start.delta_add
    button(at, "Undo").click().run()
    assert scenario_of(at) == start and at.query_params.get("rho") is None
    button(at, "Redo").click().run()
    button(at, "Redo").click().run()
    assert scenario_of(at) == changed
    button(at, "Reset").click().run()
    assert scenario_of(clean(at)) == start


def test_the_next_and_previous_declined_applicant(open_app):
    at = clean(open_app())
    first = scenario_of(at).applicant
    assert button(at, "Previous").disabled
    button(at, "Next").click().run()
    second = scenario_of(at).applicant
    assert second > first and "declined today" in at.header[0].value
    button(at, "Previous").click().run()
    assert scenario_of(at).applicant == first
    button(at, "Random").click().run()
    assert scenario_of(clean(at)).applicant != first
    assert "declined today" in at.header[0].value


def test_an_accepted_applicant_is_told_so(open_app):
    at = clean(open_app(applicant="0"))
    assert at.header[0].value.startswith("Applicant 0 · accepted today")
    assert "Nothing has to change today" in at.info[0].value


def test_no_plan_offers_ways_out_that_work(open_app):
    at = clean(open_app(dataset="student", rho="1"))
    assert plan_title(at) == "There is no plan under these conditions."
    lower = next(b for b in at.button if b.label.startswith("Lower ρ to"))
    lower.click().run()
    shows_the_plan_of(clean(at), scenario_of(at))
    button(at, "Undo").click().run()
    # A fact of the past is never advice.
    assert not [b for b in at.button if b.label.startswith("Free First grade")]


def test_no_plan_offers_to_free_what_the_visitor_locked(open_app):
    at = clean(open_app(may="Duration:no;Credit amount:no;Status:no"))
    assert plan_title(at) == "There is no plan under these conditions."
    next(b for b in at.button if b.label.startswith("Free Duration")).click().run()
    edits = {edit.feature: edit.move for edit in scenario_of(clean(at)).edits}
    assert edits["Duration"] == "both"
    shows_the_plan_of(at, scenario_of(at))


def test_every_tab_also_opens_without_a_plan(open_app):
    for tab in TABS:
        clean(open_app(dataset="student", rho="1", tab=tab))


def test_an_impossible_range_is_told_and_can_be_taken_back(open_app):
    at = open_app(may="Duration:up::10")
    assert not at.exception and "may only go up" in at.error[0].value
    button(at, "Back to the preset").click().run()
    assert scenario_of(clean(at)).edits == ()


def test_a_bad_link_tells_what_it_ignored(open_app):
    at = clean(open_app(rho="much", colour="red", add="0.2"))
    assert scenario_of(at).delta_add == 0.2
    assert "a number is needed" in at.warning[0].value
    assert "there is no such setting" in at.warning[0].value
    widget(at, "set delta_add").set_value(0.4).run()
    assert not any("The link" in warning.value for warning in at.warning)


def test_text_from_a_link_is_not_read_as_markup(open_app):
    at = clean(open_app(rho="[x](http://evil)"))
    assert plain("[x](http://evil)") in at.warning[0].value


def test_the_proof_shows_the_certificate_and_tightens(open_app):
    at = clean(open_app(dataset="german", tab="Why it holds", k="3"))
    plan = solve_scenario(scenario_of(at)).plan
    certificate, checks = at.table[0].value, at.table[1].value
    assert certificate.loc["Value"].item() == f"{plan.worst_case_probability:.6f}"
    assert certificate.loc["Lower bound (proven)"].item() == f"{plan.lower_bound:.6f}"
    assert (checks["Holds"] == "✓ yes").all()
    assert CHECKS["budget"] in checks.index and "Today's model accepts it" in checks.index
    button(at, "Tighten the proof").click().run()
    assert scenario_of(clean(at)).gap == pytest.approx(1e-4)


@pytest.mark.slow
def test_the_neural_network_is_judged_by_itself(open_app, network):
    at = clean(open_app(dataset="synthetic", v="2"))
    start = scenario_of(at)
    widget(at, "set model").set_value("mlp").run()
    assert "linear approximation of the network" in said(clean(at))
    assert widget(at, "set components").disabled
    shows_the_plan_of(at, scenario_of(at))
    widget(at, "set model").set_value("logistic").run()
    assert scenario_of(clean(at)) == start
