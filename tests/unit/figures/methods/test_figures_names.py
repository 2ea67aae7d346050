"""Where the names of points stand: not on marks, not across lines, and the same from both sides."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dirrac_core.figures.methods.names import CLEAR, LETTER, LINE, NARROW, name_rows

TOP, BOTTOM = -285.0, 0.0
PLACES = st.lists(
    st.tuples(
        st.integers(1, 60).map(lambda part: part / 64.0), st.sampled_from((-285.0, -142.5, 0.0))
    ),
    min_size=1,
    max_size=12,
)


def rows_of(across, down, name="a name", leftward=False):
    across, down = np.array(across), np.array(down)
    names = [name] * across.size
    return name_rows(across, down, names, np.full(across.size, leftward), TOP, BOTTOM)


def test_a_name_stands_further_away_rather_than_on_a_mark():
    alone = rows_of([0.1], [TOP])
    across, down = [0.1, 0.15], [TOP, float(alone[0])]
    rows = rows_of(across, down)
    assert abs(alone[0] - TOP) < abs(rows[0] - TOP)
    assert np.abs(rows - down[1]).min() >= CLEAR


def test_a_mark_out_of_reach_moves_no_name():
    alone = rows_of([0.1], [TOP])
    far = 0.1 + (LETTER * len("a name") + CLEAR) / NARROW
    assert rows_of([0.1, far], [TOP, float(alone[0])])[0] == alone[0]


def test_points_at_one_height_have_longer_lines_the_more_names_lie_before_them():
    across = [0.3, 0.1, 0.25, 0.15, 0.2]
    rows = rows_of(across, [TOP] * 5, name="a name that reaches over all")
    lengths = np.abs(rows - TOP)[np.argsort(across)]
    assert np.all(np.diff(lengths) <= -LINE)
    mirrored = rows_of([1.0 - x for x in across], [TOP] * 5, "a name that reaches over all", True)
    assert mirrored.tolist() == rows.tolist()


def crossed(across, down, leftward, rows, name):
    """The pairs of a name and a point whose line crosses it."""
    at = NARROW * np.array(across)
    start = np.where(leftward, at - LETTER * len(name), at)
    lower, upper = np.minimum(rows, down), np.maximum(rows, down)
    return [
        (i, k)
        for i, k in np.ndindex(len(across), len(across))
        if start[i] < at[k] < start[i] + LETTER * len(name) and lower[k] < rows[i] < upper[k]
    ]


@pytest.mark.parametrize(
    ("across", "down"),
    [
        # In the first a name would lie across a line, in the second a line would cross a name.
        ([0.1, 0.5, 0.6, 0.9, 0.2], [-40.0, 0.0, -20.0, -240.0, -140.0]),
        ([0.7, 0.8, 0.1, 0.6], [-120.0, -80.0, -120.0, -120.0]),
    ],
)
def test_no_line_crosses_a_name_where_another_place_is_free(across, down):
    name, leftward = "a long name of a method", np.array(across) > 0.6
    rows = name_rows(np.array(across), np.array(down), [name] * len(down), leftward, TOP, BOTTOM)
    assert crossed(across, down, leftward, rows, name) == []


@given(PLACES)
def test_a_mirrored_picture_has_its_names_at_the_same_heights(places):
    across, down = (list(each) for each in zip(*places, strict=True))
    mirrored = rows_of([1.0 - x for x in across], down, leftward=True)
    assert mirrored.tolist() == rows_of(across, down).tolist()
