"""From the settings of an uploaded table to a dataset every page can use."""

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import streamlit as st

from dirrac_core.data import Dataset
from dirrac_core.data.upload.table import TableReport, table_dataset
from dirrac_core.data.upload.table_file import TableFile
from dirrac_core.data.upload.visitor_tables import UPLOAD_LIMITS
from dirrac_core.models.bundle import prepare
from dirrac_core.models.cut_off import APPROVAL
from dirrac_core.models.futures.bootstrap import Bootstrap
from dirrac_core.models.futures.carry_over import CarryOver
from dirrac_core.models.given.coefficients import with_given_model
from dirrac_core.wording import out_of
from pages.runs import background
from pages.runs.panel import show_run
from pages.shared import computing, navigation, notices, state, wording
from pages.shared.defaults import usual_settings
from pages.shared.plain_text import bullets, plain
from pages.your_data.placebo import offer_placebo
from pages.your_data.upload import Upload

_READ, _TRAINED, _RUN = "table as read", "trained table", "table training"


@dataclass(frozen=True, eq=False)
class ReadTable:
    """A dataset made from the visitor's files and settings (`about`), and the report on it.

    `notes` say what was assumed of a model that came with it.
    """

    about: tuple[Any, ...]
    dataset: Dataset
    report: TableReport
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Trained:
    """The table that was trained last: its name, what it was made from, and what was assumed."""

    name: str
    about: tuple[Any, ...]
    report: TableReport
    notes: tuple[str, ...]


def read_table(present: Upload, shifted: Upload | None, settings: TableFile) -> ReadTable:
    """The dataset of these files and settings; the last one is kept."""
    about = (present.digest, None if shifted is None else shifted.digest, settings)
    kept: ReadTable | None = st.session_state.get(_READ)
    if kept is None or kept.about != about:
        dataset, report = table_dataset(
            present.content,
            settings,
            None if shifted is None else shifted.content,
            limits=UPLOAD_LIMITS,
        )
        kept = ReadTable(about, dataset, report)
        st.session_state[_READ] = kept
    return kept


def show_training(table: ReadTable, coefficients: bytes | None, ready: bool) -> None:
    """The button, the work with its progress, and what came of it."""
    about = (*table.about, coefficients)
    if not ready:
        st.info("Upload your coefficients or scorecard to go on.", icon=":material/upload_file:")
    elif st.button("Train and open", type="primary", icon=":material/model_training:"):
        with notices.show_errors():
            _train(table, coefficients, about)
    run = background.run_of(_RUN)
    if show_run(run):
        return
    if run is not None and run.result is not None:
        with notices.show_errors():
            _open(run)
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


def _train(table: ReadTable, coefficients: bytes | None, about: tuple[Any, ...]) -> None:
    asked = replace(table, about=about)
    if coefficients is not None:
        dataset, notes = with_given_model(table.dataset, coefficients)
        asked = replace(asked, dataset=dataset, notes=notes)
    # The models of the settings every table starts with.
    models = partial(prepare, bootstrap=Bootstrap())
    background.start_apart(_RUN, asked, models, (asked.dataset, "logistic", 1))


def _open(run: background.Run) -> None:
    """Go to the table that was trained, once."""
    asked: ReadTable = run.about
    trained, run.result = run.result, None
    name = state.open_table(asked.dataset, trained, asked.report.table)
    st.session_state[_TRAINED] = Trained(name, asked.about, asked.report, asked.notes)


def _summary(done: Trained) -> None:
    settings = usual_settings(done.name)
    bundle = computing.bundle(settings)
    dataset, report = bundle.dataset, done.report
    st.subheader(f"{plain(dataset.title, 60)} is ready")
    later = ""
    if dataset.shifted is not None and report.table is not None and report.table.shifted_from:
        later = f"; {len(dataset.shifted):,} later ones judge the plans"
    st.markdown(
        f"{report.rows_used:,} of {report.rows_read:,} rows are the present people{later}. "
        f"{len(dataset.schema.features)} columns are used. "
        f"{int(dataset.present.y.sum()):,} people had the good outcome, "
        f"“{plain(dataset.favourable, 80)}”; today's model declines {bundle.declined.size:,}. "
        f"{wording.accuracy(bundle.accuracy, None)}"
    )
    if settings.cut_off_kind == APPROVAL and dataset.cut_off is None:
        st.info(
            "At a probability of one half nobody would be declined. The cut-off therefore approves "
            f"{out_of(settings.cut_off)} people, as many as had the good outcome. State another "
            "one above, or change it on the pages.",
            icon=":material/content_cut:",
        )
    if bundle.carried is not None:
        _about_given_model(dataset, bundle.carried)
    st.markdown(f"**The future:** {plain(bundle.future.source)}")
    with st.expander("How the table was read", icon=":material/checklist:"):
        notes = (*report.notes, *done.notes)
        st.markdown(bullets([plain(note, 400) for note in notes]) or "Nothing to report.")
    offer_placebo(done.name)
    st.markdown("**Open it:**")
    with st.container(horizontal=True):
        for page in navigation.APPLICANT_PAGES:
            st.page_link(navigation.file_of(page))


def _about_given_model(dataset: Dataset, carried: CarryOver) -> None:
    alike = out_of(carried.agreement(dataset.present.X))
    recipe = carried.recipe
    if recipe.reproduced:
        st.markdown(
            f"**Your model** is reproduced on this table by {recipe.words}: trained so here, a "
            f"model decides like yours for {alike} people, no further from it than luck. Its later "
            "models are re-trainings of that recipe."
        )
        return
    st.warning(
        f"**The later models of yours are an approximation.** No recipe tried here reproduces "
        f"your model. The closest is {recipe.words}; trained so, a model decides like yours for "
        f"{alike} people, and its scores differ by {recipe.gap:.2g} where luck explains "
        f"{recipe.luck:.2g}. How such models move when they are trained again is taken to be how "
        "yours moves. The placebo tries a model trained on the table in place of yours.",
        icon=":material/warning:",
    )
