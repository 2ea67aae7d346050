"""Equity between groups: the feature and the measure are chosen; small groups are warned of."""

import numpy as np
import pandas as pd
import streamlit as st

from dirrac_core.evaluation import equity
from dirrac_core.figures.portfolio import Quantity, group_intervals
from dirrac_core.figures.wording import joined
from pages.shared import notices
from pages.shared.pictures import picture, theme
from pages.shared.plain_text import plain
from pages.shared.portfolio_overview import quantities
from pages.shared.portfolio_run import Reviewed

SMALL = 30
WITHOUT = "infeasible"
NO_GROUPS = "All these people have the same value, so there are no groups to compare."


def measures(reviewed: Reviewed) -> dict[str, Quantity]:
    """What can be compared between groups."""
    without = Quantity(WITHOUT, "without a plan, in 100", 100.0, 0)
    return quantities(reviewed.case) | {WITHOUT: without}


def groups(reviewed: Reviewed) -> str:
    """The two choices, the picture, and what can and cannot be read from it; the feature."""
    st.markdown("##### Between groups")
    shown = measures(reviewed)
    titles = {name: quantity.title for name, quantity in shown.items()}
    features = [feature.name for feature in reviewed.case.dataset.schema.features]
    notices.about_choices({"group_by": features, "group_measure": titles.values()})
    left, right = st.columns(2)
    with left:
        feature = st.selectbox(
            "Groups by",
            features,
            index=_usual(reviewed, features),
            key="group_by",
            bind="query-params",
            help="A category each, or four groups of about the same size by a number.",
        )
    with right:
        measure = st.selectbox(
            "What is compared",
            list(titles),
            format_func=titles.get,
            key="group_measure",
            bind="query-params",
        )
    table = equity(reviewed.frame, reviewed.case.dataset, feature)
    if table.empty:
        st.write(NO_GROUPS)
        return feature
    st.markdown(contrast(table, shown[measure]))
    picture(group_intervals(table, shown[measure], SMALL, theme()), "groups")
    for warning in warnings(table):
        st.warning(warning, icon=":material/groups:")
    st.caption(
        "Dots are means over the people of a group who have a plan (for “without a plan” the share "
        "of all), with 95 % intervals. A difference is an observation about these people and "
        "settings: it does not say why, and no difference does not prove fairness."
    )
    with st.expander("The numbers by group", icon=":material/table:"):
        st.dataframe(
            numbers(table, shown),
            hide_index=True,
            placeholder="",
            alt="For each group: people, plans, and the mean and interval of every measure",
        )
    return feature


def _usual(reviewed: Reviewed, features: list[str]) -> int:
    """The first feature nobody can change: who people are, not what they do."""
    locked = reviewed.case.dataset.preset("sensible").locked
    return next((i for i, name in enumerate(features) if name in locked), 0)


def contrast(table: pd.DataFrame, quantity: Quantity) -> str:
    """The highest and the lowest group, and whether their intervals overlap."""
    known = table[np.isfinite(table[quantity.column].astype(float))]
    if len(known) < 2:
        return "There are not two groups to compare."
    high = known.loc[known[quantity.column].idxmax()]
    low = known.loc[known[quantity.column].idxmin()]
    if high[quantity.column] - low[quantity.column] < 1e-9:
        return f"All groups have the same {quantity.title}: {quantity.with_interval(high)}."
    ends = [high[f"{quantity.column}_low"], low[f"{quantity.column}_high"]]
    if not np.isfinite(ends).all():
        verdict = "one of them is too small for an interval"
    elif ends[0] > ends[1]:
        verdict = "their intervals do not overlap"
    else:
        verdict = "their intervals overlap, so the difference may be chance"
    return (
        f"**{quantity.title[0].upper()}{quantity.title[1:]}** is highest for "
        f"“{plain(high['group'])}” ({quantity.with_interval(high)}) and lowest for "
        f"“{plain(low['group'])}” ({quantity.with_interval(low)}); {verdict}."
    )


def warnings(table: pd.DataFrame) -> list[str]:
    """Plain words about groups too small to say much, and about those the means leave out."""
    told = []
    few = table[table["n"] < SMALL]
    if not few.empty:
        listed = [f"“{plain(g)}” ({n})" for g, n in zip(few["group"], few["n"], strict=True)]
        told.append(
            f"Small groups of fewer than {SMALL} people: {joined(listed)}. A few people decide "
            "their numbers; read the interval, not the dot (drawn hollow), and do not judge a "
            "group by them."
        )
    most, least = (table.loc[table[WITHOUT].idxmax()], table.loc[table[WITHOUT].idxmin()])
    if most[WITHOUT] > least[WITHOUT]:
        told.append(
            f"The means leave out those who have no plan: {100 * most[WITHOUT]:.0f} in 100 in "
            f"“{plain(most['group'])}”, {100 * least[WITHOUT]:.0f} in 100 in "
            f"“{plain(least['group'])}”. A group can look cheap because only its easy cases are "
            "counted."
        )
    return told


def numbers(table: pd.DataFrame, shown: dict[str, Quantity]) -> pd.DataFrame:
    """Every measure of every group with its interval, as text."""
    columns = {"Group": table["group"], "People": table["n"], "With a plan": table["plans"]}
    for quantity in shown.values():
        columns[quantity.title] = [quantity.with_interval(row) for _, row in table.iterrows()]
    return pd.DataFrame(columns)
