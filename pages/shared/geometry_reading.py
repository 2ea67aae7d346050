"""What the picture says in one sentence, and how to read it."""

import streamlit as st

from dirrac_core.figures.wording import joined
from dirrac_core.recourse import Recourse
from dirrac_core.scenario import Case
from pages.shared import computing, wording
from pages.shared.geometry_view import APPLICANT, View
from pages.shared.navigation import file_of
from pages.shared.plain_text import plain


def told(case: Case, view: View) -> None:
    """The headline, and the way to an explanation when there is no plan."""
    st.markdown(f"#### {headline(case, view)}")
    if computing.solution(case.scenario).real.plan.x is None:
        st.page_link(file_of("recourse"), label=wording.WHY_NO_PLAN, icon=":material/route:")


def headline(case: Case, view: View) -> str:
    """One computed sentence about this slice."""
    plan = computing.solution(case.scenario).real.plan
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
        return f"The plan of Algorithm 1 keeps every condition; {_worst(plan)} decline it."
    return (
        "The plan is the feasible point with the smallest worst case, up to rounding: "
        f"{_worst(plan)} decline it."
    )


def _worst(plan: Recourse) -> str:
    return wording.at_most(plan.worst_case_probability)


def how_to_read(case: Case, view: View) -> None:
    """Every mark of the picture in words, the formula behind each one."""
    ball = "diamond (ℓ1)" if case.scenario.cost == "l1" else "circle (ℓ2)"
    with st.expander("How to read this picture", icon=":material/help:"):
        st.markdown(
            "- **Dashed lines**: where the average model of a component is undecided, "
            "$\\hat\\theta_k^\\top x = 0$. Beyond the line it accepts.\n"
            "- **Solid curves** in the same colour: the robust margin, "
            "$\\hat\\theta_k^\\top x = \\rho_k\\lVert x\\rVert + \\varepsilon$. Beyond it, every "
            "average model within the radius of doubt accepts.\n"
            f"- **Dotted outline**: the budget. The effort allowed is a {ball} around the "
            "applicant; effort already spent on the features that are held makes it smaller.\n"
            "- **Dash-dotted lines**: rules every plan must keep, such as that today's model "
            "accepts it.\n"
            "- **Shaded**: the points that keep every condition, with their exact boundary.\n"
            "- **Grey background**: outside the range or the direction in which a feature may "
            "move.\n"
            "- **Hollow marks**: points whose other features differ from those held here; they "
            "lie in front of or behind this slice.\n"
            "- **Level lines**: points with the same worst-case number of failures in 100.\n\n"
            "Both axes have the same scale in units of effort; the ticks are in real units."
        )
        if case.surrogate is not None:
            st.markdown("The lines belong to the linear approximation of the network.")
