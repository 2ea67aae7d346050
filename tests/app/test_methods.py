"""The methods page: every dataset, what is computed again, honest words, the whole dataset."""

import csv
import io
import json

import numpy as np
import pandas as pd
import pytest

from dirrac_core import DATASETS
from dirrac_core.errors import SolverFailure
from dirrac_core.evaluation.case_methods import DIRRAC_VARIANTS, method_names
from dirrac_core.scenario import Scenario
from pages.shared import computing, methods_applicant, methods_computing, methods_many
from pages.shared.methods_computing import asked_for
from pages.shared.methods_words import broken_words, headline

PATIENCE = 180


@pytest.fixture
def many(open_app, runs):
    """Open the whole dataset with two families of methods."""

    def opened(count=2, **query):
        at = ready(open_app("methods", methods_for="the whole dataset", **query))
        ready(at.button_group(key="methods_shown").set_value(["dirrac", "others"]).run())
        return ready(at.number_input(key="methods_first").set_value(count).run())

    return opened


def ready(at):
    assert not at.exception and not at.error
    return at


def button(at, label):
    return next(b for b in at.button if b.label.startswith(label))


def table(at):
    return at.dataframe[0].value


def said(at):
    return " ".join(m.value for m in (*at.markdown, *at.caption))


def computed(at, runs, label="Compare"):
    ready(button(at, label).click().run())
    assert runs["methods"].wait(PATIENCE)
    return ready(at.run())


@pytest.mark.parametrize("dataset", DATASETS)
def test_every_dataset_has_every_method(open_app, dataset):
    at = ready(open_app("methods", dataset=dataset))
    case = computing.case(at.session_state["scenario"])
    assert table(at)["Method"].tolist() == list(method_names(case))
    assert (table(at)["Plan"] != "being computed").all()
    assert ("MINT" in table(at)["Method"].tolist()) == (dataset == "german")
    assert at.get("plotly_chart")[0].proto.alt.startswith("What each method changes")


def test_the_table_shows_what_the_core_measured(open_app):
    at = ready(open_app("methods", dataset="german", k="3"))
    scenario = at.session_state["scenario"]
    shown = table(at).set_index("Method")
    for name in ("DiRRAc", "ROAR (exact)", "AR"):
        (row,) = methods_computing.row(scenario, name).itertuples()
        assert shown.loc[name, "Effort ℓ1"] == row.cost_l1
        assert shown.loc[name, "Later"] == round(100 * row.m2)
        assert 0 <= shown.loc[name, "Worst case"] - 100 * row.worst_case < 0.011
    objective = computing.case(scenario).problem.objective
    x = methods_computing.row(scenario, "AR")["x"].iloc[0]
    assert methods_computing.row(scenario, "AR")["worst_case"].iloc[0] == objective.value(x)


def test_relaxed_methods_are_read_beside_the_rule_they_break(open_app):
    at = ready(open_app("methods", dataset="german"))
    shown = table(at).set_index("Method")
    assert shown.loc["Wachter", "Rules"] == "✗ broken: no category is a mixture"
    assert shown.loc["DiRRAc", "Rules"] == "✓ all kept"
    assert "read its effort beside the broken rule" in said(at)
    ready(at.selectbox(key="methods_plan").set_value("Wachter").run())
    assert any("Broken: no category is a mixture" in w.value for w in at.warning)


def test_only_what_a_setting_changes_is_computed_again(open_app, monkeypatch):
    solved = []
    solve = methods_computing.method_row

    def counted(case, name):
        solved.append(name)
        return solve(case, name)

    monkeypatch.setattr(methods_computing, "method_row", counted)
    at = ready(open_app("methods", dataset="synthetic", seed="11", k="2"))
    assert sorted(solved) == sorted(table(at)["Method"])
    solved.clear()
    before = table(at).set_index("Method")["Worst case"]
    ready(at.slider(key="set radii").set_value(0.3).run())
    assert sorted(solved) == sorted(DIRRAC_VARIANTS)
    after = table(at).set_index("Method")["Worst case"]
    assert after["ROAR (exact)"] > before["ROAR (exact)"]
    solved.clear()
    ready(at.button_group(key="set link").set_value("gaussian").run())
    assert solved == []


def test_with_one_component_the_weights_are_not_solved_for():
    scenario = Scenario("german", 1, components=1)
    names = list(DIRRAC_VARIANTS)
    asked = {asked_for(scenario, name) for name in names}
    assert len(asked) == 2
    several = Scenario("german", 1, components=3)
    assert len({asked_for(several, name) for name in names}) == 6
    assert asked_for(several, "RBR") == asked_for(Scenario("german", 1, radii=0.4), "RBR")


def test_families_can_be_left_out_and_none_is_an_empty_page(open_app):
    at = ready(open_app("methods", dataset="synthetic"))
    ready(at.button_group(key="methods_shown").set_value(["roar"]).run())
    assert all(name.startswith("ROAR") for name in table(at)["Method"])
    ready(at.button_group(key="methods_shown").set_value([]).run())
    assert "at least one family" in at.info[0].value and not at.dataframe


def test_a_method_that_fails_is_named_and_the_rest_is_shown(open_app, monkeypatch):
    rows = methods_computing.row

    def fails(scenario, name):
        if name == "RBR":
            message = "The cone program must end solved"
            raise SolverFailure(message)
        return rows(scenario, name)

    monkeypatch.setattr(methods_applicant.cached, "row", fails)
    at = ready(open_app("methods", dataset="synthetic"))
    assert any("RBR could not be computed" in w.value for w in at.warning)
    assert "Wachter" in table(at)["Method"].tolist()


def test_without_a_plan_the_row_says_why(open_app):
    at = ready(open_app("methods", dataset="german", rho="1.5"))
    shown = table(at).set_index("Method")
    assert "No plan satisfies all conditions" in shown.loc["DiRRAc", "Plan"]
    assert np.isnan(shown.loc["DiRRAc", "Effort ℓ1"]) and shown.loc["DiRRAc", "Rules"] == ""
    assert "9 of 15 methods find a plan" in said(at)


def test_the_picture_has_a_row_for_every_plan(open_app):
    at = ready(open_app("methods", dataset="synthetic"))
    figure = json.loads(at.get("plotly_chart")[0].proto.spec)
    assert figure["layout"]["yaxis"]["tickvals"] == table(at)["Method"].tolist()


def test_a_bad_link_says_what_it_ignored(open_app):
    at = ready(
        open_app("methods", dataset="synthetic", methods_for="everybody", methods_plan="Magic")
    )
    told = " ".join(w.value for w in at.warning)
    assert "everybody" in told and "Magic" in told


def test_the_whole_dataset_is_averaged(many, runs):
    at = many(2, dataset="synthetic")
    assert not at.dataframe
    computed(at, runs)
    shown = table(at).set_index("Method")
    assert (shown["Asked"] == 2).all() and set(DIRRAC_VARIANTS) < set(shown.index)
    measured = runs["methods"].result["RBR"]
    mean = np.mean([m.plan.cost_l1 for m in measured])
    assert shown.loc["RBR", "Effort ℓ1"].startswith(f"{mean:.2f} ± ")
    assert "Over 2 applicants" in said(at) and "Table 1 of the paper" in said(at)


def test_what_does_not_depend_on_the_change_is_kept(many, runs):
    at = many(2, dataset="synthetic")
    computed(at, runs)
    kept = runs["methods"].result["RBR"]
    ready(at.slider(key="set radii").set_value(0.2).run())
    assert "6 methods are computed anew, 4 do not depend" in said(at)
    computed(at, runs)
    assert runs["methods"].result["RBR"] == kept
    assert (table(at)["Asked"] == 2).all()
    ready(at.number_input(key="methods_first").set_value(3).run())
    computed(at, runs, "Go on")
    assert runs["methods"].result["RBR"][:2] == kept and (table(at)["Asked"] == 3).all()


def test_a_stopped_comparison_shows_the_same_people_for_every_method(many, runs, monkeypatch):
    measure = methods_many.measure_all

    def first_only(applicants, methods, judge, jobs, progress, cancel):
        return measure(applicants[:1], methods, judge, jobs, progress, cancel)

    monkeypatch.setattr(methods_many, "measure_all", first_only)
    at = many(2, dataset="synthetic")
    computed(at, runs)
    assert (table(at)["Asked"] == 1).all()
    assert "1 of 2 applicants are finished" in said(at)
    monkeypatch.setattr(methods_many, "measure_all", measure)
    computed(at, runs, "Go on")
    assert (table(at)["Asked"] == 2).all()


def test_a_failure_is_told_in_words(many, runs, monkeypatch):
    def fails(*_):
        message = "The cone program must end solved"
        raise SolverFailure(message)

    monkeypatch.setattr(methods_many, "measure_all", fails)
    at = many(2, dataset="synthetic")
    button(at, "Compare").click().run()
    assert runs["methods"].wait(PATIENCE)
    at.run()
    assert not at.exception and "must end solved" in at.error[0].value
    assert button(at, "Compare")


def test_broken_rules_in_words():
    assert broken_words("") == "✓ all kept"
    assert broken_words("whole category: 3, budget") == (
        "✗ broken: no category is a mixture (3); the effort stays within the budget"
    )
    assert broken_words("today's model accepts") == "✗ broken: today's model accepts it"


def test_the_headline_counts_plans_and_rules():
    case = computing.case(Scenario("german", 1))
    rows = pd.DataFrame(
        {
            "found": [True, True, False],
            "m1": [True, False, False],
            "m2": [0.2, 0.9, np.nan],
            "models": [100, 100, 0],
            "keeps_rules": [True, False, False],
        }
    )
    assert headline(case, rows) == (
        "2 of 3 methods find a plan; 1 is accepted today and 1 breaks a rule. Later 20 to 90 of "
        "100 re-trained models accept them."
    )
    assert "None of the 1 methods" in headline(case, rows[2:])


def test_the_file_is_the_table():
    case = computing.case(Scenario("german", 1))
    rows = methods_computing.method_row(case, "AR")
    text = methods_applicant.safe_csv(methods_applicant.numbers(case, rows))
    header, first = csv.reader(io.StringIO(text))
    assert first[header.index("Method")] == "AR" and first[header.index("Today")] == "✓ yes"
