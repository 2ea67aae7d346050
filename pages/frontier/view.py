"""What the frontier page draws: the controls, all of them in the link."""

from dataclasses import dataclass

import streamlit as st

from dirrac_core.case.case import Case
from dirrac_core.case.scenario import Scenario
from dirrac_core.studies.case_frontier import DIRRAC, OTHERS, PUBLISHED, ROAR
from dirrac_core.studies.evidence.track_record import GUARANTEE
from pages.shared import notices, wording
from pages.shared.address.linked_controls import choose_one, choose_some
from pages.shared.promise import word_for

ONE, MANY, MAP = "applicant", "many", "map"
WHO = {ONE: "this applicant", MANY: "many applicants", MAP: "map of ρ and δ_add"}
# The columns the upward axis can show; both count declining models.
OBSERVED, WORST = "declined", "worst_case"
AGAINST = {OBSERVED: "observed count", WORST: "worst case"}
AGAINST_SIMULATED = {**AGAINST, OBSERVED: "simulated count"}
# What links of version 1.0.0 and of tables with another kind of future say.
_OTHER_WORDS = {
    "worst-case guarantee": WORST,
    **{words: OBSERVED for words in (AGAINST[OBSERVED], AGAINST_SIMULATED[OBSERVED])},
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


def value_title(value: str, scenario: Scenario) -> str:
    """What the upward axis counts."""
    if value == OBSERVED:
        return "declining models, of 100 (counted)"
    return f"declining models, of 100 ({worst_word(scenario)})"


def worst_word(scenario: Scenario) -> str:
    """What the worst case is called: a guarantee only where a track record bears it."""
    if scenario.link == "gaussian":
        return "at most, if Gaussian"
    return "guarantee" if word_for(scenario) == GUARANTEE else "worst case"


def choose_view(case: Case) -> View:
    """Draw the controls; the view they describe."""
    simulated = case.bundle.future.simulated
    against = AGAINST_SIMULATED if simulated else AGAINST
    asked = st.query_params.get("against")
    if asked in _OTHER_WORDS and asked not in against.values():
        value = _OTHER_WORDS[asked]
        st.session_state["against"], st.query_params["against"] = value, against[value]
    notices.report_choices(
        {"who": WHO.values(), "against": against.values(), "beside": FAMILIES.values()}
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        who = choose_one(
            "Show",
            WHO,
            "who",
            "The plans of one applicant, the mean over many, or the best plan of this applicant at "
            "every ρ and δ_add.",
        )
        if who == MAP:
            return View(who, WORST, ())
        value = choose_one(
            "Effort against",
            against,
            "against",
            f"{wording.counted_word(case.bundle.future)}: counted on re-trained models. Worst "
            "case: the largest share that may decline within the futures that are set, whichever "
            "method made the plan.",
        )
        others = choose_some(
            "Compare DiRRAc with",
            FAMILIES,
            "beside",
            "ROAR is swept over its cost weight λ, DiRRAc over δ_add. Others have one point.",
        )
    return View(who, value, tuple(others))
