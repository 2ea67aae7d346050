"""The portfolio as files: every plan for a spreadsheet or a program, and one page to hand over."""

import datetime
import io

import pandas as pd
import streamlit as st

from dirrac_core.data.safe_csv import safe_csv
from pages.shared.controls import address
from pages.shared.portfolio_no_recourse import ways_out
from pages.shared.portfolio_run import Reviewed, open_person
from pages.shared.portfolio_summary import summary


def everyone(reviewed: Reviewed) -> None:
    """All people as a table; a chosen one is opened."""
    st.markdown("##### Everyone")
    frame = reviewed.frame
    shown = pd.DataFrame(
        {
            "Applicant": frame["row"],
            "Plan": ["✓ yes" if found else "✗ none" for found in frame["found"]],
            "Effort": frame["cost"],
            "Worst case ≤, of 100": (100.0 * frame["worst_case"]).where(
                frame["found"].astype(bool)
            ),
            "Later": 100.0 * frame["m2"],
            "Price": frame["price_of_robustness"],
            "Features": frame["features_changed"],
        }
    )
    number = st.column_config.NumberColumn
    st.dataframe(
        shown,
        hide_index=True,
        height=320,
        placeholder="",
        column_config={
            "Effort": number(format="%.2f"),
            "Worst case ≤, of 100": number(
                format="%.1f", help="Declining future models in 100, at most."
            ),
            "Later": number(format="%.0f", help="M2: accepting models in 100."),
            "Price": number(format="%.2f", help="Effort beyond the cheapest plan for today."),
            "Features": number(format="%d", help="How many features change."),
        },
        alt="Every person: whether there is a plan, its effort, worst case, later acceptance",
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        row = st.selectbox("Applicant", frame["row"].tolist(), key="portfolio person", width=200)
        if st.button("Open this person's plan", icon=":material/open_in_new:"):
            open_person(reviewed, row)


def export(reviewed: Reviewed, group_by: str) -> None:
    """Three files, made when they are asked for."""
    st.markdown("##### Take it away")
    scenario = reviewed.asked.scenario
    name = f"portfolio-{scenario.dataset}-{len(reviewed.frame)}"
    link = address()
    with st.container(horizontal=True):
        st.download_button(
            "Table (CSV)",
            lambda: safe_csv(flat(reviewed)).encode(),
            f"{name}.csv",
            "text/csv",
            icon=":material/table:",
            on_click="ignore",
        )
        st.download_button(
            "Table (Parquet)",
            lambda: parquet(reviewed),
            f"{name}.parquet",
            "application/vnd.apache.parquet",
            icon=":material/dataset:",
            on_click="ignore",
        )
        st.download_button(
            "Review summary (HTML)",
            lambda: summary(reviewed, group_by, link, datetime.date.today()).encode(),
            f"{name}.html",
            "text/html",
            icon=":material/description:",
            on_click="ignore",
        )
    st.caption(
        "The tables hold every person's plan in real units. The summary is one page to print or "
        "send, with the groups chosen above and the settings under which it holds."
    )


def flat(reviewed: Reviewed) -> pd.DataFrame:
    """One row a person: the numbers, what would open a plan, and the plan in real units."""
    frame, schema = reviewed.frame, reviewed.case.dataset.schema
    plans = [{} if x is None else schema.decode(x) for x in frame["x"]]
    told = frame.drop(columns=["x", "unlocks"]).assign(
        what_to_free=[
            "" if found else ways_out(sets)
            for found, sets in zip(frame["found"], frame["unlocks"], strict=True)
        ]
    )
    features = {
        f"plan: {feature.name}": [plan.get(feature.name) for plan in plans]
        for feature in schema.features
    }
    return pd.concat([told.reset_index(drop=True), pd.DataFrame(features)], axis=1)


def parquet(reviewed: Reviewed) -> bytes:
    """The same table as Parquet."""
    content = io.BytesIO()
    flat(reviewed).to_parquet(content, index=False)
    return content.getvalue()
