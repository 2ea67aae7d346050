"""What can be proven about robust plans, each with a demonstration to play with."""

import streamlit as st

from dirrac_core.scenario import Scenario
from pages.shared import computing, notices, wording
from pages.shared.navigation import file_of
from pages.shared.paper_claims_proof import adversary, ceiling_on_rho, certificate
from pages.shared.paper_claims_score import convex_levels, same_plan, six_problems
from pages.shared.paper_lesson import german

CLAIMS = {
    "1 · Six problems, one score": six_problems,
    "2 · No false summits": convex_levels,
    "3 · One plan for both variants": same_plan,
    "4 · Every answer carries its proof": certificate,
    "5 · The adversary sits on the ball": adversary,
    "6 · Doubt has a ceiling": ceiling_on_rho,
    "7 · The German lesson": german,
}


def claims(scenario: Scenario) -> None:
    """The seven statements on the left, the chosen one on the right."""
    notices.about_choices({"claim": CLAIMS})
    computing.bundle(scenario)
    left, right = st.columns([1, 3], gap="large")
    with left:
        chosen = st.radio("Statement", list(CLAIMS), key="claim", bind="query-params")
        st.caption(
            f"The numbers are computed now, for {wording.applicant_name(scenario.applicant)} with "
            "the settings on the left; nothing here changes those. The first six follow from the "
            "robust score, the seventh is what the paper's German data teach."
        )
        st.page_link(file_of("learn"), label="The formulas, step by step", icon=":material/school:")
    with right, notices.told_in_words():
        st.subheader(chosen)
        CLAIMS[chosen](scenario)
