"""The proof: the certificate of the plan and the checklist of its conditions."""

from dataclasses import dataclass

import pandas as pd
import streamlit as st

from dirrac_core.figures.wording import joined
from dirrac_core.recourse import Recourse
from dirrac_core.scenario import Case, Scenario, Solution
from dirrac_core.solvers.oracle import SecondOpinion, second_opinion
from pages.shared import computing, state, wording

SMALLEST_GAP = 1e-6
# Two computations of one probability that differ by less than this are the same number.
AGREEMENT = 1e-6
_ASKED = "second opinion on"
# Names of checks in the core → what they mean to a reader. The constant is an inner matter.
CHECKS = {
    "locked": "What may not change stays as it is",
    "only up": "What may only rise does not fall",
    "only down": "What may only fall does not rise",
    "range": "Every value stays in its range",
    "one category": "Each category is one of the known ones",
    "whole category": "No category is a mixture",
    "rule": "The rules between features hold",
    "today's model": "Today's model accepts it",
    "validity": "Every component accepts it with the radius of doubt taken off",
    "budget": "The effort stays within the budget",
}


@dataclass
class Asked:
    """A scenario whose second opinion was asked for, and the opinion once it is there."""

    about: Scenario
    opinion: SecondOpinion | None = None


def proof(scenario: Scenario) -> None:
    """Certificate and checklist of the plan, and the means to make the proof tighter."""
    solution = computing.solution(scenario)
    plan = solution.real.plan
    if plan.x is None:
        st.write("There is no plan to prove anything about.")
        return
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("##### Certificate")
        _certificate(scenario, solution)
        _independent_check(scenario)
    with right:
        st.markdown("##### Checklist")
        st.table(checklist(solution.case, plan))
        st.caption("Each condition was checked again from scratch after solving and rounding.")


def _certificate(scenario: Scenario, solution: Solution) -> None:
    real = solution.real
    plan = real.plan
    kind = "worst case" if scenario.link == "chebyshev" else "worst case if Gaussian"
    st.markdown(
        f"**{wording.at_most(plan.worst_case_probability).capitalize()}** future models decline "
        f"this plan ({kind}). No plan within the budget can promise fewer than "
        f"**{wording.no_fewer(plan.lower_bound)}**, so this one is "
        f"**{wording.at_most(max(plan.gap, 0.0))}** away from the best there is."
    )
    rows = {
        "Value": f"{plan.worst_case_probability:.6f}",
        "Lower bound (proven)": f"{plan.lower_bound:.6f}",
        "Gap": f"{plan.gap:.6f}",
        "of which rounding to real units": f"{real.loss:.6f}",
        "Solver": wording.SOLVERS[scenario.solver],
        "How it ended": plan.status,
        "Cone programs solved": f"{plan.solves}",
        "Regions examined": f"{plan.nodes}",
        "Time": f"{1000 * plan.seconds:.0f} ms",
    }
    st.table(pd.DataFrame({"": rows}))
    st.button(
        "Tighten the proof",
        icon=":material/compress:",
        disabled=scenario.solver != "certified" or scenario.gap <= SMALLEST_GAP,
        on_click=state.change,
        kwargs={"gap": scenario.gap / 10},
        help=f"Solve again for a gap of {scenario.gap / 10:g} instead of {scenario.gap:g}.",
    )


def _independent_check(scenario: Scenario) -> None:
    """The problem stated anew in cvxpy, on request because it is slow."""
    st.markdown("##### Second opinion")
    st.write(
        "cvxpy can state the same problem anew, without a line of the certified solver (only the "
        "cone solver underneath is the same), and judge this plan. That takes a few seconds for a "
        "few categories and a minute or two for many."
    )
    given: Asked | None = st.session_state.get(_ASKED)
    asked = given is not None and given.about == scenario
    st.button(
        "Check this plan independently",
        icon=":material/fact_check:",
        disabled=asked,
        on_click=lambda: st.session_state.update({_ASKED: Asked(scenario)}),
    )
    if not asked:
        return
    if given.opinion is None:
        given.opinion = _ask(scenario)
    _verdict(scenario, given.opinion)


def _ask(scenario: Scenario) -> SecondOpinion:
    """State and solve the problem anew. A click on Stop ends the run at the next update."""
    place = st.empty()
    with place.container():
        bar = st.progress(0.0, "Stating the problem anew")
        st.button(
            "Stop", icon=":material/stop:", on_click=lambda: st.session_state.pop(_ASKED, None)
        )
        problem = computing.case(scenario).problem
        plan = computing.solution(scenario).real.plan
        opinion = second_opinion(problem.feasible_set, problem.objective, plan.x, bar.progress)
    place.empty()
    return opinion


def _verdict(scenario: Scenario, opinion: SecondOpinion) -> None:
    plan = computing.solution(scenario).real.plan
    agrees = not opinion.broken and abs(opinion.value - plan.worst_case_probability) < AGREEMENT
    verdict = "It agrees" if agrees else "It does not agree"
    broken = (
        "keeps every condition" if not opinion.broken else f"breaks {joined(list(opinion.broken))}"
    )
    (st.success if agrees else st.error)(
        f"{verdict}: the plan {broken}, its value is {opinion.value:.6f} "
        f"(here {plan.worst_case_probability:.6f}), and no plan can have a value below "
        f"{opinion.lower_bound:.6f} (here {plan.lower_bound:.6f}).",
        icon=":material/check_circle:" if agrees else ":material/error:",
    )


def checklist(case: Case, plan: Recourse) -> pd.DataFrame:
    """One row a kind of condition: whether it holds and how many checks stand behind it."""
    assert plan.checks is not None and plan.x is not None
    rows = []
    for name, words in CHECKS.items():
        checks = [check for check in plan.checks.checks if check.name == name]
        if checks:
            broken = [check for check in checks if not check.ok]
            rows.append(_row(words, not broken, f"{len(checks)} checked"))
    for rule in case.dataset.schema.check_rules(plan.x):
        rows.append(_row(rule.sentence.rstrip("."), rule.holds, ""))
    if case.problem.current_model is None:
        rows.append(_row("Today's model accepts it", case.accepted_today(plan.x), "1 checked"))
    return pd.DataFrame(rows).set_index("Condition")


def _row(condition: str, holds: bool, checks: str) -> dict[str, str]:
    return {"Condition": condition, "Holds": "✓ yes" if holds else "✗ no", "": checks}
