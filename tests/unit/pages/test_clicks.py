"""What a browser sends for a click is two numbers or nothing."""

import pytest

from pages.shared.clicks import read_place


def test_a_place_is_two_numbers():
    assert read_place({"x": 1, "y": -0.5}) == (1.0, -0.5)


@pytest.mark.parametrize(
    "sent",
    [
        None,
        [1.0, 2.0],
        {"x": 1.0},
        {"x": "1", "y": 2.0},
        {"x": True, "y": 2.0},
        {"x": float("nan"), "y": 2.0},
        {"x": float("inf"), "y": 2.0},
    ],
)
def test_anything_else_is_no_place(sent):
    assert read_place(sent) is None
