"""What the methods page compares: the controls, all of them in the link."""

from dataclasses import dataclass

import streamlit as st

from dirrac_core.evaluation.case_methods import DIRRAC_VARIANTS, base_name, method_names
from dirrac_core.scenario import Case
from pages.shared import notices

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
    notices.about_choices({"methods_for": WHO.values(), "methods_shown": FAMILIES.values()})
    with st.container(horizontal=True, vertical_alignment="bottom"):
        who = st.segmented_control(
            "Plans for",
            list(WHO),
            default=ONE,
            required=True,
            format_func=WHO.get,
            key="methods_for",
            bind="query-params",
            help="One applicant at once, or many declined people and their averages.",
        )
        families = st.pills(
            "Methods",
            list(FAMILIES),
            selection_mode="multi",
            default=list(FAMILIES),
            format_func=FAMILIES.get,
            key="methods_shown",
            bind="query-params",
            help="DiRRAc: two assumptions times three treatments of the weights. ROAR: exact, as "
            "published, against many models. Others: one plan each.",
        )
    names = tuple(name for name in method_names(case) if family_of(name) in families)
    return View(who, names)
