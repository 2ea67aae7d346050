"""Shift lab: shifts live, curves beside the page, and sensitivity on real data."""

import time

import numpy as np
import pandas as pd
import pytest
from joblib import parallel_config
from screen import button, charts, said

from dirrac_core.data.datasets.synthetic import SHIFTS
from dirrac_core.errors import SolverFailure
from dirrac_core.studies import shift_impact
from pages.runs import background
from pages.shift_lab import computing as lab
from pages.shift_lab import live as lab_live
from pages.shift_lab import sensitivity as lab_sensitivity
from pages.shift_lab import view as lab_view

PATIENCE = 180.0
QUIET = (lambda part, words: None, lambda: False)


@pytest.fixture
def open_page(open_app, monkeypatch):
    # The test runner gives every visitor the same session: its runs would outlive the test.
    runs = {}
    monkeypatch.setattr(background, "_runs", lambda: runs)
    return lambda **query: open_app("shift_lab", **query)


def fine(at):
    return not at.exception and not at.error and not at.warning


def alts(at):
    return [chart.alt for chart in charts(at)]


def until(at, seen):
    """Look again, as a browser does, until something is seen."""
    end = time.monotonic() + PATIENCE
    while not seen(at):
        assert time.monotonic() < end and not at.exception, said(at)
        time.sleep(0.1)
        at.run()
    return at


# The lab itself


@pytest.mark.parametrize("kind", SHIFTS)
def test_every_kind_shows_data_models_and_who_survives(open_page, kind):
    at = open_page(lab_kind=kind, lab_size="1.4")
    assert fine(at)
    data, cloud = alts(at)
    plans = [trace for trace in charts(at)[0].figure["data"] if trace["name"] == "DiRRAc's plans"]
    assert [len(trace["x"]) for trace in plans] == [lab.APPLICANTS] * 2
    assert "500 people with the favourable and 500 with the unfavourable outcome" in data
    assert f"{lab.SHIFT_NAMES[kind]}, " in data and "= 1.4" in data
    assert "10 models after the shift" in cloud
    row = lab.validity("re-trainings", 0.02, 0.1, kind, 1.4).iloc[0]
    assert f"of 100 later models {100 - 100 * row['m2']:.0f} decline DiRRAc's plans" in said(at)
    assert list(at.table[0].value.index) == ["DiRRAc", "Gaussian DiRRAc", "ROAR (exact)"]


def test_dragging_moves_people_boundaries_and_models(open_page):
    at = open_page(lab_kind="covariance", lab_size="1.0")
    before = [chart.figure for chart in charts(at)]
    at.select_slider(key="lab_size").set_value(3.0).run()
    assert fine(at) and "β = 3.0" in said(at)
    after = [chart.figure for chart in charts(at)]
    for old, new in zip(before, after, strict=True):
        assert [t["name"] for t in old["data"]] == [t["name"] for t in new["data"]]
        assert old["data"] != new["data"]
    # The same people drawn, only further apart: the movement is smooth.
    people = [lab.after_shift("covariance", size).people for size in (1.0, 3.0)]
    assert np.corrcoef(people[0][:500, 0], people[1][:500, 0])[0, 1] > 0.999
    assert people[1][:500].std() > 1.2 * people[0][:500].std()


def test_the_models_on_the_screen_are_those_of_the_curve():
    for kind in SHIFTS:
        rows = lab.validity("re-trainings", 0.02, 0.1, kind, 1.6)
        models = lab.after_shift(kind, 1.6).models
        for method, m2 in zip(
            lab.methods("re-trainings", 0.02, lab.RADIUS), rows["m2"], strict=True
        ):
            plans = np.array([plan.x for plan in method.plans.values()])
            assert (models @ plans.T >= 0).mean() == pytest.approx(m2)


def test_remembered_plans_are_those_of_the_methods():
    rows = lab.validity("re-trainings", 0.04, 0.1, "mean", 0.6)
    schema = lab.models_today().dataset.schema
    asked = [lab.dirrac("re-trainings", 0.04, lab.RADIUS)]
    again = shift_impact(
        lab._applicants(), asked, schema, ["mean"], [0.6], lab.MODELS, seed=lab.SEED
    )
    pd.testing.assert_frame_equal(rows.iloc[:1], again)


def test_what_plans_are_prepared_for_and_their_effort_decide(open_page):
    at = open_page(lab_kind="covariance", lab_size="2.0")
    first = at.table[0].value
    at.button_group(key="lab_prepared").set_value("shifts").run()
    declared = at.table[0].value
    assert fine(at) and len(charts(at)) == 2
    assert "in 3 components" in alts(at)[1]
    column = "Observed: decline it"
    assert in_100(declared.loc["DiRRAc", column]) < in_100(first.loc["DiRRAc", column])
    at.select_slider(key="lab_effort").set_value(0.1).run()
    richer = at.table[0].value
    assert float(richer.loc["DiRRAc", "Effort"]) > float(declared.loc["DiRRAc", "Effort"])
    column = "Worst case: decline it"
    assert in_100(richer.loc["DiRRAc", column]) < in_100(declared.loc["DiRRAc", column])


def in_100(words):
    return float(words.removeprefix("at most ").removesuffix(" of 100"))


def test_the_three_components_are_the_papers_hundred_sets():
    future = lab.preparation("shifts")
    assert np.bincount(future.labels).tolist() == [33, 33, 34]
    assert future.mixture.weights.tolist() == [0.33, 0.33, 0.34]
    for k in range(3):
        own = future.parameters[future.labels == k]
        assert np.allclose(own.mean(axis=0), future.mixture.means[k])
        assert np.allclose(np.cov(own, rowvar=False), future.mixture.covariances[k])


def test_no_shift_is_said_to_be_none():
    view = lab_view.View("mean", 0.0, "re-trainings", 0.02)
    told = lab_live.headline(view, lab.validity("re-trainings", 0.02, 0.1, "mean", 0.0))
    assert told.startswith("After another draw of the same data, of 100 later models 0 decline")


def test_a_bad_address_is_told(open_page):
    at = open_page(lab_kind="weather", lab_size="9", lab_prepared="luck", lab_effort="much")
    assert not at.exception
    told = "".join(warning.value for warning in at.warning)
    for part in ("weather", "9", "luck", "much"):
        assert f"{part}: there is no such choice" in told.replace("\\", "")
    assert "covariance shift of β = 1.0" in said(at)


# The curve


@pytest.fixture
def few_sizes(monkeypatch):
    """Three sizes in this process, without starting workers."""
    monkeypatch.setattr(lab, "SIZES", (0.0, 1.0, 2.0))
    monkeypatch.setattr(background, "_workers", lambda cores: parallel_config(n_jobs=1))


def test_the_curve_is_computed_beside_the_page(open_page, few_sizes):
    at = open_page(lab_kind="covariance", lab_size="2.0")
    assert len(charts(at)) == 2
    button(at, "Compute for every size").click().run()
    until(at, lambda at: len(charts(at)) == 3)
    assert fine(at)
    curve = charts(at)[2].figure
    assert [trace["name"] for trace in curve["data"]] == [
        m.name for m in lab.methods("re-trainings", 0.02, lab.RADIUS)
    ]
    (mark,) = curve["layout"]["shapes"]
    assert mark["x0"] == mark["x1"] == 2.0
    drawn = 100 * lab.validity("re-trainings", 0.02, 0.1, "covariance", 2.0)["m2"].iloc[0]
    assert f"DiRRAc: 0 of 100 decline at size 0, {100 - drawn:.0f} of 100 at 2" in alts(at)[2]
    # Another size moves the mark; another kind is there at once; another effort must be computed.
    at.select_slider(key="lab_size").set_value(1.0).run()
    assert charts(at)[2].figure["layout"]["shapes"][0]["x0"] == 1.0
    at.button_group(key="lab_kind").set_value("both").run()
    assert len(charts(at)) == 3
    at.select_slider(key="lab_effort").set_value(0.0).run()
    assert len(charts(at)) == 2 and button(at, "Compute for every size")


def test_a_stopped_curve_keeps_what_was_finished(few_sizes):
    asked = []

    def cancel():
        asked.append(True)
        return len(asked) > 4

    rows = lab.curves("re-trainings", 0.02, 0.1, QUIET[0], cancel)
    assert list(dict.fromkeys(zip(rows["kind"], rows["magnitude"], strict=True))) == [
        ("mean", 0.0),
        ("mean", 1.0),
        ("mean", 2.0),
        ("covariance", 0.0),
    ]
    assert lab.curves("re-trainings", 0.02, 0.1, QUIET[0], lambda: True).empty


def test_a_stopped_curve_says_so_and_goes_on(open_page, few_sizes, monkeypatch):
    whole = lab.curves
    half = whole("re-trainings", 0.02, 0.1, *QUIET)
    half = half[(half["kind"] == "mean") & (half["magnitude"] < 2.0)]
    monkeypatch.setattr(lab, "curves", lambda *asked: half)
    at = open_page(lab_kind="mean", lab_size="1.0")
    button(at, "Compute for every size").click().run()
    until(at, lambda at: at.main.info)
    assert "Stopped after 2 of 3 sizes" in at.main.info[0].value and len(charts(at)) == 3
    at.button_group(key="lab_kind").set_value("covariance").run()
    assert "Stopped after 0 of 3 sizes" in at.main.info[0].value and len(charts(at)) == 2
    monkeypatch.setattr(lab, "curves", whole)
    button(at, "Go on").click().run()
    until(at, lambda at: len(charts(at)) == 3 and not at.main.info)


def test_a_failure_is_told_in_words(open_page, monkeypatch):
    def fails(*asked):
        message = "The cone program must end, got tired"
        raise SolverFailure(message)

    monkeypatch.setattr(lab, "curves", fails)
    at = open_page()
    button(at, "Compute for every size").click().run()
    until(at, lambda at: at.error)
    assert "The cone program must end, got tired" in at.error[0].value
    assert len(charts(at)) == 2


# Sensitivity


@pytest.fixture
def small_study(monkeypatch):
    """Three people in this process, without starting workers."""
    monkeypatch.setattr(lab_sensitivity, "APPLICANTS", 3)
    monkeypatch.setattr(lab_sensitivity, "RADII", (0.0, 0.2, 0.5))
    monkeypatch.setattr(lab_sensitivity, "DELTA_ADDS", (0.0, 1.0))
    whole = lab_sensitivity.compute_study

    def here(*asked):
        with parallel_config(n_jobs=1):
            return whole(*asked)

    monkeypatch.setattr(lab_sensitivity, "compute_study", here)
    return here


PART = "ρ and δ_add on real data"


@pytest.mark.slow
def test_a_study_of_real_data(open_page, small_study):
    at = open_page(lab_part=PART, lab_dataset="Student performance")
    assert fine(at) and not charts(at)
    button(at, "Compute for 3 applicants").click().run()
    until(at, lambda at: charts(at))
    assert fine(at)
    table = small_study("student", "rho", *QUIET)
    assert lab_sensitivity.headline(table, "rho") in said(at)
    assert "at radius ρ = 0, " in alts(at)[0] and " at 0.5." in alts(at)[0]
    shown = at.table[0].value
    assert list(shown.index) == ["0", "0.2", "0.5"] and set(shown["Plans"]) == {"3 of 3"}
    assert shown["Observed: decline"].iloc[0] == f"{100 * (1 - table['m2'].iloc[0]):.0f} of 100"
    at.button_group(key="lab_setting").set_value("delta_add").run()
    assert not charts(at) and button(at, "Compute for 3 applicants")


def test_the_studies_hold_the_other_setting_where_the_paper_does(small_study):
    rho = small_study("german", "rho", *QUIET)
    assert rho["rho"].tolist() == [0.0, 0.2, 0.5] and set(rho["delta_add"]) == {0.1}
    assert rho["worst_case"].iloc[-1] > rho["worst_case"].iloc[0]
    assert rho["cost_l1"].is_monotonic_increasing
    effort = small_study("german", "delta_add", *QUIET)
    assert effort["delta_add"].tolist() == [0.0, 1.0] and set(effort["rho"]) == {0.1}
    assert effort["worst_case"].is_monotonic_decreasing
    assert effort.attrs["complete"] and (effort["n"] == 3).all()


def test_a_stopped_study_says_over_whom(open_page, small_study, monkeypatch):
    # People are planned for together, so a stop falls between groups of them.
    stopped = small_study("student", "rho", *QUIET).assign(n=1)
    stopped.attrs["complete"] = False
    monkeypatch.setattr(lab_sensitivity, "compute_study", lambda *asked: stopped)
    at = open_page(lab_part=PART, lab_dataset="Student performance")
    button(at, "Compute for 3 applicants").click().run()
    until(at, lambda at: charts(at))
    assert "Stopped after 1 of 3 applicants" in at.main.info[0].value


def test_a_study_stopped_at_once_can_be_computed_again(open_page, small_study, monkeypatch):
    nothing = small_study("student", "rho", QUIET[0], lambda: True)
    monkeypatch.setattr(lab_sensitivity, "compute_study", lambda *asked: nothing)
    at = open_page(lab_part=PART, lab_dataset="Student performance")
    button(at, "Compute for 3 applicants").click().run()
    until(at, lambda at: at.main.info)
    assert fine(at) and "Nothing was computed" in at.main.info[0].value
    assert button(at, "Compute again")


def test_a_drawback_is_said_only_where_there_is_one():
    def table(*m2):
        return pd.DataFrame({"plans": [3] * len(m2), "m2": m2})

    assert lab_sensitivity.drawback(table(0.97, 0.4))
    assert not lab_sensitivity.drawback(table(0.4, 0.97))
