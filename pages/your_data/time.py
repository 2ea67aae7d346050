"""When each row was recorded: what cuts the present from the shifted people, and past changes."""

import streamlit as st

from dirrac_core.data import Dataset
from dirrac_core.data.periods import names_from
from dirrac_core.data.upload.table_file import TableFile
from dirrac_core.errors import InvalidInput
from dirrac_core.models.futures.history import past_changes
from pages.shared import notices
from pages.shared.plain_text import plain
from pages.your_data.upload import Upload

NOT_STATED, NO_CUT = "not stated", "nowhere: all rows are the present"
WAY_OUT = (
    "Correct the column, choose another one, or say “not stated”: the table can then be used "
    "without past changes. Everything else on this page stays as it is."
)


def choose_time(
    upload: Upload, about: str, described: TableFile | None, has_shifted: bool
) -> tuple[str | None, str | None] | None:
    """The period column and where the shift begins; None where nobody says.

    A column that cannot be read is refused here, and nothing can be trained before it is changed.
    """
    columns = list(upload.table.time_columns)
    periods = None if described is None else described.periods
    if periods is not None and periods not in columns:
        columns.append(periods)
    if not columns:
        return None, None
    left, right = st.columns(2, gap="large")
    with left:
        options = [NOT_STATED, *columns]
        column = st.selectbox(
            "When was each row recorded?",
            options,
            index=0 if periods is None else options.index(periods),
            key=f"periods {about}",
            help="A date or period column: past changes can then be replayed, and later rows can "
            "stand for the time after the shift. It is no feature.",
            persist_state="session",
        )
    if column == NOT_STATED:
        return None, None
    with right, notices.show_errors():
        names = list(upload.table.periods(column))
        if has_shifted:
            st.caption("The second table holds the people after the shift.")
            return column, None
        cuts = [NO_CUT, *names[1:]]
        said = None if described is None else described.shifted_from
        later = () if said is None else names_from(names, said)
        if said is not None and (not later or later[0] not in cuts):
            st.warning(
                f"The table file lets the shift begin at {plain(said, 40)}, which leaves no rows "
                "on one side; choose another.",
                icon=":material/warning:",
            )
        cut = st.selectbox(
            "The shift begins with",
            cuts,
            index=cuts.index(later[0]) if later and later[0] in cuts else 0,
            key=f"shift begins {about} {column}",
            help="Rows of this period and later are kept apart: they judge the plans.",
            persist_state="session",
        )
        return column, None if cut == NO_CUT else cut
    st.caption(WAY_OUT)
    return None


def show_past(dataset: Dataset) -> None:
    """Which past changes there are to replay; refused when there is no way to tell."""
    if dataset.periods is None or dataset.futures not in (None, "history"):
        return
    try:
        changes = ", ".join(change.name for change in past_changes(dataset.for_training))
    except InvalidInput:
        st.caption(WAY_OUT)
        raise
    st.markdown(f"**Past changes that can happen again:** {plain(changes, 300)}.")
