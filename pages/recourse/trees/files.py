"""What can be taken away: the scenario with its answer, and the letter."""

import datetime
import json

import streamlit as st

from dirrac_core.case.documents.tree_letter import tree_letter
from dirrac_core.case.nonlinear.trees import TreeSolution, tree_answer
from pages.shared.promise import record_of, record_sentence
from pages.sidebar.controls import address

PREVIEW_HEIGHT = 700


def offer_files(solution: TreeSolution) -> None:
    """The scenario file, which `dirrac plan` computes again to the last digit, and a letter."""
    content = json.loads(solution.case.scenario.to_json())
    content["answer"] = tree_answer(solution)
    st.download_button(
        "Scenario with its answer",
        json.dumps(content, indent=2, ensure_ascii=False),
        file_name=f"{solution.case.scenario.dataset}-{solution.case.scenario.applicant}-trees.json",
        mime="application/json",
        icon=":material/download:",
    )
    if solution.plan.x is None:
        return
    scenario = solution.case.scenario
    checked = record_sentence(record_of(scenario))
    written = tree_letter(solution, address(), datetime.date.today(), checked)
    st.download_button(
        "Letter (HTML)",
        written,
        f"plan-{scenario.dataset}-{scenario.applicant}-trees.html",
        "text/html",
        icon=":material/description:",
        on_click="ignore",
    )
    with st.expander("Preview of the letter", icon=":material/preview:"):
        st.iframe(written, height=PREVIEW_HEIGHT, alt="Preview of the letter")
