"""Nothing of a table's text is read as markup, on any page or in any figure."""

import csv
import datetime
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from markup import shown_as_markup
from own_tables import clean, scenario_of, trained
from screen import page_file

from dirrac_core import load_dataset
from dirrac_core.case.case import solve_scenario
from dirrac_core.case.documents.letter import letter
from dirrac_core.case.facts import facts_of
from dirrac_core.data.actionability import FeatureRule
from dirrac_core.models.futures.shift import Shift
from dirrac_core.models.futures.usual_shifts import drift_of
from pages.recourse.export.files import plan_csv
from pages.shared import navigation
from pages.shared.address.links import from_query, to_query

pytestmark = pytest.mark.usefixtures("at_once")
# Every piece is markup to somebody: Markdown, HTML, plotly, LaTeX, Streamlit, a spreadsheet.
NASTY = "=1+1 <b>x</b> **y** [z](http://e.e) $q$ :red[w] <img src=x onerror=alert(1)>"
ROWS = 120
TABS = ("How to read it", "Why it holds", "Price", "Shifts", "Compare", "Export")


def nasty(text):
    """The nasty text with an end of its own."""
    return f"{NASTY[: 78 - len(text)]} {text}"


def nasty_table():
    rng = np.random.default_rng(0)
    number, other = rng.normal(size=(2, ROWS)).round(2)
    group = rng.choice([nasty("A"), nasty("B"), "C"], ROWS)
    score = number + other + (group == "C") + rng.normal(size=ROWS)
    outcome = np.where(score > 0.3, nasty("good"), "bad")
    return pd.DataFrame(
        {
            nasty("one"): number,
            nasty("two"): other,
            nasty("job"): group,
            nasty("out"): outcome,
        }
    )


@pytest.fixture
def at(open_app):
    """The app on the workbench of the nasty table."""
    table = nasty_table().to_csv(index=False).encode()
    at = trained(open_app("your_data"), table, nasty("good"), name=f"{nasty('file')}.csv")
    assert not shown_as_markup(at)
    return at


def opened(at, page):
    return clean(at.switch_page(page_file(page)).run())


def press(at, label):
    return clean(next(b for b in at.button if b.label.startswith(label)).click().run())


@pytest.mark.slow
def test_every_page_shows_the_text_as_it_is(at):
    for page in navigation.NAMES[1:]:
        assert not shown_as_markup(opened(at, page)), page


def test_every_part_of_the_workbench_shows_the_text_as_it_is(at):
    press(opened(at, "recourse"), "Pin this plan")
    for tab in TABS:
        at.query_params["tab"] = tab
        at.session_state["tab"] = tab
        assert not shown_as_markup(clean(at.run())), tab
        assert at.button_group(key="tab").value == tab
    # No plan: the features to free are named on buttons.
    state = scenario_of(at)
    locked = tuple(FeatureRule(f.name, "no") for f in load_dataset(state.dataset).schema.features)
    at.session_state["scenario"] = replace(state, edits=locked)
    assert not shown_as_markup(clean(at.run()))
    assert any(b.label.startswith("Free ") for b in at.button)


def test_declared_shifts_show_the_text_as_it_is(at):
    opened(at, "future_models")
    for name in ("population-drift", "coding-correction"):
        next(s for s in at.selectbox if s.label == "A shift that may come").set_value(name)
        assert not shown_as_markup(press(at, "Prepare for this shift"))
    assert not shown_as_markup(opened(at, "recourse"))


def test_the_link_of_a_nasty_table_goes_there_and_back(at):
    opened(at, "recourse")
    scenario = scenario_of(at)
    dataset = load_dataset(scenario.dataset)
    number, _, job = (feature.name for feature in dataset.schema.features)
    drift = drift_of(dataset, Shift("population-drift", strength=0.5), job)
    edited = replace(scenario, edits=(FeatureRule(number, "up"),), shifts=(drift,))
    assert from_query(to_query(edited), scenario, [dataset.name]) == (edited, [])


def test_files_hold_the_text_as_data(at):
    scenario = scenario_of(opened(at, "recourse"))
    solution = solve_scenario(scenario)
    facts = facts_of(solution.case, solution.plan.x)
    page = letter(solution, facts, "http://localhost/", datetime.date(2026, 1, 1))
    assert "&lt;b&gt;x" in page and "<b>x" not in page and "<img" not in page
    for row in csv.reader(plan_csv(solution).splitlines()):
        assert not any(cell.startswith("=") for cell in row)
