"""Replayed history: windows at whole periods, changes that happen again, and what is refused."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from dirrac_core.case.case import make_case
from dirrac_core.case.futures import composition_of
from dirrac_core.case.scenario import Scenario
from dirrac_core.case.settings import Settings
from dirrac_core.data.dataset import Dataset, make_sample
from dirrac_core.data.load import load_dataset
from dirrac_core.data.periods import Periods, periods_of
from dirrac_core.data.schema.feature import Feature
from dirrac_core.data.schema.schema import Schema
from dirrac_core.data.upload.table import table_dataset
from dirrac_core.errors import InvalidInput, InvalidTable
from dirrac_core.models.futures.bootstrap import Bootstrap
from dirrac_core.models.futures.compose import Retraining, compose
from dirrac_core.models.futures.history import (
    History,
    change_step,
    history_shifts,
    past_changes,
    sharpest_rise,
    windows_of,
)
from dirrac_core.models.futures.shift import Shift
from dirrac_core.models.logistic import LogisticSettings, fit_logistic

OURS = Retraining(Bootstrap())


def dated(years, y, number=None):
    """People with one number, an outcome and a year each."""
    schema = Schema((Feature("Number", "continuous"),))
    rng = np.random.default_rng(0)
    values = rng.random(len(y)) if number is None else number
    return Dataset(
        name="dated",
        title="Dated",
        schema=schema,
        present=make_sample(schema, pd.DataFrame({"Number": values}), y),
        shifted=None,
        favourable="yes",
        unfavourable="no",
        shift_description="",
        years="",
        periods=periods_of(pd.Series(years), "Year"),
    )


def best_cut_by_brute_force(counts, windows):
    share = sum(counts) / windows
    return min(
        sum(
            (sum(counts[a:b]) - share) ** 2
            for a, b in zip((0, *cut), (*cut, len(counts)), strict=True)
        )
        for cut in combinations(range(1, len(counts)), windows - 1)
    )


@pytest.mark.parametrize("windows", [2, 3, 4, 5])
def test_windows_of_sba_have_about_equal_information(windows):
    sba = load_dataset("sba")
    found = windows_of(sba, windows)
    bad = [int((sba.present.y[w.rows] == 0).sum()) for w in found]
    assert len(found) == windows
    assert sum(w.rows for w in found).max() == 1 and sum(w.rows.sum() for w in found) == 1159
    yearly = np.bincount(sba.periods.index[sba.present.y == 0], minlength=17)
    got = sum((count - sum(bad) / windows) ** 2 for count in bad)
    assert got == pytest.approx(best_cut_by_brute_force(list(yearly), windows))


def test_the_years_of_sba():
    sba = load_dataset("sba")
    assert sba.periods.names == tuple(map(str, range(1989, 2006)))
    assert sba.periods.within("2005").sum() == 246
    assert [change.name for change in past_changes(sba)] == [
        "1989–2002 → 2003",
        "2003 → 2004",
        "2004 → 2005",
    ]
    # 4.9 → 20.4 bad to 100 good from 1989–2002 to 2003.
    assert sharpest_rise(sba) == pytest.approx(np.log10(31 / 152 / (27 / 475)))


def test_a_past_change_moves_the_model_by_the_difference_of_two_windows():
    sba = load_dataset("sba")
    change = Shift("history", 1.0, value="2003 → 2004")
    base, once, twice = (
        compose(sba, [shift], 0, OURS)
        for shift in (Shift("sampling-noise"), change, replace(change, strength=2.0))
    )
    size = Bootstrap().sizes(len(sba.present))[0]
    models = []
    for year in ("2003", "2004"):
        rows = sba.periods.within(year)
        ridge = LogisticSettings().per_person(size, rows.sum())
        models.append(fit_logistic(sba.present.X[rows], sba.present.y[rows], settings=ridge)[0])
    step = models[1] - models[0]
    np.testing.assert_allclose(once.mixture.means - base.mixture.means, step[None], atol=1e-6)
    np.testing.assert_allclose(twice.mixture.means - base.mixture.means, 2 * step[None], atol=1e-6)
    np.testing.assert_allclose(once.mixture.covariances, base.mixture.covariances, atol=1e-12)
    assert once.sentences == ("The change of 2003 → 2004 happens again.",)
    assert twice.sentences == ("The change of 2003 → 2004 happens again, twice as hard.",)


def test_the_futures_of_history():
    settings = Settings("sba", futures="history", radii=0.2, history_weighting="recency")
    found = composition_of(settings, load_dataset("sba"))
    assert found.labels[0] == "Sampling noise"
    assert found.labels[1:4] == tuple(
        f"Past change again: {name} (strength 1)"
        for name in ("1989–2002 → 2003", "2003 → 2004", "2004 → 2005")
    )
    assert "from 16% to" in found.sentences[4]
    np.testing.assert_allclose(found.mixture.weights, np.array([3, 1, 2, 3, 3]) / 12)
    np.testing.assert_array_equal(found.radii, 0.2)
    equal = composition_of(replace(settings, history_weighting="equal"), load_dataset("sba"))
    np.testing.assert_allclose(equal.mixture.weights, 0.2)


def test_the_base_is_all_years_or_the_most_recent_window():
    sba = load_dataset("sba")
    recent = composition_of(Settings("sba", futures="history", history_base="recent"), sba)
    rows = sba.periods.within("2005")
    size = Bootstrap().sizes(len(sba.present))[0]
    ridge = LogisticSettings().per_person(size, rows.sum())
    newest = fit_logistic(sba.present.X[rows], sba.present.y[rows], settings=ridge)[0]
    np.testing.assert_allclose(recent.mixture.means[0], newest, atol=1e-6)
    every = composition_of(Settings("sba", futures="history"), sba)
    # Fewer people know less: the same luck is larger around the most recent window.
    assert np.trace(recent.mixture.covariances[0]) > 1.5 * np.trace(every.mixture.covariances[0])


def test_a_case_with_history_is_planned_by_name_and_survives_json():
    scenario = Scenario(
        "sba", 31, futures="history", radius_unit="deviations", weighting="worst-component"
    )
    again = Scenario.from_json(scenario.to_json())
    assert again == scenario
    case = make_case(again)
    assert case.component_names[1].startswith("Past change again: 1989–2002 → 2003")
    assert case.bundle.bootstrap == Bootstrap()
    declared = replace(scenario, shifts=(Shift("prior-shift", 0.1, radius=0.7),))
    problem = make_case(declared).problem
    assert problem.mixture.components == 6 and problem.radii[-1] == 0.7


def test_windows_that_cannot_stand_alone_join_a_neighbour():
    rng = np.random.default_rng(1)
    years = np.repeat([2001, 2002, 2003, 2004], [100, 6, 100, 100])
    y = rng.random(306) < 0.5
    y[years == 2001] = True
    y[:20] = False
    # 2002 has too few people; the years before it have fewer of the rarer outcome than 2003.
    assert [w.name for w in windows_of(dated(years, y), 4)] == ["2001–2002", "2003", "2004"]
    y[years == 2004] = True
    assert [w.name for w in windows_of(dated(years, y), 4)] == ["2001–2002", "2003–2004"]
    y[years != 2001] = True
    with pytest.raises(InvalidInput, match="two windows of 20 people with both outcomes"):
        windows_of(dated(years, y), 4)
    with pytest.raises(InvalidInput, match="got 1: 10 people, 5 favourable; 2: 10"):
        windows_of(dated(np.repeat([1, 2, 3], 10), np.tile([0, 1], 15)), 3)


def test_many_periods_are_cut_quickly_and_evenly():
    rng = np.random.default_rng(0)
    days = np.sort(rng.integers(0, 5000, 20_000))
    found = windows_of(dated(days, rng.random(20_000) < 0.2), 4)
    rare = [int(w.rows.sum()) for w in found]
    assert max(rare) < 1.1 * min(rare)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: History(windows=1), "from 2 to 9, got 1"),
        (lambda: History(windows=True), "from 2 to 9"),
        (lambda: History(base="old"), "'all', 'recent'"),
        (lambda: History(weighting="loud"), "'equal', 'recency'"),
        (lambda: History(strength=4.0), "at most 3, got 4"),
        (lambda: History(strength="much"), "must be a number"),
        (lambda: windows_of(load_dataset("german")), "needs a period for each person"),
        (lambda: change_step(load_dataset("sba"), "2003", 100), "named as"),
        (lambda: change_step(load_dataset("sba"), "2003 → 2031", 100), "periods 1989 to 2005"),
        (lambda: change_step(load_dataset("sba"), "1989 → 2005", 100), "both outcomes"),
        (lambda: Settings("sba", futures="weather"), "The futures must be one of"),
        (lambda: Settings("sba", futures="history", model="mlp"), "re-train the logistic model"),
        (lambda: Settings("sba", training_size=3), "≥ 10, got 3"),
        (lambda: Settings("sba", history_windows=40), "from 2 to 9, got 40"),
    ],
)
def test_refusals_name_the_rule(call, words):
    with pytest.raises(InvalidInput, match=words):
        call()


def test_a_strength_of_zero_is_no_change():
    shifts = history_shifts(load_dataset("sba"), History(strength=0.0))
    assert [shift.story for shift in shifts] == ["sampling-noise"] + ["history"] * 3
    found = compose(load_dataset("sba"), shifts, 0, OURS)
    np.testing.assert_array_equal(found.mixture.means[0], found.mixture.means[1])


@pytest.mark.parametrize(
    ("values", "names"),
    [
        ([2003, 2001, 2003], ("2001", "2003")),
        (["3", "10", "3"], ("3", "10")),
        (
            ["2001-05-01", "2004-01-31", "2002-01-01", "2003-01-01"],
            ("2001", "2002", "2003", "2004"),
        ),
        (
            ["2001-05", "2001-06", "2001-07", "2001-09"],
            ("2001-05", "2001-06", "2001-07", "2001-09"),
        ),
        (["31.12.2001", "01.12.2001"], ("2001-12-01", "2001-12-31")),
        (["12/31/2001", "01/30/2001"], ("2001-01-30", "2001-12-31")),
    ],
)
def test_dates_and_numbers_become_periods(values, names):
    assert periods_of(pd.Series(values), "when").names == names


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (["2001-05-01", "soon"], "'when' must hold numbers or dates .* got 'soon'"),
        (["2001", "2002", "soon"], "all written alike, .* got 'soon'"),
        (["01/02/2001", "03/04/2001"], "day or the month first.*'01/02/2001'"),
    ],
)
def test_an_unreadable_period_column_is_named_with_an_example(values, words):
    with pytest.raises(InvalidTable, match=words):
        periods_of(pd.Series(values), "when")


def test_own_tables_may_say_when():
    rng = np.random.default_rng(0)
    n = 200
    frame = pd.DataFrame(
        {
            "when": [f"{year}-06-30" for year in np.repeat([2001, 2002, 2003, 2004], 50)],
            "income": rng.integers(1, 100, n).astype(str),
            "paid": np.where(rng.random(n) < 0.5, "yes", "no"),
        }
    )
    frame.loc[3, "income"] = ""
    dataset, _ = table_dataset(frame, label="paid", favourable="yes", periods="when")
    assert [f.name for f in dataset.schema.features] == ["income", "income missing"]
    assert dataset.periods.names == ("2001", "2002", "2003", "2004")
    assert len(dataset.periods) == len(dataset.present) == 200
    assert (np.bincount(dataset.periods.index) == 50).all()
    assert len(windows_of(dataset, 4)) == 4
    for periods, words in (("date", "period column must be a column"), ("paid", "cannot also say")):
        with pytest.raises(InvalidTable, match=words):
            table_dataset(frame, label="paid", favourable="yes", periods=periods)
    with pytest.raises(InvalidTable, match="'when'.*got 'x'"):
        table_dataset(frame.assign(when="x"), label="paid", favourable="yes", periods="when")
    with pytest.raises(InvalidTable, match="needs a period, got 2"):
        replace(dataset, periods=Periods(np.array([0, 1]), ("a", "b")))
