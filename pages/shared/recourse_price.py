"""The price of robustness, and what freeing each restricted feature would bring."""

import math

import streamlit as st

from dirrac_core.appraisal import UnlockValue
from dirrac_core.figures.wording import out_of
from dirrac_core.recourse import Recourse
from dirrac_core.scenario import Scenario
from pages.shared import computing, wording
from pages.shared.plain_text import plain
from pages.shared.recourse_no_plan import free_features

# A smaller gain in probability is rounding.
WORTH_TELLING = 5e-4


def price(scenario: Scenario) -> None:
    """What ρ costs, and what each lock costs."""
    solution = computing.solution(scenario)
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("##### The price of robustness")
        _robustness(scenario)
    with right:
        st.markdown("##### What each restriction costs")
        if solution.real.plan.x is None:
            st.write("There is no plan yet; the ways out are listed above.")
        else:
            _restrictions(scenario, solution.real.exact)


def _robustness(scenario: Scenario) -> None:
    found = computing.price(scenario)
    if not math.isfinite(found.robust):
        words = "With the radius of doubt as set there is no plan at any effort"
        rest = (
            f"; without it the cheapest one needs {wording.amount(found.plain)}."
            if math.isfinite(found.plain)
            else ", and neither is there without it."
        )
        st.write(words + rest)
        return
    st.write(
        f"The cheapest plan that holds with the radius of doubt needs an effort of "
        f"**{wording.amount(found.robust)}**; with ρ = 0 it would need "
        f"**{wording.amount(found.plain)}**. Robustness costs "
        f"**{wording.amount(found.extra)}** more."
    )
    st.caption(wording.GLOSSARY["effort"])


def _restrictions(scenario: Scenario, plan: Recourse) -> None:
    values = computing.unlock_values(scenario, plan.delta)
    if not values:
        st.write("Nothing is restricted.")
        return
    st.write("What the best plan could promise at the same budget if one feature were free:")
    for value in values:
        _restriction(scenario, value, plan.worst_case_probability)


def _restriction(scenario: Scenario, value: UnlockValue, now: float) -> None:
    words, button = st.columns([3, 1], vertical_alignment="center")
    with words:
        gain = 0.0 if value.probability is None else now - value.probability
        if value.probability is None or gain < WORTH_TELLING:
            st.markdown(f"**{plain(value.feature)}**: no gain")
        else:
            st.markdown(
                f"**{plain(value.feature)}**: {wording.at_most(value.probability)} instead of "
                f"{out_of(now, at_most=True)}"
            )
    with button:
        st.button(
            "Free it",
            key=f"free {value.feature}",
            icon=":material/lock_open:",
            on_click=free_features,
            args=(computing.case(scenario), [value.feature]),
        )
