"""What may change: every contradictory or ill-formed description is refused by name."""

import numpy as np
import pytest

from dirrac_core.data.schema.actions import Actions, ConditionalRule, LinearRule
from dirrac_core.errors import InvalidActions

GROUPS = ((1, 2),)
BOX = {"lower": [0.0] * 4, "upper": [1.0] * 4}


@pytest.mark.parametrize(
    ("described", "said"),
    [
        ({"lower": [0.0, 0.0], "upper": [1.0]}, "same length, got 2 and 1"),
        ({"lower": [0.0, 2.0], "upper": [1.0, 1.0]}, "exceed the upper .* 2 > 1 in column 1"),
        ({"lower": [0.0, np.nan]}, r"lower must be a number, got nan at \(1,\)"),
        ({"lower": [[0.0]]}, r"lower must have shape \(any\), got \(1, 1\)"),
        ({"upper": []}, r"upper must have shape \(any\), got \(0,\)"),
        ({"upper": ["high"]}, "upper must be an array of numbers"),
        ({"weights": [1.0, 0.0]}, "weight must be > 0 and finite, got 0"),
        ({"weights": [1.0, -2.0]}, "weight must be > 0 and finite, got -2"),
        ({"weights": [1.0, np.inf]}, "weight must be > 0 and finite, got inf"),
        ({"locked": [-1]}, "locked must hold column numbers ≥ 0, got -1"),
        ({"only_up": [0.5]}, "only_up must hold column numbers ≥ 0, got 0.5"),
        ({"only_down": [True]}, "only_down must hold column numbers ≥ 0, got True"),
        ({"locked": ["age"]}, "locked must hold column numbers ≥ 0, got 'age'"),
        ({"locked": [np.nan]}, "locked must hold column numbers ≥ 0, got nan"),
        ({"groups": [(0, 1), (1, 2)]}, "one group only"),
        ({"groups": [(0,)]}, "at least two columns"),
        ({"linear": [([1.0, 1.0], 2.0, 1.0)]}, "low ≤ high, got 2 and 1"),
        ({"linear": [([1.0, np.nan], 0.0, 1.0)]}, "linear rule must be finite, got nan"),
        ({"linear": [([1.0], np.nan, 1.0)]}, "low and high must be a number, got nan"),
        ({"linear": [([1.0], "low", 1.0)]}, "low and high must be an array of numbers"),
        ({"linear": [([1.0], 0.0)]}, r"linear rule must be \(coefficients, low, high\), got"),
        ({"linear": [LinearRule(np.ones(1), 2.0, 1.0)]}, "low ≤ high, got 2 and 1"),
        ({"linear": [3]}, r"linear rule must be \(coefficients, low, high\), got 3"),
        ({"locked": 3}, "locked must be a list of column numbers, got 3"),
        ({"groups": [3]}, "a group must be a list of column numbers, got 3"),
        ({"groups": GROUPS, "conditional": [(1, 0)]}, r"\(category, column, low, high\), got"),
        ({"conditional": [(1, 0, 0.0, 1.0)]}, "one-hot column of a group"),
        ({"groups": GROUPS, "conditional": [(1, 2, 0.0, 1.0)]}, "an ordinary column"),
        ({"groups": GROUPS, "conditional": [(1, 0, 2.0, 1.0)]}, "low ≤ high, got 2 and 1"),
    ],
)
def test_what_is_refused(described, said):
    with pytest.raises(InvalidActions, match=said):
        Actions(**described)


@pytest.mark.parametrize(
    ("described", "said"),
    [
        ({"lower": [0.0] * 3}, "lower must have 4 entries, one a feature, got 3"),
        ({"weights": [1.0] * 5}, "weights must have 4 entries, one a feature, got 5"),
        ({"locked": [4]}, "Columns run from 0 to 3, got 4"),
        ({"only_down": [7]}, "Columns run from 0 to 3, got 7"),
        ({"groups": [(0, 9)]}, "Columns run from 0 to 3, got 9"),
        ({"linear": [([1.0, 1.0], 0.0, 1.0)]}, "needs 4 coefficients, one a feature, got 2"),
        (
            {"groups": GROUPS, "conditional": [(1, 0, 0.0, 1.0)]},
            "finite lower and upper bounds on its column, got none for column 0",
        ),
        ({"groups": GROUPS, "conditional": [(1, 8, 0.0, 1.0)], **BOX}, "got 8"),
    ],
)
def test_what_does_not_fit_the_columns(described, said):
    with pytest.raises(InvalidActions, match=said):
        Actions(**described).check_columns(4)


def test_nothing_given_restricts_nothing():
    actions = Actions()
    actions.check_columns(3)
    assert actions.lower is actions.upper is actions.weights is None
    assert actions.locked == actions.groups == actions.linear == actions.conditional == ()


def test_a_full_description_is_kept():
    actions = Actions(
        lower=[0.0, 0.0, 0.0, -np.inf],
        upper=[1.0, 1.0, 1.0, np.inf],
        locked=[3, 3],
        only_up=np.array([0]),
        groups=[[1, 2]],
        weights=[1.0, 2.0, 2.0, 0.5],
        linear=[([1.0, 0.0, 0.0, 1.0], -np.inf, 2.0)],
        conditional=[(1, 0, 0.2, 0.8)],
    )
    actions.check_columns(4)
    assert actions.locked == (3,)
    assert actions.only_up == (0,)
    assert actions.groups == ((1, 2),)
    assert actions.conditional == (ConditionalRule(1, 0, 0.2, 0.8),)
    assert isinstance(actions.linear[0], LinearRule)
    assert actions.linear[0].coefficients.tolist() == [1.0, 0.0, 0.0, 1.0]


def test_arrays_are_read_only_copies():
    lower, row = np.zeros(2), np.ones(2)
    actions = Actions(lower=lower, linear=[(row, 0.0, 1.0)])
    lower[0], row[0] = 9.0, 9.0
    assert actions.lower.tolist() == [0.0, 0.0]
    assert actions.linear[0].coefficients.tolist() == [1.0, 1.0]
    with pytest.raises(ValueError, match="read-only"):
        actions.lower[0] = 1.0
