"""The frontier page: every dataset, both axes, choosing a plan, many applicants, the file."""

import csv
import io
import json

import numpy as np
import pandas as pd
import pytest

from dirrac_core import DATASETS
from dirrac_core.data import load_dataset
from dirrac_core.errors import SolverFailure
from pages.shared import computing, frontier_computing, frontier_many
from pages.shared.frontier_picture import parameter_words, rows_csv
from pages.shared.frontier_words import Said, sentences


def figure(at):
    (chart,) = at.get("plotly_chart")
    return json.loads(chart.proto.spec)


def names(at):
    return [trace["name"] for trace in figure(at)["data"]]


def ready(at):
    assert not at.exception and not at.error
    return at


def headline(at):
    return next(m.value for m in at.markdown if m.value.startswith("#### "))


def choose(at, words):
    """Choose a plan by the beginning of its name in the list."""
    box = at.selectbox(key="frontier list")
    return ready(box.set_value(next(o for o in box.options if o.startswith(words))).run())


def button(at, label):
    return next(b for b in at.button if b.label.startswith(label))


@pytest.mark.parametrize("dataset", DATASETS)
def test_every_dataset_has_a_frontier(open_app, dataset):
    at = ready(open_app("frontier", dataset=dataset))
    drawn = names(at)
    assert drawn[:3] == ["DiRRAc", "ROAR (exact)", "ROAR (as published)"]
    assert "current setting" in drawn and "Wachter" in drawn
    assert headline(at).startswith("#### For this applicant, a plan that")
    assert any("does not always lie above" in m.value for m in at.markdown)
    assert at.get("plotly_chart")[0].proto.alt


def test_methods_can_be_left_out(open_app):
    at = ready(open_app("frontier", dataset="synthetic"))
    ready(at.button_group(key="beside").set_value([]).run())
    assert names(at) == ["DiRRAc", "current setting"]
    assert "DiRRAc's best is" in headline(at)


def test_the_other_axis_is_the_guarantee(open_app):
    at = ready(open_app("frontier", dataset="synthetic"))
    assert "error_y" in figure(at)["data"][0]
    ready(at.button_group(key="against").set_value("guaranteed").run())
    shown = figure(at)
    assert "error_y" not in shown["data"][0]
    assert "guaranteed" in shown["layout"]["yaxis"]["title"]["text"]
    assert "guaranteed to fail for at most" in headline(at)


def test_a_plan_of_dirrac_sets_the_extra_effort_everywhere(open_app):
    at = ready(open_app("frontier", dataset="synthetic"))
    choose(at, "DiRRAc, δ_add = 0.25")
    assert at.session_state["scenario"].delta_add == 0.25
    assert at.query_params["add"] == "0.25"
    assert any("δ_add = 0.25 is set" in m.value for m in at.markdown)
    ready(at.switch_page("../../pages/recourse.py").run())
    assert at.session_state["scenario"].delta_add == 0.25


def test_a_plan_of_roar_is_shown_in_real_units(open_app):
    at = ready(open_app("frontier", dataset="german"))
    before = at.session_state["scenario"]
    choose(at, "ROAR (exact), λ = 0.01:")
    assert at.session_state["scenario"] == before
    row = frontier_computing.family_rows(before, "roar").iloc[0]
    schema = load_dataset("german").schema
    duration = schema.format_value("Duration", schema.decode(row["x"])["Duration"])
    assert at.table[0].value.loc["Duration", "Plan"] == duration
    declined = round(100 * (1 - row["m2"]))
    assert f"{declined} of 100" in at.table[1].value["Declining models"].tolist()


def test_the_rows_do_not_depend_on_the_extra_effort_but_the_current_mark_does(open_app):
    at = ready(open_app("frontier", dataset="synthetic"))
    before = {trace["name"]: trace["x"] for trace in figure(at)["data"]}
    ready(at.slider(key="set delta_add").set_value(0.2).run())
    after = {trace["name"]: trace["x"] for trace in figure(at)["data"]}
    assert after["DiRRAc"] == before["DiRRAc"]
    assert after["current setting"] != before["current setting"]


def test_only_what_a_setting_changes_is_solved_again(open_app, monkeypatch):
    solved = []
    solve = frontier_computing.case_frontier

    def counted(case, family):
        solved.append(family)
        return solve(case, family)

    monkeypatch.setattr(frontier_computing, "case_frontier", counted)
    at = ready(open_app("frontier", dataset="synthetic", seed="7"))
    assert solved == ["dirrac", "roar", "roar-published", "others"]
    ready(at.slider(key="set delta_add").set_value(0.2).run())
    assert len(solved) == 4
    before = figure(at)["data"]
    ready(at.slider(key="set radii").set_value(0.4).run())
    assert solved[4:] == ["dirrac"]
    ready(at.button_group(key="against").set_value("guaranteed").run())
    roar = next(t for t in figure(at)["data"] if t["name"] == "ROAR (exact)")
    assert roar["x"] == next(t for t in before if t["name"] == "ROAR (exact)")["x"]
    rows = frontier_computing.family_rows(at.session_state["scenario"], "roar")
    objective = computing.case(at.session_state["scenario"]).problem.objective
    assert rows["guaranteed"].tolist() == [1 - objective.value(x) for x in rows["x"]]


def test_a_gaussian_promise_is_not_called_a_guarantee(open_app):
    at = ready(open_app("frontier", dataset="synthetic", assume="gaussian"))
    ready(at.button_group(key="against").set_value("guaranteed").run())
    assert "if Gaussian" in figure(at)["layout"]["yaxis"]["title"]["text"]
    assert "if Gaussian" in headline(at) and names(at)[0] == "Gaussian DiRRAc"


def test_without_a_plan_the_others_are_still_drawn(open_app):
    at = ready(open_app("frontier", dataset="german", rho="1.5"))
    assert headline(at) == "#### For this applicant, DiRRAc has no plan under these conditions."
    assert "DiRRAc" not in names(at) and "ROAR (exact)" in names(at)


def test_a_bad_link_says_what_it_ignored(open_app):
    at = ready(open_app("frontier", dataset="synthetic", who="everybody"))
    assert any("everybody" in warning.value for warning in at.warning)
    assert at.button_group(key="who").value == "applicant"


def test_many_applicants_are_averaged(open_app):
    at = ready(open_app("frontier", dataset="synthetic", who="many applicants"))
    assert not at.get("plotly_chart")
    ready(at.number_input(key="how many").set_value(3).run())
    ready(button(at, "Compute for 3").click().run())
    assert headline(at).startswith("#### On average over 3 applicants")
    (table,) = at.dataframe
    assert (table.value["Asked (n)"] == 3).all()
    assert "current setting" not in names(at)
    choose(at, "DiRRAc, δ_add = 0.5")
    assert at.session_state["scenario"].delta_add == 0.5
    assert headline(at).startswith("#### On average over 3 applicants")


def test_other_settings_ask_for_a_new_computation(open_app):
    at = ready(open_app("frontier", dataset="synthetic", who="many applicants"))
    ready(at.number_input(key="how many").set_value(1).run())
    ready(button(at, "Compute for 1").click().run())
    ready(at.slider(key="set radii").set_value(0.2).run())
    assert button(at, "Compute for 1") and not at.get("plotly_chart")
    assert any("settings have changed" in c.value for c in at.caption)


def test_a_stopped_computation_keeps_what_is_finished_and_can_go_on(open_app):
    at = ready(open_app("frontier", dataset="synthetic", who="many applicants"))
    ready(at.number_input(key="how many").set_value(2).run())
    ready(button(at, "Compute for 2").click().run())
    sweep = at.session_state[frontier_many._SWEEP]
    sweep.done, sweep.rows = 1, sweep.rows[: len(sweep.rows) // 2]
    ready(at.run())
    assert "Stopped after 1 of 2" in at.info[0].value
    assert headline(at).startswith("#### On average over 1 applicant,")
    ready(button(at, "Go on").click().run())
    assert headline(at).startswith("#### On average over 2 applicants")


def test_an_applicant_that_cannot_be_solved_is_named_and_left_out(open_app, monkeypatch):
    rows = frontier_computing.family_rows
    asked = []

    def fails_once(scenario, family):
        asked.append(scenario.applicant)
        if scenario.applicant == asked[0] and family == "roar":
            message = "The cone program must end solved"
            raise SolverFailure(message)
        return rows(scenario, family)

    at = ready(open_app("frontier", dataset="synthetic", who="many applicants"))
    ready(at.number_input(key="how many").set_value(2).run())
    monkeypatch.setattr(frontier_computing, "family_rows", fails_once)
    ready(button(at, "Compute for 2").click().run())
    assert "The cone program must end solved" in at.warning[0].value
    (table,) = at.dataframe
    asked_of = table.value.groupby("Method")["Asked (n)"].max()
    assert asked_of["DiRRAc"] == 2 and asked_of["ROAR (exact)"] == 1


def test_the_file_holds_every_plan_in_real_units_and_no_formula():
    schema = load_dataset("german").schema
    x = np.append(load_dataset("german").present.X[1], 1.0)
    rows = pd.DataFrame(
        {
            "method": ["=SUM(A1)", "B"],
            "parameter": [0.1, np.nan],
            "cost_l1": [-1.5, np.nan],
            "x": [x, None],
        }
    )
    header, first, second = csv.reader(io.StringIO(rows_csv(rows, schema)))
    assert header[:3] == ["method", "parameter", "cost_l1"] and "plan: Duration" in header
    assert first[0] == "'=SUM(A1)" and first[2] == "-1.5"
    assert float(first[header.index("plan: Age")]) == schema.decode(x)["Age"]
    assert second[1:] == [""] * (len(header) - 1)


def rows_of(**methods):
    return pd.DataFrame(
        [(name, *point) for name, listed in methods.items() for point in listed],
        columns=["method", "cost", "m2"],
    ).replace({"method": {"ROAR": "ROAR (exact)"}})


def test_the_sentences_say_who_is_cheaper_and_who_is_beaten():
    rows = rows_of(DiRRAc=[(1.0, 0.5), (2.0, 0.9)], ROAR=[(1.5, 0.9), (3.0, 1.0)])
    first, honest = sentences(rows, "DiRRAc", "cost", Said("m2"), "Here")
    assert first == (
        "Here, a plan that 90 of 100 future models accept costs an effort of 2 with DiRRAc and "
        "1.5 with an exact ROAR; only ROAR goes further, up to 100 of 100 at an effort of 3."
    )
    assert "1 of the 2 plans of DiRRAc are beaten" in honest
    assert "none of the 2 plans of ROAR are beaten" in honest


def test_shares_are_counted_among_the_models_there_are():
    rows = rows_of(DiRRAc=[(1.0, 0.9)])
    (only,) = sentences(rows, "DiRRAc", "cost", Said("m2", models=10), "Here")
    assert "9 of 10 future models" in only


def test_a_fall_with_more_effort_is_told():
    rows = rows_of(DiRRAc=[(1.0, 0.9), (2.0, 0.2)], ROAR=[(1.0, 0.9)])
    *_, last = sentences(rows, "DiRRAc", "cost", Said("m2"), "Here")
    assert "only 20 of 100 accept DiRRAc's most expensive plan" in last
    assert len(sentences(rows_of(DiRRAc=[(1.0, 0.9)]), "DiRRAc", "cost", Said("m2"), "Here")) == 1


def test_a_method_without_a_parameter_is_only_named():
    assert parameter_words(pd.Series({"method": "AR", "parameter": np.nan})) == "AR"
    row = pd.Series({"method": "ROAR (exact)", "parameter": 0.0123})
    assert parameter_words(row) == "ROAR (exact), λ = 0.0123"
