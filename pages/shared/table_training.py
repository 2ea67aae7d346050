"""From the settings of an uploaded table to a dataset every page can use."""

from dataclasses import dataclass
from typing import Any

import streamlit as st

from dirrac_core.data.table import TableReport, table_dataset
from dirrac_core.data.visitor_tables import UPLOAD_LIMITS
from dirrac_core.scenario import Scenario
from pages.shared import computing, navigation, notices, state, wording
from pages.shared.plain_text import plain
from pages.shared.table_upload import Upload

_TRAINED = "trained table"


@dataclass(frozen=True)
class Settings:
    """What the visitor chose; equal settings give the same dataset."""

    label: str
    favourable: tuple[str, ...]
    overrides: dict[str, dict[str, Any]]
    title: str


@dataclass(frozen=True, eq=False)
class Trained:
    """A dataset that was made, from which files and settings, and the report on it."""

    name: str
    about: tuple[Any, ...]
    report: TableReport


def training(present: Upload, shifted: Upload | None, settings: Settings) -> None:
    """The button, the work with its progress, and what came of it."""
    about = (present.digest, None if shifted is None else shifted.digest, settings)
    pressed = st.button(
        "Train and open",
        type="primary",
        icon=":material/model_training:",
        disabled=not settings.favourable,
        help=None if settings.favourable else "Choose a good outcome first.",
    )
    if pressed:
        with notices.told_in_words():
            _train(present, shifted, settings, about)
            st.rerun()
    done: Trained | None = st.session_state.get(_TRAINED)
    if done is not None and done.name in state.own_tables():
        if done.about != about:
            st.info(
                "The settings have changed since the last training. The other pages still use the "
                "table as it was; train again to use the new settings.",
                icon=":material/info:",
            )
        _summary(done)


def _train(
    present: Upload, shifted: Upload | None, settings: Settings, about: tuple[Any, ...]
) -> None:
    place = st.empty()
    bar = place.progress(0.0, "Reading the table")
    dataset, report = table_dataset(
        present.content,
        None if shifted is None else shifted.content,
        label=settings.label,
        favourable=settings.favourable,
        overrides=settings.overrides,
        title=settings.title,
        limits=UPLOAD_LIMITS,
    )
    # Every step reported is a point where another click can end the work.
    name = state.open_table(dataset, lambda part, words: bar.progress(part, words))
    place.empty()
    st.session_state[_TRAINED] = Trained(name, about, report)


def _summary(done: Trained) -> None:
    bundle = computing.bundle(Scenario(done.name, 0))
    dataset = bundle.dataset
    st.subheader(f"{plain(dataset.title, 60)} is ready")
    left_out = f", {len(done.report.left_out)} columns left out" if done.report.left_out else ""
    st.markdown(
        f"{done.report.rows_used:,} of {done.report.rows_read:,} rows are used, "
        f"{len(dataset.schema.features)} features{left_out}. "
        f"{int(dataset.present.y.sum()):,} people had the good outcome, "
        f"“{plain(dataset.favourable, 80)}”. Today's model declines {bundle.declined.size:,}. "
        f"{wording.accuracy(bundle.accuracy, None)}"
    )
    st.markdown(f"**The future:** {plain(bundle.future.source)}")
    with st.expander("How the table was read", icon=":material/checklist:"):
        st.markdown("\n".join(f"- {plain(note, 400)}" for note in done.report.notes))
    st.markdown("**Open it:**")
    with st.container(horizontal=True):
        for page in navigation.APPLICANT_PAGES:
            st.page_link(navigation.file_of(page))
