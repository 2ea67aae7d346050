"""Shift figures: panels share a legend, boundaries lie where the model changes its mind."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dirrac_core.errors import InvalidInput, UnknownName
from dirrac_core.figures.drawing.palette import THEMES, alt_text, described
from dirrac_core.figures.drawing.panels import panelled
from dirrac_core.figures.lessons.sensitivity import sensitivity_lines
from dirrac_core.figures.lessons.shift_impact import shift_impact_lines
from dirrac_core.figures.lessons.shift_types import Shifted, boundary_line, shift_types
from dirrac_core.geometry.axes import plain_axis

AXES = (plain_axis("height"), plain_axis("weight"))
WEIGHTS = st.floats(-3.0, 3.0).filter(lambda w: w == 0.0 or abs(w) > 1e-3)


def panel(name, y):
    figure = go.Figure(go.Scatter(x=[0, 1], y=y, name=name))
    figure.update_layout(
        xaxis={"title": f"across {name}", "range": [0, 1]},
        yaxis={"scaleanchor": "x"},
        shapes=[{"type": "rect", "x0": 0, "x1": 1, "y0": 0, "y1": 1}],
    )
    return described(figure, f"about {name}")


@pytest.mark.parametrize("theme", THEMES)
def test_panels_keep_their_axes_and_share_a_legend(theme):
    first, second = panel("A", [1, 2]), panel("A", [3, 4])
    together = panelled({"One": first, "Two": second}, columns=1, theme=theme)
    assert [trace.yaxis for trace in together.data] == ["y", "y2"]
    assert [trace.showlegend for trace in together.data] == [True, False]
    assert {trace.legendgroup for trace in together.data} == {"A"}
    assert together.layout.xaxis2.title.text == "across A"
    assert together.layout.yaxis2.scaleanchor == "x2"
    assert [shape.xref for shape in together.layout.shapes] == ["x", "x2"]
    assert together.layout.yaxis.domain[0] > together.layout.yaxis2.domain[1]
    assert [note.text for note in together.layout.annotations] == ["One", "Two"]
    assert alt_text(together) == "One: about A Two: about A"
    assert first.data[0].showlegend is None


def test_panels_must_be_some():
    with pytest.raises(InvalidInput, match="at least one"):
        panelled({})


@given(WEIGHTS, WEIGHTS, st.floats(-3.0, 3.0))
def test_a_boundary_lies_in_the_window_where_the_score_is_zero(a, b, c):
    theta = np.array([a, b, c])
    line = boundary_line(theta, (-1.0, 1.0), (0.0, 2.0))
    corners = np.array([[x, y, 1.0] for x in (-1.0, 1.0) for y in (0.0, 2.0)]) @ theta
    if corners.min() < -1e-6 and corners.max() > 1e-6:
        assert line.shape == (2, 2)
        np.testing.assert_allclose(line @ theta[:2] + c, 0.0, atol=1e-9)
        assert (np.abs(line[:, 0]) <= 1.0 + 1e-8).all()
        assert (np.abs(line[:, 1] - 1.0) <= 1.0 + 1e-8).all()
        assert np.linalg.norm(line[1] - line[0]) > 0.0
    elif corners.min() > 1e-6 or corners.max() < -1e-6:
        assert len(line) == 0


@pytest.mark.parametrize("theme", THEMES)
def test_shift_types_show_people_by_outcome_and_all_boundaries(theme):
    people = np.array([[0.0, 0.0], [1.0, 1.0], [0.2, 0.1]])
    today = np.array([1.0, 1.0, -1.0])
    models = np.array([[1.0, 0.0, -0.5], [0.0, 1.0, -0.5], [0.0, 1.0, 50.0]])
    shifted = Shifted(people, [0, 1, 1], models)
    figure = shift_types({"Now": shifted, "Later": shifted}, AXES, today, theme=theme)
    own = {trace.name: trace for trace in figure.data[:4]}
    np.testing.assert_allclose(own["Unfavourable outcome"].x, [0.0])
    np.testing.assert_allclose(own["Favourable outcome"].x, [1.0, 0.2])
    boundary = own["Boundary of a re-trained model"]
    # The third model's boundary misses the window.
    assert np.isfinite(boundary.x).sum() == 4
    assert own["Today's boundary"].line.dash == "dash"
    assert figure.layout.xaxis.range == figure.layout.xaxis2.range
    assert "2 people with the favourable and 1 with the unfavourable" in alt_text(figure)
    assert "right about 67 %" in alt_text(figure)


def test_shift_types_check_what_they_show():
    with pytest.raises(InvalidInput, match="at least one"):
        shift_types({}, AXES)
    with pytest.raises(InvalidInput, match="outcomes"):
        Shifted(np.zeros((2, 2)), [1], np.ones((1, 3)))
    with pytest.raises(InvalidInput, match="people"):
        Shifted(np.zeros((0, 2)), [], np.ones((1, 3)))


@pytest.fixture
def settings_table():
    rows = [
        ("German", 0.2, 1.5, 1.2, 1.8, 0.9, 0.8, 1.0, 0.3, 4),
        ("German", 0.0, 0.5, 0.4, 0.6, 0.6, 0.5, 0.7, 0.1, 5),
        ("German", 0.9, np.nan, np.nan, np.nan, np.nan, np.nan, np.nan, np.nan, 0),
        ("SBA", 0.0, 0.7, 0.6, 0.8, 0.5, 0.4, 0.6, 0.2, 5),
    ]
    names = ["dataset", "rho", "cost_l1", "cost_l1_low", "cost_l1_high", "m2"]
    names += ["m2_low_applicants", "m2_high_applicants", "worst_case", "plans"]
    return pd.DataFrame(rows, columns=names).assign(n=5)


def test_sensitivity_has_cost_observation_and_worst_case(settings_table):
    before = settings_table.copy()
    figure = sensitivity_lines(settings_table, "rho", "dataset")
    pd.testing.assert_frame_equal(settings_table, before)
    assert [trace.name for trace in figure.data] == ["German", "SBA"] * 3
    cost, observed, worst = figure.data[0], figure.data[2], figure.data[4]
    np.testing.assert_allclose(cost.x, [0.0, 0.2])
    np.testing.assert_allclose(cost.y, [0.5, 1.5])
    np.testing.assert_allclose(cost.y + cost.error_y.array, [0.6, 1.8])
    np.testing.assert_allclose(observed.y, [60.0, 90.0])
    np.testing.assert_allclose(worst.y, [90.0, 70.0])
    assert worst.error_y.array is None
    assert "1 setting leaves nobody with a plan" in alt_text(figure)
    assert "German: 60 of 100 at radius ρ = 0, 90 of 100 at 0.2." in alt_text(figure)


def test_declines_are_counted_as_what_is_left_of_acceptances(settings_table, impact_table):
    figure = sensitivity_lines(settings_table, "rho", "dataset", counted="decline")
    observed, worst = figure.data[2], figure.data[4]
    np.testing.assert_allclose(observed.y, [40.0, 10.0])
    np.testing.assert_allclose(worst.y, [10.0, 30.0])
    assert "at most so many decline" in figure.layout.yaxis3.title.text
    impact = shift_impact_lines(impact_table, counted="decline")
    np.testing.assert_allclose(impact.data[0].y, [5.0, 25.0])
    # What was the lower end of the interval is its upper end now.
    np.testing.assert_allclose(impact.data[0].error_y.array, [10.0, 10.0])
    assert "DiRRAc: 5 of 100 decline at size 0, 25 of 100 at 1." in alt_text(impact)


def test_sensitivity_checks_its_table(settings_table):
    with pytest.raises(UnknownName, match="lambda"):
        sensitivity_lines(settings_table, "lambda", "dataset")
    with pytest.raises(InvalidInput, match="delta_add"):
        sensitivity_lines(settings_table, "delta_add", "dataset")
    with pytest.raises(InvalidInput, match="several"):
        sensitivity_lines(settings_table.assign(dataset="all", rho=0.0), "rho", "dataset")


@pytest.fixture
def impact_table():
    return pd.DataFrame(
        [
            (method, kind, size, m2, m2 - 0.1, m2 + 0.05)
            for kind in ("mean", "both")
            for size in (1.0, 0.0)
            for method, m2 in (("DiRRAc", 0.95 - 0.2 * size), ("AR", np.nan))
        ],
        columns=["method", "kind", "magnitude", "m2", "m2_low", "m2_high"],
    )


def test_impact_has_a_panel_a_kind_and_says_who_has_no_plan(impact_table):
    figure = shift_impact_lines(impact_table)
    assert [trace.name for trace in figure.data] == ["DiRRAc", "DiRRAc"]
    np.testing.assert_allclose(figure.data[0].x, [0.0, 1.0])
    np.testing.assert_allclose(figure.data[0].y, [95.0, 75.0])
    np.testing.assert_allclose(figure.data[0].error_y.arrayminus, [10.0, 10.0])
    assert [note.text for note in figure.layout.annotations] == ["Mean shift", "Both"]
    assert figure.layout.xaxis2.title.text == "both shifts, α = β"
    assert figure.layout.yaxis.range[0] < 65.0
    assert "DiRRAc: 95 of 100 accept at size 0, 75 of 100 at 1." in alt_text(figure)
    assert "AR: nobody got a plan." in alt_text(figure)


def test_impact_of_an_unknown_kind_is_refused(impact_table):
    with pytest.raises(UnknownName, match="rotation"):
        shift_impact_lines(impact_table.assign(kind="rotation"))
