"""Validity against the size of a shift: mean, covariance or both (the paper's last figure)."""

import pandas as pd
import plotly.graph_objects as go

from dirrac_core.arrays import checked_choice
from dirrac_core.figures.drawing.lines import check_columns, measured_line
from dirrac_core.figures.drawing.palette import described, new_figure
from dirrac_core.figures.drawing.panels import panelled

KINDS = {
    "mean": ("Mean shift", "mean shift α"),
    "covariance": ("Covariance shift", "covariance shift β"),
    "both": ("Both", "both shifts, α = β"),
}

# The axis never starts above this, so that a loss of a few models does not look like a collapse.
HIGHEST_START = 80.0


def shift_impact_lines(table: pd.DataFrame, columns: int = 3, theme: str = "light") -> go.Figure:
    """One panel per kind of shift, one line per method: the future models that accept its plans.

    `table` holds the rows of `studies.shift_impact`; the bars are its intervals over models.
    A method of which nobody got a plan has no line and is named in the description.
    """
    check_columns(table, ("method", "kind", "magnitude", "m2", "m2_low", "m2_high"))
    places = {name: index for index, name in enumerate(dict.fromkeys(table["method"]))}
    drawn = table[table["m2"].notna()]
    low = 100.0 * float(drawn[["m2", "m2_low"]].min().min()) if len(drawn) else 0.0
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
                f"{across} = %{{x:.2g}}<br>%{{y:.0f}} in 100 accept",
            )
            figure.add_trace(line)
        figure.update_layout(
            xaxis={"title": across, "rangemode": "tozero"},
            yaxis={
                "title": "future models that accept, in 100",
                "range": [max(min(low - 3.0, HIGHEST_START), -2.0), 102.0],
            },
        )
        figures[title] = described(figure, _alt(own, list(places)))
    return panelled(figures, columns, theme=theme)


def _alt(rows: pd.DataFrame, methods: list[str]) -> str:
    parts = []
    for method in methods:
        part = rows[rows["method"] == method].sort_values("magnitude")
        if part.empty:
            parts.append(f"{method}: nobody got a plan.")
            continue
        first, last = part.iloc[0], part.iloc[-1]
        parts.append(
            f"{method}: {100 * first['m2']:.0f} in 100 accept at size {first['magnitude']:g}, "
            f"{100 * last['m2']:.0f} in 100 at {last['magnitude']:g}."
        )
    return " ".join(parts)
