"""One record: promised and happened, how many were broken, by period and by group."""

import pandas as pd
import streamlit as st

from dirrac_core import Dataset
from dirrac_core.figures.reliability import reliability_diagram
from dirrac_core.studies.evidence.backtest import Record, Tally, reliability, tally_by
from dirrac_core.studies.evidence.track_record import (
    ASSUMPTION,
    GUARANTEE,
    decided_a_setting,
    promise_word,
)
from dirrac_core.studies.people.equity import groups_by
from dirrac_core.wording import in_100
from pages.shared import wording
from pages.shared.pictures import draw_picture, theme
from pages.shared.plain_text import plain, plain_table
from pages.shared.promise import show_cards

NAMES = {
    "asked": "Applicants",
    "promises": "Promises",
    "broken": "Broken",
    "share": "Broken, of 100 (95 % interval)",
    "promised": "Promised: at most so many of 100 decline",
    "observed": "Happened: so many of 100 declined",
}


def show_record(record: Record, dataset: Dataset) -> None:
    """The verdict, the diagram, and the counts behind them."""
    found = record.tally
    st.markdown(f"#### {found.sentence}.")
    if found.promises:
        assumed = promise_word(record) == ASSUMPTION
        size = "size" if assumed else "worst case"
        _facts(found, "promise" if assumed else "worst case")
        st.caption(_verdict(record))
        if decided_a_setting(record):
            st.caption(
                "No independent test: how far the limits of what is usual give way was chosen "
                "after these people had judged such plans. The placebo had no part in that."
            )
        left, right = st.columns([3, 2], gap="large")
        with left:
            draw_picture(reliability_diagram(reliability(record.rows), theme()), "reliability")
            st.caption(
                f"Promises in bins by their {size}. Below the dashed line fewer models declined "
                "than was promised. Larger marks stand for more promises."
            )
        with right:
            st.markdown("##### By period")
            _table(tally_by(record.rows, "date"), "date", "Judged by")
            _by_group(record, dataset)
    for reason in record.skipped:
        st.caption(f"Not tried: {plain(reason, 300)}.")


def _facts(found: Tally, what: str) -> None:
    show_cards(
        ("PROMISED", f"At most {in_100(found.promised)} of 100 decline", f"the mean {what}"),
        (
            "HAPPENED",
            f"{100 * found.observed:.0f} of 100 declined",
            "mean over the plans, by models that came later",
        ),
        (
            "BROKEN",
            f"{found.broken} of {found.promises:,}",
            f"between {100 * found.share.low:.1f} and {100 * found.share.high:.1f} of 100 with "
            f"95 % confidence; {found.promises:,} of {found.asked:,} applicants had a plan",
        ),
    )


def _verdict(record: Record) -> str:
    word = promise_word(record)
    broken = "A promise is broken when more of the later models decline the plan than was promised."
    if word == GUARANTEE:
        return f"{broken} With this record a promise is called a guarantee."
    if word == ASSUMPTION:
        return (
            f"{broken} What boosted trees promise assumes bell curves, so it is called an "
            "assumption, whatever its record."
        )
    return (
        f"{broken} A guarantee needs at least 20 promises checked on later people at two or more "
        "times, at most 5 of 100 broken, and no more declines than promised; here it is called "
        f"“{word}”."
    )


def _by_group(record: Record, dataset: Dataset) -> None:
    names = [feature.name for feature in dataset.schema.features]
    chosen = st.selectbox("By group of", names, key="record_by", bind="query-params")
    groups, order = groups_by(dataset, chosen, record.rows["row"].to_numpy())
    rows = record.rows.assign(group=groups.to_numpy())
    counts = tally_by(rows, "group").sort_values("group", key=lambda named: named.map(order.index))
    _table(counts, "group", wording.feature_label(dataset.schema.feature(chosen)))


def _table(counts: pd.DataFrame, by: str, title: str) -> None:
    st.table(plain_table(_shown(counts, by, title)), alt=f"Promises made and broken by {title}")


def _shown(counts: pd.DataFrame, by: str, title: str) -> pd.DataFrame:
    """The counts as they are read."""
    rows = [
        {
            title: row[by],
            NAMES["promises"]: f"{row['promises']} of {row['asked']}",
            NAMES["broken"]: str(row["broken"]),
            "Promised": _count(row["promised"]),
            "Happened": _count(row["observed"]),
        }
        for _, row in counts.iterrows()
    ]
    return pd.DataFrame(rows).set_index(title)


def _count(share: float) -> str:
    return "–" if pd.isna(share) else f"{100 * share:.0f} of 100"
