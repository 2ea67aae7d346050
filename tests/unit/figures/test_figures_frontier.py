"""The frontier shows every row of its table, and says what it leaves out."""

import numpy as np
import pandas as pd
import pytest

from dirrac_core.errors import InvalidInput
from dirrac_core.figures.drawing.palette import THEMES, alt_text
from dirrac_core.figures.frontier import frontier
from dirrac_core.studies.staircase import with_steps


@pytest.fixture
def table():
    rows = [
        ("DiRRAc", 1.0, 1.4, 0.9, 0.8, 0.95, 0.2, 1.0),
        ("ROAR", 0.1, 2.0, 0.7, 0.6, 0.8, np.nan, 0.5),
        ("DiRRAc", 0.0, 0.4, 0.5, 0.4, 0.6, 0.9, 1.0),
        ("AR", np.nan, 0.3, 0.4, 0.3, 0.5, 1.0, 1.0),
        ("ROAR", 0.2, np.nan, np.nan, np.nan, np.nan, np.nan, np.nan),
        ("DiRRAc", 2.0, 2.4, 1.0, 0.96, 1.0, 0.1, 1.0),
        ("DiRRAc", 1.5, 2.0, 0.6, 0.5, 0.7, 0.3, 1.0),
    ]
    names = "method parameter cost_l1 m2 m2_low m2_high bound keeps_rules".split()
    return with_steps(pd.DataFrame(rows, columns=names), "cost_l1", "m2")


@pytest.mark.parametrize("theme", THEMES)
def test_steps_join_efficient_plans_and_markers_name_their_row(table, theme):
    figure = frontier(table, parameters={"DiRRAc": "δ_add"}, theme=theme)
    by_name = {trace.name: trace for trace in figure.data}
    assert [name for name in by_name if "steps" not in name] == ["DiRRAc", "ROAR", "AR"]
    steps, marks = by_name["DiRRAc: steps"], by_name["DiRRAc"]
    assert steps.line.shape == "hv" and steps.mode == "lines"
    np.testing.assert_allclose(steps.x, [0.4, 1.4, 2.4])
    np.testing.assert_allclose(steps.y, [50.0, 90.0, 100.0])
    # The dominated plan is a faded mark without an interval, and no part of the steps.
    np.testing.assert_allclose(marks.x, [0.4, 1.4, 2.0, 2.4])
    np.testing.assert_array_equal(marks.customdata, [2, 0, 6, 5])
    assert marks.marker.color[2] != marks.marker.color[1] == marks.marker.color[0]
    np.testing.assert_allclose(marks.y - marks.error_y.arrayminus, [40.0, 80.0, np.nan, 96.0])
    assert "δ_add = 1" in marks.text[1] and "beaten" in marks.text[2]
    assert "=" not in by_name["AR"].text[0]
    assert len({t.marker.symbol[0].removesuffix("-open") for t in figure.data if t.text}) == 3


def test_plans_that_break_a_rule_are_hollow_and_part_of_no_steps(table):
    figure = frontier(table)
    by_name = {trace.name: trace for trace in figure.data}
    assert by_name["ROAR"].marker.symbol == ("square-open",)
    assert "ROAR: steps" not in by_name
    assert "breaks a rule" in by_name["ROAR"].text[0]
    assert all(not symbol.endswith("-open") for symbol in by_name["DiRRAc"].marker.symbol)
    assert "ROAR: no plan that keeps every rule." in alt_text(figure)


def test_rows_without_a_plan_are_counted(table):
    text = alt_text(frontier(table))
    assert "1 row has no plan" in text
    assert "DiRRAc: 50 of 100 at effort 0.40, 100 of 100 at effort 2.40." in text


def test_the_bound_can_take_the_place_of_the_validity(table):
    turned = with_steps(table, "cost_l1", "bound", lower_is_better=True)
    figure = frontier(turned, value="bound", interval=None, value_title="worst case")
    steps = figure.data[0]
    np.testing.assert_allclose(steps.y, [90.0, 20.0, 10.0])
    assert [t.name for t in figure.data if t.mode == "markers"] == ["DiRRAc", "AR"]
    assert figure.data[1].error_y.array is None


@pytest.mark.parametrize("scale", [0.03, 1.0])
def test_the_scale_is_always_the_whole_one(table, scale):
    """A picture of small numbers looks small; none goes beyond 100."""
    shares = ["m2", "m2_low", "m2_high"]
    figure = frontier(table.assign(**{name: scale * table[name] for name in shares}))
    assert figure.layout.yaxis.range == (-2.0, 102.0)


def test_the_table_is_checked_and_left_alone(table):
    before = table.copy()
    frontier(table)
    pd.testing.assert_frame_equal(table, before)
    with pytest.raises(InvalidInput, match="cost_l2"):
        frontier(table, cost="cost_l2")
    with pytest.raises(InvalidInput, match="efficient"):
        frontier(table.drop(columns="efficient"))


def test_an_empty_frontier_is_still_a_figure(table):
    figure = frontier(table.iloc[[4]])
    assert len(figure.data) == 0
    assert "1 row has no plan" in alt_text(figure)
