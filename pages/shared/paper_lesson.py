"""The German lesson: one applicant at once, and thirty on request."""

from dataclasses import replace
from functools import partial

import pandas as pd
import streamlit as st

from dirrac_core.actionability import FeatureRule
from dirrac_core.evaluation.parallel import Cancel, Progress
from dirrac_core.experiments.german_lesson import (
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
from dirrac_core.scenario import Scenario
from pages.shared import background, computing, wording
from pages.shared.future_lesson import lesson_scenario
from pages.shared.paper_point import effort_slider
from pages.shared.plain_text import plain

_RUN = "german lesson"
TITLES = {
    BLIND: "Prepared for luck only",
    DECLARED: "With the correction declared",
    LOCKED: f"Luck only, {FEATURE} locked",
}


def german(scenario: Scenario) -> None:
    """What a guarantee is worth when the shift was not declared."""
    st.markdown(
        "A guarantee holds for the shifts one has declared. The German file of 1994 gave the "
        f"codes of the checking account ({FEATURE}) the wrong names: “{MISREAD}”, the best code "
        "of all, really was “≥ 200 DM”. Re-trainings on the old file all believe the old names. "
        "The models that judge below were trained on the corrected file, which no plan has seen."
    )
    effort = effort_slider("lesson_add", DELTA_ADD)
    told = replace(lesson_scenario(scenario), delta_add=effort)
    blind = replace(told, shifts=())
    locked = replace(blind, edits=(FeatureRule(FEATURE, "no"),))
    st.markdown(f"##### {wording.applicant_name(told.applicant)} of German credit")
    columns = st.columns(3, gap="medium")
    ways = {BLIND: blind, DECLARED: told, LOCKED: locked}
    for column, (way, asked) in zip(columns, ways.items(), strict=True):
        with column:
            _plan(TITLES[way], asked)
    st.caption(
        "Changing a category takes an effort of 2, so with a small δ_add a plan often cannot reach "
        f"{FEATURE} at all, and the lesson does not show."
    )
    _many(effort)


def _plan(title: str, scenario: Scenario) -> None:
    solution = computing.solution(scenario)
    x = solution.real.plan.x
    st.markdown(f"**{title}**")
    if x is None:
        st.markdown("No plan.")
        return
    case = solution.case
    facts = computing.facts(scenario, tuple(x))
    total = len(facts.observed)
    st.markdown(plain(case.dataset.schema.sentence(case.x0, x)))
    st.markdown(
        f"- **Guarantee:** {wording.at_most(facts.guarantee)} fail, among the futures it was "
        f"prepared for.\n"
        f"- **Observed:** {total - facts.declined} of {total} corrected models accept it."
    )


def _many(effort: float) -> None:
    """The same for thirty applicants, computed beside the page."""
    st.markdown(f"##### {APPLICANTS} applicants")
    run = background.run_of(_RUN)
    if run is not None and run.active:
        background.watch(run)
        return
    if run is None or run.about != effort or run.state == background.FAILED:
        if run is not None:
            background.failure(run)
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
    return german_lesson(delta_add=effort, jobs=None, progress=progress, cancel=cancel)


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
