"""The mathematics in short sections: plain words first, formulas on request."""

import streamlit as st

from dirrac_core.case.scenario import Scenario
from pages.learn import beginning, proofs, score, solver
from pages.learn.point import Point, Section, point_of
from pages.learn.questions import QUESTIONS
from pages.shared import notices, wording
from pages.shared.lecture import choose_step, is_lecture, predicted, speaker_notes
from pages.shared.navigation import file_of
from pages.shared.pictures import draw_picture
from pages.shared.plain_text import plain
from pages.teaching.curves import draw_links

SECTIONS = (
    beginning.decision,
    beginning.effort,
    beginning.minimax,
    beginning.ambiguity,
    score.three_numbers,
    score.robust_score,
    score.closed_form,
    score.links,
    score.attained,
    score.weightings,
    solver.feasible_set,
    solver.downhill,
    solver.one_component,
    solver.mixtures,
    solver.certificate,
    solver.adversary,
    solver.ceiling_on_rho,
)

_STEP = "learn_step"
# What a section lets the visitor try, by its name in the address.
TRIED = {
    "certificate": proofs.try_certificate,
    "adversary": proofs.try_adversary,
    "ceiling": proofs.try_ceiling,
}


def show_mathematics(scenario: Scenario) -> None:
    """The whole chapter, for the current applicant and plan; in a lecture, one step of it."""
    point = point_of(scenario)
    if is_lecture():
        screen, controls = st.container(), st.container()
        with controls:
            place = choose_step(_STEP, len(SECTIONS))
            point, formulas = _choices(point)
        with screen:
            _predict_and_draw(place, SECTIONS[place - 1](point), formulas, scenario)
        return
    _about(point)
    point, formulas = _choices(point)
    for place, write in enumerate(SECTIONS, start=1):
        _draw(place, write(point), formulas, scenario)


def _about(point: Point) -> None:
    """Whose numbers these are."""
    case, name = point.case, wording.applicant_name(point.scenario.applicant)
    st.markdown(
        "From a decision to a proof, step by step, with the numbers of "
        f"{name}; change anything on the left and they follow."
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
        notices.report_choices({"formulas": ("true", "false")})
        formulas = st.toggle(
            "Show the formulas, with these numbers in them",
            key="formulas",
            bind="query-params",
        )
    return point, formulas


def _predict_and_draw(place: int, section: Section, formulas: bool, scenario: Scenario) -> None:
    question, notes = QUESTIONS[SECTIONS[place - 1].__name__]
    st.markdown(f"### {place} · {section.title}")
    if predicted(_STEP, place, question):
        _content(place, section, formulas, scenario)
        speaker_notes(notes)


def _draw(place: int, section: Section, formulas: bool, scenario: Scenario) -> None:
    st.markdown(f"### {place} · {section.title}")
    _content(place, section, formulas, scenario)


def _content(place: int, section: Section, formulas: bool, scenario: Scenario) -> None:
    st.markdown(section.words)
    if section.picture is not None:
        draw_picture(section.picture, f"learn {place}")
    if section.curves_at is not None:
        draw_links(section.curves_at, "learn links")
    if section.table is not None:
        st.table(section.table, alt=section.title)
    if formulas:
        for formula in section.formulas:
            st.latex(formula)
        st.caption(section.source)
    if section.tried:
        _offer(section.tried, scenario)


def _offer(name: str, scenario: Scenario) -> None:
    """A switch that opens what can be tried; computed only then."""
    key = f"try_{name}"
    notices.report_choices({key: ("true", "false")})
    if st.toggle(f"Try the {name}", key=key, bind="query-params"):
        with st.container(border=True), notices.show_errors():
            TRIED[name](scenario)
