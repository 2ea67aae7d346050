"""What can be taken away: the scenario with its answer."""

import json

import streamlit as st

from dirrac_core.case.trees_case import TreeSolution, tree_answer


def offer_files(solution: TreeSolution) -> None:
    """The scenario file, which `dirrac plan` computes again to the last digit."""
    content = json.loads(solution.case.scenario.to_json())
    content["answer"] = tree_answer(solution)
    st.download_button(
        "Scenario with its answer",
        json.dumps(content, indent=2, ensure_ascii=False),
        file_name=f"{solution.case.scenario.dataset}-{solution.case.scenario.applicant}-trees.json",
        mime="application/json",
        icon=":material/download:",
    )
