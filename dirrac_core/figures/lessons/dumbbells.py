"""One number from several sources, method by method: marks on a line, joined."""

import pandas as pd
import plotly.graph_objects as go

from dirrac_core.errors import InvalidInput
from dirrac_core.figures.drawing.lines import series_style
from dirrac_core.figures.drawing.palette import NEUTRAL, described, new_figure, translucent
from dirrac_core.wording import as_it_is

ROW_HEIGHT, FRAME = 34, 110


def dumbbells(table: pd.DataFrame, title: str, theme: str = "light") -> go.Figure:
    """`table`: one row per method, one column per source; NaN where a source has no number."""
    if table.empty or table.shape[1] == 0:
        raise InvalidInput("Dumbbells need at least one method and one source, got an empty table")
    methods = [as_it_is(str(method)) for method in table.index]
    figure = new_figure(theme)
    for method, (_, row) in zip(methods, table.iterrows(), strict=True):
        known = row.dropna()
        if len(known) > 1:
            figure.add_scatter(
                x=[known.min(), known.max()],
                y=[method, method],
                mode="lines",
                line={"color": translucent(NEUTRAL, 0.6), "width": 3},
                hoverinfo="skip",
                showlegend=False,
            )
    for place, source in enumerate(table.columns):
        known = table[source].dropna()
        figure.add_scatter(
            x=known.to_list(),
            y=[as_it_is(str(method)) for method in known.index],
            mode="markers",
            marker=series_style(place, size=11)["marker"],
            name=str(source),
            hovertemplate=f"{source}: %{{x:.3g}}<extra>%{{y}}</extra>",
        )
    figure.update_layout(
        height=FRAME + ROW_HEIGHT * len(methods),
        xaxis={"title": title, "rangemode": "tozero"},
        yaxis={"autorange": "reversed", "categoryorder": "array", "categoryarray": methods},
    )
    said = [
        f"{method} " + ", ".join(f"{source} {value:.3g}" for source, value in row.dropna().items())
        for method, (_, row) in zip(methods, table.iterrows(), strict=True)
    ]
    return described(figure, f"{title}: {'; '.join(said)}.")
