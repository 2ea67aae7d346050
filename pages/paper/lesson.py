"""The German lesson: one applicant at once, and thirty on request."""

from dataclasses import replace
from functools import partial

import pandas as pd
import streamlit as st

from dirrac_core.case.scenario import Scenario
from dirrac_core.data.actionability import FeatureRule
from dirrac_core.paper.experiment import Run, Settings
from dirrac_core.paper.german_lesson import (
    APPLICANTS,
    BLIND,
    DECLARED,
    DELTA_ADD,
    FEATURE,
    LOCKED,
    MISREAD,
    german_lesson,
    lesson_table,
)
from dirrac_core.progress import Cancel, Progress
from pages.runs import background
from pages.runs.panel import show_run
from pages.shared import wording
from pages.teaching.demonstration import effort_slider
from pages.teaching.lesson import lesson_scenario, show_outcome

_RUN = "german lesson"
TITLES = {
    BLIND: "No shift declared",
    DECLARED: "With the correction declared",
    LOCKED: f"Luck only, {FEATURE} locked",
}


def show_german(scenario: Scenario) -> None:
    """What a worst case is worth when the shift was not declared."""
    st.markdown(
        "A worst case covers the shifts one has declared. The German file of 1994 gave the "
        f"codes of the checking account ({FEATURE}) the wrong names: “{MISREAD}”, the best code "
        "of all, really was “≥ 200 DM”. Re-trainings on the old file all believe the old names. "
        "The models that judge below were trained on the corrected file, which no plan has seen."
    )
    effort = effort_slider("lesson_add", DELTA_ADD)
    prepared = replace(lesson_scenario(scenario), delta_add=effort)
    blind = replace(prepared, shifts=())
    locked = replace(blind, edits=(FeatureRule(FEATURE, "no"),))
    st.markdown(f"#### {wording.applicant_name(prepared.applicant)} of German credit")
    columns = st.columns(3, gap="medium")
    ways = {BLIND: blind, DECLARED: prepared, LOCKED: locked}
    for column, (way, asked) in zip(columns, ways.items(), strict=True):
        with column:
            show_outcome(TITLES[way], asked, "corrected", "No plan.")
    st.caption(
        "Changing a category takes an effort of 2, so with a small δ_add a plan often cannot reach "
        f"{FEATURE} at all, and the lesson does not show."
    )
    _many(effort)


def _many(effort: float) -> None:
    """The same for thirty applicants, computed in the background."""
    st.markdown(f"#### {APPLICANTS} applicants")
    run = background.run_of(_RUN)
    if show_run(run):
        return
    if run is None or run.about != effort or run.state == background.FAILED:
        st.button(
            f"Compute for {APPLICANTS} applicants",
            icon=":material/play_arrow:",
            type="primary",
            on_click=_start,
            args=(effort,),
            help="Spread evenly over all declined ones; a few seconds.",
        )
        return
    frame = run.result
    if frame is None or frame.empty:
        st.info("Stopped before anything was finished.", icon=":material/info:")
        st.button("Compute again", icon=":material/play_arrow:", on_click=_start, args=(effort,))
        return
    if not frame.attrs["complete"]:
        st.info("Stopped before the end; this is what was finished.", icon=":material/info:")
    st.table(_shown(frame), alt="Three ways to prepare: plans, use of Status, and M2 observed")
    st.caption("M2 is observed; the interval is a t interval over people, in 100.")


def _start(effort: float) -> None:
    background.start(_RUN, effort, partial(_computed, effort))


def _computed(effort: float, progress: Progress, cancel: Cancel) -> pd.DataFrame:
    progress(0.0, "Re-training the models of both readings")
    return german_lesson(Run(Settings(jobs=None), progress, cancel), effort)


def _shown(frame: pd.DataFrame) -> pd.DataFrame:
    rows = lesson_table(frame)
    return pd.DataFrame(
        {
            "Prepared": [TITLES[way] for way in rows["prepared"]],
            "Plans": [f"{p} of {n}" for p, n in zip(rows["plans"], rows["n"], strict=True)],
            f"Change {FEATURE}, in 100": [_hundred(v) for v in rows["uses_status"]],
            f"End at “{MISREAD}”, in 100": [_hundred(v) for v in rows["ends_misread"]],
            "Accepted later, in 100 (M2)": [_hundred(v) for v in rows["m2"]],
            "95 % interval": [
                f"{_hundred(low)} to {_hundred(high)}"
                for low, high in zip(rows["m2_low"], rows["m2_high"], strict=True)
            ],
        }
    ).set_index("Prepared")


def _hundred(share: float) -> str:
    return "–" if pd.isna(share) else f"{100 * share:.0f}"
