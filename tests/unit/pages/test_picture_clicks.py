"""What a browser sends for a click is a place, a mark of the figure, or nothing."""

import plotly.graph_objects as go
import pytest

from pages.shared.pictures import Mark, read_mark, read_place

FIGURE = go.Figure(
    [
        go.Scatter(x=[0.0, 1.0], y=[2.0, 3.0], mode="lines"),
        go.Scatter(x=[4.0, 5.0], y=[6.0, 7.0], mode="markers", customdata=[[8], [9]]),
        go.Scatter(x=[4.0], y=[6.0], mode="markers+text"),
        go.Heatmap(z=[[1.0]]),
    ]
)


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
        {"x": 10**400, "y": 2.0},
    ],
)
def test_anything_else_is_no_place(sent):
    assert read_place(sent) is None


def test_a_mark_is_read_from_the_figure_not_from_the_browser():
    sent = {"trace": 1, "point": 1, "x": 100.0, "customdata": [100]}
    assert read_mark(FIGURE, sent) == Mark(5.0, 7.0, (9,))
    assert read_mark(FIGURE, {"trace": 2, "point": 0}) == Mark(4.0, 6.0, ())


@pytest.mark.parametrize(
    "sent",
    [
        None,
        5,
        [1, 1],
        {"trace": 1},
        {"trace": 0, "point": 0},
        {"trace": 3, "point": 0},
        {"trace": 9, "point": 0},
        {"trace": 1, "point": 2},
        {"trace": -1, "point": 0},
        {"trace": 1, "point": -1},
        {"trace": True, "point": 0},
        {"trace": "1", "point": 0},
        {"trace": 1, "point": 1.0},
    ],
)
def test_what_names_no_mark_of_the_figure_is_none(sent):
    assert read_mark(FIGURE, sent) is None
