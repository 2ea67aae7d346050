"""The track record: what was promised, what happened, live runs, and a radius chosen for me."""

import numpy as np
import pandas as pd
import pytest
from screen import button, charts, ready, said

from dirrac_core.case.recommended import recommended
from dirrac_core.errors import InvalidInput
from dirrac_core.figures.reliability import reliability_diagram
from dirrac_core.studies.evidence import track_record as records
from dirrac_core.studies.evidence.backtest import COLUMNS, Record, reliability
from dirrac_core.studies.evidence.calibration import Calibration, Tested
from dirrac_core.studies.evidence.track_record import (
    records_like,
    stored_records,
    track_record,
)
from dirrac_core.studies.intervals import exact_interval
from pages.runs import past_promises
from pages.sidebar import chosen_radius

PAST = {"v": "2", "dataset": "sba"}


@pytest.fixture(autouse=True)
def nothing_remembered(monkeypatch):
    """Records that other tests computed are not at hand here."""
    monkeypatch.setattr(records, "_MEMORY", records._Memory())


def rows(broken: int, kept: int) -> pd.DataFrame:
    """A record's rows: promises of 10 in 100, broken or kept."""
    observed = np.array([0.3] * broken + [0.0] * kept)
    return pd.DataFrame(
        {
            "date": ["2004"] * broken + ["2005"] * kept,
            "row": np.arange(broken + kept),
            "group": "",
            "plan": True,
            "promised": 0.1,
            "observed": observed,
            "broken": observed > 0.1,
            "cost": 0.5,
        }
    )[list(COLUMNS)]


def chosen(radius: float | None, kind: str = "dates", complete: bool = True) -> Calibration:
    """A choice of ρ: 0 breaks 9 of 60, 0.25 none."""
    counts = ((0.0, 9), (0.25, 0 if radius is not None else 7))
    tests = tuple(
        Tested(rho, 60, broken, exact_interval(broken, 60), 0.001, rho == radius, 0.1, 0.02)
        for rho, broken in counts
    )
    reason = "ρ = 0.25: none of 60 promises." if radius is not None else "No radius passes: no."
    return Calibration(kind, (), 0.1, 0.1, 60, 0, "", tests, radius, reason, complete)


def test_the_stored_record_is_shown_at_once(open_app):
    at = ready(open_app("track_record", **PAST))
    found = track_record(recommended("sba")).tally
    assert f"#### {found.sentence}." in said(at)
    assert f"### {found.broken} of {found.promises}" in said(at)
    assert f"{100 * found.share.high:.1f} of 100 with 95 % confidence" in said(at)
    assert len(charts(at)) == 1
    by_period, by_group, stored = (table.value for table in at.table)
    assert "shifted people" in by_period.index
    assert by_period["Broken"].astype(int).sum() == found.broken
    assert by_group["Broken"].astype(int).sum() == found.broken
    assert len(stored) == len(stored_records()) > 0


@pytest.mark.parametrize("dataset", ["german", "sba", "sba-no-leak", "student", "synthetic"])
def test_every_dataset_has_a_record_at_its_defaults(open_app, dataset):
    at = ready(open_app("track_record", v="2", dataset=dataset))
    assert f"#### {track_record(recommended(dataset)).tally.sentence}." in said(at)


@pytest.mark.parametrize(
    ("dataset", "kind", "decided"),
    [
        ("student", "what came later", True),
        ("student", "a placebo", False),
        ("sba", "what came later", False),
    ],
)
def test_people_who_decided_a_setting_are_no_independent_test_of_it(
    open_app, dataset, kind, decided
):
    at = ready(open_app("track_record", v="2", dataset=dataset, evidence=kind))
    assert ("No independent test" in said(at)) == decided
    assert "decided one of them: how far limits give way on Student performance" in said(at)


def test_groups_are_counted_by_any_feature(open_app):
    at = ready(open_app("track_record", **PAST))
    at.selectbox(key="record_by").set_value("Term").run()
    assert ready(at).table[1].value.index.name.startswith("Term")


def test_unknown_settings_are_checked_live_and_prepared_for(open_app, at_once, monkeypatch):
    asked = []

    def backtest(dataset, settings, kind, applicants, jobs, progress, cancel):
        asked.append((dataset.name, settings, kind))
        progress(0.5, "half")
        return Record(settings, kind, rows(3, 27), (), True)

    monkeypatch.setattr(past_promises, "backtest", backtest)
    at = ready(open_app("track_record", **PAST, futures="sampling", rho="0.7"))
    assert "No past promise at settings like these has been checked" in said(at)
    ready(button(at, "Check promises like these").click().run())
    assert asked == [("sba", at.session_state["scenario"].settings, "past")]
    assert "#### 3 of 30 past promises were broken." in said(at)
    assert "here it is called “Worst case within what was declared”" in said(at)
    ready(button(at, "Prepare for luck and past changes").click().run())
    assert at.session_state["scenario"].futures == "history"
    ready(button(at, "Use the recommended settings").click().run())
    assert at.session_state["scenario"].settings == recommended("sba")


def test_a_real_placebo_check(open_app, at_once):
    at = ready(open_app("track_record", v="2", dataset="synthetic", futures="sampling", add="0.2"))
    evidence = next(w for w in at.get("button_group") if w.key == "evidence")
    evidence.set_value("placebo").run()
    assert "two random halves" in said(ready(at))
    ready(button(at, "Check on a placebo").click().run())
    record = track_record(at.session_state["scenario"].settings)
    assert record.kind == "placebo" and f"#### {record.tally.sentence}." in said(at)


def test_a_record_that_was_not_finished_counts_nothing(open_app, at_once, monkeypatch):
    def backtest(dataset, settings, kind, applicants, jobs, progress, cancel):
        return Record(settings, kind, rows(0, 2), (), False)

    monkeypatch.setattr(past_promises, "backtest", backtest)
    at = ready(open_app("track_record", **PAST, futures="sampling", rho="0.9"))
    ready(button(at, "Check promises like these").click().run())
    assert "No past promise at settings like these" in said(at)


def test_a_record_that_cannot_be_made_is_a_sentence(open_app, at_once, monkeypatch):
    def backtest(*given, **named):
        message = "A placebo needs at least 40 present people, got 12"
        raise InvalidInput(message)

    monkeypatch.setattr(past_promises, "backtest", backtest)
    at = ready(open_app("track_record", **PAST, futures="sampling", rho="1.1"))
    button(at, "Check promises like these").click().run()
    assert not at.exception
    assert at.error[0].value == "A placebo needs at least 40 present people, got 12."
    assert "Every dataset at its recommended settings" in said(at)


def test_rho_is_chosen_with_its_reason(open_app, at_once, monkeypatch):
    monkeypatch.setattr(chosen_radius, "choose_radius", lambda *given, **named: chosen(0.25))
    at = ready(open_app("track_record", **PAST))
    ready(button(at, "Choose ρ for me").click().run())
    assert "ρ = 0.25: none of 60 promises." in said(at)
    assert list(at.table[2].value["Broken"]) == ["9 of 60", "0 of 60"]
    assert any("ρ = 0.25: none of 60 promises." in words.value for words in at.sidebar.caption)
    ready(button(at, "Use ρ = 0.25").click().run())
    assert at.session_state["scenario"].radii == 0.25
    # The answer stays valid whatever ρ is now, but not for other futures.
    assert not _chosen_for_others(at) and "How ρ was chosen" in said(at)
    ready(at.selectbox(key="set futures").set_value("sampling").run())
    assert _chosen_for_others(at) and "How ρ was chosen" not in said(at)
    assert not [each for each in at.button if each.label.startswith("Use ρ")]


def test_groups_of_a_number_stand_in_its_order(open_app):
    at = ready(open_app("track_record", **PAST, record_by="Term"))
    groups = next(t.value for t in at.table if t.value.index.name == "Term (months)")
    begins = [int(name.split()[0].replace("\\", "")) for name in groups.index]
    assert len(begins) > 2 and begins == sorted(begins)


def _chosen_for_others(at):
    return any("chosen for other settings" in words.value for words in at.sidebar.caption)


def test_a_radius_nothing_passes_is_refused_and_the_best_is_offered(open_app, at_once, monkeypatch):
    monkeypatch.setattr(chosen_radius, "choose_radius", lambda *given, **named: chosen(None))
    at = ready(open_app("track_record", **PAST))
    ready(button(at, "Choose ρ for me").click().run())
    assert "No radius passes" in said(at)
    assert not [each for each in at.button if each.label.startswith("Use ρ")]
    ready(button(at, "Use the best measured, ρ = 0.25").click().run())
    assert at.session_state["scenario"].radii == 0.25


def test_a_network_has_no_record(open_app, network):
    at = ready(open_app("track_record", v="2", dataset="synthetic", model="mlp"))
    assert "Promises are checked with the logistic regression" in said(at)


def test_boosted_trees_have_a_record_that_stays_an_assumption(open_app):
    asked = {"v": "2", "dataset": "german", "model": "trees", "evidence": "a placebo"}
    at = ready(open_app("track_record", **asked))
    like = records_like(recommended("german", "trees"))
    (found,) = [record for record in like if record.kind == "placebo"]
    assert f"#### {found.tally.sentence}." in said(at) and "assumes bell curves" in said(at)
    assert "The mean promise." in said(at) and "linear approximation" not in said(at)
    assert "Choose ρ for me" not in [each.label for each in at.main.button]
    stored = at.table[-1].value
    assert set(stored["Called"][stored["Model"] == "boosted trees"]) == {"Assumption"}


def test_the_diagram_draws_promised_across_and_happened_up():
    bins = reliability(rows(3, 27))
    figure = reliability_diagram(bins, "light")
    marks = figure.data[1]
    assert list(marks.x) == pytest.approx([10.0]) and marks.y[0] == pytest.approx(3.0)
    assert "30 promises of 10: 3 declined" in figure.layout.meta["alt"]
    with pytest.raises(InvalidInput, match="needs a column 'broken'"):
        reliability_diagram(bins.drop(columns="broken"), "light")
