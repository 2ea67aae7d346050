"""The standard stress set: few named shifts with reasons, strong as the present people differ."""

from dataclasses import replace

import numpy as np
import pytest

from dirrac_core.case.futures import composition_of, shifts_of
from dirrac_core.case.recommended import recommended
from dirrac_core.data.load import DATASETS, load_dataset
from dirrac_core.errors import InvalidInput
from dirrac_core.models.futures.bootstrap import Bootstrap
from dirrac_core.models.futures.compose import Retraining, compose, future_pool
from dirrac_core.models.futures.shift import Shift, titles
from dirrac_core.models.futures.stress import MOST_STRESSES, stress_set


@pytest.mark.parametrize("name", DATASETS)
def test_few_named_shifts_each_with_a_reason(name):
    dataset = load_dataset(name)
    found = stress_set(dataset)
    assert 3 <= len(found) <= MOST_STRESSES
    assert found[0].shift == Shift("sampling-noise")
    assert len(set(titles([stress.shift for stress in found]))) == len(found)
    for stress in found:
        assert stress.reason.endswith(".") and len(stress.reason) > 30
        future_pool(dataset, stress.shift)


def test_nothing_is_read_off_the_shifted_people():
    for name in ("german", "student"):
        dataset = load_dataset(name)
        blind = replace(dataset, shifted=None)
        assert stress_set(blind) == stress_set(dataset)
        found, seen = (composition_of(recommended(d), d).mixture for d in (blind, dataset))
        np.testing.assert_array_equal(found.means, seen.means)
        np.testing.assert_array_equal(found.covariances, seen.covariances)


def test_what_the_set_of_student_holds():
    student = load_dataset("student")
    shifts = [stress.shift for stress in stress_set(student)]
    assert [s.story for s in shifts[:3]] == ["sampling-noise", "prior-shift", "prior-shift"]
    pool, _ = future_pool(student, shifts[1])
    odds = pool.weights[pool.y == 0].sum() / pool.weights[pool.y == 1].sum()
    y = student.present.y
    assert odds == pytest.approx(2 * (y == 0).sum() / (y == 1).sum())
    # The second grade matters most; it drifts to the averages of the halves by the first grade.
    drifts = [s for s in shifts if s.story == "population-drift"]
    assert [s.feature for s in drifts] == ["Second grade"] * 2
    people = student.present.people
    good = people["First grade"] > people["First grade"].median()
    assert drifts[0].value == pytest.approx(people.loc[good, "Second grade"].mean())
    assert drifts[1].value == pytest.approx(people.loc[~good, "Second grade"].mean())
    assert sum(s.story == "site" for s in shifts) == 2


def test_an_oversampled_outcome_can_only_turn_out_rarer():
    german = load_dataset("german")
    strengths = [s.shift.strength for s in stress_set(german) if s.shift.story == "prior-shift"]
    assert strengths == [pytest.approx(-np.log10(2))]
    assert any(s.shift.story == "coding-correction" for s in stress_set(german))
    usual = stress_set(replace(german, oversampled=False))
    assert sum(s.shift.story == "prior-shift" for s in usual) == 2


def test_a_site_is_the_model_of_its_people():
    student = load_dataset("student")
    shift = Shift("site", 1.0, feature="Internet", value="no")
    found = compose(student, [shift], 0, Retraining(Bootstrap()))
    rows = (student.present.people["Internet"] == "no").to_numpy()
    pool, sentence = future_pool(student, shift)
    assert pool.X.shape[0] == rows.sum() and (pool.weights == pool.weights[0]).all()
    np.testing.assert_array_equal(pool.X, student.present.X[rows])
    assert "all are people with Internet “no”" in sentence
    half = future_pool(student, replace(shift, strength=0.5))[0]
    share = half.weights[rows].sum() / half.weights.sum()
    assert share == pytest.approx(rows.mean() + 0.5 * (1 - rows.mean()))
    assert found.labels == ("Subgroup takes over: Internet no (strength 1)",)


@pytest.mark.parametrize(
    ("shift", "words"),
    [
        (Shift("site", 1.0), "needs a feature and a value"),
        (Shift("site", 1.0, feature="Age", value=17.0), "must be a category"),
        (Shift("site", 1.0, feature="Internet", value="maybe"), "one of no, yes"),
    ],
)
def test_a_group_that_cannot_take_over_is_refused(shift, words):
    with pytest.raises(InvalidInput, match=words):
        future_pool(load_dataset("student"), shift)


def test_shifts_of_one_kind_have_names_of_their_own():
    shifts = [
        Shift("prior-shift", 0.3),
        Shift("prior-shift", -0.3),
        Shift("population-drift", 0.5, feature="Age", value=20.0),
        Shift("population-drift", 0.5, feature="Age", value=16.0),
        Shift("population-drift", 0.5, feature="Absences", value=20.0),
        Shift("prior-shift", 0.3, radius=0.5),
    ]
    assert titles(shifts) == (
        "Prior shift (strength 0.3), no. 1",
        "Prior shift (strength −0.3)",
        "Population drift: Age towards 20 (strength 0.5)",
        "Population drift: Age towards 16 (strength 0.5)",
        "Population drift: Absences towards 20 (strength 0.5)",
        "Prior shift (strength 0.3), no. 2",
    )


@pytest.mark.parametrize("name", DATASETS)
def test_the_recommended_settings_fit_the_data(name):
    settings = recommended(name)
    assert settings == recommended(load_dataset(name))
    assert settings.futures == ("history" if name.startswith("sba") else "stress")
    assert settings.radius_unit == "deviations" and settings.weighting == "worst-component"
    shifts = shifts_of(settings, load_dataset(name))
    assert {shift.radius for shift in shifts} == {settings.radii}
