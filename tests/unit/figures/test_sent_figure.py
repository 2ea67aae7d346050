"""A figure as the browser gets it: the same picture, in a form plotly need not draw twice."""

import json

import numpy as np
import plotly.graph_objects as go
import plotly.io

from dirrac_core.figures.drawing.palette import INK, described, new_figure
from dirrac_core.figures.drawing.sent import SentFigure
from dirrac_core.figures.drawing.sketch import scatter


def _drawn() -> go.Figure:
    sketch = new_figure("dark")
    sketch.add_trace(scatter(x=np.array([1.0, np.nan, 1 / 3]), y=np.array([1, 2, 3])))
    sketch.add_annotation(text="here", font={"size": 20})
    sketch.update_layout(xaxis={"title": "across", "tickfont": {"size": 9}})
    return described(sketch, "A picture.")


def _sent(clicks: bool = False) -> dict:
    return json.loads(plotly.io.to_json(SentFigure(_drawn(), clicks).to_dict(), validate=False))


def test_arrays_are_sent_as_lists_with_gaps_and_the_digits_that_are_seen():
    (trace,) = _sent()["data"]
    assert trace["x"] == [1.0, None, 0.333333] and trace["y"] == [1, 2, 3]


def test_what_plotly_compares_by_identity_is_not_sent():
    layout = _sent()["layout"]
    assert "template" not in layout and "meta" not in layout and layout["datarevision"] == 1


def test_the_template_is_in_the_layout_unless_the_figure_says_otherwise():
    layout, usual = _sent()["layout"], _drawn().layout.template.layout
    assert layout["font"]["color"] == usual.font.color == INK["dark"]
    assert layout["xaxis"]["title"]["text"] == "across"
    assert layout["xaxis"]["tickfont"] == {"size": 9, "color": usual.xaxis.tickfont.color}
    # An axis the figure says nothing of has the template's look as well.
    assert layout["yaxis"]["gridcolor"] == usual.yaxis.gridcolor
    assert layout["annotations"][0]["font"] == {"size": 20, "color": INK["dark"]}


def test_a_chart_whose_marks_can_be_clicked_says_so_at_once():
    assert _sent(clicks=True)["layout"]["clickmode"] == "event+select"
    assert "clickmode" not in _sent()["layout"]
