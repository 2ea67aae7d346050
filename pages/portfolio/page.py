"""Portfolio: a plan for everyone declined, who has none, and how groups compare."""

import streamlit as st

from dirrac_core.case.nonlinear.trees import TREES
from dirrac_core.case.scenario import Scenario
from pages.portfolio.asked_of_people import show_demands
from pages.portfolio.export import offer_files, show_everyone
from pages.portfolio.groups import show_groups
from pages.portfolio.no_recourse import show_no_recourse
from pages.portfolio.people import show_people
from pages.portfolio.run import RUN, Reviewed, choose_people, offer_run, reviewed_now
from pages.portfolio.trees import show_tree_portfolio
from pages.portfolio.verdict import show_verdict
from pages.runs import background
from pages.runs.panel import show_run
from pages.shared import computing, notices, state
from pages.shared.plain_text import plain


def page(scenario: Scenario) -> None:
    """The run while it works, else its results and the way to a new one."""
    case = computing.case(scenario)
    title = st.empty()
    title.header(f"Everyone declined · {plain(case.dataset.title)}")
    run = background.run_of(RUN)
    if show_run(run):
        return
    asked = choose_people(scenario)
    if asked is None:
        return
    reviewed = reviewed_now(asked)
    if reviewed is not None:
        title.header(f"Everyone declined · {plain(reviewed.case.dataset.title)}")
    elif run is not None and run.state == background.STOPPED:
        st.info("Stopped before anyone was finished.", icon=":material/info:")
    offer_run(case, asked, reviewed)
    if reviewed is not None:
        _report(reviewed)


def _report(reviewed: Reviewed) -> None:
    level = show_verdict(reviewed)
    show_demands(reviewed)
    show_no_recourse(reviewed)
    group_by = show_groups(reviewed)
    show_people(reviewed, group_by)
    show_everyone(reviewed)
    offer_files(reviewed, group_by, level)


current = state.current()
notices.report_link()
with notices.show_errors():
    if current.model == TREES:
        show_tree_portfolio(current)
    else:
        page(current)
