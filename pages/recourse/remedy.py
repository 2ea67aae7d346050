"""When reality was harder than what was declared: the remedy that was computed to help."""

from functools import partial

import streamlit as st

from dirrac_core.case.likeness import widened_words
from dirrac_core.case.scenario import Scenario
from dirrac_core.errors import DirracError
from dirrac_core.studies.evidence.backtest import check_no_peeking
from dirrac_core.studies.evidence.remedy import Advice, remedies
from pages.recourse.facts import is_surprised
from pages.recourse.shown import Shown
from pages.runs import background
from pages.runs.panel import show_run
from pages.shared import computing, state
from pages.shared.navigation import file_of
from pages.shared.plain_text import plain

_RUN = "remedy"


def show_surprise(shown: Shown) -> None:
    """Say so when more models decline than the worst case allows, and what would help; in the same
    row whether the plan is an unusual one."""
    run = background.run_of(_RUN)
    if run is not None and run.about != shown.scenario:
        run = None
    surprised, unusual = is_surprised(shown.facts), widened_words(shown.case, shown.x)
    if not surprised and not unusual:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        if surprised:
            _say_so(shown, run)
        if unusual:
            st.markdown(":small[An unusual plan]", help=plain(unusual, 600), width="content")
    if not surprised or show_run(run) or run is None or run.result is None:
        return
    _advise(run.result)


def _say_so(shown: Shown, run: background.Run | None) -> None:
    facts = shown.facts
    st.markdown(
        f":material/warning: **{facts.declined} of {len(facts.observed)} declined it.** These "
        "models are not among the declared futures.",
        width="content",
    )
    st.button(
        "Find what helps",
        icon=":material/healing:",
        type="tertiary",
        disabled=not _can_try(shown.scenario)
        or (run is not None and (run.active or run.result is not None)),
        on_click=_ask,
        args=(shown.scenario,),
        help="Try other settings on this person's past: declare a shift, another ρ, more "
        "effort. Takes some seconds; shifted people are never looked at.",
    )
    st.page_link(
        file_of("future_models"), label="Declare what may come", icon=":material/scatter_plot:"
    )


def _can_try(scenario: Scenario) -> bool:
    """Whether past situations can judge these settings."""
    if scenario.model != "logistic":
        return False
    try:
        check_no_peeking(scenario)
    except DirracError:
        return False
    return True


def _ask(scenario: Scenario) -> None:
    background.start(_RUN, scenario, partial(remedies, computing.case(scenario), None))


def _advise(advice: Advice) -> None:
    st.markdown(plain(advice.sentence))
    if advice.best is not None:
        st.button(
            f"Use it: {plain(advice.best.name)}",
            icon=":material/check:",
            on_click=state.set_scenario,
            args=(advice.best.scenario,),
        )
