"""The names of methods beside their points: no two on one line, none outside the picture."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dirrac_core.figures.methods.names import LINE
from dirrac_core.figures.methods.points import PIXELS_PER_UNIT, method_points

SHARES = st.sampled_from((0.0, 0.02, 0.5, 1.0))
PLANS = st.lists(st.tuples(st.floats(0.01, 3.0), SHARES, st.booleans()), min_size=1, max_size=14)


def names_of(plans):
    rows = pd.DataFrame(plans, columns=["cost", "m2", "keeps_rules"])
    rows["method"] = [f"method {number}" for number in range(len(plans))]
    figure = method_points(rows, "cost", "effort", "decline, of 100")
    names = figure.data[-1]
    assert names.mode == "text" and len(names.text) == len(plans)
    return names, figure.layout.xaxis.range[1]


@given(PLANS)
def test_every_name_has_a_line_of_its_own_within_the_scale(plans):
    names, _ = names_of(plans)
    heights = np.sort(np.asarray(names.y, dtype=float))
    assert np.all(np.diff(heights) * PIXELS_PER_UNIT >= LINE - 1e-9)
    assert heights[0] >= 0.0 and heights[-1] <= 100.0


@pytest.mark.parametrize(("cost", "side"), [(0.1, "middle right"), (1.0, "middle left")])
def test_a_name_far_to_the_right_stands_on_the_left_of_its_point(cost, side):
    names, end = names_of([(cost, 0.0, True), (1.0, 1.0, True)])
    assert end > 1.0
    assert names.textposition[0] == side
