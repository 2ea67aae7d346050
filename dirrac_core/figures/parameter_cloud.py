"""Future models as points: the re-trained ones, their components, and the shifted ones on top."""

from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from dirrac_core.arrays import Array, frozen_array
from dirrac_core.errors import InvalidInput
from dirrac_core.figures.palette import (
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
from dirrac_core.figures.wording import as_it_is
from dirrac_core.models.mixture import ParameterMixture, checked_radii
from dirrac_core.robustness.coverage import coverage

PRINCIPAL = "principal"
DEVIATIONS = 2.0
CURVE_POINTS = 121


def parameter_cloud(
    parameters: npt.ArrayLike,
    labels: npt.ArrayLike,
    mixture: ParameterMixture,
    radii: npt.ArrayLike,
    columns: tuple[str, ...],
    view: tuple[int, int] | str = PRINCIPAL,
    shifted: npt.ArrayLike | None = None,
    names: tuple[str, ...] | None = None,
    theme: str = "light",
) -> go.Figure:
    """Models θ (n, D) seen in two weights (`view` = their places) or two principal components.

    Each component has an ellipse of two deviations around its mean and the ball of means within
    ρ_k, a circle of radius ρ_k here because the view only turns and projects. `columns` names the
    D weights, the bias last; `labels` (n,) says which component each model belongs to; `shifted`
    (m, D) are the models trained after the shift.
    """
    d = mixture.dimension
    theta = frozen_array("parameters", parameters, (None, d))
    moved = None if shifted is None else frozen_array("shifted", shifted, (None, d))
    rho = checked_radii(radii, mixture.components)
    member = np.asarray(labels)
    if member.shape != (len(theta),) or not np.isin(member, range(mixture.components)).all():
        message = (
            f"labels must give each of the {len(theta)} models a component from 0 to "
            f"{mixture.components - 1}, got shape {member.shape}"
        )
        raise InvalidInput(message)
    if len(columns) != d:
        message = f"columns must name all {d} weights, the bias last, got {len(columns)}"
        raise InvalidInput(message)
    rows, titles = plane_of(theta, view, columns)
    figure = new_figure(theme)
    for k in range(mixture.components):
        figure.add_traces(_component(k, theta[member == k], mixture, float(rho[k]), rows, names))
    if moved is not None:
        seen = moved @ rows.T
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
            name="After the shift",
            text=[f"Shifted model {i + 1}" for i in range(len(seen))],
            hovertemplate="%{text}<br>(%{x:.2f}, %{y:.2f})<extra></extra>",
        )
    figure.add_traces(_legend_of_curves(theme))
    figure.add_traces([_mean(k, mixture, rows, names, theme) for k in range(mixture.components)])
    figure.update_layout(
        height=520,
        legend={"groupclick": "togglegroup"},
        xaxis={"title": as_it_is(titles[0]), "constrain": "domain"},
        yaxis={
            "title": as_it_is(titles[1]),
            "constrain": "domain",
            "scaleanchor": "x",
            "scaleratio": 1,
        },
    )
    return described(figure, _alt(theta, moved, mixture, rho, titles, names))


def plane_of(
    parameters: Array, view: tuple[int, int] | str, columns: tuple[str, ...]
) -> tuple[Array, tuple[str, str]]:
    """Two orthonormal rows (2, D) to look along, and what to call them."""
    d = parameters.shape[1]
    if view == PRINCIPAL:
        centred = parameters - parameters.mean(axis=0)
        _, sizes, directions = np.linalg.svd(centred, full_matrices=True)
        spread = np.zeros(2)
        spread[: min(2, sizes.size)] = sizes[:2] ** 2
        total = float((sizes**2).sum())
        part = spread / total if total > 0.0 else spread
        return directions[:2], (
            f"1st principal component ({part[0]:.0%} of the spread)",
            f"2nd principal component ({part[1]:.0%})",
        )
    places = [v for v in view if isinstance(v, int | np.integer) and 0 <= v < d]
    if len(view) != 2 or len(set(places)) != 2:
        message = f'view must be "principal" or two different weights below {d}, got {view!r}'
        raise InvalidInput(message)
    i, j = places
    return np.eye(d)[[i, j]], (f"weight of {columns[i]}", f"weight of {columns[j]}")


def component_ellipse(mean: Array, covariance: Array, deviations: float = DEVIATIONS) -> Array:
    """The closed curve of points `deviations` away from a mean (2,) under a covariance (2, 2)."""
    values, vectors = np.linalg.eigh(covariance)
    curve: Array = _circle() * np.sqrt(np.maximum(values, 0.0)) * deviations @ vectors.T + mean
    return curve


def _component(
    k: int,
    models: Array,
    mixture: ParameterMixture,
    radius: float,
    rows: Array,
    names: tuple[str, ...] | None,
) -> list[go.Scatter]:
    """The models of one component, its ellipse and its ball."""
    colour, name = component_colour(k), component_name(k, names)
    mean = rows @ mixture.means[k]
    seen = models @ rows.T
    ellipse = component_ellipse(mean, rows @ mixture.covariances[k] @ rows.T)
    ball = mean + radius * _circle()
    common: dict[str, Any] = {"legendgroup": f"component {k}"}
    return [
        go.Scatter(
            x=seen[:, 0],
            y=seen[:, 1],
            mode="markers",
            marker={"color": colour, "symbol": component_symbol(k), "size": 7, "opacity": 0.75},
            name=name,
            hovertemplate=f"{name}<br>(%{{x:.2f}}, %{{y:.2f}})<extra></extra>",
            **common,
        ),
        go.Scatter(
            x=ellipse[:, 0],
            y=ellipse[:, 1],
            mode="lines",
            line={"color": colour, "width": 2, "dash": component_dash(k)},
            name=f"{name}: two deviations",
            hoverinfo="skip",
            showlegend=False,
            **common,
        ),
        go.Scatter(
            x=ball[:, 0],
            y=ball[:, 1],
            mode="lines",
            fill="toself",
            fillcolor=translucent(colour, 0.18),
            line={"color": colour, "width": 1},
            name=f"{name}: means within ρ = {radius:.3g}",
            hoverinfo="skip",
            showlegend=False,
            **common,
        ),
    ]


def _mean(
    k: int, mixture: ParameterMixture, rows: Array, names: tuple[str, ...] | None, theme: str
) -> go.Scatter:
    """The mean of a component with its number, drawn above everything else."""
    mean = rows @ mixture.means[k]
    name = component_name(k, names)
    return go.Scatter(
        x=mean[:1],
        y=mean[1:],
        mode="markers+text",
        marker={
            "color": component_colour(k),
            "symbol": component_symbol(k),
            "size": 22,
            "line": {"color": BACKGROUND[theme], "width": 2},
        },
        text=[f"<b>{k + 1}</b>"],
        textposition="middle center",
        textfont={"color": "#FFFFFF", "size": 13},
        hovertemplate=f"Mean of {name}<extra></extra>",
        name=f"{name}: mean",
        legendgroup=f"component {k}",
        showlegend=False,
    )


def _legend_of_curves(theme: str) -> list[go.Scatter]:
    """Two entries without data: what the two curves around every mean are."""
    ink = MUTED_INK[theme]
    return [
        go.Scatter(
            x=[None],
            y=[None],
            mode="lines",
            line={"color": ink, "width": 2, "dash": "dash"},
            name="two deviations",
        ),
        go.Scatter(
            x=[None],
            y=[None],
            mode="lines",
            fill="toself",
            fillcolor=translucent(ink, 0.18),
            line={"color": ink, "width": 1},
            name="means within ρ",
        ),
    ]


def _circle() -> Array:
    angles = np.linspace(0.0, 2.0 * np.pi, CURVE_POINTS)
    return np.column_stack([np.cos(angles), np.sin(angles)])


def _alt(
    theta: Array,
    moved: Array | None,
    mixture: ParameterMixture,
    rho: Array,
    titles: tuple[str, str],
    names: tuple[str, ...] | None,
) -> str:
    parts = [
        f"{len(theta)} re-trained models in the plane of {titles[0]} and {titles[1]}, in "
        f"{mixture.components} component{'s' if mixture.components > 1 else ''}, each with an "
        "ellipse of two deviations and a circle of its radius."
    ]
    if moved is not None and len(moved) > 1:
        found = coverage(moved, mixture, rho)
        k, where = found.nearest, "inside" if found.group_inside else "outside"
        parts.append(
            f"{len(moved)} models after the shift: their mean and covariance are at Gelbrich "
            f"distance {found.group_distance:.2g} from {component_name(k, names)}, {where} its "
            f"radius {rho[k]:.3g}."
        )
    return " ".join(parts)
