"""Effort against accepted re-trainings of boosted trees."""

from collections.abc import Sequence

import plotly.graph_objects as go

from dirrac_core.errors import InvalidInput
from dirrac_core.figures.palette import FAVOURABLE, described, new_figure
from dirrac_core.trees.frontier import FrontierPoint


def draw_tree_frontier(points: Sequence[FrontierPoint], theme: str = "light") -> go.Figure:
    """The effort of the cheapest plan for each number of re-trainings that must accept it."""
    if not points:
        raise InvalidInput("A frontier needs at least one plan, got none")
    accepted = [point.accepted for point in points]
    costs = [point.cost for point in points]
    figure = new_figure(theme)
    figure.add_scatter(
        x=costs,
        y=accepted,
        mode="lines+markers",
        line={"color": FAVOURABLE, "width": 2, "shape": "hv"},
        marker={"size": 9},
        customdata=[(point.declined, point.fresh) for point in points],
        hovertemplate="effort %{x:.3f}: %{y} re-trainings accept; %{customdata[0]} of "
        "%{customdata[1]} fresh ones decline<extra></extra>",
        showlegend=False,
    )
    figure.update_layout(
        height=320,
        margin={"t": 16},
        xaxis={"title": "effort", "rangemode": "tozero"},
        yaxis={"title": f"accepted by (of {points[0].total})", "rangemode": "tozero"},
    )
    alt = (
        f"The cheapest plan that {accepted[0]} of {points[0].total} re-trainings accept needs "
        f"effort {costs[0]:.2f}, the one that {accepted[-1]} accept {costs[-1]:.2f}."
    )
    return described(figure, alt)
