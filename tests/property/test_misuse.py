"""A small part of `benchmarks.fuzz --generator misuse`: what the public doors are not made for."""

import numpy as np
import pytest

from benchmarks.fuzzing.misuse import ACTIONS, DOORS, GERMAN, MIXTURE, PROBLEM, WRONG, X0, misuse
from dirrac_core import Actions, FeasibleSet, ParameterMixture, find_recourse, robust_scores
from dirrac_core.case.case import bundle_of, make_case
from dirrac_core.data import with_constant
from dirrac_core.data.dataset import make_sample
from dirrac_core.data.schema.feature import Feature
from dirrac_core.errors import InvalidActions, InvalidInput
from dirrac_core.models.bundle import prepare

SEED, CALLS = 20, 600


@pytest.mark.parametrize("part", range(4))
def test_misuse_ends_in_named_errors(part):
    for index in range(part, CALLS, 4):
        call = misuse(SEED, index)
        assert call.violations == [], call


def test_every_door_takes_what_it_is_made_for():
    refused = {"people_in_file", "stream_portfolio"}  # these are shown a place that is not there
    for name in DOORS.keys() - refused:
        function, right = DOORS[name]
        function(**right)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: Actions(groups=None), "groups must be a list, got None"),
        (
            lambda: FeasibleSet(X0, "mixture"),
            "mixture must be of type ParameterMixture",
        ),
        (
            lambda: FeasibleSet(X0, MIXTURE, actions=[1]),
            r"actions must be of type Actions, got \[1\]",
        ),
        (lambda: find_recourse(MIXTURE), "problem must be of type RecourseProblem, got ParameterM"),
        (lambda: FeasibleSet(X0, MIXTURE, cost=np.ones(3)), "cost must be one of"),
        (lambda: robust_scores(X0 + 1j, MIXTURE, 0.1), "x must be .* plain numbers, got complex"),
        (
            lambda: robust_scores(np.ma.masked_array(X0, X0 > 0.5), MIXTURE, 0.1),
            "x must be an array of plain numbers, got a masked array",
        ),
        (
            lambda: ParameterMixture([1.0], [[1e200, 1.0]], [np.eye(2)]),
            "No entry of means may exceed 1e\\+150, got 1e\\+200",
        ),
        (lambda: make_case("text"), "scenario must be of type Scenario, got 'text'"),
        (lambda: bundle_of([]), r"settings must be of type Settings, got \[\]"),
        (lambda: find_recourse(PROBLEM, model=1), "model must be a classifier .*, got 1"),
        (lambda: prepare(GERMAN, bootstrap="1"), "bootstrap must be of type Bootstrap, got '1'"),
        (lambda: with_constant([[1], [1, 2]]), r"Encoded people must be .*, got \[\[1\]"),
        (lambda: GERMAN.schema.decode([[1], [1, 2]]), "A person must be an array of numbers"),
        (lambda: GERMAN.schema.encode(7), "People must be a table .*, got 7"),
        (
            lambda: make_sample(GERMAN.schema, GERMAN.present.people[:2], [0, 2]),
            "Every entry of the label must be 0 or 1, got 2",
        ),
        (lambda: Feature(None, "integer"), "The name of a feature must be of type str, got None"),
    ],
)
def test_what_once_was_taken_or_ended_without_a_name(call, words):
    with pytest.raises((InvalidInput, InvalidActions), match=words):
        call()


def test_every_wrong_value_has_its_own_words():
    assert len({words for words, _ in WRONG}) == len(WRONG) and isinstance(ACTIONS, Actions)
