"""Declared shifts: the mixture they make, their files, and what they refuse."""

import json
from dataclasses import replace

import numpy as np
import pytest

from dirrac_core import DATASETS, load_dataset
from dirrac_core.case.case import make_case, solve_scenario
from dirrac_core.case.scenario import Scenario
from dirrac_core.errors import InvalidInput, UnknownName
from dirrac_core.models.bundle import prepare
from dirrac_core.models.futures.compose import available_stories, compose, future_pool
from dirrac_core.models.futures.shift import Shift, read_shift
from dirrac_core.models.futures.usual_shifts import check_shift, drift_of, swapped, usual_shift

NOISE = Shift("sampling-noise")
CORRECTION = Shift("coding-correction", strength=1.0)


def test_declared_shifts_make_the_mixture_and_the_radii():
    shifts = (replace(NOISE, weight=3.0, radius=0.05), replace(CORRECTION, radius=0.2))
    case = make_case(Scenario("german", 0, components=3, radii=0.7, seed=4, shifts=shifts))
    german = load_dataset("german")
    wanted = compose(
        german,
        [
            Shift("sampling-noise", weight=3.0, radius=0.05),
            Shift("coding-correction", strength=1.0, radius=0.2),
        ],
        seed=4,
    )
    for name in ("weights", "means", "covariances"):
        np.testing.assert_array_equal(
            getattr(case.problem.mixture, name), getattr(wanted.mixture, name)
        )
    np.testing.assert_array_equal(case.problem.radii, [0.05, 0.2])
    assert case.component_names == ("Sampling noise", "Corrected coding (strength 1)")
    assert case.declared.sentences == wanted.sentences


def test_without_shifts_the_mixture_is_estimated_from_retrainings():
    case = make_case(Scenario("german", 0, components=2))
    estimate = prepare(load_dataset("german"), components=2).estimate
    assert case.problem.mixture is estimate.mixture
    assert case.declared is None and case.component_names is None


def test_declaring_the_correction_brings_the_german_applicant_back():
    german = prepare(load_dataset("german"))
    blind = Scenario("german", int(german.declined[0]), components=1, delta_add=2.0)
    m2 = [
        german.future.validity(solve_scenario(scenario).plan.x)
        for scenario in (blind, replace(blind, shifts=(NOISE, CORRECTION)))
    ]
    assert m2[0] < 0.6
    assert m2[1] > 0.95


def test_a_scenario_with_shifts_survives_json():
    shifts = (
        NOISE,
        Shift("population-drift", 0.4, 2.0, 0.3, "Duration", 36),
        Shift("population-drift", 0.4, feature="Status", value="no account"),
        Shift(
            "coding-correction", 0.5, feature="Status", correction=swapped("< 0 DM", "no account")
        ),
    )
    scenario = Scenario("german", 3, shifts=shifts)
    again = Scenario.from_json(scenario.to_json())
    assert again == scenario and hash(again) == hash(scenario)
    assert isinstance(again.shifts[1].value, float)
    np.testing.assert_array_equal(
        make_case(again).problem.mixture.means, make_case(scenario).problem.mixture.means
    )


@pytest.mark.parametrize("dataset", DATASETS)
def test_every_story_a_dataset_offers_starts_valid(dataset):
    data = load_dataset(dataset)
    for story in available_stories(data):
        shift = usual_shift(data, story)
        check_shift(data, shift)
        check_shift(data, replace(shift, strength=0.0))
    for feature in data.schema.features:
        check_shift(data, drift_of(data, Shift("population-drift", 0.5), feature.name))


def test_categories_left_out_of_a_correction_keep_their_meaning():
    german = load_dataset("german")
    shift = replace(CORRECTION, feature="Status", correction=swapped("< 0 DM", "no account"))
    pool, sentence = future_pool(german, shift)
    first, _, _, last = german.schema.columns_of("Status")
    np.testing.assert_array_equal(pool.X[:, [last, first]], german.present.X[:, [first, last]])
    kept = [c for c in range(pool.X.shape[1]) if c not in (first, last)]
    np.testing.assert_array_equal(pool.X[:, kept], german.present.X[:, kept])
    assert sentence.endswith("“< 0 DM” was “no account”; “no account” was “< 0 DM”.")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("noise", "names a story, got 'noise'"),
        ({"strength": 1}, "names a story"),
        ({"story": "weather"}, "A shift story must be one of"),
        ({"story": "prior-shift", "power": 1}, "got 'power'"),
        ({"story": "prior-shift", "strength": "much"}, "strength .* got 'much'"),
        ({"story": "prior-shift", "strength": 3}, "between -1 and 1, got 3"),
        ({"story": "prior-shift", "weight": 0}, "weight .* > 0"),
        ({"story": "prior-shift", "radius": -1}, "radius .* ≥ 0"),
        ({"story": "population-drift", "feature": 4}, "must be a name, got 4"),
        ({"story": "population-drift", "value": [4]}, r"got \[4\]"),
        ({"story": "coding-correction", "correction": 5}, "pairs of categories, got 5"),
        ({"story": "coding-correction", "correction": ["ab"]}, "pairs of categories"),
        ({"story": "coding-correction", "correction": [["a", "b", "c"]]}, "pairs of categories"),
    ],
)
def test_a_shift_in_a_file_is_refused_in_words(content, words):
    with pytest.raises(InvalidInput, match=words):
        read_shift(content)
    text = json.dumps({"dataset": "german", "applicant": 0, "shifts": [content]})
    with pytest.raises(InvalidInput, match=words):
        Scenario.from_json(text)


@pytest.mark.parametrize(
    ("shift", "words"),
    [
        (Shift("population-drift", 0.5), "needs a feature and a value"),
        (Shift("population-drift", 0.0), "needs a feature and a value"),
        (Shift("population-drift", 0.5, feature="Age", value=1e9), "inside"),
        (Shift("population-drift", 0.5, feature="Status", value="rich"), "one of"),
        (Shift("population-drift", 0.5, feature="Wealth", value=1.0), "A feature must be"),
        (
            Shift("coding-correction", 1.0, feature="Status", correction=(("a", "b"),)),
            "must permute",
        ),
    ],
)
def test_a_shift_that_does_not_fit_the_dataset_is_refused(shift, words):
    with pytest.raises(InvalidInput, match=words):
        check_shift(load_dataset("german"), shift)


def test_a_story_the_dataset_cannot_tell_is_refused():
    with pytest.raises(UnknownName, match="A shift of Synthetic"):
        check_shift(load_dataset("synthetic"), CORRECTION)


def test_a_scenario_refuses_too_many_shifts_and_networks():
    with pytest.raises(InvalidInput, match="At most 10 shifts"):
        Scenario("german", 0, shifts=(NOISE,) * 11)
    with pytest.raises(InvalidInput, match="re-train the logistic model"):
        Scenario("german", 0, model="mlp", shifts=(NOISE,))
    with pytest.raises(InvalidInput, match="shifts must be a list"):
        Scenario.from_json('{"dataset": "german", "applicant": 0, "shifts": "noise"}')
