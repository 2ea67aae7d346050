"""Export: a letter to print, a table, and a scenario that gives the same plan anywhere."""

import datetime

import pandas as pd
import streamlit as st

from dirrac_core.case.case import Solution
from dirrac_core.case.documents.file import scenario_file
from dirrac_core.case.documents.letter import letter
from dirrac_core.case.horizon import horizon_of
from dirrac_core.case.promise_kind import ASSUMPTION
from dirrac_core.case.scenario import Scenario
from dirrac_core.data.safe_csv import safe_csv
from dirrac_core.data.upload.visitor_tables import is_table_name
from pages.recourse.export.still_holds import offer_check
from pages.recourse.shown import tried_values
from pages.shared import computing
from pages.shared.promise import record_of, record_sentence, word_for
from pages.sidebar.controls import address

PREVIEW_HEIGHT = 700


def offer_files(scenario: Scenario) -> None:
    """Three files, what each is for, and a check of an exported plan."""
    solution = computing.solution(scenario)
    if tried_values(scenario):
        st.info("The files hold the plan, not the values tried out.", icon=":material/info:")
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
            "Every setting and the answer, without the table itself. `dirrac plan scenario.json "
            "--table table.json --people data.csv` computes the plan again and says whether it is "
            "the same to the last digit; Your data saves the table file. A model of your own is "
            "given with `--coefficients`."
        )
    else:
        st.caption(
            "Every setting and the answer. `python -m dirrac_core plan scenario.json` computes the "
            "plan again and says whether it is the same to the last digit."
        )
    if solution.plan.x is None:
        st.write("There is no plan to write a letter about.")
    else:
        _offer_plan(scenario, solution, name)
    offer_check(solution)


def _offer_plan(scenario: Scenario, solution: Solution, name: str) -> None:
    assert solution.plan.x is not None
    facts = computing.facts(scenario, tuple(solution.plan.x))
    written = letter(
        solution,
        facts,
        address(),
        datetime.date.today(),
        computing.room(scenario),
        horizon_of(scenario, solution.case.dataset).sentence,
        "Assumption" if facts.promise == ASSUMPTION else word_for(scenario),
        record_sentence(record_of(scenario)),
    )
    st.download_button(
        "Letter (HTML)",
        written,
        f"plan-{name}.html",
        "text/html",
        icon=":material/description:",
        on_click="ignore",
    )
    st.caption("One page to print or send, with the conditions under which the promise holds.")
    with st.expander("Preview of the letter", icon=":material/preview:"):
        st.iframe(written, height=PREVIEW_HEIGHT, alt="Preview of the letter")
    st.download_button(
        "Table (CSV)",
        plan_csv(solution),
        f"plan-{name}.csv",
        "text/csv",
        icon=":material/table:",
        on_click="ignore",
    )
    st.caption("The plan feature by feature, for a spreadsheet.")


def plan_csv(solution: Solution) -> str:
    """Feature, unit, now, plan and whether it changes; no cell can act as a formula."""
    schema = solution.case.dataset.schema
    rows = [
        (name, schema.feature(name).unit, now, then, "yes" if changed else "no")
        for name, now, then, changed in _rows(solution)
    ]
    return safe_csv(pd.DataFrame(rows, columns=["feature", "unit", "now", "plan", "changed"]))


def _rows(solution: Solution) -> list[tuple[str, float | str, float | str, bool]]:
    case, plan = solution.case, solution.plan
    schema = case.dataset.schema
    assert plan.x is not None
    changed = {change.feature for change in schema.describe_change(case.x0, plan.x)}
    now, then = schema.decode(case.x0), schema.decode(plan.x)
    return [(f.name, now[f.name], then[f.name], f.name in changed) for f in schema.features]
