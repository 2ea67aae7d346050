"""The portfolio as files: every plan for a spreadsheet or a program, and one page to hand over."""

import datetime
import io

import pandas as pd
import streamlit as st

from dirrac_core.data.safe_csv import safe_csv
from pages.portfolio.no_recourse import ways_out
from pages.portfolio.run import Reviewed, open_person
from pages.portfolio.summary import Contents, contents, summary
from pages.portfolio.summary_pdf import summary_pdf
from pages.shared import wording
from pages.shared.downloads import offer_file
from pages.sidebar.controls import address


def show_everyone(reviewed: Reviewed) -> None:
    """All people as a table; a chosen one is opened."""
    st.markdown("#### Everyone")
    frame = reviewed.frame
    at_edge = reviewed.at_edge
    shown = pd.DataFrame(
        {
            "Applicant": frame["row"],
            "Plan": ["✓ yes" if found else "✗ none" for found in frame["found"]],
            "Effort": frame["cost"],
            "Worst case ≤, of 100": (100.0 * frame["worst_case"]).where(
                frame["found"].astype(bool)
            ),
            "Declined later, of 100": 100.0 * frame["declined"],
            # A minus in front of a rounded zero would say nothing.
            "Price": frame["price_of_robustness"].round(6) + 0.0,
            "Features": frame["features_changed"],
            "At the edge": [", ".join(at_edge.get(int(row), ())) for row in frame["row"]],
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
            "Declined later, of 100": number(
                format="%.0f", help="Models that declined the plan later: 100 − M2."
            ),
            "Price": number(format="%.2f", help=wording.GLOSSARY["price of robustness"]),
            "Features": number(format="%d", help="How many features change."),
            "At the edge": st.column_config.TextColumn(
                help="Numbers that the plan moves to the end of what the data have seen."
            ),
        },
        alt="Every person: whether there is a plan, its effort, worst case, declines later",
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        row = st.selectbox("Applicant", frame["row"].tolist(), key="portfolio person", width=200)
        if st.button("Open this person's plan", icon=":material/open_in_new:"):
            open_person(reviewed, row)


def offer_files(reviewed: Reviewed, group_by: str, level: int) -> None:
    """Four files, made on request."""
    st.markdown("#### Take it away")
    scenario = reviewed.asked.scenario
    name = f"portfolio-{scenario.dataset}-{len(reviewed.frame)}"
    link = address()

    def page() -> Contents:
        return contents(reviewed, group_by, level, link, datetime.date.today())

    with st.container(horizontal=True):
        offer_file(
            "Table (CSV)",
            lambda: safe_csv(flat(reviewed)).encode(),
            f"{name}.csv",
            ":material/table:",
        )
        offer_file(
            "Table (Parquet)",
            lambda: parquet(reviewed),
            f"{name}.parquet",
            ":material/dataset:",
        )
        offer_file(
            "Review summary (HTML)",
            lambda: summary(page()).encode(),
            f"{name}.html",
            ":material/description:",
        )
        offer_file(
            "Review summary (PDF)",
            lambda: summary_pdf(page()),
            f"{name}.pdf",
            ":material/picture_as_pdf:",
        )
    st.caption(
        "The tables hold every person's plan in real units. The summary is one A4 page with the "
        "groups chosen above and the settings under which it holds."
    )


def flat(reviewed: Reviewed) -> pd.DataFrame:
    """One row per person: the numbers, what would open a plan, and the plan in real units."""
    frame, schema = reviewed.frame, reviewed.case.dataset.schema
    plans = [{} if x is None else schema.decode(x) for x in frame["x"]]
    facts = frame.drop(columns=["x", "unlocks", "declined"]).assign(
        what_to_free=[
            "" if found else ways_out(sets)
            for found, sets in zip(frame["found"], frame["unlocks"], strict=True)
        ]
    )
    features = {
        f"plan: {feature.name}": [plan.get(feature.name) for plan in plans]
        for feature in schema.features
    }
    return pd.concat([facts.reset_index(drop=True), pd.DataFrame(features)], axis=1)


def parquet(reviewed: Reviewed) -> bytes:
    """The same table as Parquet."""
    content = io.BytesIO()
    flat(reviewed).to_parquet(content, index=False)
    return content.getvalue()
