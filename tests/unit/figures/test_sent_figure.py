"""A figure as the browser gets it: the same picture, and no more than is drawn."""

import json

import numpy as np
import plotly.graph_objects as go

from dirrac_core.figures.drawing.palette import INK, described, new_figure
from dirrac_core.figures.drawing.sent import sent_figure
from dirrac_core.figures.drawing.sketch import scatter


def _drawn() -> go.Figure:
    sketch = new_figure("dark")
    sketch.add_trace(scatter(x=np.array([1.0, np.nan, 1 / 3]), y=np.array([1, 2, 3])))
    sketch.add_annotation(text="here", font={"size": 20})
    sketch.update_layout(xaxis={"title": "across", "tickfont": {"size": 9}})
    return described(sketch, "A picture.")


def _sent() -> dict:
    return json.loads(sent_figure(_drawn()))


def test_arrays_are_sent_as_lists_with_gaps_and_the_digits_that_are_seen():
    (trace,) = _sent()["data"]
    assert trace["x"] == [1.0, None, 0.333333] and trace["y"] == [1, 2, 3]


def test_neither_the_template_nor_the_description_is_sent_with_the_figure():
    layout = _sent()["layout"]
    assert "template" not in layout and "meta" not in layout


def test_the_template_is_in_the_layout_unless_the_figure_says_otherwise():
    layout, usual = _sent()["layout"], _drawn().layout.template.layout
    assert layout["font"]["color"] == usual.font.color == INK["dark"]
    assert layout["xaxis"]["title"]["text"] == "across"
    assert layout["xaxis"]["tickfont"] == {"size": 9, "color": usual.xaxis.tickfont.color}
    # An axis the figure says nothing of has the template's look as well.
    assert layout["yaxis"]["gridcolor"] == usual.yaxis.gridcolor
    assert layout["annotations"][0]["font"] == {"size": 20, "color": INK["dark"]}
