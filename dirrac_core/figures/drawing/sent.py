"""A figure as a browser gets it, such that it is drawn once.

Streamlit hands every new chart to plotly two or three times, as copies, while its size and its
theme settle. Plotly computes and draws everything again unless it can see that nothing changed:
arrays have to be lists under one revision, and there may be neither a template nor a note, which
it compares by identity.
"""

from typing import Any

import numpy as np
import plotly.graph_objects as go
from plotly.basedatatypes import BaseFigure

from dirrac_core.figures.drawing.sketch import merged

# More digits than a screen has pixels.
DIGITS = 7
# What Streamlit sets itself, in one more pass, where marks can be chosen.
CLICKS = {"clickmode": "event+select", "hovermode": "closest", "dragmode": "pan"}


class SentFigure(BaseFigure):  # type: ignore[misc]
    """What `st.plotly_chart` sends; it asks a figure for nothing else."""

    def __init__(self, figure: go.Figure, clicks: bool) -> None:
        layout = with_template(figure)
        layout.pop("meta", None)
        layout["datarevision"] = 1
        self._sent = {
            "data": [_lists(trace.to_plotly_json()) for trace in figure.data],
            "layout": _lists({**CLICKS, **layout} if clicks else layout),
        }
        if figure.frames:
            self._sent["frames"] = [_lists(frame.to_plotly_json()) for frame in figure.frames]

    def to_dict(self) -> dict[str, Any]:
        """The figure as JSON will have it."""
        return self._sent


def with_template(figure: go.Figure) -> dict[str, Any]:
    """The layout with all that its template adds, and without the template."""
    layout: dict[str, Any] = figure.layout.to_plotly_json()
    usual = dict(layout.pop("template", {}).get("layout", {}))
    note = usual.pop("annotationdefaults", {})
    axes = {side: usual.pop(f"{side}axis", {}) for side in "xy"}
    names = {name for name in layout if name[1:5] == "axis"}
    for trace in figure.data:
        names |= {f"{side}axis{str(trace[f'{side}axis'] or side)[1:]}" for side in "xy"}
    whole = merged(usual, layout)
    for name in names:
        whole[name] = merged(axes[name[0]], layout.get(name, {}))
    if "annotations" in layout:
        whole["annotations"] = [merged(note, own) for own in layout["annotations"]]
    return whole


def _lists(value: Any) -> Any:
    """Arrays as lists, in so many digits as can be seen."""
    if isinstance(value, dict):
        return {name: _lists(entry) for name, entry in value.items()}
    if isinstance(value, np.ndarray):
        return _short(value) if value.dtype.kind == "f" else value.tolist()
    if isinstance(value, list | tuple) and value and isinstance(value[0], dict | np.ndarray):
        return [_lists(entry) for entry in value]
    return value


def _short(values: np.ndarray) -> list[Any]:
    """Rounded to DIGITS of the largest; what is no number is left out."""
    finite = np.isfinite(values)
    largest = float(np.abs(values[finite]).max(initial=0.0))
    if largest > 0.0:
        values = values.round(DIGITS - 1 - int(np.floor(np.log10(largest))))
    if finite.all():
        return list(values.tolist())
    gaps = values.astype(object)
    gaps[~finite] = None
    return list(gaps.tolist())
