"""How likely the plan fails, component by component, under three readings of the future."""

import numpy as np
import plotly.graph_objects as go

from dirrac_core.arrays import Array
from dirrac_core.figures.drawing.palette import (
    NEUTRAL,
    UNFAVOURABLE,
    component_colour,
    component_name,
    described,
    new_figure,
    translucent,
)
from dirrac_core.robustness.readings import Readings
from dirrac_core.wording import as_it_is, joined, out_of, per_hundred

TOTAL = "Total"
ROW_HEIGHT = 76
# The axis runs this far beyond 100, so that the number of a full bar fits.
LABEL_ROOM = 1.12
TICKS = (0, 20, 40, 60, 80, 100)
# (name, colour, pattern) of each reading; the worst case is the only one in the full colour.
LOOKS = (
    ("Estimated (ρ = 0, Gaussian)", translucent(NEUTRAL, 0.55), ""),
    ("If Gaussian", translucent(UNFAVOURABLE, 0.45), "/"),
    ("Worst case", UNFAVOURABLE, ""),
)


def component_bars(
    found: Readings, names: tuple[str, ...] | None = None, theme: str = "light"
) -> go.Figure:
    """Three bars for each component and for the total: estimated, if Gaussian, worst case.

    The weights p* picked for the worst case stand beside the components' own p̂.
    """
    values = [found.estimated, found.gaussian, found.worst]
    count = len(found.weights)
    labels = [as_it_is(component_name(k, names)) for k in range(count)]
    rows = [*_with_weights(labels, found.weights, found.worst_weights), f"<b>{TOTAL}</b>"]
    shown = values
    if count == 1:  # the component is the total
        rows, shown = rows[-1:], [value[-1:] for value in values]
    figure = new_figure(theme)
    for (name, colour, pattern), value in zip(LOOKS, shown, strict=True):
        words = [out_of(p, at_most=True) for p in value]
        figure.add_bar(
            y=rows,
            x=100.0 * value,
            orientation="h",
            name=name,
            marker={
                "color": colour,
                "line": {"color": UNFAVOURABLE if pattern else colour, "width": 1},
                "pattern": {"shape": pattern, "size": 6, "solidity": 0.25},
            },
            text=[per_hundred(p) for p in value],
            textposition="outside",
            cliponaxis=False,
            customdata=words,
            hovertemplate=f"{name}: %{{customdata}}<extra></extra>",
        )
    figure.update_layout(
        barmode="group",
        bargap=0.28,
        bargroupgap=0.08,
        height=110 + ROW_HEIGHT * len(rows),
        legend={"traceorder": "normal"},
        xaxis={
            "title": "declining models, of 100",
            # Always the whole scale; it runs on for the words, its numbers end at 100.
            "range": [0, 100.0 * LABEL_ROOM],
            "tickvals": TICKS,
        },
        yaxis={"autorange": "reversed", "showgrid": False},
    )
    return described(figure, _alt(labels, values, found.weights, found.worst_weights))


def _with_weights(labels: list[str], weights: Array, worst: Array) -> list[str]:
    rows: list[str] = []
    for label, p, q in zip(labels, weights, worst, strict=True):
        share = f"weight {p:.0%}" if abs(p - q) < 5e-3 else f"weight {p:.0%}, at worst {q:.0%}"
        dot = f"<span style='color:{component_colour(len(rows))}'>●</span>"
        rows.append(f"{dot} {label}<br><span style='font-size:12px'>{share}</span>")
    return rows


def _alt(labels: list[str], values: list[Array], weights: Array, worst: Array) -> str:
    estimated, gaussian, guarantee = values
    parts = [
        f"{label} at most {out_of(p, at_most=True)}"
        for label, p in zip(labels, guarantee, strict=False)
    ]
    moved = np.abs(weights - worst).max() >= 5e-3
    picked = joined([f"{q:.0%} on {label}" for label, q in zip(labels, worst, strict=True)])
    return (
        "Bars of the share of future models that decline the plan. Worst case by component: "
        f"{joined(parts)}. In total at most {out_of(guarantee[-1], at_most=True)} in the worst "
        f"case, {out_of(gaussian[-1], at_most=True)} if the models are Gaussian and "
        f"{out_of(estimated[-1], at_most=True)} if they are as estimated."
        + (f" The worst weights put {picked}." if moved else "")
    )
