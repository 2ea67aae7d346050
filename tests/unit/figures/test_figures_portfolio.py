"""The pictures of a portfolio: spread, dots, groups."""

import numpy as np
import pandas as pd
import pytest

from dirrac_core.errors import InvalidInput
from dirrac_core.figures.drawing.palette import FAVOURABLE, UNFAVOURABLE, alt_text
from dirrac_core.figures.methods.names import LINE
from dirrac_core.figures.methods.points import PIXELS_PER_UNIT, method_points
from dirrac_core.figures.portfolio import Quantity, distribution, group_intervals, people_dots
from dirrac_core.figures.print_svg import groups_svg, promises_svg
from tests.golden.tables import EFFORT, GROUPS, WORST
from tests.golden.tables import PEOPLE as FRAME


def test_a_bound_is_never_understated_in_words():
    assert WORST.words(10.1) == "11" and WORST.words(20.0) == "20"
    assert EFFORT.words(0.504) == "0.50"


def test_an_interval_in_words_only_where_there_is_one():
    assert EFFORT.with_interval(GROUPS.iloc[0]) == "1.00 (0.80 to 1.30)"
    assert EFFORT.with_interval(GROUPS.iloc[1]) == "2.00"
    assert EFFORT.with_interval(GROUPS.iloc[1].replace(2.0, np.nan)) == ""


def test_the_histogram_counts_everyone_with_a_plan_once():
    figure = distribution(FRAME, WORST, "light", 15.0)
    (bars,) = figure.data
    assert sum(bars.y) == 3
    (line,) = figure.layout.shapes
    assert line.x0 == line.x1 == 15.0
    assert "from 11 to 30, half at most 20." in alt_text(figure)


def test_equal_values_make_a_histogram_too():
    figure = distribution(FRAME.assign(worst_case=0.1), WORST, "dark", 20.0)
    assert sum(figure.data[0].y) == 3 and "from 10 to 10" in alt_text(figure)


def test_a_portfolio_without_plans_is_an_empty_picture():
    nobody = FRAME.assign(found=False)
    figure = distribution(nobody, WORST, "light", 20.0)
    assert not figure.data and not figure.layout.shapes
    assert "nobody has one" in alt_text(figure)
    assert not len(people_dots(nobody, EFFORT, WORST, "light", None, [], {}).data[0].x)


def test_an_unknown_column_is_named():
    with pytest.raises(InvalidInput, match="needs a column 'price'"):
        distribution(FRAME, Quantity("price", "price"), "light", 20.0)


def test_every_dot_knows_its_person():
    (dots,) = people_dots(FRAME, EFFORT, WORST, "light", None, [], {}).data
    assert list(dots.customdata) == [3, 5, 8]
    assert list(dots.x) == [0.5, 1.0, 2.5] and list(dots.y) == pytest.approx([10.1, 20.0, 30.0])


def test_groups_have_intervals_and_small_ones_are_hollow():
    figure = group_intervals(GROUPS, EFFORT, small=30)
    (dots,) = figure.data
    assert list(dots.marker.symbol) == ["circle", "circle-open"]
    assert list(dots.error_x.array) == pytest.approx([0.3, 0.0])
    assert list(dots.error_x.arrayminus) == pytest.approx([0.2, 0.0])
    assert dots.y[0] == "a &lt;b&gt; (n = 50)"
    assert "a <b>, 50 people: 1.00 (0.80 to 1.30); c, 3 people: 2.00." in alt_text(figure)


def test_a_limit_divides_the_bars():
    figure = distribution(FRAME, WORST, "light", 20.0)
    (bars,) = figure.data
    colours = [c for c, count in zip(bars.marker.color, bars.y, strict=True) if count]
    # 20 itself keeps to the limit.
    assert colours == [FAVOURABLE, FAVOURABLE, UNFAVOURABLE]
    assert figure.layout.shapes[0].x0 == 20.0
    assert "1 of 3 beyond 20." in alt_text(figure)


def test_dots_are_coloured_by_group_and_ringed_at_the_edge():
    groups, names = ["b", "a", "b", "a"], ["a", "b", "empty"]
    figure = people_dots(FRAME, EFFORT, WORST, "dark", groups, names, {5: ("Duration",)})
    first, second = figure.data
    assert (first.name, second.name) == ("a", "b")
    assert list(first.customdata) == [5] and list(second.customdata) == [3, 8]
    assert first.marker.color != second.marker.color
    assert first.marker.symbol != second.marker.symbol
    assert list(first.marker.line.width) == [2.0] and list(second.marker.line.width) == [0.0, 0.0]
    assert "Duration" in first.text[0] and "1 plans end at the edge" in alt_text(figure)


def test_the_printed_pictures_hold_the_data_and_no_markup_of_a_table():
    drawn = promises_svg(FRAME, WORST, 20.0)
    assert drawn.count("<rect") == 20 and "≤ 20" in drawn
    assert ">1<" in drawn
    table = GROUPS.assign(n=[50, 3])
    lost = pd.concat([table, table[:1].assign(group="lost", cost=np.nan, cost_low=np.nan)])
    drawn = groups_svg(lost, EFFORT, 30)
    assert "a &lt;b&gt; (50)" in drawn and "<b>" not in drawn
    assert drawn.count("<circle") == 2 and "nobody has a plan" in drawn
    assert drawn.count('fill="#FFFFFF"') == 1


def test_methods_that_break_a_rule_are_hollow_and_every_point_has_its_name():
    rows = pd.DataFrame(
        {
            "method": ["DiRRAc", "Wachter", "none", "DiRRAc <i>"],
            "cost_l1": [1.0, 0.5, np.nan, 1.0],
            "m2": [1.0, 0.4, np.nan, 1.0],
            "keeps_rules": [True, False, False, True],
        }
    )
    figure = method_points(rows, "cost_l1", "effort", "decline, of 100")
    lines, broken, ours, names = figure.data
    assert (broken.name, ours.name) == ("breaks a rule", "DiRRAc")
    assert ours.marker.symbol == "circle" and broken.marker.symbol == "circle-open"
    assert list(broken.x) == [0.5] and list(broken.y) == [60.0]
    assert [name.strip() for name in names.text] == ["DiRRAc", "Wachter", "DiRRAc &lt;i&gt;"]
    # Two names at one place do not lie on one another, and each has a line to its point.
    assert names.y[0] != names.y[2]
    assert list(lines.x[:2]) == [1.0, 1.0] and list(lines.y[:2]) == [0.0, names.y[0]]
    assert "Wachter effort 0.50, 60 of 100 decline, breaks a rule" in alt_text(figure)


def test_no_name_of_a_method_stands_beyond_the_scale():
    rows = pd.DataFrame(
        {
            "method": [f"method {k}" for k in range(6)],
            "cost_l1": [1.0, 1.01, 1.02, 1.0, 1.01, 2.0],
            "m2": [1.0, 1.0, 0.98, 0.0, 0.01, 0.5],
            "keeps_rules": [True] * 6,
        }
    )
    figure = method_points(rows, "cost_l1", "effort", "decline, of 100")
    heights = np.array(figure.data[-1].y)
    assert heights.size == 6 and ((heights >= 0.0) & (heights <= 100.0)).all()
    # All but the last are neighbours: a line apart.
    assert np.diff(np.sort(heights[:5])).min() * PIXELS_PER_UNIT >= LINE - 1e-9
