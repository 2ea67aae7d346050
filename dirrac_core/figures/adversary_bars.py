"""The future model that would undo a plan: which weights it moves."""

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from dirrac_core.arrays import frozen_array
from dirrac_core.errors import InvalidInput
from dirrac_core.figures.drawing.palette import UNFAVOURABLE, described, new_figure
from dirrac_core.wording import as_it_is, joined

MOST_WEIGHTS = 10
# Moves smaller than this part of the largest are rounding, not the adversary's doing.
SMALLEST_PART = 1e-9
CONSTANT_NAME = "Base level (constant)"


def adversary_bars(
    mean: npt.ArrayLike,
    worst_mean: npt.ArrayLike,
    columns: Sequence[str],
    theme: str = "light",
) -> go.Figure:
    """Bars of worst mean − θ̂ for the ten weights that move most, largest first.

    Under each name stand the estimated and the worst-case weight.
    `mean` and `worst_mean` are D-vectors (see `worst_case_model`); `columns` are the readable
    names of the D − 1 features, the bias gets its own.
    """
    names = [*columns, CONSTANT_NAME]
    before = frozen_array("mean", mean, (len(names),))
    after = frozen_array("worst_mean", worst_mean, (len(names),))
    if len(set(names)) != len(names):
        raise InvalidInput(f"The columns must have different names, got {list(columns)}")
    move = after - before
    size = np.abs(move)
    moved = int((size > SMALLEST_PART * max(size.max(), SMALLEST_PART)).sum())
    order = np.argsort(-size, kind="stable")[: min(moved, MOST_WEIGHTS)]
    left_out = moved - order.size
    # As many digits as it takes to see the smallest move that is drawn.
    digits = max(2, math.ceil(-math.log10(size[order].min()))) if order.size else 2
    moves = [f"{before[j]:+.{digits}f} → {after[j]:+.{digits}f}".replace("-", "−") for j in order]
    figure = new_figure(theme)
    figure.add_bar(
        y=[
            f"{as_it_is(names[j])}<br><span style='font-size:12px'>{words}</span>"
            for j, words in zip(order, moves, strict=True)
        ],
        x=move[order],
        orientation="h",
        marker={"color": UNFAVOURABLE},
        customdata=[as_it_is(names[j]) for j in order],
        text=moves,
        textposition="none",
        hovertemplate="%{customdata}: %{text}, moved by %{x:+.3f}<extra></extra>",
        showlegend=False,
    )
    figure.update_layout(
        height=80 + 42 * max(order.size, 1),
        margin={"t": 12},
        bargap=0.45,
        xaxis={"title": "change of the weight", "zeroline": True, "rangemode": "tozero"},
        yaxis={"autorange": "reversed", "showgrid": False},
    )
    if not order.size:
        return described(figure, "The worst-case model moves no weight: the radius is 0.")
    largest = joined([f"{names[j]} from {before[j]:.2f} to {after[j]:.2f}" for j in order[:3]])
    rest = f" {left_out} smaller moves are not shown." if left_out else ""
    alt = (
        f"Bars of the {order.size} weights the worst-case model moves most, by up to "
        f"{size.max():.2g}: {largest}.{rest}"
    )
    return described(figure, alt)
