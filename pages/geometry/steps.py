"""Algorithm 1 step by step: a slider, a play button, and the line of the pseudo-code it is at."""

from collections.abc import Callable

import streamlit as st

from dirrac_core.case.case import Case
from dirrac_core.geometry.algorithm_walk import MOST_STEPS, Walk
from pages.geometry.picture import draw_step
from pages.geometry.view import View
from pages.shared import computing, notices, wording
from pages.shared.promise import at_least, decline_at_most

PARAMETER = "step"
_ABOUT, _PLAYING = "steps of", "Algorithm 1 plays"
SECONDS = 0.9
START, MOVE, OUTPUT = 0, 6, 7
CODE = (
    "x⁰ ← Proj(x₀)",
    "for t = 0, …, T − 1:",
    "  for i = 0, 1, 2, …:",
    "    y ← Proj(xᵗ − λⁱζ∇f(xᵗ))",
    "    until f(y) ≤ f(xᵗ)",
    "          − ‖xᵗ − y‖²/(2λⁱζ)",
    "  xᵗ⁺¹ ← y",
    "output xᵀ",
)


def show_walk(case: Case, view: View) -> None:
    """The picture and the steps beside it; while it plays, only these run again."""
    ticking = bool(st.session_state.get(_PLAYING))
    st.fragment(_walk, run_every=SECONDS if ticking else None)(case, view, ticking)


def _walk(case: Case, view: View, ticking: bool) -> None:
    walk = computing.algorithm_1_walk(case.scenario)
    last = 0 if walk is None else len(walk.steps) - 1
    step = _current(case, last)
    if st.session_state.get(_PLAYING):
        step = min(step + 1, last) if ticking else step
        st.session_state[PARAMETER] = step
        st.session_state[_PLAYING] = step < last
    if bool(st.session_state.get(_PLAYING)) != ticking:
        # The clock belongs to the fragment: the page starts it, or leaves it out, when it runs.
        st.rerun()
    left, right = st.columns([7, 3], gap="medium")
    with right:
        st.markdown("#### Algorithm 1 of the paper")
        if walk is None:
            st.write("There is no feasible point to start from under these conditions.")
        else:
            if last > 0:
                _controls(step, last)
            _described(case, walk, step)
    with left:
        draw_step(case, view, step)


def _current(case: Case, last: int) -> int:
    """The step the visitor is at; another problem starts at 0."""
    session = st.session_state
    notices.report_numbers((PARAMETER,))
    if PARAMETER not in session:
        linked = st.query_params.get(PARAMETER, "0")
        session[PARAMETER] = int(float(linked)) if notices.is_number(linked) else 0
    elif session.get(_ABOUT, case.scenario) != case.scenario:
        session[PARAMETER], session[_PLAYING] = 0, False
    session[_ABOUT] = case.scenario
    session[PARAMETER] = min(max(int(session[PARAMETER]), 0), last)
    return int(session[PARAMETER])


def _controls(step: int, last: int) -> None:
    def pause() -> None:
        st.session_state[_PLAYING] = False

    def play() -> None:
        if step == last:
            st.session_state[PARAMETER] = 0
        st.session_state[_PLAYING] = True

    def go(to: int) -> None:
        pause()
        st.session_state[PARAMETER] = to

    st.slider("Step", 0, last, key=PARAMETER, bind="query-params", on_change=pause)
    with st.container(horizontal=True, gap="small"):
        if st.session_state.get(_PLAYING):
            st.button("Pause", icon=":material/pause:", on_click=pause)
        else:
            st.button("Play", icon=":material/play_arrow:", on_click=play, type="primary")
        _button("Step back", ":material/chevron_left:", go, step - 1, step == 0)
        _button("Step on", ":material/chevron_right:", go, step + 1, step == last)


def _button(label: str, icon: str, go: Callable[[int], None], to: int, disabled: bool) -> None:
    st.button(label, icon=icon, on_click=go, args=(to,), disabled=disabled)


def _described(case: Case, walk: Walk, step: int) -> None:
    """The line it is at, what it did last, and at the end why it ends."""
    last, at = len(walk.steps) - 1, walk.steps[step]
    line = START if step == 0 else OUTPUT if step == last else MOVE
    st.code(_code(line), language=None)
    effort = case.problem.unbounded.cost_of(at.x)
    budget = case.problem.feasible_set.delta
    st.markdown(
        f"**Step {step} of {last}** · of 100 future models, {decline_at_most(at.value)} · effort "
        f"{wording.amount(effort)} of {wording.amount(budget)}"
    )
    if step == 0:
        st.markdown("It starts at the feasible point nearest to the applicant.")
    else:
        gain = 100 * (walk.steps[step - 1].value - at.value)
        st.markdown(
            f"i = {at.backtracks}, so the step is λⁱζ = {at.size:.3g}: against the gradient "
            f"(arrow), then back to the set. The worst case falls by {gain:.2g} of 100."
        )
    if step == last:
        st.markdown(_ending(case, walk))


def _code(line: int) -> str:
    """The pseudo-code with a mark at the line in hand."""
    return "\n".join(f"{'▶' if n == line else ' '} {text}" for n, text in enumerate(CODE))


def _ending(case: Case, walk: Walk) -> str:
    best = computing.solution(case.scenario).plan.exact
    endings = {
        "converged": "No step downhill is left inside the feasible set.",
        "stalled": "No step makes the worst case smaller by a measurable amount.",
        "iteration limit": f"After {MOST_STEPS} steps nothing more is gained.",
    }
    words = endings.get(walk.status, "It stopped here.")
    if walk.left_out:
        words = f"The next {walk.left_out} steps together gain less than 1 in 10,000."
    return (
        f"{words} The certified solver proves that no plan within the budget can promise fewer "
        f"than {at_least(best.lower_bound)} of 100."
    )
