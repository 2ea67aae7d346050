"""The future models one by one: which accept a plan, which decline it, and why."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from dirrac_core.errors import InvalidInput
from dirrac_core.figures.drawing.palette import (
    FAVOURABLE,
    FAVOURABLE_SYMBOL,
    UNFAVOURABLE,
    UNFAVOURABLE_SYMBOL,
    described,
    new_figure,
)
from dirrac_core.wording import as_it_is

COLUMNS = 10
CELL = 30


def model_icons(
    accepts: npt.ArrayLike, reasons: Sequence[str] | None = None, theme: str = "light"
) -> go.Figure:
    """One icon per model, ten in a row, those that decline first; colour and symbol say the same.

    `accepts` (n,) are the decisions; `reasons`, one a model, are shown on hover.
    """
    accepted = np.asarray(accepts)
    if accepted.ndim != 1 or accepted.dtype != np.bool_ or not accepted.size:
        raise InvalidInput(
            "accepts must be one decision (True or False) a model, "
            f"got {accepted.dtype} of shape {accepted.shape}"
        )
    n = accepted.size
    if reasons is not None and len(reasons) != n:
        raise InvalidInput(f"There must be one reason per model, got {len(reasons)} for {n} models")
    place = np.empty(n, dtype=np.int64)
    place[np.argsort(accepted, kind="stable")] = np.arange(n)
    figure = new_figure(theme)
    kinds = (
        (False, "declines", UNFAVOURABLE, UNFAVOURABLE_SYMBOL),
        (True, "accepts", FAVOURABLE, FAVOURABLE_SYMBOL),
    )
    for value, verb, colour, symbol in kinds:
        models = [int(m) for m in np.flatnonzero(accepted == value)]
        hovers = [
            f"<br>{as_it_is(reasons[m])}" if reasons is not None and reasons[m] else ""
            for m in models
        ]
        figure.add_scatter(
            # A trace without any point would drop out of the legend, and "0 decline" is news.
            x=place[models] % COLUMNS if models else [None],
            y=place[models] // COLUMNS if models else [None],
            mode="markers",
            name=f"{len(models)} {_verb(verb, len(models))}",
            marker={"color": colour, "symbol": symbol, "size": 15, "line": {"width": 0}},
            customdata=models,
            text=[
                f"<b>Model {m + 1} {verb}</b>{why}" for m, why in zip(models, hovers, strict=True)
            ],
            hovertemplate="%{text}<extra></extra>",
            showlegend=True,
        )
    rows = -(-n // COLUMNS)
    hidden = {"visible": False, "fixedrange": True}
    figure.update_layout(
        height=56 + CELL * rows,
        xaxis={
            **hidden,
            "range": [-0.6, COLUMNS - 0.4],
            "constrain": "domain",
            "constraintoward": "left",
        },
        yaxis={**hidden, "range": [rows - 0.4, -0.6], "scaleanchor": "x"},
        legend={"itemclick": False, "itemdoubleclick": False},
    )
    declined = int(n - accepted.sum())
    alt = (
        f"One icon for each of {n} future models: {n - declined} {_verb('accepts', n - declined)} "
        f"the plan (blue circle), {declined} {_verb('declines', declined)} it (orange cross)."
    )
    return described(figure, alt)


def _verb(verb: str, count: int) -> str:
    return verb if count == 1 else verb.removesuffix("s")
