"""What was understood of a table, before anything is trained on it."""

import streamlit as st

from dirrac_core.models.protected import protected_features
from pages.shared.plain_text import bullets, plain
from pages.your_data.described import offer_table_file
from pages.your_data.time import show_past
from pages.your_data.training import ReadTable

_MOST = 12


def show_understood(table: ReadTable) -> None:
    """Warnings first, then locks with reasons, protected attributes and the table file."""
    dataset, report = table.dataset, table.report
    for warning in report.warnings:
        st.warning(plain(warning, 400), icon=":material/warning:")
    protected = protected_features(dataset)
    if protected:
        st.markdown(
            f"**Protected attributes:** {plain(', '.join(protected), 300)}. They are locked, "
            "never a reason to change anything, and never advised."
        )
    reasons = dataset.reasons()
    with st.expander(f"How the table is read ({len(report.notes)} notes)", icon=":material/list:"):
        locked = [f"{plain(n, 60)}: {plain(why, 200)}" for n, why in reasons.items()]
        if locked:
            st.markdown(f"**Locked or one way only**\n\n{bullets(locked, _MOST)}")
        notes = bullets([plain(note, 400) for note in report.notes])
        st.markdown(f"**Notes**\n\n{notes or 'Nothing to report.'}")
    show_past(dataset)
    if report.table is not None:
        offer_table_file(report.table)
