"""A figure as a browser gets it: no more than is drawn, and nothing it would have to merge."""

from typing import Any

import numpy as np
import plotly.graph_objects as go
from plotly.io.json import to_json_plotly

from dirrac_core.figures.drawing.sketch import merged

# More digits than a screen has pixels.
DIGITS = 7


def sent_figure(figure: go.Figure) -> str:
    """Traces, layout and frames as JSON."""
    layout = with_template(figure)
    layout.pop("meta", None)
    sent = {
        "data": [_lists(trace.to_plotly_json()) for trace in figure.data],
        "layout": _lists(layout),
    }
    if figure.frames:
        sent["frames"] = [_lists(frame.to_plotly_json()) for frame in figure.frames]
    return str(to_json_plotly(sent))


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
