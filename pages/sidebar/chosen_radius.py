"""“Choose ρ for me”: the smallest radius whose promises were kept, by an exact test."""

from dataclasses import replace

import pandas as pd
import streamlit as st

from dirrac_core import load_dataset
from dirrac_core.case.scenario import Scenario
from dirrac_core.case.settings import Settings
from dirrac_core.progress import Cancel, Progress
from dirrac_core.studies.evidence.calibration import (
    LEVEL,
    TOLERATED,
    TRIALS,
    Calibration,
    Tested,
    choose_radius,
)
from pages.runs import background
from pages.runs.panel import show_run
from pages.shared import state
from pages.shared.defaults import LOGISTIC
from pages.shared.numbers import in_text
from pages.shared.plain_text import plain, plain_table

RADIUS = "choice of radius"
RULE = (
    f"Tries a few radii on {TRIALS} past applicants, without the shifted people, and takes the "
    f"smallest for which it can be said that at most {100 * TOLERATED:.0f} of 100 promises are "
    f"broken (exact binomial tests, level {LEVEL:g} over all radii)."
)


def is_choosing() -> bool:
    """Whether a choice is under way or has been made in this visit."""
    return background.run_of(RADIUS) is not None


def show_choice(scenario: Scenario) -> None:
    """The button, the run, and the radius it found with its reason."""
    if scenario.model != LOGISTIC:
        st.caption("ρ is chosen for the logistic regression only.")
        return
    run = background.run_of(RADIUS)
    if show_run(run):
        return
    st.button(
        "Choose ρ for me",
        icon=":material/straighten:",
        on_click=begin_choice,
        args=(scenario,),
        help=f"{RULE} In the background; about a minute for a shipped dataset on two cores.",
        width="stretch",
    )
    if run is None or run.result is None:
        return
    found: Calibration = run.result
    if not _is_about(run.about, scenario):
        st.caption("This was chosen for other settings than the present ones:")
    st.caption(plain(found.reason, 600))
    if _is_about(run.about, scenario) and found.complete:
        _offer(found, state.one_radius(scenario))


def show_counts(scenario: Scenario) -> None:
    """What was counted at each radius, where a radius has been chosen for these settings."""
    run = background.run_of(RADIUS)
    if run is None or run.result is None or not _is_about(run.about, scenario):
        return
    found: Calibration = run.result
    if not found.tests or not found.complete:
        return
    st.subheader("How ρ was chosen")
    st.caption(RULE)
    st.markdown(plain(found.reason, 600))
    st.table(plain_table(_table(found.tests)), alt="What was counted at each radius")
    if found.failed:
        st.caption(
            f"{found.failed} of {found.trials} trials could not be made: {plain(found.problem)}."
        )


def begin_choice(scenario: Scenario) -> None:
    """Start the search for the smallest ρ that keeps its promises; for a callback."""
    state.current()
    settings = replace(scenario.settings, radii=state.one_radius(scenario))
    dataset = load_dataset(scenario.dataset)

    def work(progress: Progress, cancel: Cancel) -> Calibration:
        return choose_radius(dataset, settings, jobs=None, progress=progress, cancel=cancel)

    background.start(RADIUS, settings, work)


def _is_about(asked: object, scenario: Scenario) -> bool:
    """Whether the answer is about these settings, whatever their ρ."""
    return isinstance(asked, Settings) and replace(asked, radii=0.0) == replace(
        scenario.settings, radii=0.0
    )


def _offer(found: Calibration, rho: float) -> None:
    """The chosen radius, or the best measured where none passed, unless it is set already."""
    best = found.chosen
    words = "Use ρ = "
    if best is None:
        made = [test for test in found.tests if test.promises]
        if not made:
            return
        best = min(made, key=lambda test: test.share.value).radius
        words = "Use the best measured, ρ = "
    if best == rho:
        st.caption(f"ρ = {best:g} is set.")
        return
    st.button(
        f"{words}{best:g}",
        icon=":material/check:",
        on_click=state.change,
        kwargs={"radii": best},
        width="stretch",
    )


def _table(tests: tuple[Tested, ...]) -> pd.DataFrame:
    rows = [
        {
            "ρ": f"{test.radius:g}",
            "Broken": f"{test.broken} of {test.promises}",
            "p-value": in_text(test.p_value),
            "Passes": "yes" if test.passes else "no",
            "Promised": _in_100(test.promised),
            "Happened": _in_100(test.observed),
        }
        for test in tests
    ]
    return pd.DataFrame(rows).set_index("ρ")


def _in_100(share: float) -> str:
    return "–" if pd.isna(share) else f"{100 * share:.0f} of 100"
