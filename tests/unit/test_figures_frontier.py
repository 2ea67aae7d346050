"""The frontier shows every row of its table, and says what it leaves out."""

import numpy as np
import pandas as pd
import pytest

from dirrac_core.errors import InvalidInput
from dirrac_core.figures.frontier import frontier
from dirrac_core.figures.palette import THEMES, alt_text


@pytest.fixture
def table():
    rows = [
        ("DiRRAc", 1.0, 1.4, 0.9, 0.8, 0.95, 0.2),
        ("ROAR", 0.1, 2.0, 0.7, 0.6, 0.8, np.nan),
        ("DiRRAc", 0.0, 0.4, 0.5, 0.4, 0.6, 0.9),
        ("AR", np.nan, 0.3, 0.4, 0.3, 0.5, 1.0),
        ("ROAR", 0.2, np.nan, np.nan, np.nan, np.nan, np.nan),
        ("DiRRAc", 2.0, 2.4, 1.0, 0.96, 1.0, 0.1),
    ]
    names = ["method", "parameter", "cost_l1", "m2", "m2_low", "m2_high", "bound"]
    return pd.DataFrame(rows, columns=names)


@pytest.mark.parametrize("theme", THEMES)
def test_lines_follow_the_parameter_and_markers_name_their_row(table, theme):
    figure = frontier(table, parameters={"DiRRAc": "δ_add"}, theme=theme)
    by_name = {trace.name: trace for trace in figure.data}
    assert list(by_name) == ["DiRRAc", "ROAR", "AR"]
    line = by_name["DiRRAc"]
    np.testing.assert_allclose(line.x, [0.4, 1.4, 2.4])
    np.testing.assert_allclose(line.y, [50.0, 90.0, 100.0])
    np.testing.assert_array_equal(line.customdata, [2, 0, 5])
    np.testing.assert_allclose(line.y - line.error_y.arrayminus, [40.0, 80.0, 96.0])
    np.testing.assert_allclose(line.y + line.error_y.array, [60.0, 95.0, 100.0])
    assert line.mode == "lines+markers"
    assert "δ_add = 1" in line.text[1]
    assert by_name["AR"].mode == "markers"
    assert "=" not in by_name["AR"].text[0]
    assert len({t.marker.symbol for t in figure.data}) == 3


def test_rows_without_a_plan_are_counted(table):
    text = alt_text(frontier(table))
    assert "1 row has no plan" in text
    assert "DiRRAc: 50 in 100 at cost 0.40, 100 in 100 at cost 2.40." in text


def test_the_bound_can_take_the_place_of_the_validity(table):
    figure = frontier(table, value="bound", interval=None, value_title="worst case, in 100")
    assert [t.name for t in figure.data] == ["DiRRAc", "AR"]
    np.testing.assert_allclose(figure.data[0].y, [90.0, 20.0, 10.0])
    assert figure.data[0].error_y.array is None
    low, high = figure.layout.yaxis.range
    assert low < 10.0
    assert high > 100.0


def test_the_table_is_checked_and_left_alone(table):
    before = table.copy()
    frontier(table)
    pd.testing.assert_frame_equal(table, before)
    with pytest.raises(InvalidInput, match="cost_l2"):
        frontier(table, cost="cost_l2")


def test_an_empty_frontier_is_still_a_figure(table):
    figure = frontier(table.iloc[[4]])
    assert len(figure.data) == 0
    assert "1 row has no plan" in alt_text(figure)
