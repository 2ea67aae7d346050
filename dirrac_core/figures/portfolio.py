"""A whole portfolio: how effort and safety are spread, everyone as a dot, groups with intervals."""

import html
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dirrac_core.arrays import Array
from dirrac_core.errors import InvalidInput
from dirrac_core.figures.palette import (
    FAVOURABLE,
    NEUTRAL,
    described,
    template,
)

BARS = 20
ROW_HEIGHT, ROOM = 44, 90


@dataclass(frozen=True)
class Quantity:
    """A column of the portfolio: its title, the factor to the unit shown, and digits in words.

    A `bound` is rounded up in words, so that it is never understated.
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
        return f"{safe:.{self.digits}f}"

    def with_interval(self, row: "pd.Series[Any]") -> str:
        """ "51, 47 to 55" from a row of `equity`; empty where there is no number."""
        names = (self.column, f"{self.column}_low", f"{self.column}_high")
        centre, low, high = (self.factor * float(row[name]) for name in names)
        if not np.isfinite(centre):
            return ""
        words = self.words(centre)
        return (
            words if not np.isfinite(low) else f"{words}, {self.words(low)} to {self.words(high)}"
        )

    def values(self, frame: pd.DataFrame) -> Array:
        """The finite numbers of those who have a plan, in the unit shown."""
        if self.column not in frame.columns:
            got = ", ".join(map(str, frame.columns))
            message = f"The portfolio needs a column {self.column!r}, got {got}"
            raise InvalidInput(message)
        numbers = frame.loc[frame["found"].astype(bool), self.column].to_numpy(dtype=np.float64)
        finite: Array = self.factor * numbers[np.isfinite(numbers)]
        return finite


def distribution(frame: pd.DataFrame, quantity: Quantity, theme: str = "light") -> go.Figure:
    """A histogram of one quantity over the people who have a plan, with its median marked."""
    values = quantity.values(frame)
    counts, edges = np.histogram(values, BARS) if values.size else (np.zeros(0), np.zeros(1))
    trace = go.Bar(
        x=(edges[:-1] + edges[1:]) / 2,
        y=counts,
        width=np.diff(edges),
        marker={"color": FAVOURABLE},
        customdata=np.column_stack([edges[:-1], edges[1:]]),
        hovertemplate="%{y} people<br>%{customdata[0]:.2f} to %{customdata[1]:.2f}<extra></extra>",
    )
    layout: dict[str, Any] = {
        "template": template(theme),
        "height": 240,
        "margin": {"t": 10},
        "bargap": 0.04,
        "xaxis": {"title": quantity.title},
        "yaxis": {"title": "people", "rangemode": "tozero"},
    }
    told = "nobody has a plan."
    if values.size:
        layout["shapes"] = [_median_line(float(np.median(values)))]
        ends = (quantity.words(float(np.quantile(values, q))) for q in (0.0, 0.5, 1.0))
        told = "from {0} to {2}, half at most {1}.".format(*ends)
    alt = f"Histogram over the people who have a plan. {quantity.title}: {told}"
    return described(go.Figure(trace, layout), alt)


def people_dots(
    frame: pd.DataFrame, across: Quantity, up: Quantity, theme: str = "light"
) -> go.Figure:
    """One dot a person who has a plan. It carries the person's row, for pages that open it."""
    people = frame[frame["found"].astype(bool)]
    trace = go.Scatter(
        x=across.factor * people[across.column],
        y=up.factor * people[up.column],
        mode="markers",
        marker={"size": 9, "opacity": 0.7, "color": FAVOURABLE},
        # A click opens one person; the others must stay as they are.
        unselected={"marker": {"opacity": 0.7}},
        customdata=people["row"],
        hovertemplate=f"Applicant %{{customdata}}<br>{across.title} %{{x:.2f}}<br>"
        f"{up.title} %{{y:.2f}}<extra></extra>",
    )
    layout = {
        "template": template(theme),
        "height": 430,
        "margin": {"t": 10},
        "xaxis": {"title": across.title},
        "yaxis": {"title": up.title},
    }
    return described(
        go.Figure(trace, layout),
        f"One dot for each of {len(people)} people who have a plan: {across.title} against "
        f"{up.title}.",
    )


def group_intervals(
    table: pd.DataFrame, quantity: Quantity, small: int, theme: str = "light"
) -> go.Figure:
    """The mean of a quantity in each group with its interval; groups below `small` are hollow.

    `table` is that of `equity`: "group", "n", the quantity's column and its `_low` and `_high`.
    """
    ends = (f"{quantity.column}_low", f"{quantity.column}_high")
    names = [
        f"{_shown(str(g))} (n = {n:,})" for g, n in zip(table["group"], table["n"], strict=True)
    ]
    centre, low, high = (
        quantity.factor * table[name].to_numpy(dtype=np.float64)
        for name in (quantity.column, *ends)
    )
    hollow = table["n"].to_numpy() < small
    trace = go.Scatter(
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
    layout = {
        "template": template(theme),
        "height": ROOM + ROW_HEIGHT * len(names),
        "margin": {"t": 10},
        "xaxis": {"title": quantity.title, "rangemode": "tozero"},
        "yaxis": {"categoryorder": "array", "categoryarray": names[::-1]},
    }
    told = [
        f"{row['group']}, {row['n']} people: {quantity.with_interval(row) or 'no number'}"
        for _, row in table.iterrows()
    ]
    return described(go.Figure(trace, layout), f"{quantity.title} by group. {'; '.join(told)}.")


def _median_line(at: float) -> dict[str, Any]:
    return {
        "type": "line",
        "x0": at,
        "x1": at,
        "y0": 0,
        "y1": 1,
        "yref": "paper",
        "line": {"color": NEUTRAL, "dash": "dash", "width": 2},
    }


def _shown(words: str) -> str:
    """Words of a table as they are: a chart would read some of them as markup."""
    return html.escape(words, quote=False)
