"""The sidebar: settings alone, ρ up to the applicant's ceiling, K, networks, and the finder."""

from dataclasses import replace

import pytest
from screen import WHOLE_APP, button, page_file, ready, said
from streamlit.testing.v1 import AppTest

from dirrac_core import load_dataset
from dirrac_core.case.case import make_case
from dirrac_core.case.recommended import RADIUS, recommended
from dirrac_core.studies.people.declined import declined_people
from pages.shared import computing, notices
from pages.shared.defaults import NETWORK_RADIUS, first_declined, paper_settings
from pages.sidebar import controls
from pages.sidebar.filters import read_filters, write_filters
from pages.sidebar.parts import ADVANCED, EVIDENCE, OPEN, SHARE
from pages.sidebar.radii import ceiling_words, track

PAGE = "frontier"
# As it is outside of tests, which let every error through.
LAST_RESORT = notices.show_last_resort


def scenario_of(at):
    return at.session_state["scenario"]


def captions(at):
    written = [words.value for words in at.sidebar.caption]
    return "\n".join([*written, *(each.proto.body for each in at.sidebar.get("html"))])


def test_the_track_ends_one_step_above_the_ceiling_and_holds_what_is_set():
    assert track(2.31, 0.1, 10.0) == (2.35, 0.05)
    assert track(2.31, 2.3, 10.0) == (2.35, 0.05)
    assert track(2.31, 4.0, 10.0) == (4.0, 0.05)
    assert track(0.124, 0.1, 2.0) == (0.13, 0.01)
    assert track(12.0, 0.1, 10.0) == (10.0, 0.05)
    assert track(0.0, 0.1, 10.0)[0] > 0.1 and track(float("nan"), 0.1, 2.0)[0] > 0.1
    assert ceiling_words(2.319, 0.1, 2.35) == "ceiling 2.31 ▴"
    assert ceiling_words(2.319, 2.32, 2.35).startswith("beyond the ceiling")
    assert ceiling_words(0.0, 0.1, 1.0) == "no plan at any ρ"
    assert ceiling_words(12.0, 0.1, 10.0) == "a plan at every ρ up to 10"


def test_rho_runs_to_the_ceiling_of_this_applicant(open_app):
    at = ready(open_app(PAGE, v="2"))
    start = first_declined("german")
    ceiling = make_case(start).problem.unbounded.largest_radius()
    slider = at.slider(key="set radii")
    assert slider.max - slider.step <= ceiling < slider.max
    assert "ceiling" in captions(at)
    slider.set_value(0.4).run()
    assert scenario_of(ready(at)) == replace(start, radii=0.4)
    assert at.slider(key="set radii").max == slider.max
    button(at, "Next").click().run()
    moved = at.slider(key="set radii")
    assert moved.value == 0.4 and moved.max != slider.max
    beyond = ready(open_app(PAGE, v="2", rho="5"))
    assert beyond.slider(key="set radii").value == 5.0
    assert "beyond the ceiling" in captions(beyond)


def test_another_unit_has_another_ceiling(open_app):
    at = ready(open_app(PAGE, v="2"))
    before = at.slider(key="set radii").max
    at.slider(key="set radii").set_value(2.0).run()
    at.button_group(key="set radius_unit").set_value("weights").run()
    slider = at.slider(key="set radii")
    assert slider.max != before and slider.value == 0.1


def test_k_is_offered_among_stories_and_leaves_them(open_app):
    at = ready(open_app(PAGE, v="2"))
    start = scenario_of(at)
    assert at.selectbox(key="set components").options[0] == "7, one per future"
    at.selectbox(key="set components").set_value(3).run()
    assert scenario_of(ready(at)) == replace(start, futures="sampling", components=3)
    at.selectbox(key="set components").set_value("bic").run()
    assert scenario_of(ready(at)).components == "bic"
    assert "information criterion" in at.selectbox(key="set components").help
    at.selectbox(key="set components").set_value(3).run()
    at.selectbox(key="set futures").set_value(start.futures).run()
    assert scenario_of(ready(at)) == start


def test_a_radius_for_each_story_has_its_name_and_colour(open_app):
    at = ready(open_app(PAGE, dataset="sba", v="2"))
    at.toggle(key="rho each").set_value(True).run()
    assert scenario_of(at).radii == (RADIUS,) * 5
    at.number_input(key="set radius 2").set_value(0.5).run()
    assert scenario_of(ready(at)).radii == (RADIUS, RADIUS, 0.5, RADIUS, RADIUS)
    names = [words.value for words in at.sidebar.markdown]
    assert any("2003 → 2004" in words and "color:#B87F00" in words for words in names)
    at.selectbox(key="set futures").set_value("stress").run()
    assert scenario_of(ready(at)).radii == 0.5


@pytest.mark.slow
def test_a_network_starts_with_its_own_settings_and_may_take_the_papers_way(open_app, network):
    at = ready(open_app(PAGE, dataset="synthetic", v="2"))
    start = scenario_of(at)
    at.selectbox(key="set model").set_value("mlp").run()
    given = recommended("synthetic", "mlp")
    assert scenario_of(ready(at)).settings == given
    assert at.selectbox(key="set futures").options == ["luck only", "as in the paper"]
    at.selectbox(key="set futures").set_value("paper").run()
    assert scenario_of(ready(at)).settings == replace(given, **paper_settings("mlp"))
    at.selectbox(key="set model").set_value("logistic").run()
    assert scenario_of(ready(at)) == start


def test_a_network_in_an_old_link_has_a_radius_in_its_own_scale(open_app, network):
    at = ready(open_app(PAGE, dataset="synthetic", model="mlp"))
    assert scenario_of(at).radii == NETWORK_RADIUS == 0.01
    assert scenario_of(at).futures == "paper"
    at = ready(open_app(PAGE, dataset="synthetic", model="mlp", rho="0.1"))
    assert scenario_of(at).radii == 0.1


@pytest.mark.parametrize("page", ["recourse", "geometry", "frontier", "future_models", "methods"])
def test_the_applicant_before_and_after_on_every_page(open_app, page):
    at = ready(open_app(page, v="2", dataset="synthetic"))
    first = scenario_of(at).applicant
    steps = ["Previous", "Next", "Random", "Find"]
    assert [each.label for each in at.main.button if each.label in steps] == steps
    assert button(at, "Previous").disabled
    button(at, "Next").click().run()
    assert scenario_of(ready(at)).applicant > first
    button(at, "Previous").click().run()
    assert scenario_of(ready(at)).applicant == first


def test_filters_survive_and_are_in_the_address(open_app):
    at = ready(open_app(PAGE, v="2", only="Duration:40~60;Height:1~2"))
    assert ": A feature must be one of 'Status', 'Duration'" in at.warning[0].value
    assert at.query_params["only"] == "Duration:40~60"
    ready(button(at, "Find").click().run())
    people = load_dataset("german").present.people
    shown = at.dataframe[0].value
    assert people.loc[shown.index, "Duration"].between(40, 60).all() and 0 < len(shown) < 183
    assert f"Duration (months) · {len(shown)} of 183" in [each.label for each in at.slider]
    assert {"Missing of 100", "Plan"} <= set(shown.columns)
    # Closed and opened again, on another run of the page, they are still there.
    at.slider(key="set delta_add").set_value(0.3).run()
    ready(button(at, "Find").click().run())
    assert list(at.dataframe[0].value.index) == list(shown.index)
    at.multiselect(key="find by german").set_value([]).run()
    assert "only" not in at.query_params


def test_nobody_left_is_explained(open_app):
    nobody = "Duration:4~5;Age:74~75"
    at = ready(open_app(PAGE, v="2", only=nobody))
    ready(button(at, "Find").click().run())
    words = "\n".join(info.value for info in at.info)
    assert "No declined applicant passes all filters together" in words
    assert "**Age** keeps" in words and not at.dataframe
    button(at, "Remove all filters").click().run()
    assert "only" not in at.query_params


@pytest.mark.parametrize(
    "text", ["Duration:5", "Duration:50~5", "Status:nowhere", "Status", "Duration:a~b"]
)
def test_a_filter_that_makes_no_sense_is_a_sentence(text):
    filters, refused = read_filters(load_dataset("german"), text)
    assert filters == {} and refused[0].startswith(f"only = {text}: ")


def test_filters_are_read_back_as_they_were_written():
    filters = {"Status": ("< 0 DM", "no account"), "Duration": (4.0, 12.5)}
    assert read_filters(load_dataset("german"), write_filters(filters)) == (filters, [])


def test_how_far_declined_people_are_and_who_has_a_plan():
    case = make_case(first_declined("german"))
    rows = case.bundle.declined[:4]
    found = declined_people(case, rows)
    assert list(found.index) == list(rows) and (found["missing"] > 0.0).all()
    assert found["probability"].to_numpy() + found["missing"].to_numpy() == pytest.approx(0.5)
    assert found["plan"].all()
    doubtful = make_case(replace(first_declined("german"), radii=3.0))
    ceilings = [
        make_case(replace(case.scenario, applicant=int(row))).problem.unbounded.largest_radius()
        for row in rows
    ]
    assert list(declined_people(doubtful, rows)["plan"]) == [top >= 3.0 for top in ceilings]


def test_settings_made_once_are_drawn_while_their_group_is_open(open_app):
    at = ready(open_app(PAGE))
    ready(at.button_group(key=OPEN).set_value([]).run())
    assert not at.sidebar.number_input and not at.sidebar.code
    ready(at.button_group(key=OPEN).set_value([ADVANCED]).run())
    assert [each.label for each in at.sidebar.number_input] == ["Cut-off", "Seed"]
    ready(at.button_group(key=OPEN).set_value([SHARE]).run())
    assert "dataset=" in at.sidebar.code[0].value and not at.sidebar.number_input


@pytest.mark.parametrize(("choosing", "open_first"), [(False, []), (True, [EVIDENCE])])
def test_a_choice_of_rho_under_way_is_open(monkeypatch, choosing, open_first):
    monkeypatch.setattr(controls, "is_choosing", lambda: choosing)
    at = AppTest.from_file(str(WHOLE_APP), default_timeout=180).run()
    ready(at.switch_page(page_file(PAGE)).run())
    assert at.button_group(key=OPEN).value == open_first


def test_the_sidebar_holds_no_link_to_a_page_but_the_futures(open_app):
    at = ready(open_app(PAGE, v="2"))
    assert "what lasting acceptance costs" in said(at)
    assert [each.proto.label for each in at.sidebar.get("page_link")] == ["See them"]


def test_the_settings_come_first_on_a_new_page_and_last_while_they_are_in_sight(
    open_app, monkeypatch
):
    drawn = []
    part, case = controls.draw_part, computing.case
    monkeypatch.setattr(controls, "draw_part", lambda of: (drawn.append("settings"), part(of)))

    def noted(scenario):
        drawn.append("case")
        return case(scenario)

    # The plan of the workbench is drawn from the case, and all of Portfolio.
    monkeypatch.setattr(computing, "case", noted)
    at = open_app("recourse", dataset="german")
    assert drawn.index("settings") < len(drawn) - 1 - drawn[::-1].index("case")
    del drawn[:]
    at.slider(key="set delta_add").set_value(0.6).run()
    assert drawn[0] == "case" and "settings" in drawn
    del drawn[:]
    at.switch_page(page_file("portfolio")).run()
    assert drawn[0] == "settings" and "case" in drawn


def test_a_page_that_fails_leaves_its_settings_in_sight(open_app, monkeypatch):
    at = open_app("recourse", dataset="german")

    def fails(*given):
        raise RuntimeError

    monkeypatch.setattr(notices, "show_last_resort", LAST_RESORT)
    monkeypatch.setattr(notices, "report_link", fails)
    at.slider(key="set delta_add").set_value(0.65).run()
    assert notices.UNEXPECTED in said(at)
    assert at.slider(key="set delta_add").value == 0.65
