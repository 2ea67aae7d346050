"""What each method changes: a dumbbell from the applicant to the plan, feature by feature."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from dirrac_core.arrays import Array
from dirrac_core.data.schema.feature import Feature
from dirrac_core.data.schema.schema import Schema
from dirrac_core.figures.drawing.margins import axis_margins
from dirrac_core.figures.drawing.palette import (
    FAVOURABLE,
    FAVOURABLE_SYMBOL,
    NEUTRAL,
    UNFAVOURABLE,
    UNFAVOURABLE_SYMBOL,
    described,
    new_figure,
)
from dirrac_core.figures.drawing.sketch import Trace, scatter
from dirrac_core.figures.drawing.ticks import real_ticks
from dirrac_core.geometry.axes import feature_axis
from dirrac_core.wording import as_it_is, joined

MOST_FEATURES = 6
PANELS_IN_A_ROW = 2
ROW_HEIGHT, PANEL_SPACE, TOP, BOTTOM = 30, 78, 92, 40
# Between two panels side by side, as a part of the width.
GAP = 0.03
# A panel runs this much of its span beyond its outermost marks.
MARGIN = 0.12


@dataclass(frozen=True, eq=False)
class MethodPlan:
    """One row of the picture: a method, its plan (None: it found none), and what is said of it."""

    method: str
    x: Array | None
    accepted: bool


def features_by_use(schema: Schema, x0: Array, plans: Sequence[MethodPlan]) -> list[Feature]:
    """The features some plan changes, those that most plans change first."""
    counts = dict.fromkeys((feature.name for feature in schema.features), 0)
    for plan in plans:
        if plan.x is not None:
            for change in schema.describe_change(x0, plan.x):
                counts[change.feature] += 1
    used = [feature for feature in schema.features if counts[feature.name]]
    return sorted(used, key=lambda feature: -counts[feature.name])


def method_changes(
    schema: Schema, x0: Array, plans: Sequence[MethodPlan], theme: str = "light"
) -> go.Figure:
    """One panel per feature, one row per method: a line from the applicant's value to the plan's.

    Only the MOST_FEATURES most changed features are drawn. The plan's mark is a disc where today's
    model accepts the plan and a cross where it does not. A plan between two categories is drawn
    at the larger one.
    """
    drawn = features_by_use(schema, x0, plans)[:MOST_FEATURES]
    found = [plan for plan in plans if plan.x is not None]
    figure = new_figure(theme)
    if not drawn:
        figure.add_annotation(text="No method changes anything.", x=0.5, y=0.5)
        figure.update_layout(height=120, xaxis={"visible": False}, yaxis={"visible": False})
        return described(figure, "No method changes anything.")
    names = [plan.method for plan in found]
    words = [name.replace(", ", ",<br>") for name in names]
    lines = [line for word in words for line in word.split("<br>")]
    rows = -(-len(drawn) // PANELS_IN_A_ROW)
    panel = ROW_HEIGHT * len(found)
    whole = rows * panel + (rows - 1) * PANEL_SPACE
    figure.update_layout(
        height=TOP + whole + BOTTOM,
        margin={"t": TOP, "b": BOTTOM, "l": axis_margins(lines)["l"]},
        legend={"y": 1.0, "yref": "container", "yanchor": "top"},
    )
    for index, feature in enumerate(drawn):
        scale = _Scale.of(schema, feature, x0, found)
        number = "" if index == 0 else str(index + 1)
        marks = _marks(schema, feature, scale, x0, found, legend=index == 0)
        figure.add_traces(mark | {"xaxis": f"x{number}", "yaxis": f"y{number}"} for mark in marks)
        across, up = _domains(index, len(drawn), panel, whole)
        upward = {
            "domain": up,
            "anchor": f"x{number}",
            "categoryorder": "array",
            "categoryarray": names[::-1],
            "range": [-0.6, len(names) - 0.4],
            "tickvals": names,
            "ticktext": words,
            "tickfont": {"size": 11},
            "showticklabels": index % PANELS_IN_A_ROW == 0,
            "matches": None if index == 0 else "y",
        }
        axis = scale.axis() | {"domain": across, "anchor": f"y{number}"}
        figure.update_layout(**{f"xaxis{number}": axis, f"yaxis{number}": upward})
        figure.add_annotation(**_title(feature, across, up))
    return described(figure, _alt(schema, x0, plans, drawn))


def _domains(
    index: int, panels: int, panel: float, whole: float
) -> tuple[list[float], list[float]]:
    """Where a panel lies across and up, in parts of the picture."""
    columns = min(PANELS_IN_A_ROW, panels)
    row, column = divmod(index, columns)
    width = (1.0 + GAP) / columns
    top = 1.0 - row * (panel + PANEL_SPACE) / whole
    # Rounding must not leave the picture.
    return [column * width, min((column + 1) * width - GAP, 1.0)], [
        max(top - panel / whole, 0.0),
        top,
    ]


def _title(feature: Feature, across: list[float], up: list[float]) -> dict[str, Any]:
    return {
        "text": as_it_is(feature_axis(feature).title),
        "x": sum(across) / 2,
        "y": up[1],
        "xref": "paper",
        "yref": "paper",
        "xanchor": "center",
        "yanchor": "bottom",
        "font": {"size": 14},
    }


@dataclass(frozen=True, eq=False)
class _Scale:
    """Where values of one feature lie: encoded numbers, or the categories that occur, in order."""

    feature: Feature
    column: int
    ends: tuple[float, float]
    categories: tuple[str, ...]

    @classmethod
    def of(
        cls, schema: Schema, feature: Feature, x0: Array, found: Sequence[MethodPlan]
    ) -> "_Scale":
        points = [x0, *(plan.x for plan in found if plan.x is not None)]
        columns = schema.columns_of(feature.name)
        if feature.is_categorical:
            named = {str(schema.decode(x)[feature.name]) for x in points}
            used = tuple(name for name in feature.categories if name in named)
            return cls(feature, columns[0], (-0.4, len(used) - 0.6), used)
        values = [float(x[columns[0]]) for x in points]
        low, high = min(values), max(values)
        room = MARGIN * max(high - low, 1e-6)
        return cls(feature, columns[0], (low - room, high + room), ())

    def at(self, schema: Schema, x: Array) -> float:
        if self.categories:
            return float(self.categories.index(str(schema.decode(x)[self.feature.name])))
        return float(x[self.column])

    def axis(self) -> dict[str, Any]:
        shared = {"range": list(self.ends), "title": None, "tickangle": 0}
        if self.categories:
            names = [as_it_is(name) for name in self.categories]
            return shared | {
                "tickmode": "array",
                "tickvals": list(range(len(names))),
                "ticktext": names,
            }
        return real_ticks(feature_axis(self.feature), *self.ends, most=3) | shared


def _marks(
    schema: Schema,
    feature: Feature,
    scale: _Scale,
    x0: Array,
    found: Sequence[MethodPlan],
    legend: bool,
) -> list[Trace]:
    """The applicant's value, the way, and the plan of every method that moves the feature."""
    now = scale.at(schema, x0)
    before = as_it_is(feature.format_value(schema.decode(x0)[feature.name]))
    moved: list[tuple[MethodPlan, float, str]] = []
    for plan in found:
        assert plan.x is not None
        if feature.name in {change.feature for change in schema.describe_change(x0, plan.x)}:
            after = as_it_is(feature.format_value(schema.decode(plan.x)[feature.name]))
            moved.append((plan, scale.at(schema, plan.x), f"{before} → {after}"))
    names = [plan.method for plan in found]
    ways_x = [value for _, there, _ in moved for value in (now, there, None)]
    ways_y = [name for plan, _, _ in moved for name in (plan.method, plan.method, None)]
    marks = [
        scatter(
            x=[now] * len(names),
            y=names,
            mode="markers",
            marker={"symbol": "line-ns-open", "size": 8, "color": NEUTRAL},
            name="applicant now",
            legendgroup="now",
            showlegend=legend,
            text=[before] * len(names),
            hovertemplate="%{y}<br>now %{text}<extra></extra>",
        ),
        scatter(
            x=ways_x,
            y=ways_y,
            mode="lines",
            line={"color": NEUTRAL, "width": 1.5},
            hoverinfo="skip",
            showlegend=False,
        ),
    ]
    kinds = (
        (True, "plan, accepted today", FAVOURABLE, FAVOURABLE_SYMBOL),
        (False, "plan, declined today", UNFAVOURABLE, UNFAVOURABLE_SYMBOL),
    )
    any_declined = not all(plan.accepted for plan in found)
    for accepted, words, colour, symbol in kinds:
        part = [entry for entry in moved if entry[0].accepted == accepted]
        marks.append(
            scatter(
                x=[there for _, there, _ in part],
                y=[plan.method for plan, _, _ in part],
                mode="markers",
                marker={"symbol": symbol, "size": 10, "color": colour},
                name=words,
                legendgroup=words,
                showlegend=legend and (accepted or any_declined),
                text=[hover for _, _, hover in part],
                hovertemplate="%{y}<br>%{text}<extra></extra>",
            )
        )
    return marks


def _alt(schema: Schema, x0: Array, plans: Sequence[MethodPlan], drawn: Sequence[Feature]) -> str:
    methods_by_words: dict[str, list[str]] = {}
    for plan in plans:
        words = (
            "no plan"
            if plan.x is None
            else schema.sentence(x0, plan.x).rstrip(".")
            + ("" if plan.accepted else " (declined today)")
        )
        methods_by_words.setdefault(words, []).append(plan.method)
    names = joined([feature.name for feature in drawn])
    parts = [f"{joined(methods)}: {words}." for words, methods in methods_by_words.items()]
    return f"What each method changes, by feature ({names}). {' '.join(parts)}"
