"""The mathematics in eleven short sections: plain words first, formulas on request."""

import streamlit as st

from dirrac_core.scenario import Scenario
from pages.shared import computing, learn_score, learn_solver, notices, wording
from pages.shared.learn_point import Point, Section, point_of
from pages.shared.navigation import file_of
from pages.shared.plain_text import plain

SECTIONS = (
    learn_score.three_numbers,
    learn_score.robust_score,
    learn_score.closed_form,
    learn_score.links,
    learn_score.weightings,
    learn_solver.feasible_set,
    learn_solver.one_component,
    learn_solver.mixtures,
    learn_solver.certificate,
    learn_solver.adversary,
    learn_solver.ceiling_on_rho,
)


def mathematics(scenario: Scenario) -> None:
    """The whole chapter, for the current applicant and plan."""
    computing.bundle(scenario)
    point = point_of(scenario)
    _about(point)
    point, formulas = _choices(point)
    for place, write in enumerate(SECTIONS, start=1):
        _draw(place, write(point), formulas)


def _about(point: Point) -> None:
    """Whose numbers these are."""
    case, name = point.case, wording.applicant_name(point.scenario.applicant)
    st.markdown(
        "Everything rests on one number, the robust score. It is built here step by step, with "
        f"the numbers of {name}; change anything on the left and they follow."
    )
    if point.has_plan:
        st.markdown(f"**The plan:** {plain(case.dataset.schema.sentence(case.x0, point.x))}")
    else:
        st.warning(
            f"{name} has no plan under these settings, so the numbers are those of the applicant "
            "unchanged.",
            icon=":material/block:",
        )
        st.page_link(file_of("recourse"), label=wording.WHY_NO_PLAN, icon=":material/route:")
    if case.surrogate is not None:
        st.info(
            "The model is a neural network: m, s and r are those of LIME's linear approximation "
            "near the applicant, and so is everything that follows from them.",
            icon=":material/info:",
        )


def _choices(point: Point) -> tuple[Point, bool]:
    """Which component is looked at, and whether formulas are shown."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if point.components > 1:
            weakest = point.k
            key = f"learn component {point.scenario.dataset} {point.components}"
            chosen = st.selectbox(
                "Component",
                range(point.components),
                index=weakest,
                key=key,
                format_func=lambda k: (
                    point.component(k) + (" (the weakest)" if k == weakest else "")
                ),
                help=wording.GLOSSARY["component"],
                width=320,
            )
            point = point_of(point.scenario, chosen)
        notices.about_choices({"formulas": ("true", "false")})
        formulas = st.toggle(
            "Show the formulas, with these numbers in them",
            key="formulas",
            bind="query-params",
        )
    return point, formulas


def _draw(place: int, section: Section, formulas: bool) -> None:
    st.markdown(f"#### {place} · {section.title}")
    st.markdown(section.words)
    if section.table is not None:
        st.table(section.table, alt=section.title)
    if formulas:
        for formula in section.formulas:
            st.latex(formula)
        st.caption(section.source)
