"""Promised against happened: the reliability diagram of a track record."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dirrac_core.figures.drawing.lines import check_columns, interval_bars
from dirrac_core.figures.drawing.palette import FAVOURABLE, MUTED_INK, described, new_figure

COLUMNS = ("n", "promised", "observed", "observed_low", "observed_high", "broken")
# Marker areas grow with the number of promises; these are diameters in pixels.
SMALLEST, LARGEST = 8.0, 26.0


def reliability_diagram(bins: pd.DataFrame, theme: str) -> go.Figure:
    """One mark per bin of `studies.backtest.reliability`: mean worst case across, declines up.

    Promises are kept on average below the diagonal; bars are 95 % intervals.
    """
    check_columns(bins, COLUMNS)
    promised, observed = (100 * bins[c].to_numpy(dtype=np.float64) for c in COLUMNS[1:3])
    low, high = (100 * bins[c].to_numpy(dtype=np.float64) for c in COLUMNS[3:5])
    count = bins["n"].to_numpy(dtype=np.float64)
    figure = new_figure(theme)
    figure.add_scatter(
        x=[0, 100],
        y=[0, 100],
        mode="lines",
        line={"color": MUTED_INK[theme], "dash": "dash", "width": 1.5},
        hoverinfo="skip",
        showlegend=False,
    )
    size = SMALLEST + (LARGEST - SMALLEST) * np.sqrt(count / count.max()) if len(bins) else count
    figure.add_scatter(
        x=promised,
        y=observed,
        error_y=interval_bars(0, observed, low, high),
        mode="markers",
        cliponaxis=False,
        marker={"color": FAVOURABLE, "size": size, "opacity": 0.85},
        customdata=np.column_stack([bins["n"], bins["broken"]]),
        hovertemplate=(
            "<b>%{customdata[0]} promises</b><br>promised: at most %{x:.0f} of 100 decline<br>"
            "happened: %{y:.1f} of 100<br>%{customdata[1]} broken<extra></extra>"
        ),
        showlegend=False,
    )
    figure.add_annotation(x=74, y=80, text="happened = promised", xanchor="right")
    figure.update_layout(
        height=420,
        xaxis={"title": "promised: at most so many of 100 decline", "range": [0, 100]},
        yaxis={"title": "happened: so many of 100 declined", "range": [0, 100]},
    )
    return described(figure, _words(bins))


def _words(bins: pd.DataFrame) -> str:
    seen = zip(bins["n"], 100 * bins["promised"], 100 * bins["observed"], strict=True)
    marks = "; ".join(f"{n} promises of {p:.0f}: {o:.0f} declined" for n, p, o in seen)
    return f"Promised worst cases of 100 models against what happened. {marks or 'No promises'}."
