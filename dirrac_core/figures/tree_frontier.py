"""Effort against the re-trainings of boosted trees that decline."""

from collections.abc import Sequence

import plotly.graph_objects as go

from dirrac_core.errors import InvalidInput
from dirrac_core.figures.drawing.palette import FAVOURABLE, UNFAVOURABLE, described, new_figure
from dirrac_core.trees.frontier import FrontierPoint


def draw_tree_frontier(points: Sequence[FrontierPoint], theme: str = "light") -> go.Figure:
    """The effort of each plan, and the re-trainings, planned on and fresh, that decline it."""
    if not points:
        raise InvalidInput("A frontier needs at least one plan, got none")
    costs = [point.cost for point in points]
    figure = new_figure(theme)
    lines = (
        ("planned on", FAVOURABLE, "circle", [(p.total - p.accepted, p.total) for p in points]),
        ("fresh", UNFAVOURABLE, "diamond", [(p.declined, p.fresh) for p in points]),
    )
    for name, colour, symbol, counts in lines:
        figure.add_scatter(
            x=costs,
            y=[100.0 * declined / total for declined, total in counts],
            mode="lines+markers",
            line={"color": colour, "width": 2, "dash": "solid" if name == "fresh" else "dot"},
            marker={"size": 9, "symbol": symbol},
            customdata=counts,
            hovertemplate="effort %{x:.3f}: %{customdata[0]} of %{customdata[1]} decline"
            f"<extra>{name}</extra>",
            name=f"re-trainings {name}" if name == "planned on" else "fresh re-trainings",
        )
    figure.update_layout(
        height=340,
        margin={"t": 16},
        xaxis={"title": "effort", "rangemode": "tozero"},
        yaxis={"title": "re-trainings that decline, of 100", "range": [-3, 103]},
    )
    first, last = points[0], points[-1]
    alt = (
        f"The cheapest plan that {first.total - first.accepted} of {first.total} re-trainings "
        f"decline needs effort {costs[0]:.2f}, the one that {last.total - last.accepted} decline "
        f"{costs[-1]:.2f}. Of fresh re-trainings {first.declined} and {last.declined} of "
        f"{last.fresh} decline them."
    )
    return described(figure, alt)
