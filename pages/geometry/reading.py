"""What the picture says in one sentence, and how to read it."""

import streamlit as st

from dirrac_core.case.case import Case
from dirrac_core.recourse import Recourse
from dirrac_core.wording import joined
from pages.geometry.view import APPLICANT, View
from pages.shared import computing, wording
from pages.shared.navigation import file_of
from pages.shared.plain_text import plain
from pages.shared.promise import decline_at_most


def show_verdict(case: Case, view: View) -> None:
    """The headline, and the way to an explanation when there is no plan."""
    st.markdown(f"### {headline(case, view)}")
    if computing.solution(case.scenario).plan.x is None:
        st.page_link(file_of("recourse"), label=wording.WHY_NO_PLAN, icon=":material/route:")


def headline(case: Case, view: View) -> str:
    """One computed sentence about this slice."""
    plan = computing.solution(case.scenario).plan
    if plan.x is None:
        return "No plan exists under these conditions, so nothing is shaded."
    shaded = bool(view.plane(case).slice.outlines)
    names = plain(joined(list(view.features)))
    if view.held == APPLICANT:
        alone = "can be enough" if shaded else "is not enough"
        return f"With everything else as it is today, changing {names} alone {alone}."
    if not shaded:
        return f"Around this plan, no point in {names} keeps every condition."
    if case.scenario.solver != "certified":
        return f"The plan of Algorithm 1 keeps every condition; {_worst(case, plan)}."
    return (
        "The plan is the feasible point with the smallest worst case, up to rounding: "
        f"{_worst(case, plan)}."
    )


def _worst(case: Case, plan: Recourse) -> str:
    assert plan.x is not None
    if case.promise_of(plan.x) is None:
        return "but today's own model declines it, so nothing is promised"
    return f"of 100 future models, {decline_at_most(plan.worst_case_probability)}"


def explain_animation() -> None:
    """What moves while ρ grows."""
    st.markdown("#### What if ρ grows?")
    st.markdown(
        "Press Play, or drag the slider below the picture.\n\n"
        "- Every solid margin moves away from its dashed boundary.\n"
        "- The cheapest valid plan costs more, so the budget δ_min + δ_add grows with it.\n"
        "- The shaded set and its best plan move deeper into the favourable side.\n"
        "- Beyond the largest ρ that leaves a plan, the set is empty and the star is gone."
    )


def explain_picture(case: Case, view: View) -> None:
    """What every mark of the picture means, with the formula behind it."""
    margin = "$\\hat\\theta_k^\\top x = \\rho_k\\lVert x\\rVert + \\varepsilon$"
    if case.scenario.radius_unit == "deviations":
        margin = (
            "$\\hat\\theta_k^\\top x = \\rho_k\\sqrt{x^\\top\\hat\\Sigma_k x} + \\varepsilon_k$"
        )
    ball = "diamond (ℓ1)" if case.scenario.cost == "l1" else "circle (ℓ2)"
    st.markdown(
        "- **Dashed lines**: where the average model of a component is undecided, "
        "$\\hat\\theta_k^\\top x = 0$. Beyond the line it accepts.\n"
        f"- **Solid curves** in the same colour: the robust margin, {margin}. Beyond it, every "
        "average model within the radius of doubt accepts.\n"
        f"- **Dotted outline**: the budget, a {ball} around the applicant; effort spent on "
        "the features that are held makes it smaller.\n"
        "- **Dash-dotted lines**: rules every plan must keep, such as that today's model "
        "accepts it, and likeness to real people where that is set.\n"
        "- **Shaded**: the points that keep every condition, with their exact boundary.\n"
        "- **Solid box**: the room to move, plans that keep the promise almost as well.\n"
        "- **Grey background**: outside the range or the direction in which a feature may "
        "move.\n"
        "- **Hollow marks**: points whose other features differ from those held here.\n"
        "- **Level lines**: points with the same worst case, in declining models of 100.\n\n"
        "Both axes have the same scale in units of effort; the ticks are in real units."
    )
    if case.surrogate is not None:
        st.markdown("The lines belong to the linear approximation of the network.")
