"""The pictures of a portfolio: spread, dots, groups."""

import numpy as np
import pandas as pd
import pytest

from dirrac_core.errors import InvalidInput
from dirrac_core.figures.palette import alt_text
from dirrac_core.figures.portfolio import Quantity, distribution, group_intervals, people_dots

EFFORT = Quantity("cost", "effort")
WORST = Quantity("worst_case", "worst case, in 100", 100.0, 0, bound=True)
FRAME = pd.DataFrame(
    {
        "row": [3, 5, 8, 9],
        "found": [True, True, True, False],
        "cost": [0.5, 1.0, 2.5, np.nan],
        "worst_case": [0.101, 0.2, 0.3, 1.0],
    }
)
GROUPS = pd.DataFrame(
    {
        "group": ["a <b>", "c"],
        "n": [50, 3],
        "cost": [1.0, 2.0],
        "cost_low": [0.8, np.nan],
        "cost_high": [1.3, np.nan],
    }
)


def test_a_bound_is_never_understated_in_words():
    assert WORST.words(10.1) == "11" and WORST.words(20.0) == "20"
    assert EFFORT.words(0.504) == "0.50"


def test_an_interval_in_words_only_where_there_is_one():
    assert EFFORT.with_interval(GROUPS.iloc[0]) == "1.00, 0.80 to 1.30"
    assert EFFORT.with_interval(GROUPS.iloc[1]) == "2.00"
    assert EFFORT.with_interval(GROUPS.iloc[1].replace(2.0, np.nan)) == ""


def test_the_histogram_counts_everyone_with_a_plan_once():
    figure = distribution(FRAME, WORST)
    (bars,) = figure.data
    assert sum(bars.y) == 3
    (line,) = figure.layout.shapes
    assert line.x0 == line.x1 == pytest.approx(20.0)
    assert "from 11 to 30, half at most 20." in alt_text(figure)


def test_equal_values_make_a_histogram_too():
    figure = distribution(FRAME.assign(cost=1.0), EFFORT, "dark")
    assert sum(figure.data[0].y) == 3 and "from 1.00 to 1.00" in alt_text(figure)


def test_a_portfolio_without_plans_is_an_empty_picture():
    nobody = FRAME.assign(found=False)
    figure = distribution(nobody, EFFORT)
    assert not len(figure.data[0].y) and not figure.layout.shapes
    assert "nobody has a plan" in alt_text(figure)
    assert not len(people_dots(nobody, EFFORT, WORST).data[0].x)


def test_an_unknown_column_is_named():
    with pytest.raises(InvalidInput, match="needs a column 'price'"):
        distribution(FRAME, Quantity("price", "price"))


def test_every_dot_knows_its_person():
    (dots,) = people_dots(FRAME, EFFORT, WORST).data
    assert list(dots.customdata) == [3, 5, 8]
    assert list(dots.x) == [0.5, 1.0, 2.5] and list(dots.y) == pytest.approx([10.1, 20.0, 30.0])


def test_groups_have_intervals_and_small_ones_are_hollow():
    figure = group_intervals(GROUPS, EFFORT, small=30)
    (dots,) = figure.data
    assert list(dots.marker.symbol) == ["circle", "circle-open"]
    assert list(dots.error_x.array) == pytest.approx([0.3, 0.0])
    assert list(dots.error_x.arrayminus) == pytest.approx([0.2, 0.0])
    assert dots.y[0] == "a &lt;b&gt; (n = 50)"
    assert "a <b>, 50 people: 1.00, 0.80 to 1.30; c, 3 people: 2.00." in alt_text(figure)
