"""Figures while they are made: plain dictionaries, for which plotly's own checks would take longer
than all computing behind a picture. The tests of every figure check them (CHECKED)."""

from collections.abc import Iterable, Mapping
from typing import Any

import plotly.graph_objects as go

from dirrac_core.arrays import Array

# Whether plotly checks every property of a finished figure.
CHECKED = False
Trace = dict[str, Any]


def scatter(**properties: Any) -> Trace:
    """A trace of points and lines, with the properties of go.Scatter."""
    return {"type": "scatter", **properties}


def curve(points: Array, line: Mapping[str, Any], name: str, **properties: Any) -> Trace:
    """A line through points (n, 2), parted by rows of NaN, that says nothing on hover."""
    return scatter(
        x=points[:, 0],
        y=points[:, 1],
        mode="lines",
        line=line,
        name=name,
        hoverinfo="skip",
        **properties,
    )


class Sketch:
    """Traces and a layout; `figure` makes a plotly figure of them."""

    def __init__(self, template: Mapping[str, Any]):
        self.traces: list[Trace] = []
        self.layout: dict[str, Any] = {"template": template}

    def add_trace(self, trace: Trace) -> None:
        self.traces.append(trace)

    def add_traces(self, traces: Iterable[Trace]) -> None:
        self.traces.extend(traces)

    def add_scatter(self, **properties: Any) -> None:
        self.add_trace(scatter(**properties))

    def add_bar(self, **properties: Any) -> None:
        self.add_trace({"type": "bar", **properties})

    def add_heatmap(self, **properties: Any) -> None:
        self.add_trace({"type": "heatmap", **properties})

    def add_annotation(self, **properties: Any) -> None:
        self.layout["annotations"] = [*self.layout.get("annotations", ()), properties]

    def add_hline(self, y: float, line: Mapping[str, Any], words: str = "") -> None:
        """A line across the whole picture; `words` stand below its right end."""
        self._add_line(line, {"yref": "y", "y0": y, "y1": y}, "x")
        if words:
            self.add_annotation(
                text=words, y=y, yanchor="top", x=1, xref="x domain", xanchor="right"
            )

    def add_vline(self, x: float, line: Mapping[str, Any]) -> None:
        """A line from the bottom to the top."""
        self._add_line(line, {"xref": "x", "x0": x, "x1": x}, "y")

    def _add_line(self, line: Mapping[str, Any], at: Mapping[str, Any], along: str) -> None:
        ends = {f"{along}ref": f"{along} domain", f"{along}0": 0, f"{along}1": 1}
        shape = {"type": "line", "line": dict(line), **at, **ends}
        self.layout["shapes"] = [*self.layout.get("shapes", ()), shape]

    def update_layout(self, **settings: Any) -> None:
        """Set these, and inside of dictionaries nothing else."""
        self.layout = merged(self.layout, settings)

    def figure(self) -> go.Figure:
        """The plotly figure."""
        return go.Figure(
            data=[_plain(trace) for trace in self.traces],
            layout=_plain(self.layout),
            _validate=CHECKED,
        )


def merged(under: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Both; where they differ `over` counts, dictionaries are merged in turn."""
    both = dict(under)
    for name, value in over.items():
        below = both.get(name)
        both[name] = (
            merged(below, value)
            if isinstance(below, Mapping) and isinstance(value, Mapping)
            else value
        )
    return both


def _plain(value: Any, name: str = "") -> Any:
    """As plotly's checks would leave it: titles as dictionaries, columns of a table as arrays."""
    if isinstance(value, Mapping):
        return {key: _plain(entry, key) for key, entry in value.items()}
    if name == "title" and isinstance(value, str):
        return {"text": value}
    if hasattr(value, "to_numpy"):
        return value.to_numpy()
    if isinstance(value, list | tuple) and value and isinstance(value[0], Mapping):
        return [_plain(entry) for entry in value]
    return value
