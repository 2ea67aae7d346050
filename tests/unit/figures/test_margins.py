"""Margins in which axes and legends fit."""

from dirrac_core.figures.drawing.margins import axis_margins, legend_margin


def test_longer_words_at_the_ticks_get_more_room_on_the_left():
    short, long = axis_margins(["0", "100"]), axis_margins(["0", "100,000"])
    assert long["l"] > short["l"]
    assert long["b"] == short["b"]


def test_a_legend_gets_one_row_for_as_many_names_as_fit_side_by_side():
    def of(names):
        return legend_margin(names, 400.0)["t"]

    assert of(["a", "b"]) == of(["a"])
    assert of(["a long name that takes more than half of the width", "b"]) > of(["a"])
