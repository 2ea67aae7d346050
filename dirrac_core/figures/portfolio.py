"""A whole portfolio: how effort and safety are spread, everyone as a dot, groups with intervals."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import plotly.graph_objects as go

from dirrac_core.arrays import Array
from dirrac_core.errors import InvalidInput
from dirrac_core.figures.drawing.palette import (
    FAVOURABLE,
    INK,
    NEUTRAL,
    UNFAVOURABLE,
    component_colour,
    component_symbol,
    described,
    new_figure,
)
from dirrac_core.wording import as_it_is

BARS = 20
# Less than any number shown differs by.
LEAST = 1e-7
ROW_HEIGHT, ROOM = 44, 90


@dataclass(frozen=True)
class Quantity:
    """A column of the portfolio: its title, the factor to the unit shown, and digits as text.

    A `bound` is rounded up as text, so that it is never understated.
    """

    column: str
    title: str
    factor: float = 1.0
    digits: int = 2
    bound: bool = False

    def words(self, number: float) -> str:
        """A number in the unit shown."""
        unit = 10.0**self.digits
        safe = np.ceil(number * unit - 1e-9) / unit if self.bound else number
        # Adding 0 turns the −0 of a small negative number into 0.
        return f"{round(safe, self.digits) + 0.0:.{self.digits}f}"

    def with_interval(self, row: "pd.Series[Any]") -> str:
        """ "51 (47 to 55)" from a row of `equity`; empty where there is no number."""
        names = (self.column, f"{self.column}_low", f"{self.column}_high")
        centre, low, high = (self.factor * float(row[name]) for name in names)
        if not np.isfinite(centre):
            return ""
        words = self.words(centre)
        return (
            words if not np.isfinite(low) else f"{words} ({self.words(low)} to {self.words(high)})"
        )

    def values(self, frame: pd.DataFrame) -> Array:
        """The finite numbers of those who have a plan, in the unit shown."""
        if self.column not in frame.columns:
            got = ", ".join(map(str, frame.columns))
            raise InvalidInput(f"The portfolio needs a column {self.column!r}, got {got}")
        numbers = frame.loc[frame["found"].astype(bool), self.column].to_numpy(dtype=np.float64)
        finite: Array = self.factor * numbers[np.isfinite(numbers)]
        return finite


@dataclass(frozen=True, eq=False)
class Histogram:
    """How many values, counted in 100, lie between two `edges`, and the colour of each bar."""

    counts: npt.NDArray[np.int64]
    edges: Array
    colours: list[str]


def histogram_of(values: Array, limit: float) -> Histogram:
    """Bars beyond the limit stand out; none straddles a limit that is a multiple of 5."""
    # A value at the limit keeps to it, so it belongs to the bar that ends there.
    placed = np.maximum(values - LEAST, 0.0)
    counts, edges = np.histogram(placed, np.linspace(0.0, 100.0, BARS + 1))
    colours = [UNFAVOURABLE if start >= limit - 1e-9 else FAVOURABLE for start in edges[:-1]]
    return Histogram(counts, edges, colours)


def distribution(frame: pd.DataFrame, quantity: Quantity, theme: str, limit: float) -> go.Figure:
    """A histogram of a quantity of 100 over the people who have a plan.

    The `limit`, in the unit shown, is marked, and bars beyond it stand out.
    """
    figure = new_figure(theme)
    figure.update_layout(
        height=240,
        margin={"t": 10},
        bargap=0.04,
        xaxis={"title": quantity.title},
        yaxis={"title": "people", "rangemode": "tozero"},
    )
    values = quantity.values(frame)
    summary = "nobody has one."
    if values.size:
        bars = histogram_of(values, limit)
        starts, stops = bars.edges[:-1], bars.edges[1:]
        figure.add_bar(
            x=(starts + stops) / 2,
            y=bars.counts,
            width=stops - starts,
            marker={"color": bars.colours},
            customdata=np.column_stack([starts, stops]),
            hovertemplate="%{y} people<br>%{customdata[0]:.2f} to %{customdata[1]:.2f}"
            "<extra></extra>",
        )
        line = {"color": NEUTRAL, "dash": "dash", "width": 2}
        upright = {"type": "line", "x0": limit, "x1": limit, "y0": 0, "y1": 1, "yref": "paper"}
        figure.update_layout(shapes=[upright | {"line": line}])
        ends = (quantity.words(float(np.quantile(values, q))) for q in (0.0, 0.5, 1.0))
        summary = "from {0} to {2}, half at most {1}.".format(*ends)
        summary += f" {int((values > limit + LEAST).sum())} of {values.size} beyond {limit:g}."
    alt = f"Histogram over the people who have a plan. {quantity.title}: {summary}"
    return described(figure, alt)


def people_dots(
    frame: pd.DataFrame,
    across: Quantity,
    up: Quantity,
    theme: str,
    groups: Sequence[str] | None,
    names: Sequence[str],
    at_edge: Mapping[int, Sequence[str]],
) -> go.Figure:
    """One dot per person who has a plan. It carries the person's row, for pages that open it.

    `groups`, one for each row of the frame, colour the dots in the order of `names`. The dots of
    people in `at_edge` (row → features) are ringed and say so.
    """
    member = pd.Series("" if groups is None else list(groups), index=frame.index)
    found = frame["found"].astype(bool)
    figure = new_figure(theme)
    for k, name in enumerate(names if groups is not None else ("",)):
        people = frame[found & (member == name)]
        if people.empty and groups is not None:
            continue
        ringed = [int(row) in at_edge for row in people["row"]]
        notes = [
            f"<br>at the edge of the data: {as_it_is(', '.join(at_edge[int(row)]))}" if ring else ""
            for row, ring in zip(people["row"], ringed, strict=True)
        ]
        group = f"{as_it_is(name)}<br>" if name else ""
        figure.add_scatter(
            x=across.factor * people[across.column],
            y=up.factor * people[up.column],
            name=as_it_is(name),
            mode="markers",
            marker={
                "size": 9,
                "opacity": 0.75,
                "color": FAVOURABLE if groups is None else component_colour(k),
                "symbol": "circle" if groups is None else component_symbol(k),
                "line": {"color": INK[theme], "width": [2.0 if ring else 0.0 for ring in ringed]},
            },
            # A click opens one person; the others must stay as they are.
            unselected={"marker": {"opacity": 0.75}},
            customdata=people["row"],
            text=notes,
            hovertemplate=f"Applicant %{{customdata}}<br>{group}{across.title} %{{x:.2f}}<br>"
            f"{up.title} %{{y:.2f}}%{{text}}<extra></extra>",
            showlegend=groups is not None,
        )
    figure.update_layout(
        height=430,
        margin={"t": 10},
        xaxis={"title": across.title},
        yaxis={"title": up.title},
        legend={"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
    )
    ringed_people = sum(int(row) in at_edge for row in frame.loc[found, "row"])
    return described(
        figure,
        f"One dot for each of {int(found.sum())} people who have a plan: {across.title} against "
        f"{up.title}."
        + (f" {ringed_people} plans end at the edge of the data." if ringed_people else ""),
    )


def group_intervals(
    table: pd.DataFrame, quantity: Quantity, small: int, theme: str = "light"
) -> go.Figure:
    """The mean of a quantity in each group with its interval; groups below `small` are hollow.

    `table` is that of `equity`: "group", "n", the quantity's column and its `_low` and `_high`.
    """
    ends = (f"{quantity.column}_low", f"{quantity.column}_high")
    names = [
        f"{as_it_is(str(g))} (n = {n:,})" for g, n in zip(table["group"], table["n"], strict=True)
    ]
    centre, low, high = (
        quantity.factor * table[name].to_numpy(dtype=np.float64)
        for name in (quantity.column, *ends)
    )
    hollow = table["n"].to_numpy() < small
    figure = new_figure(theme)
    figure.add_scatter(
        x=centre,
        y=names,
        mode="markers",
        marker={
            "size": 12,
            "color": [NEUTRAL if few else FAVOURABLE for few in hollow],
            "symbol": ["circle-open" if few else "circle" for few in hollow],
            "line": {"width": 2},
        },
        error_x={
            "type": "data",
            "symmetric": False,
            "array": np.nan_to_num(high - centre),
            "arrayminus": np.nan_to_num(centre - low),
            "thickness": 1.5,
            "width": 5,
            "color": NEUTRAL,
        },
        customdata=np.column_stack([low, high]),
        hovertemplate="%{y}<br>%{x:.2f}, 95 %% interval %{customdata[0]:.2f} to "
        "%{customdata[1]:.2f}<extra></extra>",
        showlegend=False,
    )
    figure.update_layout(
        height=ROOM + ROW_HEIGHT * len(names),
        margin={"t": 10},
        xaxis={"title": quantity.title, "rangemode": "tozero"},
        yaxis={"categoryorder": "array", "categoryarray": names[::-1]},
    )
    summary = [
        f"{row['group']}, {row['n']} people: {quantity.with_interval(row) or 'no number'}"
        for _, row in table.iterrows()
    ]
    return described(figure, f"{quantity.title} by group. {'; '.join(summary)}.")
