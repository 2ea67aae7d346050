"""Probabilities as people read them: never understated, two digits at most."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dirrac_core.wording import bound_in_100, joined, out_of, per_hundred


@pytest.mark.parametrize(
    ("probability", "words"),
    [(0.0, "0"), (9e-5, "< 0.01"), (0.00011, "0.02"), (0.0201, "2.1"), (0.1701, "18"), (1, "100")],
)
def test_per_hundred(probability, words):
    assert per_hundred(probability) == words


@given(st.floats(1e-4, 1.0))
def test_a_bound_is_never_understated(probability):
    assert float(per_hundred(probability)) >= 100 * probability - 1e-6
    count, base = out_of(probability, at_most=True).split(" in ")
    assert int(count) / int(base.replace(",", "")) >= probability - 1e-9


@given(st.floats(1e-9, 1.0))
def test_bounds_with_three_digits_stay_true(probability):
    above, below = (float(bound_in_100(probability, up)) for up in (True, False))
    assert below * (1 - 1e-6) <= 100 * probability <= above * (1 + 1e-6)
    assert above - below <= 0.011 * 100 * probability


def test_joined():
    assert joined(["a"]) == "a"
    assert joined(["a", "b", "c"]) == "a, b and c"
