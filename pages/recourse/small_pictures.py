"""The small pictures beside the table: Figure 2, the frontier and the components, always live."""

import streamlit as st

from dirrac_core.case.scenario import Scenario
from dirrac_core.errors import InvalidInput
from dirrac_core.figures.plane.geometry_marks import Landmark
from dirrac_core.figures.small.bars import small_bars
from dirrac_core.figures.small.plane import small_plane
from dirrac_core.figures.small.steps import small_steps
from dirrac_core.geometry.case_plane import may_move, telling_features
from dirrac_core.studies.quick_frontier import Point, roar_points
from pages.recourse.browser import mount
from pages.recourse.computing import small_dirrac, small_roar
from pages.recourse.shown import Shown
from pages.shared import computing
from pages.shared.navigation import file_of
from pages.shared.plan_tables import broken_checks

PAGES = {"geometry": "Figure 2", "frontier": "Frontier", "future_models": "Components"}


def draw_plane(scenario: Scenario, shown: Shown | None) -> None:
    """The slice in the two numbers that change most, with the applicant and what is shown."""
    case = computing.case(scenario)
    x = None if shown is None else shown.x
    try:
        features = telling_features(case, x)
    except InvalidInput:
        st.caption("Figure 2 needs two numeric features; this data has fewer.")
        return
    if not any(may_move(case, name) for name in features):
        st.caption("Figure 2 needs a number that may change; here only categories may.")
        return
    plane = computing.plane(scenario, features, True)
    marks = [Landmark("applicant", case.x0)]
    plan = computing.solution(scenario).plan.x
    if plan is not None:
        marks.append(Landmark("plan", plan))
    if shown is not None and shown.is_own:
        marks.append(Landmark("what-if", shown.x, "Your version"))
    mount("picture", "small plane", {"svg": small_plane(plane.slice, plane.axes, marks)})


def draw_steps(scenario: Scenario, shown: Shown | None) -> None:
    """DiRRAc's plans by effort against those of ROAR, in the worst case."""
    case = computing.case(scenario)
    point = None
    if shown is not None:
        point = Point(
            shown.x,
            case.problem.unbounded.cost_of(shown.x),
            case.problem.objective.value(shown.x),
            shown.is_own and bool(broken_checks(case, shown.x)),
        )
    roar = roar_points(case, small_roar(scenario))
    title = "Your version" if shown is not None and shown.is_own else "This plan"
    svg = small_steps(small_dirrac(scenario), roar, point, title)
    mount("picture", "small frontier", {"svg": svg})


def draw_bars(shown: Shown) -> None:
    """The worst case of each component, with that of the state before as a ghost."""
    before = None if shown.before is None else shown.before.bars
    svg = small_bars(shown.bars, before, shown.case.component_names)
    mount("picture", "small bars", {"svg": svg})


def link_to_pages() -> None:
    """The pages of the small pictures, in the same state."""
    with st.container(horizontal=True, gap="xsmall"):
        for page, label in PAGES.items():
            st.page_link(file_of(page), label=label, icon=":material/open_in_full:")
