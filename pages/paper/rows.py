"""The rows of one experiment on the page: as a table or a picture, and as a file."""

import pandas as pd
import streamlit as st

from dirrac_core import DATASETS
from dirrac_core.data.safe_csv import safe_csv
from dirrac_core.figures.lessons.dumbbells import dumbbells
from dirrac_core.paper.experiment import PROTOCOL, PUBLISHED, Experiment
from dirrac_core.paper.store import Stamp
from pages.paper.tables import (
    DUMBBELLS,
    by_source,
    differs_in_outcome,
    favourable_words,
    side_by_side,
)
from pages.shared.pictures import draw_picture, theme

FRESH_WORDS = (
    "M2 counts models of today's people and a tenth of the shifted ones; fresh re-trainings are "
    "100 models of the half of today's people that the exact method made no plan with. Stored rows "
    "draw these people again with the outcomes they had; a new run draws the outcomes, too."
)


def show_rows(chosen: Experiment, rows: pd.DataFrame, dataset: str | None, key: str) -> None:
    """A figure drawn from its rows, or one dataset of a table."""
    if chosen.draw is not None:
        draw_picture(chosen.draw(rows, theme()), f"paper {chosen.name} {key}")
        _counts(rows)
    elif dataset is not None and dataset in set(rows["dataset"]):
        _table(chosen, rows, dataset, key)
    elif dataset is not None:
        st.markdown(f"{DATASETS[dataset]} was not finished.")
    st.download_button(
        "All rows (CSV)",
        safe_csv(rows),
        f"{chosen.name}.csv",
        "text/csv",
        icon=":material/table:",
        on_click="ignore",
        key=f"download {chosen.name} {key}",
    )


def _table(chosen: Experiment, rows: pd.DataFrame, dataset: str, key: str) -> None:
    if differs_in_outcome(rows, dataset):
        st.warning(
            f"**{DATASETS[dataset]}: the paper's label is the other way round.** "
            f"{favourable_words(rows, dataset)} Its rows answer another question than ours.",
            icon=":material/swap_horiz:",
        )
    shown = {title: by_source(rows, dataset, column) for title, column in DUMBBELLS.items()}
    drawn = {title: table for title, table in shown.items() if table is not None}
    for place, (title, table) in zip(st.columns(max(len(drawn), 1)), drawn.items(), strict=False):
        with place:
            draw_picture(dumbbells(table, title, theme()), f"paper {chosen.name} {title} {key}")
    st.dataframe(
        side_by_side(rows, dataset),
        height="content",
        placeholder="",
        alt=f"{chosen.title}, {DATASETS[dataset]}: "
        + ("paper, its protocol and ours side by side" if chosen.place else "one row per method"),
    )
    st.caption(caption(rows, dataset))


def caption(rows: pd.DataFrame, dataset: str) -> str:
    """Whose numbers these are, what the means are over, and what stands after ±."""
    drawn = bool((rows["source"] == PROTOCOL).any())
    protocol = "“its protocol” is our run of how they were computed, " if drawn else ""
    words = [favourable_words(rows, dataset)]
    if (rows["source"] == PUBLISHED).any():
        words.append(
            f"“Paper” are the printed numbers, {protocol}“ours” is this software with its own "
            "rules."
        )
    if "m2" in rows:
        words.append(
            "Success is the share of all people who get a plan that today's model accepts; the "
            "other numbers are means over the plans found. ± is the standard deviation, of M2 over "
            "models and of the rest over people. “95 %” are t intervals over people"
            + (" (of its protocol, over draws)." if drawn else ".")
        )
        if "fresh" in rows:
            words.append(FRESH_WORDS)
    elif "accuracy" in rows:
        words.append("± is the standard deviation over the models trained after the shift.")
    else:
        words.append("± is the standard deviation over people.")
    return " ".join(filter(None, words))


def _counts(rows: pd.DataFrame) -> None:
    """How many people stand behind the marks of a figure."""
    if "n" not in rows:
        return
    asked = rows[rows["source"] != PUBLISHED]["n"]
    low, high = int(asked.min()), int(asked.max())
    people = f"{low}" if low == high else f"{low} to {high}"
    st.caption(f"Every mark rests on {people} people asked; the rows say how many got a plan.")


def stamp_words(stamp: Stamp) -> str:
    """How stored rows came about, in one line."""
    # A full run of a figure asks fewer than everybody; the rows say how many.
    some = stamp.applicants is not None
    people = f"at most {stamp.applicants} people per dataset" if some else "as many people as usual"
    draws = "1 class-balancing draw" if stamp.draws == 1 else f"{stamp.draws} class-balancing draws"
    stopped = "" if stamp.complete else " It was stopped before the end."
    return (
        f"Stored result, computed on {stamp.date} with version {stamp.version}, seed "
        f"{stamp.seed}, {people}, {draws}, in {stamp.seconds:,.0f} seconds.{stopped}"
    )
