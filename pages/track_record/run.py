"""The record of the current settings: which evidence, and the run that computes it."""

from dataclasses import dataclass

import streamlit as st

from dirrac_core import Dataset
from dirrac_core.case.scenario import Scenario
from dirrac_core.case.settings import Settings
from dirrac_core.studies.evidence.backtest import APPLICANTS
from dirrac_core.studies.evidence.pasts import GROUPS, PAST, PLACEBO, default_kind
from pages.runs.past_promises import begin_check
from pages.shared import notices
from pages.shared.address.linked_controls import choose_one

RECORD = "track record"
EVIDENCE = {
    PAST: "what came later",
    PLACEBO: "a placebo",
    GROUPS: "held-out groups",
}
EXPLAINED = {
    PAST: "Plans are made with what was known at a past date, or with all present people, and "
    "judged by models of the people who came later.",
    PLACEBO: "The present people in two random halves: plans of one are judged by models of the "
    "other. Nothing changes but luck, so a promise that breaks here breaks anywhere.",
    GROUPS: "One group of the present people is held out as if it were another site, and its "
    "models judge the plans of the others.",
}


@dataclass(frozen=True)
class Asked:
    """The settings, for anyone, and the kind of evidence."""

    settings: Settings
    kind: str


def choose_evidence(dataset: Dataset) -> str:
    """Which kind of past the promises are checked on; the strongest there is at first."""
    usual = default_kind(dataset)
    offered = {kind: words for kind, words in EVIDENCE.items() if kind != PAST or usual == PAST}
    notices.report_choices({"evidence": offered.values()})
    kind = choose_one("Checked on", offered, "evidence", usual=usual)
    st.caption(EXPLAINED[kind])
    return kind


def offer_record(scenario: Scenario, kind: str, known: bool) -> None:
    """The button that computes the record of exactly these settings."""
    label = "Check on a placebo" if kind == PLACEBO else "Check promises like these on the past"
    st.button(
        "Compute it again" if known else label,
        icon=":material/play_arrow:",
        type="secondary" if known else "primary",
        on_click=begin_check,
        args=(RECORD, Asked(scenario.settings, kind), scenario.settings, kind),
        help=f"Plans for up to {APPLICANTS} declined people at each date, in the background.",
    )
