"""Your data: a table of one's own, what is decided, what its columns mean, and the training."""

import streamlit as st

from dirrac_core.data.upload.table_file import TableFile
from pages.shared import notices, state
from pages.your_data.own_model.coefficients import (
    choose_coefficients,
    choose_given,
    show_assumptions,
)
from pages.your_data.own_model.files import show_brought
from pages.your_data.settings import choose_settings
from pages.your_data.training import read_table, show_training
from pages.your_data.understood import show_understood
from pages.your_data.upload import (
    PRESENT,
    SHIFTED,
    Upload,
    offer_samples,
    show_promises,
    show_uploader,
)


def proceed(present: Upload, shifted: Upload | None, chosen: TableFile) -> None:
    """What was understood, today's model and the training, once it is known what is good."""
    with notices.show_errors():
        table = read_table(present, shifted, chosen)
        show_understood(table)
        given = None
        own = choose_given()
        if own:
            given = choose_coefficients(table.dataset)
            show_assumptions()
        show_brought(table.dataset)
        show_training(table, given, ready=not own or given is not None)


state.current()
notices.report_link()
st.header("Your data")
show_promises()
first, second = st.columns(2, gap="large")
with first:
    present = show_uploader(PRESENT)
with second:
    shifted = show_uploader(SHIFTED)
offer_samples()
if present is None:
    st.info("Upload a table of today to go on.", icon=":material/upload_file:")
else:
    chosen = choose_settings(present, shifted is not None)
    if shifted is None and (chosen is None or chosen.shifted_from is None):
        st.caption(
            "Without a table after the shift the future is simulated: sampling noise, more and "
            "fewer good outcomes, noisier numbers. Nothing was observed then, and the pages say so."
        )
    if chosen is not None:
        proceed(present, shifted, chosen)
