"""Pages without a part of their own for boosted trees say what they show instead."""

import streamlit as st

from dirrac_core.case.nonlinear.trees import TREES
from dirrac_core.case.scenario import Scenario
from pages.shared.navigation import file_of, has_own_trees

WORKBENCH = "recourse"


def note_stand_in(page: st.Page, scenario: Scenario) -> None:
    """One sentence above every page without own parts for trees, while they are the model."""
    if scenario.model != TREES or has_own_trees(page):
        return
    st.info(
        "On this page the boosted trees are replaced by a linear approximation near the applicant "
        "(LIME). Its worst case is an assumption. The plan that is proved over re-trainings is on "
        "the workbench.",
        icon=":material/park:",
    )
    st.page_link(file_of(WORKBENCH), label="To the workbench", icon=":material/arrow_forward:")
