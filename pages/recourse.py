"""The workbench: one applicant, one plan, and how well it survives future models."""

import streamlit as st

from dirrac_core.scenario import Scenario
from pages.shared import computing, notices, state
from pages.shared.plain_text import plain_table
from pages.shared.recourse_actions import actionability
from pages.shared.recourse_applicant import header
from pages.shared.recourse_compare import compare, pin_button
from pages.shared.recourse_export import export
from pages.shared.recourse_no_plan import no_plan
from pages.shared.recourse_pictures import adversary, components, future_models
from pages.shared.recourse_plan import before_after, effort, plan
from pages.shared.recourse_price import price
from pages.shared.recourse_proof import proof
from pages.shared.recourse_what_if import what_if

TABS = {
    "What may change": actionability,
    "What if": what_if,
    "Price": price,
    "Proof": proof,
    "Compare": compare,
    "Export": export,
}


def workbench(scenario: Scenario) -> None:
    """The applicant, the plan (or why there is none) and its pictures."""
    case = computing.case(scenario)
    header(case)
    solution = computing.solution(scenario)
    found = solution.real.plan
    if found.x is None:
        no_plan(case)
        return
    facts = computing.facts(scenario, tuple(found.x))
    plan(solution, facts)
    pin_button(scenario, tuple(found.x))
    left, right = st.columns(2, gap="large")
    with left:
        st.table(plain_table(before_after(case, found.x)))
        effort(found)
    with right:
        components(case, found.x)
    left, right = st.columns(2, gap="large")
    with left:
        future_models(case, found.x, facts)
    with right:
        adversary(case, found.x)


current = state.current()
notices.about_the_link()
with notices.told_in_words():
    computing.bundle(current)
    workbench(current)
tabs = st.tabs(list(TABS), key="tab", on_change="rerun", bind="query-params")
for name, tab in zip(TABS, tabs, strict=True):
    if tab.open:
        with tab, notices.told_in_words():
            TABS[name](current)
