"""The plane of two numbers: how many re-trainings of boosted trees accept each cell."""

import numpy as np
import plotly.graph_objects as go

from dirrac_core.figures.drawing.palette import FAVOURABLE, MUTED_INK, described, new_figure
from dirrac_core.trees.regions import Regions

PAPER = {"light": "#ffffff", "dark": "#1b1f24"}


def draw_tree_regions(
    regions: Regions,
    applicant: tuple[float, float],
    plan: tuple[float, float] | None,
    theme: str = "light",
) -> go.Figure:
    """Cells coloured by the number of accepting re-trainings; dots where today's model accepts."""
    figure = new_figure(theme)
    figure.add_heatmap(
        x=regions.edges[0],
        y=regions.edges[1],
        z=regions.accepted,
        zmin=0,
        zmax=regions.total,
        colorscale=[[0.0, PAPER[theme]], [1.0, FAVOURABLE]],
        colorbar={"title": "accept"},
        hovertemplate="%{z} of " + f"{regions.total} re-trainings accept<extra></extra>",
    )
    middles = [(ends[1:] + ends[:-1]) / 2.0 for ends in regions.edges]
    up, across = np.nonzero(regions.today)
    figure.add_scatter(
        x=middles[0][across],
        y=middles[1][up],
        mode="markers",
        marker={"size": 3, "color": MUTED_INK[theme]},
        name="accepted today",
        hoverinfo="skip",
    )
    for name, point, symbol in (("applicant", applicant, "circle"), ("plan", plan, "star")):
        if point is not None:
            figure.add_scatter(
                x=[point[0]],
                y=[point[1]],
                mode="markers+text",
                marker={"size": 13, "symbol": symbol, "color": "#d1495b"},
                text=[name],
                textposition="top center",
                name=name,
                showlegend=False,
            )
    figure.update_layout(
        height=440,
        margin={"t": 16},
        xaxis={"title": regions.features[0]},
        yaxis={"title": regions.features[1]},
    )
    share = float((regions.accepted == regions.total).mean())
    alt = (
        f"{regions.features[1]} against {regions.features[0]}: {share:.0%} of the cells are "
        f"accepted by all {regions.total} re-trainings."
    )
    return described(figure, alt)
