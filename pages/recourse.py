"""The workbench: one applicant, one plan, and how well it survives future models."""

import streamlit as st

from pages.shared import computing, notices, state
from pages.shared.recourse_actions import actionability
from pages.shared.recourse_applicant import header
from pages.shared.recourse_no_plan import no_plan
from pages.shared.recourse_plan import before_after, effort, plan

TABS = ("What may change",)

scenario = state.current()
notices.about_the_link()
computing.bundle(scenario)
with notices.told_in_words():
    case = computing.case(scenario)
    header(case)
    solution = computing.solution(scenario)
    found = solution.real.plan
    if found.x is None:
        no_plan(case)
    else:
        facts = computing.facts(scenario, tuple(found.x))
        plan(solution, facts)
        left, right = st.columns(2, gap="large")
        with left:
            st.table(before_after(case, found.x))
            effort(found)

tabs = st.tabs(TABS, key="tab", on_change="rerun", bind="query-params")
for tab, draw in zip(tabs, (actionability,), strict=True):
    if tab.open:
        with tab, notices.told_in_words():
            draw(scenario)
