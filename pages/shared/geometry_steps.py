"""Algorithm 1 step by step, for teaching."""

import streamlit as st

from dirrac_core.figures.case_plane import MOST_STEPS
from dirrac_core.figures.wording import out_of
from dirrac_core.scenario import Case
from pages.shared import computing, notices, wording
from pages.shared.geometry_computing import path

_KEPT = "step of Algorithm 1"
PARAMETER = "step"


def chosen_step(case: Case) -> int:
    """The step the visitor is at; another problem starts at 0."""
    outcome = path(case.scenario)
    last = 0 if outcome is None else len(outcome.trace) - 1
    kept = st.session_state.get(_KEPT)
    if kept is None:
        notices.about_numbers((PARAMETER,))
        asked = st.query_params.get(PARAMETER, "0")
        step = int(asked) if asked.isascii() and asked.isdigit() else 0
    else:
        about, step = kept
        step = step if about == case.scenario else 0
    return min(step, last)


def steps(case: Case) -> None:
    """Where the algorithm stands, what it did last, and the buttons to go on."""
    outcome = path(case.scenario)
    st.markdown("##### Algorithm 1 of the paper")
    if outcome is None:
        st.write("There is no feasible point to start from under these conditions.")
        return
    step, last = chosen_step(case), len(outcome.trace) - 1
    with st.container(horizontal=True, gap="small"):
        _go("Start", ":material/first_page:", case, 0, step == 0)
        _go("Back", ":material/chevron_left:", case, step - 1, step == 0)
        _go("Next", ":material/chevron_right:", case, step + 1, step == last)
        _go("End", ":material/last_page:", case, last, step == last)
    at = outcome.trace[step]
    st.markdown(
        f"**Step {step} of {last}** · in the worst case {wording.at_most(at.value)} decline it"
    )
    effort = case.problem.unbounded.cost_of(at.x)
    budget = case.problem.feasible_set.delta
    st.markdown(f"Effort {wording.amount(effort)} of at most {wording.amount(budget)}.")
    if step == 0:
        st.write("It starts at the feasible point nearest to the applicant, its projection.")
    else:
        before = outcome.trace[step - 1].value
        st.write(
            f"It went downhill along the gradient ({at.note}), then back to the nearest feasible "
            f"point. The worst case fell by {out_of(before - at.value)}."
        )
    if step == last:
        st.write(_ending(case, outcome.status, last))


def _ending(case: Case, status: str, last: int) -> str:
    best = computing.solution(case.scenario).real.exact
    endings = {
        "converged": "It stops here: no step downhill is left inside the feasible set.",
        "stalled": "It stops here: no step makes the worst case smaller by a measurable amount.",
        "iteration limit": f"Only the first {MOST_STEPS} steps are shown; the later ones are tiny.",
    }
    words = endings.get(status, "It stopped here.")
    return (
        f"{words} The certified solver proves that no plan within the budget can promise fewer "
        f"than {out_of(best.lower_bound)}."
    )


def _go(label: str, icon: str, case: Case, step: int, disabled: bool) -> None:
    def go() -> None:
        st.session_state[_KEPT] = (case.scenario, step)
        st.query_params[PARAMETER] = str(step)

    st.button(label, icon=icon, on_click=go, disabled=disabled)
