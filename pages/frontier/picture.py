"""The frontier drawn, a point chosen by click or by name, and the data to take away."""

from collections.abc import Callable, Hashable, Mapping
from typing import Any

import pandas as pd
import streamlit as st

from dirrac_core.case.case import Case
from dirrac_core.data.safe_csv import safe_csv
from dirrac_core.data.schema.schema import Schema
from dirrac_core.figures.frontier import frontier
from dirrac_core.studies.staircase import LEGAL
from pages.frontier.view import COST_TITLES, SYMBOLS, View, value_title
from pages.shared import wording
from pages.shared.pictures import Mark, draw_picture, theme

Choose = Callable[[pd.Series], None]
Row = pd.Series | Mapping[Hashable, Any]
_LIST = "frontier list"


def draw_frontier(
    rows: pd.DataFrame, case: Case, view: View, interval: tuple[str, str] | None, choose: Choose
) -> None:
    """The picture; a click on a mark calls `choose`."""
    cost = case.scenario.cost
    figure = frontier(
        rows,
        f"cost_{cost}",
        view.value,
        interval,
        value_title(view.value, case.scenario),
        COST_TITLES[cost],
        SYMBOLS,
        theme(),
    )

    def clicked(mark: Mark) -> None:
        if mark.data:
            choose(rows.iloc[int(mark.data[0])])

    draw_picture(figure, "frontier", on_mark=clicked)


def offer_list(
    rows: pd.DataFrame, case: Case, view: View, choose: Choose, chosen: int | None = None
) -> None:
    """The same choice by name; `chosen` is the number of the row in force."""
    cost = case.scenario.cost

    def named() -> None:
        number = st.session_state[_LIST]
        if number is not None:
            choose(rows.iloc[number])

    drawn = rows[f"cost_{cost}"].notna() & rows[view.value].notna()
    columns = ["method", "parameter", f"cost_{cost}", view.value, LEGAL]
    listed = rows.loc[drawn.to_numpy(), list(dict.fromkeys(columns))].to_dict("records")
    numbers = [number for number, shown in enumerate(drawn) if shown]
    names = {
        number: _named(row, cost, view.value) for number, row in zip(numbers, listed, strict=True)
    }
    st.session_state[_LIST] = chosen if chosen in numbers else None
    st.selectbox(
        "Click a mark, or choose a plan",
        numbers,
        index=None,
        key=_LIST,
        format_func=names.__getitem__,
        on_change=named,
        placeholder="method and parameter",
    )


def offer_download(rows: pd.DataFrame, case: Case, name: str) -> None:
    """The rows as a file for a spreadsheet."""
    st.download_button(
        "Data (CSV)",
        # Written when it is downloaded, not at every change of a setting.
        lambda: rows_csv(rows, case.dataset.schema),
        f"frontier-{name}.csv",
        "text/csv",
        icon=":material/table:",
        on_click="ignore",
    )


def rows_csv(rows: pd.DataFrame, schema: Schema) -> str:
    """Every column, and every plan in real units; no cell can act as a formula."""
    table = rows.drop(columns="x", errors="ignore")
    if "x" in rows.columns:
        plans = [{} if x is None else schema.decode(x) for x in rows["x"]]
        table = table.copy()
        for feature in schema.features:
            table[f"plan: {feature.name}"] = [plan.get(feature.name) for plan in plans]
    return safe_csv(table)


def parameter_words(row: Row) -> str:
    """ "DiRRAc, δ_add = 0.25"; a method without a parameter is only named."""
    symbol = SYMBOLS.get(row["method"])
    if symbol is None or pd.isna(row["parameter"]):
        return str(row["method"])
    return f"{row['method']}, {symbol} = {row['parameter']:.3g}"


def _named(row: Row, cost: str, value: str) -> str:
    reached = f"{100 * row[value]:.3g} of 100 decline"
    rule = "" if row[LEGAL] else ", breaks a rule"
    effort = wording.amount(row[f"cost_{cost}"])
    return f"{parameter_words(row)}: effort {effort}, {reached}{rule}"
