"""The price of robustness, and what freeing each restricted feature would bring."""

import math

import streamlit as st

from dirrac_core.case.case import Case
from dirrac_core.case.facts import UnlockValue
from dirrac_core.case.scenario import Scenario
from dirrac_core.data.actionability import not_advised
from dirrac_core.recourse import Recourse
from dirrac_core.wording import in_100
from pages.recourse.no_plan import free_features
from pages.shared import computing, wording
from pages.shared.plain_text import plain


def show_price(scenario: Scenario) -> None:
    """What ρ costs, and what each lock costs."""
    solution = computing.solution(scenario)
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("#### The price of robustness")
        _robustness(scenario)
    with right:
        st.markdown("#### What each restriction costs")
        if solution.plan.x is None:
            st.write("There is no plan yet; the ways out are listed above.")
        else:
            _restrictions(scenario, solution.plan.exact)


def _robustness(scenario: Scenario) -> None:
    found = computing.price(scenario)
    if not math.isfinite(found.robust):
        words = "With the radius of doubt as set there is no plan at any effort"
        rest = (
            f"; the cheapest one for today's model needs {wording.amount(found.plain)}."
            if math.isfinite(found.plain)
            else ", and neither is there for today's model."
        )
        st.write(words + rest)
        return
    st.write(
        f"The cheapest plan that holds with the radius of doubt needs an effort of "
        f"**{wording.amount(found.robust)}**; the cheapest one for today's model needs "
        f"**{wording.amount(found.plain)}**. Robustness costs "
        f"**{wording.amount(found.extra)}** more."
    )
    st.caption(wording.GLOSSARY["effort"])


def _restrictions(scenario: Scenario, plan: Recourse) -> None:
    advised = advised_features(computing.case(scenario))
    values = [v for v in computing.unlock_values(scenario, plan.delta) if v.feature in advised]
    if not values:
        st.write("Nothing is restricted that anybody could be advised to change.")
        return
    st.write("What the best plan could promise at the same budget if one feature were free:")
    for value in values:
        _restriction(scenario, value, plan.worst_case_probability)


def advised_features(case: Case) -> set[str]:
    """The features somebody may be advised to change: no protected attribute, no fact."""
    schema, closed = case.dataset.schema, set(not_advised(case.dataset))
    return {f.name for f in schema.features if not closed & set(schema.columns_of(f.name))}


def gain_words(freed: float | None, now: float) -> str:
    """What a worst case of `freed` in place of `now` is worth; one that reads the same: nothing."""
    if freed is None or in_100(freed) >= in_100(now):
        return "no gain"
    return f"at most {in_100(freed)} instead of {in_100(now)} of 100 decline"


def _restriction(scenario: Scenario, value: UnlockValue, now: float) -> None:
    words, button = st.columns([3, 1], vertical_alignment="center")
    words.markdown(f"**{plain(value.feature)}**: {gain_words(value.probability, now)}")
    with button:
        st.button(
            "Free it",
            key=f"free {value.feature}",
            icon=":material/lock_open:",
            on_click=free_features,
            args=(computing.case(scenario), [value.feature]),
        )
