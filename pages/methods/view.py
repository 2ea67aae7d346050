"""What the methods page compares: the controls, all of them in the link."""

from dataclasses import dataclass

import streamlit as st

from dirrac_core.case.case import Case
from dirrac_core.studies.case_methods import DIRRAC_VARIANTS, base_name, method_names
from pages.shared import notices
from pages.shared.address.linked_controls import choose_one, choose_some

ONE, ALL = "applicant", "dataset"
WHO = {ONE: "this applicant", ALL: "the whole dataset"}
DIRRAC, ROAR, OTHERS = "dirrac", "roar", "others"
FAMILIES = {DIRRAC: "DiRRAc variants", ROAR: "ROAR variants", OTHERS: "others"}


@dataclass(frozen=True)
class View:
    """For whom, and the names of the methods."""

    who: str
    names: tuple[str, ...]


def family_of(name: str) -> str:
    """The family of a method by its name."""
    base = base_name(name)
    if base in DIRRAC_VARIANTS:
        return DIRRAC
    return ROAR if base.startswith("ROAR") else OTHERS


def choose_view(case: Case) -> View:
    """Draw the controls; the view they describe."""
    notices.report_choices({"methods_for": WHO.values(), "methods_shown": FAMILIES.values()})
    with st.container(horizontal=True, vertical_alignment="bottom"):
        who = choose_one(
            "Plans for",
            WHO,
            "methods_for",
            "One applicant at once, or many declined people and their averages.",
        )
        families = choose_some(
            "Methods",
            FAMILIES,
            "methods_shown",
            "DiRRAc: two assumptions times three treatments of the weights. ROAR: exact, as "
            "published, against many models. Others: one plan each.",
        )
    names = tuple(name for name in method_names(case) if family_of(name) in families)
    return View(who, names)
