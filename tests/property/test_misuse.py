"""A small part of benchmarks/fuzz_misuse.py: what the public doors are not made for."""

import numpy as np
import pytest

from benchmarks.fuzz_misuse import ACTIONS, DOORS, MIXTURE, WRONG, X0, misuse
from dirrac_core import Actions, FeasibleSet, ParameterMixture, find_recourse, robust_scores
from dirrac_core.errors import InvalidActions, InvalidInput

SEED, CALLS = 20, 600


@pytest.mark.parametrize("part", range(4))
def test_misuse_ends_in_named_errors(part):
    for index in range(part, CALLS, 4):
        call = misuse(SEED, index)
        assert call.unnamed == "", call


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
    ],
)
def test_what_once_was_taken_or_ended_without_a_name(call, words):
    with pytest.raises((InvalidInput, InvalidActions), match=words):
        call()


def test_every_wrong_value_has_its_own_words():
    assert len({words for words, _ in WRONG}) == len(WRONG) and isinstance(ACTIONS, Actions)
