"""Small pictures for a lesson: the score on a line, a law that attains the bound, the dual."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from dirrac_core.figures.drawing.lines import series_style
from dirrac_core.figures.drawing.palette import (
    FAVOURABLE,
    INK,
    MUTED_INK,
    NEUTRAL,
    UNFAVOURABLE,
    described,
    new_figure,
)
from dirrac_core.robustness.demonstrations import DualCurve, TwoPointLaw

HEIGHT = 280


def score_line(m: float, s: float, r: float, a: float, theme: str = "light") -> go.Figure:
    """m, r and s as lengths on the line of scores; 0 is where a decision turns.

    With a finite score a ≥ 0 the two lengths √(1+a²)·r and a·s fill the way from 0 to m exactly:
    condition (S) with equality.
    """
    figure = new_figure(theme)
    ends = [0.0, m]
    spans = []
    if np.isfinite(a) and a >= 0.0:
        doubt = float(np.sqrt(1.0 + a * a)) * r
        spans = [
            ("√(1+a²)·r, the doubt", m - doubt, m, UNFAVOURABLE),
            ("a·s, the scatter that is survived", 0.0, m - doubt, FAVOURABLE),
        ]
    else:
        spans = [("r, the doubt", m - r, m, UNFAVOURABLE)]
        ends.append(m - r)
    for name, low, high, colour in spans:
        figure.add_scatter(
            x=[low, high],
            y=[0.0, 0.0],
            mode="lines",
            line={"color": colour, "width": 14},
            name=name,
            hovertemplate=f"{name}: {high - low:.3g}<extra></extra>",
        )
    figure.add_scatter(
        x=[m],
        y=[0.0],
        mode="markers+text",
        marker={"color": INK[theme], "size": 16, "symbol": "line-ns-open", "line": {"width": 3}},
        text=[f"m = {m:.3g}"],
        textposition="top center",
        textfont={"size": 15},
        name="m, the average score",
        hovertemplate="m = %{x:.4g}<extra></extra>",
        showlegend=False,
    )
    figure.add_scatter(
        x=[m - s, m + s],
        y=[-0.35, -0.35],
        mode="lines+markers",
        line={"color": NEUTRAL, "width": 2},
        marker={"symbol": "line-ns-open", "size": 10},
        name="m ± s, one deviation",
        hovertemplate="one deviation: %{x:.4g}<extra></extra>",
    )
    figure.add_vline(x=0.0, line={"color": MUTED_INK[theme], "width": 2, "dash": "dash"})
    figure.add_annotation(
        x=0.0, y=0.8, text="← declined | accepted →", font={"color": MUTED_INK[theme]}
    )
    ends += [m - s, m + s]
    room = 0.12 * max(max(ends) - min(ends), 1e-6)
    figure.update_layout(
        height=HEIGHT,
        margin={"t": 60},
        xaxis={"title": "score of a future model", "range": [min(ends) - room, max(ends) + room]},
        yaxis={"visible": False, "range": [-0.8, 1.0]},
    )
    return described(
        figure,
        f"A line of scores. 0 parts declined from accepted; the average score is m = {m:.3g}, one "
        f"deviation is s = {s:.3g}, the doubt is r = {r:.3g} and the robust score is a = {a:.3g}.",
    )


def two_points(law: TwoPointLaw, m: float, theme: str = "light") -> go.Figure:
    """The distribution of scores that declines as often as its mean and deviation allow."""
    figure = new_figure(theme)
    shares = [100.0 * law.declined, 100.0 * (1.0 - law.declined)]
    figure.add_bar(
        x=[0.0, law.accepted_at],
        y=shares,
        width=0.04 * law.accepted_at,
        marker={"color": [UNFAVOURABLE, FAVOURABLE]},
        text=[f"{share:.3g} of 100" for share in shares],
        textposition="outside",
        # The type keeps its size, though the bar is narrower.
        constraintext="none",
        textangle=0,
        cliponaxis=False,
        hovertemplate="score %{x:.3g}: %{y:.3g} of 100 models<extra></extra>",
        showlegend=False,
    )
    figure.add_vline(x=m, line={"color": MUTED_INK[theme], "width": 2, "dash": "dot"})
    figure.add_annotation(x=m, y=104, text=f"mean {m:.3g}", xanchor="left", xshift=6)
    figure.update_layout(
        height=HEIGHT,
        xaxis={"title": "score of a future model"},
        yaxis={"title": "models in 100", "range": [0, 112]},
    )
    return described(
        figure,
        f"Two bars: {shares[0]:.3g} of 100 models score 0 and decline, the others score "
        f"{law.accepted_at:.3g}; their mean is {m:.3g}.",
    )


def dual_line(curve: DualCurve, theme: str = "light") -> go.Figure:
    """The dual over λ, and the value of the worst weights it touches from above."""
    figure = new_figure(theme)
    figure.add_scatter(
        x=curve.multipliers,
        y=100.0 * curve.values,
        mode="lines",
        line={"color": FAVOURABLE, "width": 2.5},
        name="dual, an upper bound at every λ",
        hovertemplate="λ = %{x:.3g}: %{y:.4g} of 100<extra></extra>",
    )
    figure.add_hline(
        y=100.0 * curve.primal,
        line={"color": UNFAVOURABLE, "width": 2, "dash": "dash"},
        words="worst weights in the ball",
    )
    figure.add_scatter(
        x=[curve.best],
        y=[100.0 * curve.primal],
        mode="markers",
        marker={"color": UNFAVOURABLE, "size": 12},
        name="they meet",
        hovertemplate="λ = %{x:.3g}: %{y:.4g} of 100<extra></extra>",
    )
    figure.update_layout(
        height=HEIGHT + 20,
        xaxis={"title": "λ, the price of moving weight", "type": "log"},
        yaxis={"title": "of 100 models, at most … decline"},
    )
    return described(
        figure,
        "A curve that falls, touches a dashed line and rises again: the dual bound is never below "
        f"the worst weights' {100.0 * curve.primal:.4g} of 100 and meets it at λ = "
        f"{curve.best:.3g}.",
    )


def descent(values: Sequence[float], bound: float, theme: str = "light") -> go.Figure:
    """The worst case at every step of Algorithm 1, above what the certified solver proved."""
    figure = new_figure(theme)
    figure.add_scatter(
        x=list(range(len(values))),
        y=[100.0 * value for value in values],
        mode="lines+markers",
        name="plan held by Algorithm 1",
        hovertemplate="after %{x} steps: %{y:.4g} of 100<extra></extra>",
        **series_style(0, size=7),
    )
    figure.add_hline(
        y=100.0 * bound,
        line={"color": UNFAVOURABLE, "width": 2, "dash": "dash"},
        words="no plan can do better (certified)",
    )
    figure.update_layout(
        height=HEIGHT + 20,
        xaxis={"title": "step"},
        yaxis={"title": "of 100 models, at most … decline", "rangemode": "tozero"},
        showlegend=False,
    )
    return described(
        figure,
        f"The worst case falls from {100.0 * values[0]:.3g} to {100.0 * values[-1]:.3g} of 100 in "
        f"{len(values) - 1} steps; the proven bound is {100.0 * bound:.3g}.",
    )
