"""Future models as points: the re-trained ones, their components, and the shifted ones on top."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from dirrac_core.figures.drawing.margins import axis_margins, legend_margin
from dirrac_core.figures.drawing.palette import (
    BACKGROUND,
    MUTED_INK,
    UNFAVOURABLE,
    component_colour,
    component_dash,
    component_name,
    component_symbol,
    described,
    new_figure,
    translucent,
)
from dirrac_core.figures.drawing.sketch import Trace, scatter
from dirrac_core.geometry.model_cloud import CloudComponent, ModelCloud
from dirrac_core.wording import as_it_is

# Of the plane; the legend comes on top of it.
HEIGHT = 440
# About as wide as the plane is drawn, for the rows of the legend.
WIDTH = 480
# Every point is an element of the page: so many show where a component lies as well as all do.
ENOUGH = 25
_TICKS = ("−0.00",)


def parameter_cloud(
    cloud: ModelCloud,
    names: tuple[str, ...] | None = None,
    theme: str = "light",
    most: int | None = None,
    simulated: bool = False,
) -> go.Figure:
    """The models as points, with the ellipse, the ball and the mean of every component.

    Of each component, and of the shifted models, the first `most` are drawn; all without it.
    Shifted models that are `simulated` are called so.
    """
    figure = new_figure(theme)
    for k, component in enumerate(cloud.components):
        figure.add_traces(_curves(k, component, names))
    if cloud.shifted is not None:
        seen = cloud.shifted[:most]
        figure.add_scatter(
            x=seen[:, 0],
            y=seen[:, 1],
            mode="markers",
            marker={
                "symbol": "x-thin",
                "size": 7,
                "opacity": 0.7,
                "line": {"color": UNFAVOURABLE, "width": 1.4},
            },
            name="Simulated future" if simulated else "After the shift",
            text=[
                f"{'Simulated' if simulated else 'Shifted'} model {i + 1}" for i in range(len(seen))
            ],
            hovertemplate="%{text}<br>(%{x:.2f}, %{y:.2f})<extra></extra>",
        )
    # The means last, above everything else but the models of later components.
    figure.add_traces(
        [_models(k, component, names, most, theme) for k, component in enumerate(cloud.components)]
    )
    figure.add_traces(_legend_of_curves(theme))
    above = legend_margin(_legend(figure.traces), WIDTH)
    figure.update_layout(
        height=HEIGHT + above["t"],
        margin={**axis_margins(_TICKS), **above},
        legend={"groupclick": "togglegroup", "tracegroupgap": 0},
        xaxis={"title": as_it_is(cloud.titles[0]), "constrain": "domain"},
        yaxis={
            "title": as_it_is(cloud.titles[1]),
            "constrain": "domain",
            "scaleanchor": "x",
            "scaleratio": 1,
        },
    )
    return described(figure, _alt(cloud, names, simulated))


def _legend(traces: list[Trace]) -> list[str]:
    return [trace["name"] for trace in traces if trace.get("showlegend", True)]


def _models(
    k: int, component: CloudComponent, names: tuple[str, ...] | None, most: int | None, theme: str
) -> Trace:
    """The models of one component, and its mean with its number: one trace, as each costs time."""
    name = as_it_is(component_name(k, names))
    seen = component.models[:most]
    count = len(seen)
    where = np.vstack([seen, component.mean])
    return scatter(
        x=where[:, 0],
        y=where[:, 1],
        mode="markers+text",
        marker={
            "color": component_colour(k),
            "symbol": component_symbol(k),
            "size": [7] * count + [22],
            "opacity": [0.75] * count + [1.0],
            "line": {"color": BACKGROUND[theme], "width": [0] * count + [2]},
        },
        text=[""] * count + [f"<b>{k + 1}</b>"],
        textposition="middle center",
        textfont={"color": "#FFFFFF", "size": 13},
        hovertemplate=[f"{name}<br>(%{{x:.2f}}, %{{y:.2f}})<extra></extra>"] * count
        + [f"Mean of {name}<extra></extra>"],
        name=name,
        legendgroup=f"component {k}",
    )


def _curves(k: int, component: CloudComponent, names: tuple[str, ...] | None) -> list[Trace]:
    """The ellipse of one component and its ball."""
    colour, name = component_colour(k), as_it_is(component_name(k, names))
    ellipse, ball = component.ellipse, component.ball
    common: dict[str, Any] = {
        "mode": "lines",
        "hoverinfo": "skip",
        "showlegend": False,
        "legendgroup": f"component {k}",
    }
    return [
        scatter(
            x=ellipse[:, 0],
            y=ellipse[:, 1],
            line={"color": colour, "width": 2, "dash": component_dash(k)},
            name=f"{name}: two deviations",
            **common,
        ),
        scatter(
            x=ball[:, 0],
            y=ball[:, 1],
            fill="toself",
            fillcolor=translucent(colour, 0.18),
            line={"color": colour, "width": 1},
            name=f"{name}: means within ρ = {component.radius:.3g}",
            **common,
        ),
    ]


def _legend_of_curves(theme: str) -> list[Trace]:
    """Two entries without data: what the two curves around every mean are."""
    ink = MUTED_INK[theme]
    return [
        scatter(
            x=[None],
            y=[None],
            mode="lines",
            line={"color": ink, "width": 2, "dash": "dash"},
            name="two deviations",
        ),
        scatter(
            x=[None],
            y=[None],
            mode="lines",
            fill="toself",
            fillcolor=translucent(ink, 0.18),
            line={"color": ink, "width": 1},
            name="means within ρ",
        ),
    ]


def _alt(cloud: ModelCloud, names: tuple[str, ...] | None, simulated: bool) -> str:
    ball = "a circle" if cloud.is_round else "an ellipse"
    count = len(cloud.components)
    parts = [
        f"{cloud.models} re-trained models in the plane of {cloud.titles[0]} and "
        f"{cloud.titles[1]}, in {count} component{'s' if count > 1 else ''}, each with an "
        f"ellipse of two deviations and {ball} of its radius."
    ]
    found = cloud.covered
    if found is not None and cloud.shifted is not None:
        who = "simulated future models" if simulated else "models after the shift"
        k, where = found.nearest, "inside" if found.group_inside else "outside"
        parts.append(
            f"{len(cloud.shifted)} {who}: their mean and covariance are at "
            f"Gelbrich distance {found.group_distance:.2g} from {component_name(k, names)}, "
            f"{where} its radius {cloud.components[k].radius:.3g}."
        )
    return " ".join(parts)
