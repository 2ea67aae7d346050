"""Your data: from an upload to every other page, and nothing of it in anybody else's session."""

import io
import json

import numpy as np
import pandas as pd
import pytest
from own_tables import clean, good_outcome, opened, scenario_of, trained, upload
from screen import button, part, plan_title, said

from dirrac_core import load_dataset
from dirrac_core.case.case import bundle_of, solve_scenario
from dirrac_core.data.upload import visitor_tables
from dirrac_core.data.upload.sample_table import sample_table
from dirrac_core.data.upload.visitor_tables import UPLOAD_LIMITS, is_table_name
from dirrac_core.models.bundle import prepare
from dirrac_core.models.futures.recipe import recipe_of
from dirrac_core.models.given.coefficients import coefficient_template
from pages.shared import navigation
from pages.shared.address.links import UPLOAD_AGAIN
from pages.your_data import editor as table_editor

pytestmark = pytest.mark.usefixtures("at_once")
SAMPLE = sample_table("present").encode()


def people():
    return pd.read_csv(io.BytesIO(SAMPLE))


def edited(monkeypatch, **cells):
    """What the editor of columns gives back after these edits: {column: {heading: value}}."""

    def editor(frame, **_):
        if "Column" not in frame:
            return frame
        frame = frame.copy()
        for column, values in cells.items():
            row = frame.index[frame["Column"] == column][0]
            for heading, value in values.items():
                frame.loc[row, heading] = value
        return frame

    monkeypatch.setattr(table_editor.st, "data_editor", editor)


def test_the_limits_are_stated_before_the_upload(open_app):
    at = clean(open_app("your_data"))
    text = said(at)
    for limit in (UPLOAD_LIMITS.rows, UPLOAD_LIMITS.columns, UPLOAD_LIMITS.encoded_columns):
        assert f"{limit:,}" in text
    assert "50 MB" in text and "Nothing leaves this machine" in text
    assert "Upload a table of today to go on" in text


def test_upload_to_recourse(open_app):
    at = trained(open_app("your_data"), SAMPLE, "passed")
    scenario = scenario_of(at)
    assert is_table_name(scenario.dataset)
    assert at.query_params["dataset"] == scenario.dataset
    text = said(at)
    assert "423 of 423 rows are the present people. 9 columns are used" in text
    assert "no shifted people: sampling noise, prior shift (strength 0.3), prior shift (str" in text
    clean(opened(at, "recourse"))
    solved = solve_scenario(scenario)
    assert plan_title(at) == solved.case.dataset.schema.sentence(solved.case.x0, solved.plan.x)
    assert "Simulated" in said(at) and "Observed" not in said(at)
    assert all("simulated" in card["effort"] for card in part(at, "plan cards")["cards"])
    clean(opened(at, "frontier"))
    assert [o.content for o in at.get("button_group")[1].proto.options][0] == "simulated count"
    clean(opened(at, "future_models"))
    assert "**Simulated:** of 100 simulated models" in said(at) and "Observed" not in said(at)
    chooser = next(s for s in at.selectbox if s.label == "Dataset")
    assert chooser.options[-1] == "mine" and chooser.value == scenario.dataset


@pytest.mark.slow
def test_every_applicant_page_works_on_it(open_app):
    at = trained(open_app("your_data"), SAMPLE, "passed")
    for page in navigation.APPLICANT_PAGES:
        clean(opened(at, page))
        assert scenario_of(at).dataset.startswith("table-")


def test_a_shifted_table_is_observed_and_not_simulated(open_app):
    at = open_app("your_data")
    clean(upload(at, "shifted", sample_table("shifted").encode(), "later.csv"))
    trained(at, SAMPLE, "passed")
    dataset = load_dataset(scenario_of(at).dataset)
    assert len(dataset.shifted) == 226
    assert "people drawn from the shifted people" in said(at)
    clean(opened(at, "recourse"))
    assert "Observed" in said(at)


def test_the_columns_can_be_corrected(open_app, monkeypatch):
    edited(
        monkeypatch,
        **{
            "Age": {"May change": "no", "Unit": "y"},
            "Health": {"Use": False},
            "Study time": {"Read as": "ordered categories"},
            "Absences": {"Shown as": "Days away", "Highest": 50.0},
        },
    )
    at = trained(open_app("your_data"), SAMPLE, "passed")
    schema = load_dataset(scenario_of(at).dataset).schema
    names = [feature.name for feature in schema.features]
    assert "Health" not in names and "Days away" in names
    assert schema.feature("Age").unit == "y" and "Age" in schema.presets["sensible"].locked
    assert schema.feature("Study time").kind == "ordered"
    assert schema.feature("Days away").high == 50.0


def test_an_emptied_cell_of_codes_says_that_there_are_none(open_app, monkeypatch):
    frame = people()
    frame["Absences"] = frame["Absences"].where(frame.index % 9 > 0, 999)
    content = frame.to_csv(index=False).encode()
    at = open_app("your_data")
    clean(upload(at, "present", content))
    clean(good_outcome(at).set_value(["passed"]).run())
    assert "999 read as missing (47 values)" in said(at)
    edited(monkeypatch, Absences={"Missing codes": None})
    clean(at.run())
    assert "read as missing" not in said(at)
    assert at.session_state["table as read"].report.table.columns["Absences"]["missing"] == ()


def test_what_the_core_refuses_is_told_and_the_settings_stay(open_app, monkeypatch):
    at = open_app("your_data")
    clean(upload(at, "present", SAMPLE))
    edited(monkeypatch, **{"Internet": {"May change": "only up"}})
    good_outcome(at).set_value(["passed"]).run()
    assert "have no order" in at.error[0].value
    assert good_outcome(at).value == ["passed"]


def test_columns_that_cannot_be_used_are_named_and_left_out(open_app):
    frame = people()
    frame.insert(0, "born", "2001-05-06")
    frame.insert(1, "seen", np.where(np.arange(423) % 2, "2020-01-01", "2021-01-01"))
    at = trained(open_app("your_data"), frame.to_csv(index=False).encode(), "passed")
    told = at.warning[0].value
    assert "born" in told and "always holds the same date" in told
    names = [f.name for f in load_dataset(scenario_of(at).dataset).schema.features]
    assert "born" not in names and "seen" in names and len(names) == 10


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"PK\x03\x04" + bytes(50), "Excel workbook"),
        (b"a,b\n1,2\n", "at least 20 rows, got 1"),
        (b"<b>x</b>", "at least two columns"),
    ],
)
def test_a_refused_file_leaves_the_table_before_it(open_app, content, words):
    at = clean(open_app("your_data"))
    upload(at, "present", SAMPLE)
    upload(at, "present", content, "bad.csv")
    assert words in at.error[0].value and "<b>x" not in at.error[0].value
    assert "In use: **mine.csv**" in said(at)


def test_settings_survive_leaving_the_page(open_app):
    at = open_app("your_data")
    trained(at, SAMPLE, "passed")
    opened(opened(at, "recourse"), "your_data")
    assert "In use: **mine.csv**" in said(at) and good_outcome(at).value == ["passed"]
    assert "mine is ready" in said(at)
    clean(button(at, "Remove").click().run())
    assert "Upload a table of today to go on" in said(at)


def test_new_settings_are_not_used_before_training(open_app):
    at = trained(open_app("your_data"), SAMPLE, "passed")
    before = scenario_of(at)
    good_outcome(at).set_value(["failed"]).run()
    assert "The settings have changed since the last training" in said(at)
    assert scenario_of(at) == before


def test_where_one_half_declines_nobody_the_share_of_good_outcomes_is_approved(open_app):
    frame = pd.DataFrame({"a": np.arange(60.0), "paid": ["no"] * 5 + ["yes"] * 55})
    frame["a"] = np.random.default_rng(0).random(60).round(3)
    at = open_app("your_data")
    clean(upload(at, "present", frame.to_csv(index=False).encode()))
    good_outcome(at).set_value(["yes"]).run()
    button(at, "Train and open").click().run()
    assert not at.exception and not at.error
    scenario = scenario_of(at)
    assert (scenario.cut_off_kind, scenario.cut_off) == ("approval", 55 / 60)
    assert bundle_of(scenario).declined.size == 5


def test_a_link_of_another_session_is_told_and_works_after_the_upload(open_app):
    first = trained(open_app("your_data"), SAMPLE, "passed")
    name, row = scenario_of(first).dataset, int(bundle_of(scenario_of(first)).declined[3])
    # The table is in the memory of the program, and still closed to another visitor.
    other = open_app("recourse", dataset=name, applicant=str(row), rho="0.2")
    assert not other.exception and scenario_of(other).dataset == "german"
    assert UPLOAD_AGAIN[:30] in other.warning[0].value
    assert name not in next(s for s in other.selectbox if s.label == "Dataset").options
    trained(opened(other, "your_data"), SAMPLE, "passed")
    opened_now = scenario_of(other)
    assert (opened_now.dataset, opened_now.applicant, opened_now.radii) == (name, row, 0.2)


def test_a_forgotten_table_is_told_and_comes_back(open_app, monkeypatch):
    monkeypatch.setattr(visitor_tables, "_TABLES", visitor_tables._Tables(1, 10**9))
    at = trained(open_app("your_data"), SAMPLE, "passed")
    name = scenario_of(at).dataset
    trained(open_app("your_data"), sample_table("shifted").encode(), "passed")
    clean(opened(at, "recourse"))
    assert scenario_of(at).dataset == "german" and "Upload the same file" in at.warning[0].value
    clean(button(opened(at, "your_data"), "Train and open").click().run())
    assert scenario_of(at).dataset == name
    clean(opened(at, "recourse"))


def test_coefficients_become_todays_model(open_app):
    at = open_app("your_data")
    clean(upload(at, "present", SAMPLE))
    clean(good_outcome(at).set_value(["passed"]).run())
    clean(at.button_group(key="today's model").set_value("given").run())
    assert not [b for b in at.button if b.label == "Train and open"]
    assert "Upload your coefficients or scorecard to go on" in said(at)
    assert "never a pickle" in said(at) and "What is assumed of your model" in said(at)
    upload(at, "coefficients", b"\x80\x04\x95" + bytes(20), "model.csv")
    assert "got a pickle" in at.error[0].value
    frame = people()
    numbers = {name: 0.0 for name in frame.columns if frame[name].dtype.kind in "if"}
    words = {n: {frame[n][0]: 0.0} for n in frame.columns if n not in numbers and n != "result"}
    numbers["Second grade"] = 1.0
    model = {"intercept": -12.5, "coefficients": {**numbers, **words}}
    clean(upload(at, "coefficients", json.dumps(model).encode(), "model.json"))
    clean(button(at, "Train and open").click().run())
    dataset = load_dataset(scenario_of(at).dataset)
    declined = prepare(dataset, components="auto").declined
    np.testing.assert_array_equal(declined, np.flatnonzero(frame["Second grade"] < 12.5))
    recipe = recipe_of(dataset)
    assert recipe.reproduced and f"is reproduced on this table by {recipe.words}" in said(at)
    clean(opened(at, "recourse"))
    assert "the linear model you gave" in at.header[0].help
    assert "approximation" not in at.header[0].help


def test_a_scorecard_becomes_todays_model(open_app):
    card = "feature,bin,points\n(cut-off),,12\nSecond grade,< 12,0\nSecond grade,12+,12\n"
    at = open_app("your_data")
    clean(upload(at, "present", SAMPLE))
    clean(good_outcome(at).set_value(["passed"]).run())
    clean(at.button_group(key="today's model").set_value("given").run())
    clean(upload(at, "coefficients", card.encode(), "card.csv"))
    assert "a scorecard of 2 bins" in said(at)
    clean(button(at, "Train and open").click().run())
    dataset = load_dataset(scenario_of(at).dataset)
    declined = prepare(dataset, components="auto").declined
    np.testing.assert_array_equal(declined, np.flatnonzero(people()["Second grade"] < 12))
    assert "12 points are needed" in said(at)
    clean(opened(at, "recourse"))
    # The numbers that are left are locked: nothing of them could be drawn.
    assert "only categories may" in said(at)


def test_a_model_that_no_recipe_gives_is_called_an_approximation(open_app):
    at = open_app("your_data")
    clean(upload(at, "present", SAMPLE))
    clean(good_outcome(at).set_value(["passed"]).run())
    clean(at.button_group(key="today's model").set_value("given").run())
    frame = people()
    numbers = {name: 0.0 for name in frame.columns if frame[name].dtype.kind in "if"}
    words = {n: {frame[n][0]: 0.0} for n in frame.columns if n not in numbers and n != "result"}
    # The worse the grade, the better: no training on these people would come out so.
    numbers["Second grade"], numbers["Absences"] = -1.0, 1.0
    model = {"intercept": 10.0, "coefficients": {**numbers, **words}}
    clean(upload(at, "coefficients", json.dumps(model).encode(), "model.json"))
    clean(button(at, "Train and open").click().run())
    assert any("later models of yours are an approximation" in w.value for w in at.warning)
    assert "An approximation: no recipe tried here" in said(at)
    clean(opened(at, "recourse"))
    assert "whose later models are an approximation" in at.header[0].help


def test_the_template_is_the_one_of_the_schema(open_app):
    at = open_app("your_data")
    clean(upload(at, "present", SAMPLE))
    clean(good_outcome(at).set_value(["passed"]).run())
    clean(at.button_group(key="today's model").set_value("given").run())
    template = coefficient_template(at.session_state["table as read"].dataset.schema)
    assert template.splitlines()[0] == "feature,category,coefficient"
    assert {"(intercept)", "Age", "Study time"} <= {t.split(",")[0] for t in template.splitlines()}
