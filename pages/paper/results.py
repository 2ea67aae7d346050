"""Every table and figure of the paper: the stored rows, and the same computed again."""

from pathlib import Path

import pandas as pd
import streamlit as st

from dirrac_core import DATASETS
from dirrac_core.case.scenario import Scenario
from dirrac_core.paper.catalogue import EXPERIMENTS
from dirrac_core.paper.experiment import Experiment
from dirrac_core.paper.store import RESULTS, stored
from pages.paper.rerun import finished_rows, show_rerun
from pages.paper.rows import show_rows, stamp_words
from pages.shared import notices
from pages.shared.address.linked_controls import choose_one
from pages.shared.lecture import choose_step, is_lecture, predicted, speaker_notes

FOLDER: Path = RESULTS
PAPER_ASKS = "Does it come out like that when it is computed again?"
OWN_ASKS = "Which of them lasts, and at what effort?"
_STEP = "paper_step"


def show_results(scenario: Scenario) -> None:
    """The choice, what the paper shows there, ours, and why they differ."""
    if is_lecture():
        _show_slide()
        return
    chosen = _choose()
    st.subheader(chosen.title)
    st.markdown(_about(chosen))
    kept, again = stored(chosen.name, FOLDER), finished_rows(chosen)
    dataset = _dataset(chosen, [*([] if kept is None else [kept[0]]), *again])
    if kept is None:
        _missing(chosen)
    else:
        show_rows(chosen, kept[0], dataset, "stored")
        if chosen.difference:
            label = "Why they differ" if chosen.place else "What comes out"
            st.markdown(f"**{label}:** {chosen.difference}")
        st.caption(stamp_words(kept[1]))
    show_rerun(chosen, dataset)


def _show_slide() -> None:
    """One table or figure on a screen: what the paper says, then what came out."""
    screen, controls = st.container(), st.container()
    with controls:
        place = choose_step(_STEP, len(EXPERIMENTS))
    chosen = list(EXPERIMENTS.values())[place - 1]
    with screen:
        st.markdown(f"### {place} · {chosen.title}")
        st.markdown(_about(chosen))
        if not predicted(_STEP, place, PAPER_ASKS if chosen.place else OWN_ASKS):
            return
        kept = stored(chosen.name, FOLDER)
        if kept is None:
            _missing(chosen)
            return
        show_rows(chosen, kept[0], _dataset(chosen, [kept[0]]), "slide")
        speaker_notes(chosen.difference)


def _about(chosen: Experiment) -> str:
    place = f"In the paper, {chosen.place}" if chosen.place else "Not in the paper"
    return f"**{place}:** {chosen.about}"


def _choose() -> Experiment:
    labels = {name: f"{each.kind.capitalize()}: {each.title}" for name, each in EXPERIMENTS.items()}
    notices.report_choices({"paper_shown": labels.values()})
    name = st.selectbox(
        "Table or figure",
        list(labels),
        format_func=labels.__getitem__,
        key="paper_shown",
        bind="query-params",
        help="In the order of the paper. Its Figure 1, the idea, is drawn on the Start page.",
    )
    return EXPERIMENTS[name]


def _dataset(chosen: Experiment, frames: list[pd.DataFrame]) -> str | None:
    """The dataset of a table that is looked at; a figure shows them all."""
    if chosen.draw is not None or not frames:
        return None
    names = list(dict.fromkeys(str(name) for frame in frames for name in frame["dataset"]))
    if len(names) == 1:
        return names[0]
    titles = {name: DATASETS[name] for name in names}
    notices.report_choices({"paper_dataset": titles.values()})
    return choose_one("Dataset", titles, "paper_dataset")


def _missing(chosen: Experiment) -> None:
    st.info(
        "No result is stored for this one yet. Compute it below for a few people, or for "
        "everybody with this command, which takes minutes:",
        icon=":material/info:",
    )
    st.code(
        f"python -m dirrac_core reproduce {chosen.name} --out dirrac_core/paper/results",
        language="bash",
    )
