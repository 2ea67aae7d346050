"""Future models: the cloud, the components, and the composer that feeds every page."""

import re

import pytest
from screen import button, charts, plan_title, said

from dirrac_core import DATASETS, load_dataset
from dirrac_core.case.case import bundle_of
from dirrac_core.case.distance import distance_split
from dirrac_core.case.scenario import Scenario
from dirrac_core.models.futures.compose import available_stories
from dirrac_core.models.futures.history import History
from dirrac_core.models.futures.shift import STORIES, Shift
from dirrac_core.models.futures.stress import stress_set
from dirrac_core.models.futures.usual_shifts import swapped, usual_shift
from pages.shared.address.links import from_query, to_query
from pages.shared.plain_text import plain

LESSON = "sampling-noise;coding-correction:1.0"
COMPONENTS = "Components"


@pytest.fixture
def open_page(open_app):
    return lambda **query: open_app("future_models", **query)


def scenario_of(at):
    return at.session_state["scenario"]


def fine(at):
    return not at.exception and not at.error and not at.warning


def declare(at, story):
    at.selectbox(key=f"story {scenario_of(at).dataset}").set_value(story)
    return button(at, "Prepare for this shift").click().run()


@pytest.mark.parametrize("dataset", DATASETS)
def test_every_dataset_shows_its_models_components_and_elbow(open_page, dataset):
    at = open_page(dataset=dataset, futures_show=COMPONENTS)
    assert fine(at)
    assert "at the chosen K" in charts(at)[0].alt
    table = at.table[0].value
    assert set(table["ρ"]) == {"0.1"}
    at = open_page(dataset=dataset)
    assert fine(at)
    (cloud,) = charts(at)
    assert "100 models after the shift" in cloud.alt
    assert re.search(f"in {len(table)} components", cloud.alt)
    assert "None of the 100 models trained after the shift" in said(at)
    assert "The ball need not contain them" in said(at)
    split = distance_split(bundle_of(scenario_of(at)), "weights")
    assert f"**Training size: {split.training_size:.2f}.**" in said(at)
    assert f"**Shift: {split.shift:.2f}**" in said(at)
    assert "No shift is declared" in said(at)
    (add,) = (each for each in at.selectbox if each.label == "A shift that may come")
    for story in available_stories(load_dataset(dataset)):
        assert STORIES[story].explanation in add.help


@pytest.mark.parametrize("dataset", DATASETS)
def test_every_story_can_be_declared_and_travels_in_the_link(open_page, dataset):
    at = open_page(dataset=dataset)
    data = load_dataset(dataset)
    stories = [story for story in available_stories(data) if story != "sampling-noise"]
    for story in stories:
        at = declare(at, story)
        assert fine(at)
    shifts = scenario_of(at).shifts
    # Luck is declared along with the first.
    assert shifts == tuple(usual_shift(data, s) for s in ("sampling-noise", *stories))
    assert [f"{k + 1} · {STORIES[s.story].title}" for k, s in enumerate(shifts)] == [
        re.match(r"#### (.*) <span", m.value)[1] for m in at.markdown if "#### " in m.value
    ]
    assert "Without any story they would be" in said(at)
    again = open_page(**to_query(scenario_of(at)), futures_show=COMPONENTS)
    assert fine(again)
    assert len(again.table[0].value) == len(shifts)
    assert scenario_of(again) == scenario_of(at)


def test_weight_and_radius_reach_the_component_table(open_page):
    at = open_page(shifts=LESSON, futures_show=COMPONENTS)
    at.number_input(key="shift 1 weight").set_value(3.0)
    at.run()
    at.number_input(key="shift 1 radius").set_value(0.25)
    at.run()
    table = at.table[0].value
    assert list(table["p̂"]) == ["25%", "75%"]
    assert list(table["ρ"]) == ["0.1", "0.25"]
    assert list(table["Models"]) == ["100 of 200"] * 2
    assert "75%, ρ = 0.25" in "\n".join(m.value for m in at.sidebar.caption)
    link = to_query(scenario_of(at))
    assert link["shifts"] == "sampling-noise;coding-correction:1.0:3.0:0.25"


def test_strength_changes_the_story_and_the_models(open_page):
    at = open_page(dataset="student", shifts="sampling-noise;prior-shift:0.5")
    before = charts(at)[0].text
    at.slider(key="shift 1 strength").set_value(-0.5)
    at.run()
    assert fine(at)
    assert scenario_of(at).shifts[1].strength == -0.5
    assert charts(at)[0].text != before
    at.slider(key="shift 1 strength").set_value(0.0)
    at.run()
    assert "Prior shift at strength 0: nothing changes but luck." in said(at)


def test_shifts_are_removed_one_by_one_or_all_at_once(open_page):
    at = open_page(shifts=LESSON, futures_show=COMPONENTS)
    at.button(key="remove shift 0").click().run()
    assert [shift.story for shift in scenario_of(at).shifts] == ["coding-correction"]
    assert "it is the average model itself" in at.table[0].value.iloc[0, -1]
    button(at, "Drop the shifts").click().run()
    assert scenario_of(at).shifts == ()
    assert "No shift is declared" in said(at)
    button(at, "Undo").click().run()
    assert len(scenario_of(at).shifts) == 1


def test_what_drifts_and_where_to(open_page):
    at = declare(open_page(dataset="german"), "population-drift")
    at.selectbox(key="shift 1 drifting feature").set_value("Duration").run()
    at.number_input(key="shift 1 value Duration").set_value(30.0).run()
    assert fine(at)
    shift = scenario_of(at).shifts[1]
    assert (shift.feature, shift.value) == ("Duration", 30.0)
    assert "the average Duration moves from" in said(at)
    at.selectbox(key="shift 1 drifting feature").set_value("Status").run()
    at.selectbox(key="shift 1 value Status").set_value("no account").run()
    assert "people with Status “no account” grow from" in said(at)


def test_a_value_nobody_exceeds_is_refused_and_not_applied(open_page):
    at = open_page(shifts="population-drift:0.5:::Duration:30.0")
    at.number_input(key="shift 0 value Duration").set_value(72.0).run()
    assert "must drift to a number inside" in at.error[0].value
    assert "not applied" in at.error[0].value
    assert scenario_of(at).shifts[0].value == 30.0
    assert at.number_input(key="shift 0 value Duration").value == 30.0


def test_codes_are_put_right_by_the_known_correction_or_an_exchange(open_page):
    at = open_page(shifts=LESSON)
    codes = at.selectbox(key="shift 1 codes")
    assert codes.value == "Status, the known correction"
    codes.set_value("Status, two categories exchanged").run()
    at.selectbox(key="shift 1 exchanged 0 Status").set_value("≥ 200 DM").run()
    assert fine(at)
    shift = scenario_of(at).shifts[1]
    assert shift.correction == swapped("≥ 200 DM", "no account")
    assert "“≥ 200 DM” was “no account”" in said(at)
    at.selectbox(key="shift 1 codes").set_value("Status, the known correction").run()
    assert scenario_of(at).shifts[1].correction == ()


def test_a_group_takes_over_and_a_past_change_is_chosen(open_page):
    at = declare(declare(open_page(dataset="sba"), "site"), "history")
    group = at.selectbox(key="shift 1 drifting feature")
    assert group.options == ["Location", "New business", "Real estate", "Recession"]
    group.set_value("New business").run()
    at.selectbox(key="shift 1 value New business").set_value("yes").run()
    at.selectbox(key="shift 2 past change").set_value("2003 → 2004").run()
    assert fine(at)
    site, history = scenario_of(at).shifts[1:]
    assert (site.feature, site.value, history.value) == ("New business", "yes", "2003 → 2004")
    assert "The change of 2003 → 2004 happens again." in said(at)


def accepted(at):
    """How many shifted models accept each plan shown, in order."""
    found = re.findall(r"Observed:\*\* of 100 shifted models, (\d+) decline", said(at))
    return [100 - int(n) for n in found]


@pytest.mark.parametrize("dataset", ["german", "student"])
def test_one_click_shows_the_german_lesson(open_page, dataset):
    at = open_page(dataset=dataset, futures_show="The German lesson")
    button(at, "Show it on German credit").click().run()
    assert fine(at)
    assert scenario_of(at).dataset == "german"
    blind, declared = accepted(at)
    assert blind < 60
    assert declared > 95
    assert "You are looking at it" in said(at)


def test_the_declared_shifts_decide_the_plan_of_the_other_pages(open_app):
    with_shifts, without = (
        open_app("recourse", add="2", k="1", **query) for query in ({"shifts": LESSON}, {})
    )
    assert not with_shifts.error and not without.error
    assert plan_title(with_shifts) != plan_title(without)
    assert "no account" in plan_title(without)
    assert "no account" not in plan_title(with_shifts)


def test_a_network_has_no_cloud_but_a_way_to_one(open_page):
    at = open_page(model="mlp", dataset="synthetic")
    assert "no short list of weights" in at.info[0].value
    assert not charts(at)
    button(at, "Use the logistic regression").click().run()
    assert len(charts(at)) == 1


def test_choosing_a_network_drops_the_shifts(open_page, network):
    at = open_page(dataset="synthetic", shifts="sampling-noise;prior-shift:0.5")
    at.selectbox(key="set model").set_value("mlp").run()
    assert not at.exception and scenario_of(at).shifts == ()


def test_another_dataset_starts_without_shifts(open_page):
    at = open_page(shifts=LESSON)
    at.selectbox(key="set dataset").set_value("student").run()
    assert fine(at) and scenario_of(at).shifts == ()


def test_the_cloud_is_seen_by_any_two_weights_or_principal_components(open_page):
    at = open_page()
    at.selectbox(key="weight_across").set_value("Age").run()
    at.selectbox(key="weight_up").set_value("general level (bias)").run()
    alt = charts(at)[0].alt
    assert "weight of Age and weight of general level (bias)" in alt
    assert "Age" not in at.selectbox(key="weight_up").options
    at.button_group(key="seen").set_value("principal components").run()
    assert "1st principal component" in charts(at)[0].alt


def test_the_elbow_marks_the_k_in_use_and_says_why(open_page):
    at = open_page(k="2", futures_show=COMPONENTS)
    assert "the chosen K = 2" in charts(at)[0].alt
    assert "K = 2 was chosen." in said(at)
    assert len(at.table[0].value) == 2


def test_a_link_says_which_shifts_it_could_not_use(open_page):
    at = open_page(dataset="synthetic", shifts="prior-shift:0.5;coding-correction:1;weather")
    assert [shift.story for shift in scenario_of(at).shifts] == ["prior-shift"]
    told = at.warning[0].value
    assert "A shift of Synthetic must be one of" in told and "weather" in told


FULL = (
    Shift("sampling-noise", weight=0.3),
    Shift("prior-shift", -0.25, radius=0.0),
    Shift("population-drift", 0.4, feature="Credit amount", value=5000.5),
    Shift("population-drift", 0.4, feature="Personal status", value="male, single"),
    Shift("coding-correction", 1.0),
    Shift(
        "coding-correction",
        0.5,
        feature="Status",
        correction=(("< 0 DM", "≥ 200 DM"), ("≥ 200 DM", "0–200 DM"), ("0–200 DM", "< 0 DM")),
    ),
)


def test_shifts_survive_the_link():
    scenario = Scenario("german", 5, shifts=FULL)
    again, ignored = from_query(to_query(scenario), Scenario("student", 0))
    assert ignored == []
    assert again == scenario


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ("prior-shift:lots", "this is not “story:strength:weight:ρ:feature:value"),
        ("prior-shift:0.5:1:1:1:1:1:1", "this is not"),
        ("coding-correction:1:::Status::a", "this is not"),
        ("prior-shift:9", "must be between -1 and 1, got 9"),
        ("prior-shift:0.5:11", "the weight goes from 0.1 to 10"),
        ("prior-shift:0.5:0.05", "the weight goes from 0.1 to 10"),
        ("prior-shift:0.5::3", "the radius goes from 0 to 2"),
        ("population-drift:0.5:::Wealth:3", "A feature must be one of"),
        ("population-drift:0.5:::Age:old", "this is not"),
        ("population-drift:0.5", "needs a feature and a value"),
        ("coding-correction:1:::Status::a>b", "must permute its categories"),
    ],
)
def test_a_bad_shift_in_a_link_is_told_and_the_rest_kept(part, words):
    query = {"dataset": "german", "applicant": "1", "shifts": f"sampling-noise;{part}"}
    scenario, ignored = from_query(query, Scenario("german", 0))
    assert scenario.shifts == (Shift("sampling-noise"),)
    assert len(ignored) == 1 and words in ignored[0]


def test_shifts_for_a_network_in_a_link_are_told():
    query = {"dataset": "german", "applicant": "1", "model": "mlp", "shifts": "sampling-noise"}
    scenario, ignored = from_query(query, Scenario("german", 0))
    assert scenario.shifts == () and "re-train the logistic model" in ignored[0]


def test_past_changes_have_their_sentences_and_controls(open_page):
    at = open_page(dataset="sba", v="2")
    assert fine(at)
    assert "The change of 2003 → 2004 happens again." in said(at)
    at.number_input(key="set history_windows").set_value(3).run()
    at.selectbox(key="set history_base").set_value("recent").run()
    at.selectbox(key="set history_weighting").set_value("recency").run()
    at.number_input(key="set history_strength").set_value(2.0).run()
    assert fine(at)
    scenario = scenario_of(at)
    assert scenario.history == History(3, "recent", "recency", 2.0)
    assert "twice as hard" in said(at)
    again = open_page(**to_query(scenario))
    assert fine(again) and scenario_of(again) == scenario


def test_the_stress_set_has_its_reasons_and_declared_shifts_come_on_top(open_page):
    at = open_page(dataset="german", v="2", futures_show=COMPONENTS)
    assert fine(at)
    stresses = stress_set(load_dataset("german"))
    explained = "\n".join(each.proto.help for each in at.markdown)
    for stress in stresses:
        assert plain(stress.reason) in explained
    at = declare(at, "prior-shift")
    assert fine(at)
    assert [shift.story for shift in scenario_of(at).shifts] == ["prior-shift"]
    assert len(at.table[0].value) == len(stresses) + 1
    at.button(key="remove shift 0").click().run()
    assert fine(at) and len(at.table[0].value) == len(stresses)


def test_no_sentence_blames_the_shift_for_the_training_size(open_page):
    """The paper's way: on Student nearly all of the distance is training size."""
    split = distance_split(bundle_of(Scenario("student", 0)), "weights")
    assert split.training_size > 0.8 * split.total
    text = said(open_page(dataset="student", applicant="0"))
    assert "nothing has shifted there" in text and "the real shift went beyond" not in text
