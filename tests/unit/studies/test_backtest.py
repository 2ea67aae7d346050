"""Records of promises in small worlds: kept where nothing changes, broken where much does."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from dirrac_core.case.settings import Settings
from dirrac_core.errors import InvalidInput, UnknownName
from dirrac_core.models.futures.shift import Shift
from dirrac_core.parallel import own_workers
from dirrac_core.studies.evidence import backtest as backtest_module
from dirrac_core.studies.evidence.backtest import (
    COLUMNS,
    backtest,
    past_case,
    promises,
    reliability,
    tally,
    tally_by,
)
from dirrac_core.studies.evidence.pasts import pasts_of
from dirrac_core.studies.intervals import exact_interval, more_often_than
from dirrac_core.studies.people.many_plans import ManyPlanner
from tests.small_worlds import world

SETTINGS = Settings("synthetic", components=1, futures="sampling", radii=0.2, delta_add=0.2)


@pytest.fixture(scope="module")
def calm():
    return backtest(world(people=600), SETTINGS, "placebo", applicants=10, jobs=1)


@pytest.fixture(scope="module")
def stormy():
    return backtest(world(people=900, years=6, change=1.6), SETTINGS, "dates", 10, jobs=1)


def test_nothing_changes_and_promises_are_kept(calm):
    assert calm.complete and list(calm.rows.columns) == list(COLUMNS)
    assert calm.tally.promises >= 30
    assert calm.tally.share.value <= 0.05
    assert calm.tally.observed < calm.tally.promised


def test_much_changes_and_promises_are_broken(stormy):
    assert stormy.tally.share.low > 0.2
    assert stormy.tally.observed > stormy.tally.promised
    by_year = tally_by(stormy.rows, "date")
    assert list(by_year["date"]) == sorted(by_year["date"])
    assert by_year["promises"].sum() == stormy.tally.promises


def test_broken_is_more_failures_than_promised(stormy):
    made = stormy.rows[stormy.rows["plan"]]
    assert (made["broken"] == (made["observed"] > made["promised"] + 1e-9)).all()


def test_a_promise_that_comes_exactly_true_is_kept():
    found = pd.DataFrame(
        {"row": [0, 1], "found": True, "worst_case": [0.03, 0.03], "m2": [0.97, 0.96], "cost": 1.0}
    )
    rows = promises(found, pasts_of(world(), "placebo")[0])
    assert list(rows["broken"]) == [False, True]


def test_any_number_of_jobs_gives_the_same_rows(calm):
    again = backtest(world(people=600), SETTINGS, "placebo", applicants=10, jobs=2)
    pd.testing.assert_frame_equal(calm.rows, again.rows)


def test_a_past_knows_nothing_of_its_judges():
    dated = world(people=900, years=6)
    for kind in ("dates", "placebo", "groups"):
        for past in pasts_of(dated, kind):
            known, later = past.dataset.present, past.dataset.shifted
            assert len(known) + len(later) <= len(dated.present)
            seen = {tuple(row) for row in known.X}
            assert not seen & {tuple(row) for row in later.X}
            np.testing.assert_array_equal(known.X, dated.present.X[past.rows])


def test_dates_come_in_the_order_of_time():
    dated = world(people=900, years=6)
    for past in pasts_of(dated, "dates"):
        last = max(past.dataset.periods.names)
        assert last < past.name.split("–")[0]


def test_the_past_ends_with_the_shifted_people():
    names = [past.name for past in pasts_of(world(people=900, years=6, shifted=True), "past")]
    assert names[-1] == "shifted people" and len(names) > 1


def test_groups_are_told_apart():
    record = backtest(world(), SETTINGS, "placebo", 5, group_by="region", jobs=1)
    assert set(record.rows["group"]) <= {"north", "south"}
    assert tally_by(record.rows, "group")["asked"].sum() == len(record.rows)


def test_cancel_returns_a_first_part():
    told = []
    record = backtest(
        world(),
        SETTINGS,
        "placebo",
        5,
        jobs=1,
        progress=lambda part, words: told.append((part, words)),
        cancel=lambda: len(told) > 3,
    )
    assert not record.complete and 0 < len(record.rows) < 20
    assert all(0.0 <= part <= 1.0 for part, _ in told)


def test_the_papers_promises_are_judged_at_equal_size_too():
    past = pasts_of(world(people=600), "placebo")[0]
    paper, _ = past_case(past, Settings("synthetic", components=1), 1)
    ours, _ = past_case(past, SETTINGS, 1)
    judges = paper.bundle.future.parameters
    np.testing.assert_array_equal(judges, ours.bundle.future.parameters)
    assert len(judges) == 100


def test_bins_of_a_reliability_diagram_hold_every_promise(stormy):
    bins = reliability(stormy.rows)
    assert bins["n"].sum() == stormy.tally.promises
    assert ((bins["from"] <= bins["promised"]) & (bins["promised"] <= bins["to"])).all()
    several = bins[bins["n"] > 1]
    assert (several["observed_low"] <= several["observed"]).all()


def test_nobody_with_a_plan():
    nobody = pd.DataFrame({"plan": [False], "promised": [np.nan], "observed": [np.nan]})
    found = tally(nobody.assign(broken=False))
    assert (found.asked, found.promises, found.broken) == (1, 0, 0)
    assert "No promise" in found.sentence


@pytest.mark.parametrize(("count", "n"), [(0, 12), (4, 83), (83, 83), (1, 1)])
def test_clopper_pearson(count, n):
    found = exact_interval(count, n)
    low = stats.beta.ppf(0.025, count, n - count + 1) if count else 0.0
    high = stats.beta.ppf(0.975, count + 1, n - count) if count < n else 1.0
    assert found.value == count / n
    np.testing.assert_allclose([found.low, found.high], [low, high], atol=1e-9)


@pytest.mark.parametrize(("count", "n", "share"), [(0, 45, 0.05), (3, 60, 0.1), (60, 60, 0.1)])
def test_binomial_p_value(count, n, share):
    expected = stats.binomtest(count, n, share, alternative="less").pvalue
    assert more_often_than(count, n, share) == pytest.approx(expected, rel=1e-12)


def test_nothing_tried_proves_nothing():
    assert more_often_than(0, 0, 0.1) == 1.0


@pytest.mark.parametrize(
    ("make", "kind", "words"),
    [
        (lambda: world(people=30), "placebo", "at least 40 present people, got 30"),
        (lambda: world(), "dates", "a period for each person, got none"),
        (lambda: world(), "past", "a period for each person or shifted people, got neither"),
        (lambda: world(people=60, years=3), "dates", "Past dates need at least 3 windows"),
        (lambda: world(people=44), "groups", "Held-out groups need a group of"),
    ],
)
def test_what_cannot_be_tried_is_refused_with_the_rule(make, kind, words):
    with pytest.raises(InvalidInput, match=words):
        backtest(make(), SETTINGS, kind, jobs=1)


def test_one_outcome_only():
    one = world(people=80)
    y = np.ones(80, dtype=np.int64)
    y[0] = 0
    lonely = type(one.present)(one.present.X, y, one.present.people)
    with pytest.raises(InvalidInput, match="must have both outcomes"):
        pasts_of(replace(one, present=lonely), "placebo")


def test_unknown_evidence_and_no_applicants():
    with pytest.raises(UnknownName, match="The kind of evidence"):
        backtest(world(), SETTINGS, "hearsay")
    with pytest.raises(InvalidInput, match="must be ≥ 1, got 0"):
        backtest(world(), SETTINGS, "placebo", applicants=0)


def test_settings_that_know_the_shifted_people_are_refused():
    peeking = Settings("synthetic", shifts=(Shift("economic-period", strength=0.5),))
    with pytest.raises(InvalidInput, match="only what was known then"):
        backtest(world(shifted=True), peeking, "past")


def test_workers_of_their_own_train_and_plan_so_that_both_can_be_stopped(calm, monkeypatch):
    def in_this_process(*_):
        raise AssertionError

    # Seen by this process alone: the workers import the modules for themselves.
    monkeypatch.setattr(backtest_module, "past_case", in_this_process)
    monkeypatch.setattr(ManyPlanner, "__call__", in_this_process)
    with own_workers(1):
        record = backtest(world(people=600), SETTINGS, "placebo", applicants=10, jobs=None)
    pd.testing.assert_frame_equal(calm.rows, record.rows)


def test_a_record_can_be_stopped_while_its_models_are_trained():
    asked = iter([False])
    with own_workers(1):
        record = backtest(
            world(people=600), SETTINGS, "placebo", 10, jobs=None, cancel=lambda: next(asked, True)
        )
    assert not record.complete and record.rows.empty
