"""How likely the plan fails, component by component, under three readings of the future."""

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from dirrac_core.arrays import Array
from dirrac_core.figures.palette import (
    NEUTRAL,
    UNFAVOURABLE,
    component_colour,
    component_name,
    described,
    new_figure,
    translucent,
)
from dirrac_core.figures.wording import joined, out_of, per_hundred
from dirrac_core.models.mixture import ParameterMixture
from dirrac_core.robustness import Objective, Weighting, checked_applicant

TOTAL = "Total"
ROW_HEIGHT = 76
# The axis runs this far beyond the longest bar, so that its words fit on a narrow page.
LABEL_ROOM = 1.55
# One reading a row of (name, link, whether the radii count, colour, pattern); the last is the
# guarantee and the only one in the full colour.
READINGS = (
    ("Estimated (ρ = 0, Gaussian)", "gaussian", False, translucent(NEUTRAL, 0.55), ""),
    ("If Gaussian", "gaussian", True, translucent(UNFAVOURABLE, 0.45), "/"),
    ("Worst case (guarantee)", "chebyshev", True, UNFAVOURABLE, ""),
)


def component_bars(
    x: npt.ArrayLike,
    mixture: ParameterMixture,
    radii: npt.ArrayLike,
    weighting: str | Weighting = "nominal",
    names: tuple[str, ...] | None = None,
    theme: str = "light",
) -> go.Figure:
    """Three bars a component and for the total: estimated, if Gaussian, worst case.

    Estimated is Φ(−a) at ρ = 0, if Gaussian Φ(−a) and the worst case 1/(1 + a²), both at the
    given radii. Each total uses `weighting`; the weights p* it picks for the worst case stand
    beside the components' own p̂.
    """
    point = checked_applicant("x", x, mixture.dimension)
    zero = np.zeros(mixture.components)
    objectives = [
        Objective(mixture, radii if moved else zero, link, weighting)
        for _, link, moved, _, _ in READINGS
    ]
    values = [np.append(o.probabilities(point), o.value(point)) for o in objectives]
    worst_weights = objectives[-1].worst_weights(point)
    labels = [component_name(k, names) for k in range(mixture.components)]
    rows = [*_with_weights(labels, mixture.weights, worst_weights), f"<b>{TOTAL}</b>"]
    if mixture.components == 1:  # the component is the total
        rows, shown = rows[-1:], [value[-1:] for value in values]
    else:
        shown = values
    figure = new_figure(theme)
    for (name, _, _, colour, pattern), value in zip(READINGS, shown, strict=True):
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
    widest = max(100.0 * float(np.max(values)), 1.0)
    figure.update_layout(
        barmode="group",
        bargap=0.28,
        bargroupgap=0.08,
        height=110 + ROW_HEIGHT * len(rows),
        legend={"traceorder": "normal"},
        xaxis={"title": "declining models in 100", "range": [0, LABEL_ROOM * widest]},
        yaxis={"autorange": "reversed", "showgrid": False},
    )
    return described(figure, _alt(labels, values, mixture.weights, worst_weights))


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
