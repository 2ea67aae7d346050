"""The workbench: a plan for every dataset, and every control with its effect."""

import json
from dataclasses import replace

import pytest

from dirrac_core import DATASETS, load_dataset
from dirrac_core.actionability import FeatureRule
from dirrac_core.appraisal import facts_of
from dirrac_core.figures.wording import out_of
from dirrac_core.scenario import Scenario, solve_scenario
from pages.shared import wording
from pages.shared.controls import NETWORK_RADIUS
from pages.shared.plain_text import plain
from pages.shared.recourse_proof import CHECKS

TABS = ("What may change", "What if", "Price", "Proof", "Compare", "Export")


def clean(at):
    assert not at.exception and not at.error
    return at


def scenario_of(at) -> Scenario:
    return at.session_state["scenario"]


def said(at) -> str:
    """Everything written on the page."""
    kinds = (at.header, at.subheader, at.markdown, at.caption, at.warning, at.info, at.error)
    return "\n".join(str(element.value) for kind in kinds for element in kind)


def shows_the_plan_of(at, scenario):
    """The page tells the sentence and the three facts the core computes for the scenario."""
    solution = solve_scenario(scenario)
    x = solution.real.plan.x
    facts = facts_of(solution.case, x)
    text = said(at)
    assert at.subheader[0].value == solution.case.dataset.schema.sentence(solution.case.x0, x)
    assert f"{wording.at_most(facts.guarantee).capitalize()} decline it" in text
    assert f"{wording.at_most(facts.if_gaussian).capitalize()} decline it" in text
    assert f"{facts.declined} of {len(facts.observed)} declined it" in text


@pytest.mark.parametrize("dataset", DATASETS)
def test_every_dataset_opens_with_a_plan(open_app, dataset):
    at = clean(open_app(dataset=dataset))
    assert "declined today" in at.header[0].value
    shows_the_plan_of(at, scenario_of(at))
    assert len(at.get("plotly_chart")) == 3
    table = at.table[0].value
    assert set(table.index) == {f.name for f in load_dataset(dataset).schema.features}


@pytest.mark.parametrize("dataset", DATASETS)
@pytest.mark.parametrize("tab", TABS)
def test_every_tab_opens_on_every_dataset(open_app, dataset, tab):
    clean(open_app(dataset=dataset, tab=tab))


@pytest.mark.parametrize(
    ("key", "value", "changed"),
    [
        ("set link", "gaussian", {"link": "gaussian"}),
        ("set components", 2, {"components": 2}),
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


def button(at, label):
    return next(b for b in at.button if b.label == label)


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
    widget(at, "set delta_add").set_value(0.5).run()
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
    assert at.header[0].value == "Applicant 0 · accepted today"
    assert "Nothing has to change today" in at.info[0].value


def test_no_plan_offers_ways_out_that_work(open_app):
    at = clean(open_app(dataset="student", rho="1"))
    assert at.subheader[0].value == "There is no plan under these conditions."
    lower = next(b for b in at.button if b.label.startswith("Lower ρ to"))
    lower.click().run()
    shows_the_plan_of(clean(at), scenario_of(at))
    button(at, "Undo").click().run()
    free = next(b for b in at.button if b.label.startswith("Free First grade"))
    free.click().run()
    assert scenario_of(clean(at)).edits == (FeatureRule("First grade", "both"),)
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


def test_observed_beyond_the_guarantee_is_explained(open_app):
    at = clean(open_app(dataset="sba"))
    assert any("More models declined it than the guarantee allows" in w.value for w in at.warning)
    at = clean(open_app(dataset="german"))
    assert not any("More models" in w.value for w in at.warning)


def test_the_proof_shows_the_certificate_and_tightens(open_app):
    at = clean(open_app(dataset="german", tab="Proof", k="3"))
    plan = solve_scenario(scenario_of(at)).real.plan
    certificate, checks = at.table[1].value, at.table[2].value
    assert certificate.loc["Value"].item() == f"{plan.worst_case_probability:.6f}"
    assert certificate.loc["Lower bound (proven)"].item() == f"{plan.lower_bound:.6f}"
    assert (checks["Holds"] == "✓ yes").all()
    assert CHECKS["budget"] in checks.index and "Today's model accepts it" in checks.index
    button(at, "Tighten the proof").click().run()
    assert scenario_of(clean(at)).gap == pytest.approx(1e-4)


def test_a_second_opinion_agrees(open_app):
    at = clean(open_app(dataset="synthetic", tab="Proof", k="1"))
    button(at, "Check this plan independently").click().run()
    assert clean(at).success[0].value.startswith("It agrees: the plan keeps every condition")


def test_what_if_judges_your_own_version(open_app):
    at = clean(open_app(tab="What if"))
    assert (at.table[1].value["Holds"] == "✓ yes").all()
    widget(at, "what if Duration").set_value(48).run()
    checks = clean(at).table[1].value["Holds"]
    assert checks[CHECKS["validity"]] == "✗ no"
    widget(at, "what if Age").set_value(60).run()
    assert at.table[1].value["Holds"][CHECKS["locked"]] == "✗ no"
    # Another setting keeps the visitor's own values; the plan can be taken up again.
    widget(at, "set radii").set_value(0.2).run()
    assert widget(at, "what if Age").value == 60
    button(at, "Start from the plan").click().run()
    assert (clean(at).table[1].value["Holds"] == "✓ yes").all()


def test_up_to_four_plans_are_pinned_and_compared(open_app):
    at = clean(open_app(tab="Compare"))
    for delta in (0.2, 0.4, 0.6, 0.8):
        widget(at, "set delta_add").set_value(delta).run()
        button(at, "Pin this plan").click().run()
    table = clean(at).table[1].value
    assert list(table.columns) == ["Plan A", "Plan B", "Plan C", "Plan D"]
    assert list(table.loc["Extra effort δ_add"]) == ["0.2", "0.4", "0.6", "0.8"]
    assert "Radius of doubt ρ" not in table.index
    widget(at, "set delta_add").set_value(1.0).run()
    assert button(at, "Pin this plan").disabled
    button(at, "Open plan B").click().run()
    assert scenario_of(at).delta_add == 0.4
    button(at, "Unpin A").click().run()
    assert list(clean(at).table[1].value.columns) == ["Plan A", "Plan B", "Plan C"]


def test_the_price_tab_frees_a_feature(open_app):
    at = clean(open_app(dataset="student", tab="Price"))
    assert "Robustness costs" in said(at)
    widget(at, "free First grade").click().run()
    assert scenario_of(clean(at)).edits == (FeatureRule("First grade", "both"),)


def test_the_component_bars_show_the_guarantee_of_the_plan(open_app):
    at = clean(open_app(k="2"))
    worst = json.loads(at.get("plotly_chart")[0].spec)["data"][2]
    solution = solve_scenario(scenario_of(at))
    facts = facts_of(solution.case, solution.real.plan.x)
    assert worst["name"] == "Worst case (guarantee)"
    assert out_of(facts.guarantee, at_most=True).startswith(worst["text"][-1])


def test_the_neural_network_is_judged_by_itself(open_app):
    at = clean(open_app(dataset="synthetic"))
    widget(at, "set model").set_value("mlp").run()
    assert "linear approximation of the network" in said(clean(at))
    assert widget(at, "set components").disabled
    assert scenario_of(at).radii == NETWORK_RADIUS
    shows_the_plan_of(at, scenario_of(at))
    assert "of 10 declined it" in said(at)
    widget(at, "set model").set_value("logistic").run()
    assert scenario_of(clean(at)) == Scenario("synthetic", 0)
