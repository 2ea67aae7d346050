"""Portfolio: a plan for everyone declined, who has none, and how groups compare."""

import streamlit as st

from dirrac_core.scenario import Scenario
from pages.shared import background, computing, notices, state
from pages.shared.plain_text import plain
from pages.shared.portfolio_export import everyone, export
from pages.shared.portfolio_groups import groups
from pages.shared.portfolio_no_recourse import no_recourse
from pages.shared.portfolio_overview import overview
from pages.shared.portfolio_run import RUN, Reviewed, offer


def page(scenario: Scenario) -> None:
    """The run while it works, else its results and the way to a new one."""
    case = computing.case(scenario)
    run = background.run_of(RUN)
    active = run is not None and run.active
    about = case if run is None or run.result is None else run.result.case
    st.header(f"Everyone declined · {plain(about.dataset.title)}")
    if active:
        background.watch(run)
        return
    if run is not None:
        background.failure(run)
    reviewed = _finished(run)
    if run is not None and run.state == background.STOPPED and reviewed is None:
        st.info("Stopped before anyone was finished.", icon=":material/info:")
    offer(case, reviewed)
    if reviewed is not None:
        _report(reviewed)


def _finished(run: background.Run | None) -> Reviewed | None:
    """The portfolio of the last run, if it got as far as one person."""
    if run is None or run.result is None or run.result.frame.empty:
        return None
    return run.result


def _report(reviewed: Reviewed) -> None:
    overview(reviewed)
    no_recourse(reviewed)
    group_by = groups(reviewed)
    everyone(reviewed)
    export(reviewed, group_by)


current = state.current()
notices.about_the_link()
with notices.told_in_words():
    computing.bundle(current)
    page(current)
