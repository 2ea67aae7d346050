"""What people are asked to do: every feature before and after, and how many end at the edge."""

import pandas as pd
import streamlit as st

from dirrac_core.studies.people.review import FeatureDemand, demands
from pages.portfolio.quantities import PRICE
from pages.portfolio.run import Reviewed
from pages.shared import wording
from pages.shared.downloads import offer_csv


def show_demands(reviewed: Reviewed) -> None:
    """One row per feature that some plan changes."""
    asked = demands(reviewed.frame, reviewed.case.dataset)
    if not asked:
        return
    st.markdown("#### What people are asked to do")
    table = demand_table(asked, len(reviewed.with_plan))
    st.dataframe(
        table,
        hide_index=True,
        height="content",
        column_config={
            "Of 100 plans": st.column_config.ProgressColumn(
                format="%d", min_value=0, max_value=100, help="How many plans change it."
            ),
        },
        alt="Every feature that plans change: how many people, before, after, at the edge",
    )
    offer_csv(table, "what people are asked to do")
    for sentence in demand_sentences(reviewed):
        st.caption(sentence)


def demand_table(asked: tuple[FeatureDemand, ...], plans: int) -> pd.DataFrame:
    """The demands as the table shows them."""
    return pd.DataFrame(
        {
            "Feature": [demand.feature for demand in asked],
            "People": [demand.people for demand in asked],
            "Of 100 plans": [100 * demand.people / plans for demand in asked],
            "Before": [demand.before for demand in asked],
            "After": [demand.after for demand in asked],
            "Direction": [_direction(demand) for demand in asked],
            "At the edge": [demand.at_edge for demand in asked],
        }
    )


def _direction(demand: FeatureDemand) -> str:
    down = demand.people - demand.up
    if not down:
        return "▲ all up"
    return "▼ all down" if not demand.up else f"▲ {demand.up:,} · ▼ {down:,}"


def demand_sentences(reviewed: Reviewed) -> list[str]:
    """How the table is to be read, who ends at the edge of the data, and what robustness costs."""
    plans, at_edge = len(reviewed.with_plan), len(reviewed.at_edge)
    lines = [
        "Before and after are medians over those who change a number, and the most frequent change "
        "of a category.",
        f"**{at_edge:,} of {plans:,} plans** move a number to the end of what the data have seen: "
        "models know least there, and a person may not get there at all."
        if at_edge
        else "No plan moves a number to the end of what the data have seen.",
    ]
    return [*lines, price_sentence(reviewed)] if reviewed.case.surrogate is None else lines


def price_sentence(reviewed: Reviewed) -> str:
    """What half of the people pay at most for robustness, and what that means."""
    half = wording.amount(abs(round(float(reviewed.frame[PRICE].median()), 3)))
    paid = "no price of robustness" if half == "0" else f"a price of robustness of at most {half}"
    meant = wording.GLOSSARY["price of robustness"].rstrip(".")
    return f"Half of the people pay {paid}: {meant[0].lower()}{meant[1:]}."
