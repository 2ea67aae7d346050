"""What the frontier page draws: the controls, all of them in the link."""

from dataclasses import dataclass

import streamlit as st

from dirrac_core.evaluation.case_frontier import DIRRAC, OTHERS, PUBLISHED, ROAR
from pages.shared import notices
from pages.shared.linked_controls import one_of, some_of

ONE, MANY = "applicant", "many"
WHO = {ONE: "this applicant", MANY: "many applicants"}
OBSERVED, GUARANTEED = "m2", "guaranteed"
AGAINST = {
    OBSERVED: "observed count",
    GUARANTEED: "worst-case guarantee",
}
FAMILIES = {
    ROAR: "ROAR (exact)",
    PUBLISHED: "ROAR (as published)",
    OTHERS: "others",
}
COST_TITLES = {"l1": "effort (ℓ1)", "l2": "effort (ℓ2)"}
SYMBOLS = {
    "DiRRAc": "δ_add",
    "Gaussian DiRRAc": "δ_add",
    "current setting": "δ_add",
    "ROAR (exact)": "λ",
    "ROAR (as published)": "λ",
    "ROAR-Ensemble": "λ",
    "Wachter": "λ",
}


@dataclass(frozen=True)
class View:
    """Who is asked, what effort is set against, and which families besides DiRRAc are drawn."""

    who: str
    value: str
    others: tuple[str, ...]

    @property
    def families(self) -> tuple[str, ...]:
        """All families drawn, DiRRAc first."""
        return (DIRRAC, *(family for family in FAMILIES if family in self.others))


def value_title(value: str, link: str) -> str:
    """What the upward axis counts."""
    if value == OBSERVED:
        return "future models that accept the plan, in 100"
    promised = "guaranteed" if link == "chebyshev" else "promised if Gaussian"
    return f"accepting models {promised}, in 100"


def choose_view() -> View:
    """Draw the controls; the view they describe."""
    notices.about_choices(
        {"who": WHO.values(), "against": AGAINST.values(), "beside": FAMILIES.values()}
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        who = one_of(
            "Plans for",
            WHO,
            "who",
            "One applicant at once, or the mean over many declined applicants.",
        )
        value = one_of(
            "Effort against",
            AGAINST,
            "against",
            "Observed: counted on re-trained models (M2). Guaranteed: one minus the "
            "worst-case probability of failing, whichever method made the plan.",
        )
        others = some_of(
            "DiRRAc beside",
            FAMILIES,
            "beside",
            "ROAR is swept over its cost weight λ, DiRRAc over δ_add. Others have one point.",
        )
    return View(who, value, tuple(others))
