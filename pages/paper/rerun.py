"""A table or figure computed again from the page; the stored one stays as it is."""

from functools import partial

import pandas as pd
import streamlit as st

from dirrac_core.paper.experiment import PUBLISHED, Experiment, Run, Settings
from dirrac_core.progress import Cancel, Progress
from pages.paper.rows import show_rows
from pages.runs import background
from pages.runs.panel import show_run

USUAL_PEOPLE, MOST_PEOPLE = 5, 200
USUAL_DRAWS, MOST_DRAWS = 1, 10


def run_name(chosen: Experiment) -> str:
    """The name of the background run of an experiment."""
    return f"paper {chosen.name}"


def finished_rows(chosen: Experiment) -> list[pd.DataFrame]:
    """What this visitor's last run of it computed; empty when it computed nothing."""
    run = background.run_of(run_name(chosen))
    if run is None or run.active or run.result is None or run.result.empty:
        return []
    # The paper's numbers need no computing.
    return [run.result] if (run.result["source"] != PUBLISHED).any() else []


def show_rerun(chosen: Experiment, dataset: str | None) -> None:
    """The settings, the button, the progress with a way to stop, and what came out."""
    st.markdown("#### Compute it again")
    run = background.run_of(run_name(chosen))
    if run is not None and run.active:
        show_run(run)
        return
    _offer(chosen)
    show_run(run)
    if run is None:
        return
    found = finished_rows(chosen)
    for rows in found:
        _describe(run.about, rows)
        show_rows(chosen, rows, dataset, "again")
    if not found and run.state == background.STOPPED:
        st.info("Stopped before anything was finished.", icon=":material/info:")


def _describe(settings: Settings, rows: pd.DataFrame) -> None:
    draws = "1 draw" if settings.draws == 1 else f"{settings.draws} draws"
    st.markdown(
        f"**Your run:** at most {settings.applicants} people per dataset, {draws}, seed "
        f"{settings.seed}. Few people make wide intervals. It is kept for this visit only; nothing "
        "stored is overwritten."
    )
    if not rows.attrs.get("complete", True):
        st.info("Stopped before the end; this is what was finished.", icon=":material/info:")


def _offer(chosen: Experiment) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.number_input(
            "People per dataset, at most",
            1,
            MOST_PEOPLE,
            USUAL_PEOPLE,
            key=_people(chosen),
            width=220,
        )
        if chosen.draw is None:
            st.number_input(
                "Draws of its protocol",
                1,
                MOST_DRAWS,
                USUAL_DRAWS,
                key=_draws(chosen),
                width=220,
                help="How often the classes are balanced by a new random draw, as in the paper.",
            )
        st.button(
            "Compute",
            icon=":material/play_arrow:",
            type="primary",
            on_click=_start,
            args=(chosen,),
        )
    st.caption(
        "So few people take from seconds to a few minutes. It runs in the background, with "
        "progress."
    )


def _people(chosen: Experiment) -> str:
    return f"rerun people {chosen.name}"


def _draws(chosen: Experiment) -> str:
    return f"rerun draws {chosen.name}"


def _start(chosen: Experiment) -> None:
    # Read here, because a click may come together with the last change of a number.
    settings = Settings(
        applicants=int(st.session_state[_people(chosen)]),
        draws=int(st.session_state.get(_draws(chosen), USUAL_DRAWS)),
        jobs=None,
    )
    background.start(run_name(chosen), settings, partial(_computed, chosen, settings))


def _computed(
    chosen: Experiment, settings: Settings, progress: Progress, cancel: Cancel
) -> pd.DataFrame:
    return chosen.compute(Run(settings, progress, cancel))
