"""The plan of the workbench: the sentence, three kinds of facts, before → after, and effort."""

import pandas as pd
import streamlit as st

from dirrac_core.appraisal import Facts
from dirrac_core.arrays import Array
from dirrac_core.data.feature import Feature, Value
from dirrac_core.figures.wording import out_of
from dirrac_core.recourse import Recourse
from dirrac_core.scenario import Case, Solution
from pages.shared import wording
from pages.shared.plain_text import plain


def plan(solution: Solution, facts: Facts) -> None:
    """The headline and its facts."""
    case, real = solution.case, solution.real
    assert real.plan.x is not None
    st.subheader(plain(case.dataset.schema.sentence(case.x0, real.plan.x)))
    if not facts.accepted_today:
        st.warning(
            "Today's own model still declines this plan: the linear approximation it rests on is "
            "too coarse here. More extra effort (δ_add) or another applicant may help.",
            icon=":material/warning:",
        )
    three_facts(case, facts)
    _surprise(facts)
    if not real.rounded:
        st.caption(plain(real.note))
    elif real.loss > 0.0005:
        st.caption(
            f"Whole units cost {out_of(real.loss)} against the exact solution; "
            "all figures here are those of the rounded plan."
        )


def three_facts(case: Case, facts: Facts) -> None:
    """Guarantee, assumption and observation, visibly different things."""
    minimised = case.scenario.link
    columns = st.columns(3, border=True)
    total = len(facts.observed)
    with columns[0]:
        _fact(
            ":material/verified_user: GUARANTEE",
            f"{wording.at_most(facts.guarantee).capitalize()} decline it",
            "in the worst case, for every distribution of future models within the radius of "
            "doubt ρ" + _chosen(minimised == "chebyshev"),
        )
    with columns[1]:
        _fact(
            ":material/functions: ASSUMPTION",
            f"{wording.at_most(facts.if_gaussian).capitalize()} decline it",
            "if the future models also scatter like a bell curve (Gaussian)"
            + _chosen(minimised == "gaussian"),
        )
    with columns[2]:
        simulated = case.bundle.future.simulated
        judged = "simulated future models" if simulated else "re-trained future models really"
        _fact(
            ":material/casino: SIMULATED" if simulated else ":material/visibility: OBSERVED",
            f"{facts.declined} of {total} declined it",
            f"{total} {judged} judged this plan; a count, not a promise",
        )


def _surprise(facts: Facts) -> None:
    """Say so when reality was harder than what was declared possible."""
    if facts.declined > facts.guarantee * len(facts.observed):
        st.warning(
            "More models declined it than the guarantee allows. That is no contradiction: the "
            "real shift went beyond the futures declared on the left, which are drawn from "
            "today's data. A larger ρ covers more.",
            icon=":material/warning:",
        )


def _chosen(yes: bool) -> str:
    return "; this is what the plan makes as small as possible" if yes else ""


def _fact(label: str, headline: str, words: str) -> None:
    st.markdown(f"{label}")
    st.markdown(f"### {headline}")
    st.caption(f"{words}.")


def before_after(case: Case, x: Array) -> pd.DataFrame:
    """Every feature now and in the plan, in real units; the changed ones first."""
    schema = case.dataset.schema
    now, then = schema.decode(case.x0), schema.decode(x)
    changed = {change.feature for change in schema.describe_change(case.x0, x)}
    rows = [
        {
            "Feature": feature.name,
            "Now": feature.format_value(now[feature.name]),
            "Plan": feature.format_value(then[feature.name]) if feature.name in changed else "same",
            "Change": _difference(feature, now[feature.name], then[feature.name])
            if feature.name in changed
            else "",
        }
        for feature in sorted(schema.features, key=lambda f: f.name not in changed)
    ]
    return pd.DataFrame(rows).set_index("Feature")


def _difference(feature: Feature, now: Value, then: Value) -> str:
    if isinstance(now, str) or isinstance(then, str):
        return "new category"
    sign = "+" if then > now else "−"
    return f"{sign}{feature.format_value(abs(then - now))}"


def effort(plan: Recourse) -> None:
    """The cost against δ_min and the budget, in words and as a bar."""
    used = plan.cost / plan.delta if plan.delta > 0 else 1.0
    st.progress(
        min(max(used, 0.0), 1.0),
        f"Effort {wording.amount(plan.cost)} of at most {wording.amount(plan.delta)}",
    )
    extra = plan.delta - plan.delta_min
    st.caption(
        f"The cheapest valid plan needs δ_min = {wording.amount(plan.delta_min)}; "
        f"δ_add = {wording.amount(extra)} was added. {wording.GLOSSARY['effort']}"
    )
