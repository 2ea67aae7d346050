"""The frontier page: every dataset, both axes, choosing a plan, many applicants, the file."""

import csv
import io
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from screen import button, charts, ready, send

from dirrac_core import DATASETS
from dirrac_core.case.scenario import Scenario
from dirrac_core.data import load_dataset
from dirrac_core.errors import SolverFailure
from dirrac_core.wording import in_100
from pages.frontier import computing as frontier_computing
from pages.frontier import sweep, view
from pages.frontier.applicant import tried_values
from pages.frontier.picture import parameter_words, rows_csv
from pages.frontier.words import Said, sentences
from pages.shared import computing

PATIENCE = 180


def figure(at):
    (chart,) = charts(at)
    return chart.figure


def names(at):
    """The methods whose plans are drawn."""
    return [trace["name"] for trace in figure(at)["data"] if trace["mode"] == "markers"]


def marks(at):
    """The efforts of every method's plans."""
    return {t["name"]: t["x"] for t in figure(at)["data"] if t["mode"] == "markers"}


def headline(at):
    return next(m.value for m in at.markdown if m.value.startswith("### "))


def choose(at, words):
    """Choose a plan by the beginning of its name in the list."""
    box = at.selectbox(key="frontier list")
    return ready(box.set_value(next(o for o in box.options if o.startswith(words))).run())


@pytest.mark.parametrize("dataset", DATASETS)
def test_every_dataset_has_a_frontier(open_app, dataset):
    at = ready(open_app("frontier", dataset=dataset))
    drawn = names(at)
    assert drawn[:3] == ["DiRRAc", "ROAR (exact)", "ROAR (as published)"]
    assert "current setting" in drawn and "Wachter" in drawn
    assert headline(at).startswith("### To be declined by ")
    assert "DiRRAc needs " in headline(at) or "both need" in headline(at)
    assert any("beaten by a ROAR plan" in c.value for c in at.caption)
    title = figure(at)["layout"]["yaxis"]["title"]["text"]
    assert title == "declining models, of 100 (counted)"
    assert charts(at)[0].alt


def test_methods_can_be_left_out(open_app):
    at = ready(open_app("frontier", dataset="synthetic"))
    ready(at.button_group(key="beside").set_value([]).run())
    assert names(at) == ["DiRRAc", "current setting"]
    assert headline(at).startswith("### DiRRAc is declined by ")


def test_the_other_axis_is_the_worst_case_and_no_guarantee_without_a_record(open_app):
    at = ready(open_app("frontier", dataset="synthetic"))
    assert any("error_y" in trace for trace in figure(at)["data"])
    ready(at.button_group(key="against").set_value("worst_case").run())
    shown = figure(at)
    assert not any("error_y" in trace for trace in shown["data"])
    assert "worst case" in shown["layout"]["yaxis"]["title"]["text"]
    assert "in the worst case" in headline(at) and "uarant" not in headline(at)
    assert any("past promise" in c.value for c in at.caption)


def test_the_word_of_version_1_for_the_worst_case_still_works(open_app):
    at = ready(open_app("frontier", dataset="synthetic", against="worst-case guarantee"))
    assert at.button_group(key="against").value == "worst_case" and not at.warning
    assert "in the worst case" in headline(at)


def test_a_plan_of_dirrac_is_shown_in_place_and_can_be_taken_to_the_workbench(open_app):
    at = ready(open_app("frontier", dataset="synthetic"))
    before = at.session_state["scenario"]
    rows = frontier_computing.family_rows(before, "dirrac")
    row = rows.iloc[2]
    choose(at, f"DiRRAc, δ_add = {row['parameter']:.3g}:")
    assert at.session_state["scenario"] == before
    assert any(m.value.startswith("#### DiRRAc, δ_add = ") for m in at.markdown)
    schema = load_dataset("synthetic").schema
    value = schema.format_value("Feature 2", schema.decode(row["x"])["Feature 2"])
    assert at.table[1].value.loc["Feature 2", "Plan"] == value
    # The address holds the choice: another visitor sees the same plan.
    chosen = at.query_params["mark"]
    other = ready(open_app("frontier", dataset="synthetic", mark=chosen))
    assert f"#### {chosen}" in [m.value for m in other.markdown] and not other.warning
    unknown = ready(open_app("frontier", dataset="synthetic", mark="DiRRAc, δ_add = 77"))
    assert "δ_add = 77: there is no such choice" in unknown.warning[0].value
    assert "mark" not in unknown.query_params
    button(at, "Take it to the workbench").click().run()
    assert at.session_state["scenario"].delta_add == row["parameter"]


def test_a_plan_of_roar_is_shown_in_real_units(open_app):
    at = ready(open_app("frontier", dataset="german"))
    before = at.session_state["scenario"]
    choose(at, "ROAR (exact), λ = 0.01:")
    assert at.session_state["scenario"] == before
    row = frontier_computing.family_rows(before, "roar").iloc[0]
    schema = load_dataset("german").schema
    duration = schema.format_value("Duration", schema.decode(row["x"])["Duration"])
    assert at.table[1].value.loc["Duration", "Plan"] == duration
    declined = round(100 * (1 - row["m2"]))
    assert f"{declined} of 100" in at.table[0].value["Declining models"].tolist()
    # The address of the workbench holds what differs from the plan shown there.
    taken = dict(
        part.split(":") for part in tried_values(computing.case(before), row["x"]).split(";")
    )
    theirs, ours = (schema.decode(x) for x in (row["x"], computing.solution(before).plan.x))
    differs = {name for name in theirs if theirs[name] != ours[name]}
    assert taken.keys() == differs and differs
    for name in differs:
        told = schema.feature(name)
        assert told.is_categorical or abs(float(taken[name]) - theirs[name]) <= 0.5


def test_the_map_shows_the_settings_in_force_and_a_click_sets_both(open_app):
    at = ready(open_app("frontier", dataset="synthetic", who="map of ρ and δ_add"))
    scenario = at.session_state["scenario"]
    shown = {trace["name"]: trace for trace in figure(at)["data"]}
    assert shown["Your settings"]["x"] == [scenario.delta_add]
    assert shown["Worst case"]["type"] == "heatmap"
    worst = computing.solution(scenario).plan.worst_case_probability
    assert headline(at).endswith(f"at most {in_100(worst)} decline")
    places = {trace["name"]: place for place, trace in enumerate(figure(at)["data"])}
    ready(send(at, "settings map", "mark", {"trace": places["Your settings"], "point": 0}))
    assert at.session_state["scenario"] == scenario
    cell = next(t for t in figure(at)["data"] if "customdata" in t)
    pick = {"trace": places[cell["name"]], "point": 1}
    ready(send(at, "settings map", "mark", pick))
    taken = at.session_state["scenario"]
    assert [taken.radii, taken.delta_add] == pytest.approx(cell["customdata"][1], abs=1e-3)
    assert taken != scenario


def test_the_rows_do_not_depend_on_the_extra_effort_but_the_current_mark_does(open_app):
    at = ready(open_app("frontier", dataset="synthetic"))
    before = marks(at)
    ready(at.slider(key="set delta_add").set_value(0.2).run())
    after = marks(at)
    assert after["DiRRAc"] == before["DiRRAc"]
    assert after["current setting"] != before["current setting"]


def test_only_what_a_setting_changes_is_solved_again(open_app, monkeypatch):
    solved = []
    solve = frontier_computing.case_frontier

    def counted(case, family, telling, today):
        solved.append(family)
        return solve(case, family, telling, today)

    monkeypatch.setattr(frontier_computing, "case_frontier", counted)
    at = ready(open_app("frontier", dataset="synthetic", seed="7"))
    assert solved == ["dirrac", "roar", "roar-published", "others"]
    ready(at.slider(key="set delta_add").set_value(0.2).run())
    assert len(solved) == 4
    before = marks(at)
    ready(at.slider(key="set radii").set_value(0.4).run())
    assert solved[4:] == ["dirrac"]
    ready(at.button_group(key="against").set_value("worst_case").run())
    assert marks(at)["ROAR (exact)"] == before["ROAR (exact)"]
    rows = frontier_computing.family_rows(at.session_state["scenario"], "roar")
    objective = computing.case(at.session_state["scenario"]).problem.objective
    assert rows["guaranteed"].tolist() == [1 - objective.value(x) for x in rows["x"]]


def test_a_gaussian_promise_is_not_called_a_guarantee(open_app):
    at = ready(open_app("frontier", dataset="synthetic", assume="gaussian"))
    ready(at.button_group(key="against").set_value("worst_case").run())
    assert "if Gaussian" in figure(at)["layout"]["yaxis"]["title"]["text"]
    assert "if Gaussian" in headline(at) and names(at)[0] == "Gaussian DiRRAc"


def test_without_a_plan_the_others_are_still_drawn(open_app):
    at = ready(open_app("frontier", dataset="german", rho="1.5"))
    assert headline(at) == "### DiRRAc has no plan under these conditions."
    assert "DiRRAc" not in names(at) and "ROAR (exact)" in names(at)


def test_a_bad_link_says_what_it_ignored(open_app):
    at = ready(open_app("frontier", dataset="synthetic", who="everybody"))
    assert any("everybody" in warning.value for warning in at.warning)
    assert at.button_group(key="who").value == "applicant"


def computed(at, runs, label):
    ready(button(at, label).click().run())
    (run,) = runs.values()
    assert run.wait(PATIENCE)
    return ready(at.run())


def test_many_applicants_are_averaged(open_app, runs):
    at = ready(open_app("frontier", dataset="synthetic", who="many applicants"))
    assert not charts(at)
    ready(at.number_input(key="frontier_first").set_value(3).run())
    computed(at, runs, "Compute for 3")
    assert headline(at).startswith("### On average over 3 applicants")
    (table,) = at.dataframe
    assert (table.value["Asked (n)"] == 3).all()
    assert "current setting" not in names(at)
    choose(at, "DiRRAc, δ_add = 0.5")
    assert at.session_state["scenario"].delta_add == 0.5
    assert headline(at).startswith("### On average over 3 applicants")


def test_other_settings_ask_for_a_new_computation(open_app, runs):
    at = ready(open_app("frontier", dataset="synthetic", who="many applicants"))
    ready(at.number_input(key="frontier_first").set_value(1).run())
    computed(at, runs, "Compute for 1")
    ready(at.slider(key="set radii").set_value(0.2).run())
    assert button(at, "Compute for 1") and not charts(at)
    assert any("settings have changed" in c.value for c in at.caption)


def test_a_stopped_computation_keeps_what_is_finished_and_can_go_on(open_app, runs):
    at = ready(open_app("frontier", dataset="synthetic", who="many applicants"))
    ready(at.number_input(key="frontier_first").set_value(2).run())
    computed(at, runs, "Compute for 2")
    (run,) = runs.values()
    del run.result[1:]
    ready(at.run())
    assert "Stopped after 1 of 2" in at.info[0].value
    assert headline(at).startswith("### On average over 1 applicant,")
    computed(at, runs, "Go on")
    assert headline(at).startswith("### On average over 2 applicants")


def test_an_applicant_that_cannot_be_solved_is_named_and_left_out(open_app, runs, monkeypatch):
    rows = sweep.case_frontier
    asked = []

    def fails_once(case, family):
        asked.append(case.scenario.applicant)
        if case.scenario.applicant == asked[0] and family == "roar":
            message = "The cone program must end solved"
            raise SolverFailure(message)
        return rows(case, family)

    at = ready(open_app("frontier", dataset="synthetic", who="many applicants"))
    ready(at.number_input(key="frontier_first").set_value(2).run())
    monkeypatch.setattr(sweep, "case_frontier", fails_once)
    computed(at, runs, "Compute for 2")
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


def test_the_verdict_says_who_is_cheaper_and_who_is_beaten():
    rows = rows_of(DiRRAc=[(1.0, 0.5), (2.0, 0.9)], ROAR=[(1.5, 0.9), (3.0, 1.0)])
    first, honest = sentences(rows, "DiRRAc", "cost", Said("declined"))
    assert first == (
        "To be declined by at most 10 of 100 future models, as counted, DiRRAc needs 2 of effort "
        "where ROAR needs 1.5; only ROAR goes down to 0, with 3."
    )
    assert honest.startswith("1 of DiRRAc's 2 plans is beaten by a ROAR plan")
    assert "none of ROAR's 2 plans are beaten" in honest


def test_plans_that_break_a_rule_win_nothing():
    rows = rows_of(DiRRAc=[(2.0, 0.9)], ROAR=[(1.0, 0.95)]).assign(legal=[True, False])
    first, honest = sentences(rows, "DiRRAc", "cost", Said("declined"))
    assert first.startswith("DiRRAc is declined by at most 10 of 100") and "ROAR" not in first
    assert honest.startswith("No plan of ROAR keeps every rule")


def test_a_guarantee_is_one_only_where_the_record_bears_it(monkeypatch):
    scenario = Scenario("german", 1)
    assert view.worst_word(scenario) == "worst case"
    monkeypatch.setattr(view, "word_for", lambda scenario: "Guarantee")
    assert view.worst_word(scenario) == "guarantee"
    assert view.worst_word(replace(scenario, link="gaussian")) == "at most, if Gaussian"
    rows = rows_of(DiRRAc=[(1.0, 0.82)]).rename(columns={"m2": "guaranteed"})
    (only,) = sentences(rows, "DiRRAc", "cost", Said("worst_case", "guarantee"))
    assert "at most 18 of 100 future models, guaranteed" in only


def test_a_fall_with_more_effort_is_said():
    rows = rows_of(DiRRAc=[(1.0, 0.9), (2.0, 0.2)], ROAR=[(1.0, 0.9)])
    *_, last = sentences(rows, "DiRRAc", "cost", Said("declined"))
    assert "80 of 100 decline DiRRAc's most expensive plan" in last and "real models" in last
    *_, last = sentences(rows, "DiRRAc", "cost", Said("declined", simulated=True))
    assert "against simulated models" in last and "came" not in last
    assert len(sentences(rows_of(DiRRAc=[(1.0, 0.9)]), "DiRRAc", "cost", Said("declined"))) == 1


def test_a_method_without_a_parameter_is_only_named():
    assert parameter_words(pd.Series({"method": "AR", "parameter": np.nan})) == "AR"
    row = pd.Series({"method": "ROAR (exact)", "parameter": 0.0123})
    assert parameter_words(row) == "ROAR (exact), λ = 0.0123"
