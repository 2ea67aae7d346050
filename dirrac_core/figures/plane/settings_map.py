"""The map of ρ and δ_add: the worst case as colour, who changes what as regions."""

import numpy as np
import plotly.graph_objects as go

from dirrac_core.arrays import Array
from dirrac_core.figures.drawing.palette import MUTED_INK, described, new_figure
from dirrac_core.figures.drawing.sketch import Trace, scatter
from dirrac_core.figures.plane.curve_labels import halo
from dirrac_core.geometry.settings_map import NO_PLAN, SettingsMap
from dirrac_core.wording import as_it_is, in_100, joined

HEIGHT = 520
# A region is named when it covers this share of the map.
NAMED = 0.03
# Every so many cells carry a place to click; more would be slow to draw.
TARGETS = 30
HERE, CLICK_TARGETS = "Your settings", "click targets"
# Few declines are dark blue, many are pale yellow: readable for colour-blind eyes.
SCALE = "Cividis"


def settings_map_figure(
    found: SettingsMap, radius: float, delta_add: float, theme: str = "light"
) -> go.Figure:
    """The map, with a star at the settings in force; each place to click names what is there.

    The marks of the places are invisible; their `customdata` are ρ and δ_add.
    """
    figure = new_figure(theme)
    figure.add_heatmap(
        x=found.delta_adds,
        y=found.radii,
        z=np.where(found.region == NO_PLAN, np.nan, 100.0 * found.worst_case),
        zmin=0.0,
        zmax=100.0,
        colorscale=SCALE,
        colorbar={"title": {"text": "decline at most,<br>of 100"}, "thickness": 14, "len": 0.9},
        hoverinfo="skip",
        name="Worst case",
    )
    xs, ys = _borders(found)
    figure.add_scatter(
        x=xs,
        y=ys,
        mode="lines",
        line={"color": "#FFFFFF", "width": 2},
        hoverinfo="skip",
        name="Borders",
    )
    figure.add_trace(_targets(found))
    figure.add_scatter(
        x=[delta_add],
        y=[radius],
        mode="markers+text",
        marker={
            "symbol": "star",
            "size": 18,
            "color": "#FFFFFF",
            "line": {"color": "#000000", "width": 1.5},
        },
        text=[HERE],
        textposition=f"top {'right' if delta_add < found.delta_adds.mean() else 'left'}",
        textfont={"color": "#FFFFFF", "size": 14, "shadow": halo("dark")},
        hoverinfo="skip",
        name=HERE,
    )
    figure.update_layout(
        height=HEIGHT,
        showlegend=False,
        margin={"t": 12},
        xaxis={
            "title": "δ_add, effort beyond the cheapest valid plan",
            "showgrid": False,
            "range": _ends(found.delta_adds),
            "constrain": "domain",
        },
        yaxis={
            "title": "ρ, the radius of doubt",
            "showgrid": False,
            "range": _ends(found.radii),
        },
        plot_bgcolor=MUTED_INK[theme],
        annotations=_names(found),
    )
    return described(figure, _alt(found, radius, delta_add))


def changes(found: SettingsMap, row: int, column: int) -> str:
    """The features that the plan of a cell changes, as text."""
    region = int(found.region[row, column])
    if region == NO_PLAN:
        return "no plan"
    return as_it_is(joined(list(found.regions[region]))) if found.regions[region] else "nothing"


def _ends(values: Array) -> list[float]:
    half = (values[1] - values[0]) / 2.0
    return [float(values[0] - half), float(values[-1] + half)]


def _borders(found: SettingsMap) -> tuple[list[float | None], list[float | None]]:
    """The sides between cells of different regions, parted by gaps."""
    dx, dy = np.diff(found.delta_adds[:2])[0] / 2.0, np.diff(found.radii[:2])[0] / 2.0
    xs: list[float | None] = []
    ys: list[float | None] = []
    region = found.region
    for row, column in np.argwhere(region[:, 1:] != region[:, :-1]):
        x, y = found.delta_adds[column] + dx, found.radii[row]
        xs, ys = [*xs, x, x, None], [*ys, y - dy, y + dy, None]
    for row, column in np.argwhere(region[1:] != region[:-1]):
        x, y = found.delta_adds[column], found.radii[row] + dy
        xs, ys = [*xs, x - dx, x + dx, None], [*ys, y, y, None]
    return xs, ys


def _targets(found: SettingsMap) -> Trace:
    """Marks that receive clicks and are never seen, chosen or not."""
    rows = _spread(found.radii.size)
    columns = _spread(found.delta_adds.size)
    places = [(row, column) for row in rows for column in columns]
    xs = np.array([found.delta_adds[column] for _, column in places])
    ys = np.array([found.radii[row] for row, _ in places])
    unseen = {"opacity": 0.0}
    return scatter(
        x=xs,
        y=ys,
        mode="markers",
        marker={"size": 22, **unseen},
        selected={"marker": unseen},
        unselected={"marker": unseen},
        name=CLICK_TARGETS,
        showlegend=False,
        text=[_words(found, row, column) for row, column in places],
        customdata=[[y, x] for x, y in zip(xs, ys, strict=True)],
        hovertemplate="%{text}<extra></extra>",
    )


def _spread(count: int) -> list[int]:
    return sorted({round(place) for place in np.linspace(0, count - 1, min(count, TARGETS))})


def _words(found: SettingsMap, row: int, column: int) -> str:
    at = f"ρ = {found.radii[row]:.3g}, δ_add = {found.delta_adds[column]:.3g}"
    if found.region[row, column] == NO_PLAN:
        return f"<b>No plan</b><br>{at}"
    worst = in_100(found.worst_case[row, column])
    lines = [f"<b>At most {worst} of 100 decline</b>", at]
    lines.append(f"effort {found.cost[row, column]:.2f}")
    lines.append(f"changes {changes(found, row, column)}")
    return "<br>".join(lines)


def _names(found: SettingsMap) -> list[dict[str, object]]:
    """The larger regions by name, each at the cell of the region nearest to its middle."""
    labels: list[dict[str, object]] = []
    for region in np.unique(found.region):
        cells = np.argwhere(found.region == region)
        if len(cells) < NAMED * found.region.size:
            continue
        middle = cells.mean(axis=0)
        row, column = cells[np.abs(cells - middle).sum(axis=1).argmin()]
        labels.append(
            {
                "x": float(found.delta_adds[column]),
                "y": float(found.radii[row]),
                "text": changes(found, int(row), int(column)),
                "showarrow": False,
                "font": {"color": "#FFFFFF", "size": 14, "shadow": halo("dark")},
            }
        )
    return labels


def _alt(found: SettingsMap, radius: float, delta_add: float) -> str:
    row = int(np.abs(found.radii - radius).argmin())
    column = int(np.abs(found.delta_adds - delta_add).argmin())
    kinds = [joined(list(names)) if names else "nothing" for names in found.regions]
    return (
        f"A map of the worst case: δ_add from 0 to {found.delta_adds[-1]:.3g} across, ρ from 0 to "
        f"{found.radii[-1]:.3g} upwards. At the settings in force: "
        f"{_words(found, row, column).replace('<br>', ', ').replace('<b>', '').replace('</b>', '')}"
        f". Plans change {'; or '.join(kinds)}."
    )
