"""How cost, observed declines and worst case answer to one setting of DiRRAc."""

import pandas as pd
import plotly.graph_objects as go

from dirrac_core.arrays import checked_choice
from dirrac_core.errors import InvalidInput
from dirrac_core.figures.drawing.lines import (
    ACCEPT,
    DECLINE,
    check_columns,
    declining,
    measured_line,
)
from dirrac_core.figures.drawing.palette import described, new_figure
from dirrac_core.figures.drawing.panels import panelled

SETTINGS = {"rho": "radius ρ", "delta_add": "extra budget δ_add"}
COST, OBSERVED, WORST = "Cost of the plan (ℓ1)", "Observed", "In the worst case"


def sensitivity_lines(
    table: pd.DataFrame,
    setting: str = "rho",
    series: str = "method",
    columns: int = 3,
    theme: str = "light",
    counted: str = ACCEPT,
) -> go.Figure:
    """Three panels over one setting, "rho" or "delta_add": a line for each name in `series`.

    `table` holds the rows of `studies.sensitivity`, with a column `series` to tell lines
    apart: mean ℓ1 cost and M2 with their intervals over applicants, and the mean worst case; the
    last two count the future models that accept, as in the paper, or those that decline. Marks
    rest on the `plans` of the `n` applicants who got one, and rows without a plan are left out and
    counted in the description.
    """
    checked_choice("The setting", setting, SETTINGS)
    costs, shares = ("cost_l1_low", "cost_l1_high"), ("m2_low_applicants", "m2_high_applicants")
    check_columns(
        table,
        (series, setting, "cost_l1", *costs, "m2", *shares, "worst_case", "plans", "n"),
    )
    if table.duplicated([series, setting]).any():
        raise InvalidInput(f"Each {series!r} must have one row per {setting!r}, got several")
    declines = checked_choice("What is counted", counted, (ACCEPT, DECLINE)) == DECLINE
    rows = (
        declining(table, "m2", *shares)
        if declines
        else table.assign(worst_case=1.0 - table["worst_case"])
    )
    drawn = rows[rows["plans"] > 0]
    places = {name: index for index, name in enumerate(dict.fromkeys(rows[series]))}

    def panel(value: str, interval: tuple[str, str] | None, unit: float, title: str) -> go.Figure:
        figure = new_figure(theme)
        words = "%{y:.0f} of 100" if unit == 100.0 else "cost %{y:.2f}"
        for name, part in drawn.groupby(series, sort=False):
            hover = f"{SETTINGS[setting]} = %{{x:.3g}}<br>{words}"
            line = measured_line(
                places[name], str(name), part, setting, value, interval, unit, hover
            )
            figure.add_trace(line)
        figure.update_layout(
            xaxis={"title": SETTINGS[setting]},
            yaxis={
                "title": title,
                **({"rangemode": "tozero"} if unit == 1.0 else {"range": [-3.0, 103.0]}),
            },
        )
        return described(figure, _alt(drawn, series, setting, value, unit))

    together = panelled(
        {
            COST: panel("cost_l1", costs, 1.0, "cost"),
            OBSERVED: panel("m2", shares, 100.0, f"models that {counted}, of 100"),
            WORST: panel(
                "worst_case",
                None,
                100.0,
                f"at {'most' if declines else 'least'} so many {counted}, of 100",
            ),
        },
        columns,
        theme=theme,
    )
    missing = len(rows) - len(drawn)
    if missing:
        left_out = "1 setting leaves" if missing == 1 else f"{missing} settings leave"
        together.layout.meta["alt"] += f" {left_out} nobody with a plan and cannot be drawn."
    return together


def _alt(drawn: pd.DataFrame, series: str, setting: str, value: str, unit: float) -> str:
    parts = []
    for name, part in drawn.groupby(series, sort=False):
        ordered = part.sort_values(setting)
        first, last = ordered.iloc[0], ordered.iloc[-1]
        ends = [
            f"{unit * row[value]:.0f} of 100" if unit == 100.0 else f"{row[value]:.2f}"
            for row in (first, last)
        ]
        parts.append(
            f"{name}: {ends[0]} at {SETTINGS[setting]} = {first[setting]:g}, {ends[1]} at "
            f"{last[setting]:g}."
        )
    return " ".join(parts)
