"""Equity between groups: a matrix of measures, its largest gaps, and what cannot be read off it."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from dirrac_core.figures.portfolio import Quantity, group_intervals
from dirrac_core.studies.people.equity import FEWEST, Gap, largest_gap
from dirrac_core.wording import joined
from pages.portfolio.quantities import EFFORT, LATER, WITHOUT, WORST, group_measures
from pages.portfolio.run import Reviewed
from pages.shared import notices
from pages.shared.downloads import offer_csv
from pages.shared.pictures import draw_picture, theme
from pages.shared.plain_text import plain

MATRIX = (WITHOUT, EFFORT, WORST, LATER)
# Short enough for a column.
HEADS = {LATER: "Declined later, in 100"}
NO_GROUPS = "All these people have the same value, so there are no groups to compare."
GAP, RATIO = f"Largest gap, groups of {FEWEST} or more", "Ratio of the same two groups"


def show_groups(reviewed: Reviewed) -> str:
    """The feature, the matrix, its sentences, and one measure as a picture; the feature."""
    st.markdown("#### Between groups")
    shown = group_measures(reviewed.case)
    titles = {name: quantity.title for name, quantity in shown.items()}
    features = [feature.name for feature in reviewed.case.dataset.schema.features]
    notices.report_choices({"group_by": features, "group_measure": titles.values()})
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
            index=list(titles).index(EFFORT),
            format_func=titles.__getitem__,
            key="group_measure",
            bind="query-params",
        )
    table = reviewed.by_group(feature)
    if len(table) < 2:
        st.write(NO_GROUPS)
        return feature
    lost = without_plans(table)
    if lost:
        st.warning(lost, icon=":material/person_off:")
    st.markdown(f"**{contrast(table, shown[measure])}**")
    others = [shown[name] for name in MATRIX if name != measure]
    for sentence in clear_gaps(table, others):
        st.markdown(sentence)
    measured = matrix(table, shown)
    st.dataframe(
        measured,
        hide_index=True,
        height="content",
        alt="For each group: people, without a plan, effort, worst case, declined later; gaps",
    )
    offer_csv(measured, "groups")
    draw_picture(group_intervals(table, shown[measure], FEWEST, theme()), "groups")
    for warning in warnings(table):
        st.warning(warning, icon=":material/groups:")
    st.caption(
        "Means over the people of a group who have a plan (for “without a plan” the share of all), "
        "with 95 % intervals. A difference is an observation about these people and settings: it "
        "does not say why, and no difference does not prove fairness."
    )
    return feature


def _usual(reviewed: Reviewed, features: list[str]) -> int:
    """The first feature nobody can change, who people are and not what they do: one with two
    groups that are large enough to compare, if there is any."""
    sensible = reviewed.case.dataset.preset("sensible")
    locked = [name for name in features if name in sensible.locked]
    large = (n for n in locked if largest_gap(reviewed.by_group(n), WITHOUT) is not None)
    return features.index(next(large, locked[0] if locked else features[0]))


def without_plans(table: pd.DataFrame, quoted: Callable[[object], str] = plain) -> str:
    """The groups in which nobody has a plan, the most important finding; empty without any."""
    lost = table[table["plans"] == 0]
    named = [
        f"“{quoted(group)}” ({n:,} {'person' if n == 1 else 'people'})"
        for group, n in zip(lost["group"], lost["n"], strict=True)
    ]
    return f"Nobody in {joined(named)} has a plan." if named else ""


def contrast(
    table: pd.DataFrame, quantity: Quantity, quoted: Callable[[object], str] = plain
) -> str:
    """The two groups that lie furthest apart, and whether their intervals overlap.

    `quoted` makes the name of a group safe for where the sentence stands.
    """
    gap = largest_gap(table, quantity.column)
    counted = "people" if quantity.column == WITHOUT else "people with a plan"
    if gap is None:
        return f"There are not two groups of {FEWEST} or more {counted} to compare."
    if gap.difference < 1e-9:
        return f"All groups have the same {quantity.title}: {quantity.with_interval(gap.high)}."
    verdict = (
        "their intervals do not overlap"
        if gap.is_clear
        else "their intervals overlap, so the difference may be chance"
    )
    return (
        f"Among groups of {FEWEST} or more {counted}, {quantity.title} is highest for "
        f"“{quoted(gap.high['group'])}”, {quantity.with_interval(gap.high)}, and lowest for "
        f"“{quoted(gap.low['group'])}”, {quantity.with_interval(gap.low)}; {verdict}."
    )


def clear_gaps(
    table: pd.DataFrame, quantities: Sequence[Quantity], quoted: Callable[[object], str] = plain
) -> list[str]:
    """A sentence for every measure in which two large groups lie apart beyond their intervals."""
    gaps = [(quantity, largest_gap(table, quantity.column)) for quantity in quantities]
    return [
        f"Clearly apart: {quantity.title}, {quantity.with_interval(gap.high)} for "
        f"“{quoted(gap.high['group'])}” against {quantity.with_interval(gap.low)} for "
        f"“{quoted(gap.low['group'])}”."
        for quantity, gap in gaps
        if gap is not None and gap.is_clear and quantity.factor * gap.difference >= _least(quantity)
    ]


def _least(quantity: Quantity) -> float:
    """A gap below one of 100 is not worth a sentence, however sure it is."""
    return 1.0 if quantity.factor == 100.0 else 0.0


def warnings(table: pd.DataFrame) -> list[str]:
    """Plain words about groups too small to say much, and about those the means leave out."""
    notes = []
    few = table[table["n"] < FEWEST]
    if not few.empty:
        listed = [f"“{plain(g)}” ({n})" for g, n in zip(few["group"], few["n"], strict=True)]
        notes.append(
            f"Small groups of fewer than {FEWEST} people: {joined(listed)}. A few people decide "
            "their numbers; read the interval, not the dot (drawn hollow), and do not judge a "
            "group by them."
        )
    gap = largest_gap(table, WITHOUT)
    if gap is not None and gap.difference > 0.0:
        notes.append(
            f"The means leave out those who have no plan: {100 * gap.high[WITHOUT]:.0f} in 100 in "
            f"“{plain(gap.high['group'])}”, {100 * gap.low[WITHOUT]:.0f} in 100 in "
            f"“{plain(gap.low['group'])}”. A group can look cheap because only its easy cases are "
            "counted."
        )
    return notes


def matrix(table: pd.DataFrame, shown: dict[str, Quantity]) -> pd.DataFrame:
    """One row per group, those without any plan first, then the largest gaps; as text."""
    gaps = {name: largest_gap(table, name) for name in MATRIX}
    # Without two large groups there is nothing to say in these two rows.
    last = [GAP, RATIO] if any(gap is not None for gap in gaps.values()) else []
    columns: dict[str, Any] = {
        "Group": [*map(str, table["group"]), *last],
        "People": [*(f"{n:,}" for n in table["n"]), *("" for _ in last)],
    }
    for name in MATRIX:
        quantity = shown[name]
        cells = [quantity.with_interval(row) or "no plan" for _, row in table.iterrows()]
        gap = gaps[name]
        columns[HEADS.get(name, f"{quantity.title[0].upper()}{quantity.title[1:]}")] = [
            *cells,
            *(_gap_words(gap, quantity) if gap is not None else ("" for _ in last)),
        ]
    return pd.DataFrame(columns)


def _gap_words(gap: Gap, quantity: Quantity) -> tuple[str, str]:
    difference = f"{quantity.factor * gap.difference:.{quantity.digits}f}"
    # Where the smaller number is printed as 0, a reader could not make anything of a ratio.
    smaller = float(quantity.words(quantity.factor * float(gap.low[gap.column])))
    return difference, f"{gap.ratio:.2f}" if np.isfinite(gap.ratio) and smaller else "–"
