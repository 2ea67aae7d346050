"""What can be proven about robust plans, each with a demonstration to play with."""

import streamlit as st

from dirrac_core.case.scenario import Scenario
from pages.paper.claims_score import show_convex_levels, show_same_plan, show_six_problems
from pages.paper.lesson import show_german
from pages.paper.told_in_learn import show_adversary, show_ceiling, show_certificate
from pages.shared import notices, wording
from pages.shared.navigation import file_of

CLAIMS = {
    "1 · Six problems, one score": show_six_problems,
    "2 · No false summits": show_convex_levels,
    "3 · One plan for both variants": show_same_plan,
    "4 · Every answer carries its proof": show_certificate,
    "5 · The adversary sits on the ball": show_adversary,
    "6 · Doubt has a ceiling": show_ceiling,
    "7 · The German lesson": show_german,
}


def show_claims(scenario: Scenario) -> None:
    """The seven statements on the left, the chosen one on the right."""
    notices.report_choices({"claim": CLAIMS})
    left, right = st.columns([1, 3], gap="large")
    with left:
        chosen = st.radio("Statement", list(CLAIMS), key="claim", bind="query-params")
        st.caption(
            f"The numbers are computed now, for {wording.applicant_name(scenario.applicant)} with "
            "the settings on the left; nothing here changes those. The first six follow from the "
            "robust score, the seventh is what the paper's German data teach."
        )
        st.page_link(file_of("learn"), label="The formulas, step by step", icon=":material/school:")
    with right, notices.show_errors():
        st.subheader(chosen)
        CLAIMS[chosen](scenario)
