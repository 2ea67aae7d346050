"""What it takes to be accepted, as the lender states it."""

import streamlit as st

from dirrac_core.data.upload.table_file import TableFile
from pages.shared import wording
from pages.sidebar.decision_controls import RANGES

NOT_STATED = "not stated"
_USUAL = {"probability": 0.5, "score": 0.0, "approval": 0.8}


def choose_cut_off(about: str, described: TableFile | None) -> tuple[float | None, str]:
    """The cut-off and its kind; None where nobody states one."""
    said, said_kind = None, TableFile.cut_off_kind
    if described is not None:
        said, said_kind = described.cut_off, described.cut_off_kind
    words = {NOT_STATED: "not stated: more likely good than not", **wording.CUT_OFFS}
    left, right = st.columns(2, gap="large")
    kind = left.selectbox(
        "To be accepted takes",
        list(words),
        index=list(words).index(NOT_STATED if said is None else said_kind),
        format_func=words.__getitem__,
        key=f"cut-off kind {about}",
        help=f"{wording.HELP['cut_off_kind']} Where nobody would be declined, a cut-off that is "
        "not stated approves as many as turned out well.",
        persist_state="session",
    )
    if kind == NOT_STATED:
        return None, said_kind
    least, most, step = RANGES[kind]
    start = said if said is not None and said_kind == kind else _USUAL[kind]
    value = right.number_input(
        "Cut-off",
        min(least, start),
        max(most, start),
        start,
        step,
        key=f"cut-off {about} {kind}",
        help=wording.HELP["cut_off"],
        persist_state="session",
    )
    return float(value), kind
