"""Records found by settings, the word for a promise, horizons, re-checks and remedies."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from dirrac_core.__main__ import main
from dirrac_core.case.case import make_case, solve_scenario
from dirrac_core.case.documents.file import scenario_file
from dirrac_core.case.documents.still_holds import holds_for_model, holds_for_people
from dirrac_core.case.horizon import horizon_of
from dirrac_core.case.recommended import recommended
from dirrac_core.case.scenario import Scenario
from dirrac_core.case.settings import Settings
from dirrac_core.cli import backtest as backtest_command
from dirrac_core.data import load_dataset
from dirrac_core.errors import InvalidInput
from dirrac_core.studies.evidence.backtest import COLUMNS, Record
from dirrac_core.studies.evidence.remedy import Remedy, remedies
from dirrac_core.studies.evidence.track_record import (
    ASSUMPTION,
    GUARANTEE,
    WORST_CASE,
    alike,
    decided_a_setting,
    promise_word,
    store,
    stored_records,
    track_record,
)

SETTINGS = Settings("synthetic", components=1, futures="sampling", radii=0.2)


def record(
    broken=0,
    promises=40,
    kind="past",
    observed=0.05,
    settings=SETTINGS,
    dates=("2004", "2005"),
):
    rows = pd.DataFrame(
        {
            "date": [dates[row % len(dates)] for row in range(promises)],
            "row": range(promises),
            "group": "",
            "plan": True,
            "promised": 0.1,
            "observed": observed,
            "broken": np.arange(promises) < broken,
            "cost": 1.5,
        }
    )
    return Record(settings, kind, rows, ("2002: nobody",), True)


@pytest.mark.parametrize(
    ("found", "word"),
    [
        (None, WORST_CASE),
        (record(), GUARANTEE),
        (record(broken=2), GUARANTEE),
        (record(broken=3), WORST_CASE),
        (record(promises=19), WORST_CASE),
        (record(dates=("2005",)), WORST_CASE),
        (record(observed=0.2), WORST_CASE),
        (record(kind="placebo"), WORST_CASE),
        (record(settings=replace(SETTINGS, dataset="student", widen=True)), WORST_CASE),
        (record(settings=replace(SETTINGS, dataset="student")), GUARANTEE),
        (record(settings=replace(SETTINGS, model="trees")), ASSUMPTION),
    ],
)
def test_a_guarantee_only_where_the_record_bears_it(found, word):
    assert promise_word(found) == word


def test_no_people_prove_a_setting_that_was_chosen_by_them():
    decided = [each for each in stored_records() if decided_a_setting(each)]
    assert [(each.settings.dataset, each.kind) for each in decided] == [("student", "past")]
    other = record(settings=replace(SETTINGS, dataset="german", widen=True))
    assert not decided_a_setting(other) and promise_word(other) == GUARANTEE


def test_records_there_and_back(tmp_path):
    store(record(broken=1, kind="placebo"), 2.0, tmp_path)
    store(record(), 1.0, tmp_path)
    assert len(stored_records(tmp_path)) == 2
    found = track_record(replace(SETTINGS, seed=7, radii=0.18), tmp_path)
    assert found.kind == "past" and found.skipped == ("2002: nobody",)
    assert found.settings == SETTINGS
    pd.testing.assert_frame_equal(found.rows, record().rows, check_dtype=False)
    assert track_record(replace(SETTINGS, radii=0.4), tmp_path) is None
    trees = replace(SETTINGS, model="trees")
    assert track_record(trees, tmp_path) is None
    store(record(broken=2, settings=trees), 1.0, tmp_path)
    assert track_record(trees, tmp_path).tally.broken == 2
    assert track_record(SETTINGS, tmp_path).tally.broken == 0


def test_settings_alike():
    assert alike(SETTINGS, replace(SETTINGS, seed=3, preset="paper"))
    assert not alike(SETTINGS, replace(SETTINGS, delta_add=1.0))
    assert not alike(SETTINGS, replace(SETTINGS, futures="stress"))
    assert not alike(SETTINGS, replace(SETTINGS, radii=(0.2, 0.2)))


@pytest.mark.parametrize("name", ["german", "sba", "sba-no-leak", "student", "synthetic"])
def test_shipped_datasets_have_a_record_at_the_recommended_settings(name):
    found = track_record(recommended(name))
    assert found is not None and found.kind == "past"
    assert tuple(found.rows.columns) == COLUMNS
    assert found.tally.share.value <= 0.05


def test_the_horizon_of_history_and_of_luck():
    sba, german = load_dataset("sba"), load_dataset("german")
    replayed = horizon_of(recommended(sba), sba)
    assert (replayed.covers, replayed.last) == ("past changes", "2005")
    assert replayed.until == str(2005 + replayed.reach) and replayed.until in replayed.sentence
    luck = horizon_of(Settings("sba"), sba)
    assert (luck.covers, luck.reach) == ("luck", 0)
    assert horizon_of(Settings("german"), german).reach is None


@pytest.fixture(scope="module")
def plan():
    declined = make_case(Scenario("synthetic", 0)).bundle.declined
    return scenario_file(solve_scenario(Scenario("synthetic", int(declined[0]), components=1)))


def test_a_scenario_file_says_how_far_its_evidence_reaches(plan):
    content = json.loads(plan)
    assert content["horizon"]["covers"] == "luck"
    del content["horizon"]
    assert Scenario.from_json(json.dumps(content)) == Scenario.from_json(plan)


def test_a_plan_re_checked_by_people(plan):
    dataset = load_dataset("synthetic")
    same = holds_for_people(plan, dataset)
    assert same.kept and same.accepted and same.worst_case is not None
    sample = dataset.present
    turned = type(sample)(sample.X, 1 - sample.y, sample.people)
    other = holds_for_people(plan, replace(dataset, present=turned))
    assert not other.kept and other.observed == 1.0 and "no longer holds" in other.sentence


def test_a_plan_re_checked_by_a_model(plan):
    x = np.array(json.loads(plan)["answer"]["x"])
    yes = np.append(np.zeros(x.size - 1), 1.0)
    assert holds_for_model(plan, yes).kept and not holds_for_model(plan, -yes).kept


def test_the_command_still_holds(plan, tmp_path, capsys):
    file, people = tmp_path / "plan.json", tmp_path / "newer.csv"
    file.write_text(plan, encoding="utf-8")
    sample = load_dataset("synthetic").present
    sample.people.assign(good=np.where(sample.y == 1, "yes", "no")).to_csv(people, index=False)
    asked = ["still-holds", str(file), "--people", str(people), "--label", "good"]
    assert main([*asked, "--favourable", "yes"]) == 0
    assert "still holds" in capsys.readouterr().out
    assert main([*asked, "--favourable", "no"]) == 1
    assert main([*asked, "--favourable", "maybe"]) == 2
    assert "must hold 'maybe'" in capsys.readouterr().err
    assert main(asked) == 2


def test_a_file_without_a_plan_cannot_be_re_checked():
    with pytest.raises(InvalidInput, match="got no answer"):
        holds_for_model(Scenario("german", 1).to_json(), [0.0])


def test_the_command_backtest(tmp_path, capsys):
    out = tmp_path / "record.csv"
    asked = ["backtest", "--dataset", "synthetic", "--applicants", "3", "--jobs", "1"]
    assert main([*asked, "--out", str(out)]) == 0
    assert "of 3 past promises were broken" in capsys.readouterr().out
    assert tuple(pd.read_csv(out).columns) == COLUMNS


def test_boosted_trees_are_backtested_by_their_own_settings(monkeypatch, capsys):
    def backtest(dataset, settings, *given):
        assert settings == recommended("synthetic", "trees")
        return record(settings=settings)

    monkeypatch.setattr(backtest_command, "backtest", backtest)
    assert main(["backtest", "--dataset", "synthetic", "--model", "trees"]) == 0
    assert "A promise like these is called: Assumption." in capsys.readouterr().out


def test_remedies_are_measured_before_one_is_offered():
    declined = make_case(Scenario("synthetic", 0)).bundle.declined
    case = make_case(Scenario("synthetic", int(declined[0]), components=1, delta_add=0.0))
    advice = remedies(case, jobs=1)
    assert advice.complete and advice.tried[0].scenario == case.scenario
    better = [remedy for remedy in advice.tried[1:] if remedy.better_than(advice.tried[0])]
    assert (advice.best is None) == (not better)
    if better:
        assert advice.best.share == min(remedy.share for remedy in better)


def test_what_counts_as_better():
    now = Remedy("a", Scenario("german", 1), 0.1, 1.0, 4, 1, 0.1, 0.2)
    assert replace(now, broken=0).better_than(now)
    assert not replace(now, broken=2, observed=0.0).better_than(now)
    assert replace(now, observed=0.1).better_than(now)
    assert not replace(now, observed=0.195).better_than(now)
    assert not replace(now, broken=0, worst_case=np.nan).better_than(now)
