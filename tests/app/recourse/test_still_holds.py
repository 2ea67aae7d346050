"""Does it still hold? On the workbench: newer people, a newer model, an exported file."""

import json

import numpy as np
import pytest
from screen import button, page_file, plan_title, said

from dirrac_core.case.case import bundle_of, solve_scenario
from dirrac_core.case.documents.file import scenario_file
from dirrac_core.case.scenario import Scenario
from dirrac_core.case.settings import Settings
from dirrac_core.data import load_dataset, table_dataset
from dirrac_core.data.upload.sample_table import sample_table
from dirrac_core.data.upload.visitor_tables import open_only, register_table
from pages.recourse.export.judging_again import PEOPLE, Asked, holding
from pages.runs.processes import run_apart

pytestmark = pytest.mark.usefixtures("at_once")


def people(turned=False):
    sample = load_dataset("synthetic").present
    y = 1 - sample.y if turned else sample.y
    return sample.people.assign(good=np.where(y == 1, "yes", "no")).to_csv(index=False).encode()


def given(at, key, content, name="newer.csv"):
    at.file_uploader(key=f"still holds: {key}").set_value((name, content, "text/csv"))
    return at.run()


def judged(at, good="yes"):
    next(s for s in at.selectbox if s.label == "Good outcome").set_value(good)
    at.run()
    return button(at, "Check the plan").click().run()


@pytest.fixture
def at(open_app):
    return open_app(dataset="synthetic", tab="Export")


def test_newer_people_keep_or_break_the_plan_on_screen(at):
    judged(given(at, "newer people", people()))
    assert not at.exception and not at.error
    text = said(at)
    assert "The plan still holds" in text and "the same settings promise of this plan" in text
    judged(given(at, "newer people", people(turned=True)))
    assert "The plan no longer holds" in said(at)


def test_an_exported_plan_is_the_one_that_is_checked(at):
    plan = json.loads(scenario_file(solve_scenario(at.session_state["scenario"])))
    plan["answer"]["worst_case_probability"] = 0.0
    given(at, "plan", json.dumps(plan).encode(), "scenario.json")
    judged(given(at, "newer people", people(turned=True)))
    assert "at most 0 of 100 were to decline" in said(at)


def test_a_newer_model_judges(at):
    scenario = at.session_state["scenario"]
    at.button_group(key="still holds: by").set_value("a newer model").run()
    model = b'{"intercept": -100, "coefficients": {"x1": 1, "x2": 1}}'
    given(at, "a newer model", model, "model.json")
    button(at, "Check the plan").click().run()
    assert not at.exception and "the newer model declines it" in said(at)
    assert at.session_state["scenario"] == scenario


@pytest.mark.parametrize(
    ("key", "content", "words"),
    [
        ("plan", b"no json", "JSON"),
        ("plan", b"\xff\xfe\x00", "UTF-8"),
        ("plan", b'{"dataset": "moon", "applicant": 1}', "moon"),
        ("newer people", b"a,b\n1,2\n", "at least 20 rows, got 1"),
        ("newer people", b"\x00\x01", "table"),
    ],
)
def test_files_that_cannot_be_used_are_a_sentence(at, key, content, words):
    before = plan_title(at)
    given(at, key, content, "scenario.json" if key == "plan" else "newer.csv")
    assert not at.exception and any(words in e.value for e in at.error), [e.value for e in at.error]
    assert plan_title(at) == before


def test_the_check_runs_in_another_process_also_for_an_own_table():
    """Where Stop ends it; a visitor's table is not known there unless it is sent along."""
    content = sample_table("present").encode()
    made, report = table_dataset(content, label="result", favourable="passed")
    name = register_table(made)
    scenario = Scenario(name, int(bundle_of(Settings(name)).declined[0]), radii=0.0)
    asked = Asked(scenario_file(solve_scenario(scenario)), PEOPLE, content)
    told = []
    found = run_apart(
        holding,
        (asked, load_dataset(name), report.table),
        lambda *words: told.append(words),
        lambda: False,
    )
    assert "holds" in found.sentence and found.observed is not None
    assert told == [(0.0, "Training the newer models")]


def test_people_without_a_column_are_refused_by_its_name(at):
    lines = [line.split(",", 1)[1] for line in people().decode().splitlines()]
    judged(given(at, "newer people", "\n".join(lines).encode()))
    first = load_dataset("synthetic").schema.features[0].name
    assert any(f"{first}" in e.value and "is needed" in e.value for e in at.error)


def test_a_newer_file_of_an_own_table_is_read_like_the_old_one(open_app):
    at = open_app("your_data")
    content = sample_table("present").encode()
    at.file_uploader(key="upload present").set_value(("mine.csv", content, "text/csv"))
    at.run()
    next(m for m in at.multiselect if m.label == "Good outcome").set_value(["passed"]).run()
    button(at, "Train and open").click().run()
    scenario = at.session_state["scenario"]
    open_only({scenario.dataset})
    assert bundle_of(scenario).declined.size
    at.query_params["tab"] = "Export"
    at.switch_page(page_file("recourse")).run()
    given(at, "newer people", content)
    button(at, "Check the plan").click().run()
    assert not at.exception and not at.error, [e.value for e in at.error]
    assert "The plan still holds" in said(at)
