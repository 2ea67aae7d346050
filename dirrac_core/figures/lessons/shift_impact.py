"""Validity against the size of a shift: mean, covariance or both (the paper's last figure)."""

import pandas as pd
import plotly.graph_objects as go

from dirrac_core.arrays import checked_choice
from dirrac_core.figures.drawing.lines import (
    ACCEPT,
    DECLINE,
    check_columns,
    declining,
    measured_line,
)
from dirrac_core.figures.drawing.palette import described, new_figure
from dirrac_core.figures.drawing.panels import panelled

KINDS = {
    "mean": ("Mean shift", "mean shift α"),
    "covariance": ("Covariance shift", "covariance shift β"),
    "both": ("Both", "both shifts, α = β"),
}

# The axis never shows less than this, so that a loss of a few models does not look like a collapse.
LEAST_SHOWN = 20.0


def shift_impact_lines(
    table: pd.DataFrame, columns: int = 3, theme: str = "light", counted: str = ACCEPT
) -> go.Figure:
    """One panel per kind of shift, one line per method: the future models that accept its plans,
    as in the paper, or that decline them.

    `table` holds the rows of `studies.shift_impact`; the bars are its intervals over models.
    A method of which nobody got a plan has no line and is named in the description.
    """
    check_columns(table, ("method", "kind", "magnitude", "m2", "m2_low", "m2_high"))
    places = {name: index for index, name in enumerate(dict.fromkeys(table["method"]))}
    drawn = table[table["m2"].notna()]
    if checked_choice("What is counted", counted, (ACCEPT, DECLINE)) == DECLINE:
        drawn = declining(drawn, "m2", "m2_low", "m2_high")
    seen = 100.0 * drawn[["m2", "m2_low", "m2_high"]] if len(drawn) else pd.DataFrame([0.0, 100.0])
    low, high = float(seen.min().min()) - 3.0, float(seen.max().max()) + 3.0
    shown = (
        [-2.0, min(max(high, LEAST_SHOWN), 102.0)]
        if counted == DECLINE
        else [max(min(low, 100.0 - LEAST_SHOWN), -2.0), 102.0]
    )
    figures = {}
    for kind in dict.fromkeys(table["kind"]):
        checked_choice("A shift", kind, KINDS)
        title, across = KINDS[kind]
        figure = new_figure(theme)
        own = drawn[drawn["kind"] == kind]
        for name, part in own.groupby("method", sort=False):
            line = measured_line(
                places[name],
                str(name),
                part,
                "magnitude",
                "m2",
                ("m2_low", "m2_high"),
                100.0,
                f"{across} = %{{x:.2g}}<br>%{{y:.0f}} of 100 {counted}",
            )
            figure.add_trace(line)
        figure.update_layout(
            xaxis={"title": across, "rangemode": "tozero"},
            yaxis={
                "title": f"future models that {counted}, of 100",
                "range": shown,
            },
        )
        figures[title] = described(figure, _alt(own, list(places), counted))
    return panelled(figures, columns, theme=theme)


def _alt(rows: pd.DataFrame, methods: list[str], counted: str) -> str:
    parts = []
    for method in methods:
        part = rows[rows["method"] == method].sort_values("magnitude")
        if part.empty:
            parts.append(f"{method}: nobody got a plan.")
            continue
        first, last = part.iloc[0], part.iloc[-1]
        parts.append(
            f"{method}: {100 * first['m2']:.0f} of 100 {counted} at size {first['magnitude']:g}, "
            f"{100 * last['m2']:.0f} of 100 at {last['magnitude']:g}."
        )
    return " ".join(parts)
