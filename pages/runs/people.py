"""Runs over many people, begun and found again in one way on every page that has them."""

from collections.abc import Hashable
from typing import Any

import streamlit as st

from dirrac_core.case.settings import Settings
from dirrac_core.data.upload.visitor_tables import is_table_name
from dirrac_core.progress import Cancel, Progress, step_of
from pages.runs import background
from pages.shared import notices


def how_many(key: str, most: int, usual: int, limit: int | None = None) -> int:
    """How many of the declined people, the first ones of the dataset; part of the link."""
    notices.report_numbers((key,))
    top = most if limit is None else min(most, limit)
    return st.number_input(
        "Declined people, the first ones of the dataset",
        1,
        top,
        value=min(usual, top),
        step=50 if usual >= 50 else 10,
        key=key,
        bind="query-params",
        width=320,
        help=f"Today's model declines {most:,} people of this dataset.",
    )


def begin(name: str, settings: Settings, asked: Hashable, work: background.Work) -> None:
    """Start work about `asked`; for a callback. The result is kept for everyone, if it may be."""

    def counting(progress: Progress, cancel: Cancel) -> Any:
        return work(step_of(progress, 0, 1, "People: "), cancel)

    background.start(name, asked, counting, keep=not is_private(settings))


def is_private(settings: Settings) -> bool:
    """Whether nobody but this visitor may see results: those about an uploaded table."""
    return is_table_name(settings.dataset)


def result_about(name: str, asked: Hashable) -> Any | None:
    """The whole result about exactly this, of any visitor; else what this visitor's run has."""
    kept = background.kept_result(name, asked)
    if kept is not None:
        return kept
    run = background.run_of(name)
    return run.result if run is not None and run.about == asked else None
