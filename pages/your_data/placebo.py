"""Check on a placebo: one half of the present people promises, the other half judges."""

import streamlit as st

from dirrac_core.studies.evidence.backtest import Record, tally_by
from dirrac_core.studies.evidence.pasts import PLACEBO, SPLITS
from dirrac_core.studies.evidence.track_record import promise_word
from pages.runs import background
from pages.runs.panel import show_run
from pages.runs.past_promises import begin_check
from pages.shared.defaults import usual_settings
from pages.shared.plain_text import plain

APPLICANTS = 15
_RUN = "placebo of a table"


def offer_placebo(table: str) -> None:
    """The button, the work, and what came of it."""
    st.markdown("**Check on a placebo**")
    st.caption(
        f"The present people are cut at random into two halves, {SPLITS} times. Plans are made "
        "from one half and judged by models of the other: nothing has changed but luck, so no "
        "more may be observed than was promised."
    )
    run = background.run_of(_RUN)
    if show_run(run):
        return
    st.button(
        "Check on a placebo",
        icon=":material/science:",
        on_click=begin_check,
        args=(_RUN, table, usual_settings(table), PLACEBO, APPLICANTS),
        help=f"Plans for up to {APPLICANTS} declined people in each half, in the background.",
    )
    if run is not None and run.about == table and run.result is not None:
        _show(run.result)


def _show(record: Record) -> None:
    found = record.tally
    if not found.promises:
        st.warning(f"{found.sentence}.", icon=":material/warning:")
        return
    words = (
        f"{found.sentence.replace('past promises', 'promises on the placebo')}: on average "
        f"{found.promised * 100:.0f} of 100 later models were allowed to decline, and "
        f"{found.observed * 100:.0f} of 100 did. The pages call such a promise "
        f"“{promise_word(record)}”."
    )
    show = st.success if found.share.value <= 0.05 else st.warning
    show(words, icon=":material/science:")
    splits = tally_by(record.rows, "date")
    counts = zip(splits["broken"], splits["promises"], strict=True)
    st.caption(f"Broken in each split: {', '.join(f'{b} of {made}' for b, made in counts)}.")
    for reason in record.skipped:
        st.caption(f"Not tried, {plain(reason, 300)}")
