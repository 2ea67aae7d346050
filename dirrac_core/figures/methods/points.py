"""Methods as points: what a plan costs against how many later models decline it."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dirrac_core.figures.drawing.margins import axis_margins, legend_margin
from dirrac_core.figures.drawing.palette import (
    FAVOURABLE,
    FAVOURABLE_SYMBOL,
    INK,
    UNFAVOURABLE,
    component_colour,
    described,
    new_figure,
)
from dirrac_core.figures.methods.names import name_rows
from dirrac_core.wording import as_it_is

DIRRAC = "DiRRAc"
# The names of points beyond this part of the width stand on their left.
LEFT_OF = 0.6
SPACE = "\N{NO-BREAK SPACE}"
# About as wide as it is drawn, for the rows of the legend.
WIDTH = 600
PIXELS_PER_UNIT = 2.85
# No name stands above or below these marks of the scale.
HIGHEST, LOWEST = 100.0, 0.0


def method_points(
    rows: pd.DataFrame, cost: str, cost_title: str, later_title: str, theme: str = "light"
) -> go.Figure:
    """One point per plan: `cost` against 1 − `m2`; a plan that breaks a rule is hollow.

    `rows` has "method", `cost`, "m2" (the share that accepts) and "keeps_rules" (a share
    of plans, or yes or no). DiRRAc stands out by its colour, and every point carries its name.
    """
    drawn = rows[np.isfinite(rows[cost].astype(float)) & np.isfinite(rows["m2"].astype(float))]
    kept = drawn["keeps_rules"].astype(float).to_numpy() >= 1.0
    ours = drawn["method"].str.contains(DIRRAC).to_numpy()
    x = drawn[cost].to_numpy(dtype=np.float64)
    y = 100.0 * (1.0 - drawn["m2"].to_numpy(dtype=np.float64))
    # Room for the names of the points on the right.
    end = 1.25 * float(x.max(initial=0.0)) or 1.0
    leftward = x > LEFT_OF * end
    names = [as_it_is(method) for method in drawn["method"]]
    figure = new_figure(theme)
    # Names as one trace and their lines as another: plotly draws annotations one by one, slowly.
    ends = (-PIXELS_PER_UNIT * HIGHEST, -PIXELS_PER_UNIT * LOWEST)
    at = name_rows(x / end, -PIXELS_PER_UNIT * y, list(drawn["method"]), leftward, *ends)
    at /= -PIXELS_PER_UNIT
    gaps = np.full(x.size, np.nan)
    unexplained = {"hoverinfo": "skip", "showlegend": False}
    figure.add_scatter(
        x=np.stack([x, x, gaps], axis=1).ravel(),
        y=np.stack([y, at, gaps], axis=1).ravel(),
        mode="lines",
        line={"width": 0.6, "color": INK[theme]},
        **unexplained,
    )
    shown = []
    for name, part, colour in (
        ("another method", kept & ~ours, component_colour(2)),
        ("breaks a rule", ~kept, UNFAVOURABLE),
        # Last, so that no other mark covers it.
        (DIRRAC, kept & ours, FAVOURABLE),
    ):
        keeps = colour != UNFAVOURABLE
        if part.any():
            shown.append(name)
            figure.add_scatter(
                x=x[part],
                y=y[part],
                name=name,
                mode="markers",
                text=[name for name, here in zip(names, part, strict=True) if here],
                marker={
                    "size": 13,
                    "symbol": FAVOURABLE_SYMBOL if keeps else f"{FAVOURABLE_SYMBOL}-open",
                    "color": colour,
                    "line": {"width": 0 if keeps else 2},
                },
                hovertemplate="%{text}<br>effort %{x:.2f}<br>%{y:.0f} of 100 decline later"
                "<extra></extra>",
            )
    figure.add_scatter(
        x=x,
        y=at,
        mode="text",
        # A space between the line and the name.
        text=[f"{SPACE}{name}{SPACE}" for name in names],
        textposition=["middle left" if far else "middle right" for far in leftward],
        textfont={"size": 12, "color": INK[theme]},
        # The last one may reach into the margin.
        cliponaxis=False,
        **unexplained,
    )
    figure.update_layout(
        height=420,
        margin={**axis_margins(), **legend_margin(shown, WIDTH)},
        xaxis={"title": cost_title, "range": [0.0, end]},
        yaxis={"title": later_title, "range": [-6, 106], "tickvals": [0, 25, 50, 75, 100]},
        legend={"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
    )
    listed = "; ".join(
        f"{method} effort {cost_:.2f}, {later:.0f} of 100 decline"
        f"{'' if fine else ', breaks a rule'}"
        for method, cost_, later, fine in zip(drawn["method"], x, y, kept, strict=True)
    )
    alt = f"What each method's plan costs and how many later models decline it. {listed}."
    return described(figure, alt)
