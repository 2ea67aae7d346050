"""Several figures as panels of one: a title each, one legend for all."""

from collections.abc import Mapping
from typing import Any

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from dirrac_core.arrays import checked_number
from dirrac_core.errors import InvalidInput
from dirrac_core.figures.drawing.palette import INK, alt_text, described, template

PANEL_HEIGHT = 340
# Room for the titles of the first row, and for a legend above them.
TITLES, LEGEND = 40, 44
# Where an axis lies is the business of the grid of panels.
_PLACE = ("domain", "anchor", "scaleanchor")


def panelled(
    panels: Mapping[str, go.Figure],
    columns: int = 3,
    height: int = PANEL_HEIGHT,
    theme: str = "light",
) -> go.Figure:
    """The figures (one x and one y axis each) by title, `columns` in a row, `height` a row.

    Each keeps its traces, axes and shapes; series of the same name share one legend entry, which
    switches them in every panel, and an upward axis is named once where its left neighbour has
    the same name. The description is that of the panels, each after its title.
    """
    if not panels:
        raise InvalidInput("A figure with panels needs at least one, got none")
    wide = min(int(checked_number("The number of columns", columns, low=1.0)), len(panels))
    rows = -(-len(panels) // wide)
    together = make_subplots(
        rows,
        wide,
        subplot_titles=list(panels),
        figure=go.Figure(layout={"template": template(theme)}),
        horizontal_spacing=0.24 / wide,
        vertical_spacing=0.36 / rows if rows > 1 else 0.0,
    )
    in_legend: set[str] = set()
    upward = [panel.layout.yaxis.title.text for panel in panels.values()]
    for place, panel in enumerate(panels.values()):
        row, column = divmod(place, wide)
        _add(together, panel, row + 1, column + 1, in_legend)
        if column and upward[place] == upward[place - 1]:
            together.update_yaxes(title=None, row=row + 1, col=column + 1)
    together.update_annotations(font={"size": 14, "color": INK[theme]})
    top = TITLES + (LEGEND if in_legend else 0)
    together.update_layout(
        height=rows * height + top,
        margin={"t": top},
        legend={"yref": "container", "y": 1.0, "yanchor": "top", "groupclick": "togglegroup"},
    )
    words = [f"{title}: {alt_text(panel)}" for title, panel in panels.items()]
    return described(together, " ".join(words))


def _add(together: go.Figure, panel: go.Figure, row: int, column: int, in_legend: set[str]) -> None:
    """Traces, axes and shapes of one panel; `in_legend` holds the series that have an entry."""
    for trace in panel.data:
        copy = trace.to_plotly_json()
        name = copy.get("name")
        if name is not None and copy.get("showlegend", True):
            copy.setdefault("legendgroup", name)
            copy["showlegend"] = name not in in_legend
            in_legend.add(name)
        together.add_trace(copy, row=row, col=column)
    subplot = together.get_subplot(row, column)
    across = subplot.xaxis.plotly_name.replace("xaxis", "x")
    up = subplot.yaxis.plotly_name.replace("yaxis", "y")
    for own, axis in ((panel.layout.xaxis, subplot.xaxis), (panel.layout.yaxis, subplot.yaxis)):
        settings: dict[str, Any] = own.to_plotly_json()
        anchored = settings.get("scaleanchor") is not None
        axis.update({key: value for key, value in settings.items() if key not in _PLACE})
        if anchored:
            axis.update(scaleanchor=across)
    for shape in panel.layout.shapes:
        together.add_shape({**shape.to_plotly_json(), "xref": across, "yref": up})
