"""Your data: a table of one's own, what is decided, what its columns mean, and the training."""

import streamlit as st

from pages.shared import notices, state
from pages.shared.plain_text import plain
from pages.shared.table_columns import edited_columns
from pages.shared.table_model import assumed, coefficients, is_given
from pages.shared.table_training import Settings, read, training
from pages.shared.table_upload import (
    PRESENT,
    SHIFTED,
    Upload,
    promises,
    samples,
    uploaded,
    uploader,
)


def outcome(upload: Upload) -> tuple[str, tuple[str, ...]]:
    """The column that holds the outcome, and which of its values are good."""
    st.subheader("What was decided")
    left, right = st.columns(2, gap="large")
    columns = list(upload.table.columns)
    with left:
        label = st.selectbox(
            "Column of the outcome (label)",
            columns,
            index=columns.index(upload.table.likely_label),
            key=f"label {upload.digest}",
            help="What the model has to predict: paid back or not, passed or failed.",
            persist_state="session",
        )
    with right, notices.told_in_words():
        counts = upload.table.outcomes(label)
        good = st.multiselect(
            "Good outcome",
            list(counts),
            key=f"good {upload.digest} {columns.index(label)}",
            format_func=lambda value: f"{value} ({counts[value]:,} people)",
            help="One value or several; every other value counts as not good.",
            placeholder="Choose the favourable value",
            persist_state="session",
        )
        return label, tuple(good)
    return label, ()


def settings(upload: Upload) -> Settings:
    """Everything that has to be said about the table of today."""
    label, good = outcome(upload)
    st.subheader("What the columns mean")
    st.markdown(
        "This is how the columns are read. Correct what is wrong, take out what the models must "
        "not see, and lock what a person cannot change: **May change → no**."
    )
    guesses = upload.table.guesses(label)
    overrides = edited_columns(f"{upload.digest} {label}", guesses)
    unusable = [guess for guess in guesses if guess.feature is None]
    if unusable:
        listed = "\n".join(f"- {plain(g.name, 60)}: {plain(g.problem, 300)}" for g in unusable[:10])
        more = f"\n- and {len(unusable) - 10} more" if len(unusable) > 10 else ""
        st.warning(
            f"These columns are left out, unless you correct how they are read:\n\n{listed}{more}",
            icon=":material/warning:",
        )
    title = st.text_input(
        "Name of the table",
        upload.name.rpartition(".")[0] or upload.name,
        max_chars=60,
        key=f"title {upload.digest}",
        help="How it is called on the other pages.",
        persist_state="session",
    )
    return Settings(label, good, overrides, title.strip() or "Your table")


def proceed(present: Upload, shifted: Upload | None, chosen: Settings) -> None:
    """Today's model and the training, once it is known what is good."""
    if not chosen.favourable:
        st.info("Choose the good outcome to go on.", icon=":material/check_circle:")
        return
    with notices.told_in_words():
        table = read(present, shifted, chosen)
        given = None
        own = is_given()
        if own:
            given = coefficients(table.dataset)
            assumed()
        training(table, given, ready=not own or given is not None)


state.current()
notices.about_the_link()
st.header("Your data")
promises()
first, second = st.columns(2, gap="large")
with first:
    uploader(PRESENT)
with second:
    uploader(SHIFTED)
samples()
present, shifted = uploaded(PRESENT), uploaded(SHIFTED)
if present is None:
    st.info("Upload a table of today to go on.", icon=":material/upload_file:")
else:
    chosen = settings(present)
    if shifted is None:
        st.caption(
            "Without a table after the shift the future is simulated: sampling noise, more and "
            "fewer good outcomes, noisier numbers. Nothing was observed then, and the pages say so."
        )
    proceed(present, shifted, chosen)
