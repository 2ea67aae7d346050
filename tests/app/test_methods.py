"""The methods page: every dataset, what is computed again, honest words, the whole dataset."""

import csv
import io
import re

import numpy as np
import pandas as pd
import pytest
from screen import button, charts, ready, said, sortable

from dirrac_core import DATASETS
from dirrac_core.case.scenario import Scenario
from dirrac_core.errors import SolverFailure
from dirrac_core.studies.case_methods import (
    DIRRAC_VARIANTS,
    measured_plan,
    method_names,
    method_rows,
    one_row_per_plan,
)
from pages.methods import applicant as methods_applicant
from pages.methods import computing as methods_computing
from pages.methods import many as methods_many
from pages.methods.comparison import numbers
from pages.methods.computing import relevant_settings
from pages.methods.words import broken_words, headline
from pages.runs import background
from pages.runs.kept import KeptResults
from pages.shared import computing

PATIENCE = 180
pytestmark = pytest.mark.usefixtures("at_once")


@pytest.fixture
def many(open_app, runs):
    """Open the whole dataset with two families of methods."""

    def opened(count=2, **query):
        at = ready(open_app("methods", methods_for="the whole dataset", **query))
        ready(at.button_group(key="methods_shown").set_value(["dirrac", "others"]).run())
        return ready(at.number_input(key="methods_first").set_value(count).run())

    return opened


def table(at):
    return sortable(at, "methods table")


def by_method(at):
    """The table by method; a row of several variants goes by the name of the first."""
    shown = table(at)
    return shown.set_index(shown["Method"].str.replace(r" \(\d variants\)", "", regex=True))


def computed(at, runs, label="Compare"):
    ready(button(at, label).click().run())
    assert runs["methods"].wait(PATIENCE)
    return ready(at.run())


def variants_in(name):
    """How many variants of DiRRAc stand in a row of this name."""
    found = re.search(r"\((\d) variants\)", name)
    return int(found.group(1)) if found else 1


@pytest.mark.parametrize("dataset", DATASETS)
def test_every_dataset_has_every_method(open_app, dataset):
    at = ready(open_app("methods", dataset=dataset, methods_tab="What each one changes"))
    case = computing.case(at.session_state["scenario"])
    shown = table(at)["Method"].tolist()
    ours = [name for name in shown if "DiRRAc" in name]
    assert sum(variants_in(name) for name in ours) == len(DIRRAC_VARIANTS)
    others = [name for name in method_names(case) if name not in DIRRAC_VARIANTS]
    assert shown == [*ours, *others]
    assert (table(at)["Plan"] != "being computed").all()
    assert ("MINT" in table(at)["Method"].tolist()) == (dataset == "german")
    costs, changes = (chart.alt for chart in charts(at))
    assert costs.startswith("What each method's plan costs")
    assert changes.startswith("What each method changes")


def test_the_table_shows_what_the_core_measured(open_app):
    at = ready(open_app("methods", dataset="german", k="3"))
    scenario = at.session_state["scenario"]
    shown = by_method(at)
    for name in ("DiRRAc", "ROAR (exact)", "AR"):
        found = methods_computing.method_plan(scenario, name)
        assert shown.loc[name, "Effort"] == found.plan.cost_l1
        later = pytest.approx(100 * (1 - found.m2.value))
        assert shown.loc[name, "Decline later, of 100"] == later
        worst = computing.case(scenario).problem.objective.value(found.plan.x)
        assert 0 <= shown.loc[name, "Worst case ≤"] - 100 * worst < 0.011


def test_relaxed_methods_are_read_beside_the_rule_they_break(open_app):
    at = ready(open_app("methods", dataset="german"))
    shown = by_method(at)
    assert shown.loc["Wachter", "Rules"] == "✗ broken: no category is a mixture"
    assert shown.loc["DiRRAc", "Rules"] == "✓ all kept"
    assert "read its effort together with the broken rule" in said(at)
    ready(at.selectbox(key="methods_plan").set_value("Wachter").run())
    assert any("Broken: no category is a mixture" in w.value for w in at.warning)


def test_only_what_a_setting_changes_is_computed_again(open_app, monkeypatch):
    solved = []
    solve = methods_computing.measured_plan

    def counted(case, name, **told):
        solved.append(name)
        return solve(case, name, **told)

    monkeypatch.setattr(methods_computing, "measured_plan", counted)
    at = ready(open_app("methods", dataset="synthetic", seed="11", k="2"))
    assert sorted(solved) == sorted(method_names(computing.case(at.session_state["scenario"])))
    solved.clear()
    before = by_method(at)["Worst case ≤"]
    ready(at.slider(key="set radii").set_value(0.3).run())
    assert sorted(solved) == sorted(DIRRAC_VARIANTS)
    after = by_method(at)["Worst case ≤"]
    assert after["ROAR (exact)"] > before["ROAR (exact)"]
    solved.clear()
    ready(at.button_group(key="set link").set_value("gaussian").run())
    assert solved == []


def test_with_one_component_the_weights_are_not_solved_for():
    scenario = Scenario("german", 1, components=1)
    names = list(DIRRAC_VARIANTS)
    asked = {relevant_settings(scenario, name) for name in names}
    assert len(asked) == 2
    several = Scenario("german", 1, components=3)
    assert len({relevant_settings(several, name) for name in names}) == 6
    assert relevant_settings(several, "RBR") == relevant_settings(
        Scenario("german", 1, radii=0.4), "RBR"
    )


def test_families_can_be_left_out_and_none_is_an_empty_page(open_app):
    at = ready(open_app("methods", dataset="synthetic"))
    ready(at.button_group(key="methods_shown").set_value(["roar"]).run())
    assert all(name.startswith("ROAR") for name in table(at)["Method"])
    ready(at.button_group(key="methods_shown").set_value([]).run())
    assert "at least one family" in at.info[0].value and table(at) is None


def test_a_method_that_fails_is_named_and_the_rest_is_shown(open_app, monkeypatch):
    plan = methods_computing.method_plan

    def fails(scenario, name):
        if name == "RBR":
            message = "The cone program must end solved"
            raise SolverFailure(message)
        return plan(scenario, name)

    monkeypatch.setattr(methods_applicant, "method_plan", fails)
    at = ready(open_app("methods", dataset="synthetic"))
    assert any("RBR could not be computed" in w.value for w in at.warning)
    assert "Wachter" in table(at)["Method"].tolist()


def test_without_a_plan_the_row_says_why(open_app):
    at = ready(open_app("methods", dataset="german", rho="1.5"))
    shown = by_method(at)
    assert "No plan satisfies all conditions" in shown.loc["DiRRAc", "Plan"]
    assert np.isnan(shown.loc["DiRRAc", "Effort"]) and shown.loc["DiRRAc", "Rules"] == ""
    assert "9 of 10 methods find a plan" in said(at)


def test_the_picture_has_a_row_for_every_plan(open_app):
    at = ready(open_app("methods", dataset="synthetic", methods_tab="What each one changes"))
    points, changes = (chart.figure for chart in charts(at))
    names = table(at)["Method"].tolist()
    assert changes["layout"]["yaxis"]["tickvals"] == names
    assert [name.strip() for name in points["data"][-1]["text"]] == names


def test_a_bad_link_says_what_it_ignored(open_app):
    at = ready(
        open_app(
            "methods",
            dataset="synthetic",
            methods_for="everybody",
            methods_plan="Magic",
            methods_shown="others",
        )
    )
    told = " ".join(w.value for w in at.warning)
    assert "everybody" in told and "Magic" in told


@pytest.mark.slow
def test_the_whole_dataset_is_averaged(many, runs):
    at = many(2, dataset="synthetic")
    assert table(at) is None
    computed(at, runs)
    shown = by_method(at)
    assert (shown["Asked"] == 2).all() and {"DiRRAc", "CEPM", "RBR"} < set(shown.index)
    assert sum(variants_in(name) for name in shown["Method"] if "DiRRAc" in name) == 6
    measured = runs["methods"].result["RBR"]
    mean = np.mean([m.plan.cost_l1 for m in measured])
    assert shown.loc["RBR", "Effort"].startswith(f"{mean:.2f} ± ")
    assert "Over 2 applicants" in said(at) and "Table 1 of the paper" in said(at)


def test_what_does_not_depend_on_the_change_is_kept(many, runs):
    at = many(2, dataset="synthetic")
    computed(at, runs)
    kept = runs["methods"].result["RBR"]
    ready(at.slider(key="set radii").set_value(0.2).run())
    assert "6 methods are computed again, 4 do not depend" in said(at)
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


def test_the_headline_says_who_wins_at_what():
    case = computing.case(Scenario("german", 1))
    rows = pd.DataFrame(
        {
            "method": ["A", "B", "C", "D"],
            "found": [True, True, True, False],
            "m1": [True, True, True, False],
            "m2": [0.2, 0.9, 1.0, np.nan],
            "cost_l1": [0.5, 1.0, 0.1, np.nan],
            "worst_case": [0.9, 0.101, 0.01, np.nan],
            "keeps_rules": [True, True, False, False],
        }
    )
    assert headline(case, rows) == (
        "3 of 4 methods find a plan. Least effort: A (0.50). Least declined later: B (10 of 100 "
        "re-trained models). Smallest worst case: B (at most 11 of 100 decline). 1 is left out: a "
        "plan breaks a rule or today's model declines it."
    )
    assert "None of the 1 methods" in headline(case, rows[3:])
    assert "None of them keeps every rule" in headline(case, rows[2:3])
    alike = rows[:2].assign(m2=0.9)
    assert "Least declined later: A and B (10" in headline(case, alike)


def test_variants_with_one_plan_are_one_row():
    case = computing.case(Scenario("german", 1, weighting="worst-component"))
    near, far = np.zeros(3), np.ones(3)
    rows = pd.DataFrame(
        {
            "method": ["DiRRAc", "DiRRAc, worst component", "Gaussian DiRRAc", "AR"],
            "x": [near, near + 1e-4, far, near],
            "message": ["nominal", "own", "other", "AR's"],
        }
    )
    merged = one_row_per_plan(rows, case)
    assert merged["method"].tolist() == ["DiRRAc (2 variants)", "Gaussian DiRRAc", "AR"]
    # The row speaks for the variant that is set.
    assert merged["message"].tolist() == ["own", "other", "AR's"]
    assert merged["variants"][0] == ("DiRRAc", "DiRRAc, worst component")


def test_a_long_method_is_not_computed_in_the_server(open_app, runs, monkeypatch):
    at = ready(open_app("methods", dataset="synthetic", methods_shown="ROAR variants"))
    assert runs["ROAR-Avg"].about == relevant_settings(at.session_state["scenario"], "ROAR-Avg")
    assert methods_applicant.LONG == ("ROAR-Avg", "Exact on trees")
    runs["ROAR-Avg"].state = background.STOPPED
    monkeypatch.setattr(background, "_KEPT", KeptResults())
    runs["ROAR-Avg"].result = None
    ready(at.run())
    assert "being computed" in table(at)["Plan"].tolist()
    ready(button(at, "Compute ROAR-Avg").click().run())
    assert "being computed" not in table(at)["Plan"].tolist()


def test_the_file_is_the_table():
    case = computing.case(Scenario("german", 1))
    rows = method_rows(case, {"AR": measured_plan(case, "AR")})
    text = methods_applicant.safe_csv(numbers(case, rows))
    header, first = csv.reader(io.StringIO(text))
    assert first[header.index("Method")] == "AR" and first[header.index("Today")] == "✓ yes"
