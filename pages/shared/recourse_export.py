"""Export: a letter to print, a table, and a scenario that gives the same plan anywhere."""

import datetime

import streamlit as st

from dirrac_core.data.visitor_tables import is_table_name
from dirrac_core.scenario import Scenario, scenario_file
from pages.shared import computing
from pages.shared.controls import address
from pages.shared.letter import letter, plan_csv


def export(scenario: Scenario) -> None:
    """Three files, and what each is for."""
    solution = computing.solution(scenario)
    name = f"{scenario.dataset}-{scenario.applicant}"
    st.download_button(
        "Scenario (JSON)",
        scenario_file(solution),
        f"scenario-{name}.json",
        "application/json",
        icon=":material/data_object:",
        on_click="ignore",
    )
    if is_table_name(scenario.dataset):
        st.caption(
            "Every setting and the answer. The file names your table by a digest of its content "
            "and does not hold the table itself."
        )
    else:
        st.caption(
            "Every setting and the answer. `python -m dirrac_core plan scenario.json` computes the "
            "plan again and says whether it is the same to the last digit."
        )
    if solution.real.plan.x is None:
        st.write("There is no plan to write a letter about.")
        return
    facts = computing.facts(scenario, tuple(solution.real.plan.x))
    st.download_button(
        "Letter (HTML)",
        letter(solution, facts, address(), datetime.date.today()),
        f"plan-{name}.html",
        "text/html",
        icon=":material/description:",
        on_click="ignore",
    )
    st.caption("One page to print or send, with the conditions under which the promise holds.")
    st.download_button(
        "Table (CSV)",
        plan_csv(solution),
        f"plan-{name}.csv",
        "text/csv",
        icon=":material/table:",
        on_click="ignore",
    )
    st.caption("The plan feature by feature, for a spreadsheet.")
