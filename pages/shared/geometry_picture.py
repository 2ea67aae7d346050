"""The pictures of the geometry page: to click into, over ρ, and along Algorithm 1."""

from collections.abc import Sequence

import plotly.graph_objects as go
import streamlit as st

from dirrac_core.arrays import Array
from dirrac_core.baselines.roar import LAMBDA
from dirrac_core.figures.geometry import geometry
from dirrac_core.figures.geometry_animation import geometry_over_radius
from dirrac_core.figures.geometry_layers import Landmark
from dirrac_core.scenario import Case
from pages.shared import computing, wording
from pages.shared import geometry_computing as cached
from pages.shared.geometry_view import LEVELS, PATH, ROAR, View
from pages.shared.geometry_what_if import clicked
from pages.shared.pictures import picture, theme

CLICK_TARGETS = 41
KEY = "geometry"
HEIGHT = 680


def clickable_picture(case: Case, view: View, what_if: Array | None) -> None:
    """The slice with all chosen layers; a click places the what-if point."""
    marks = [*_landmarks(case, view), *([] if what_if is None else [Landmark("what-if", what_if)])]
    outcome = cached.path(case.scenario) if PATH in view.layers else None
    figure = _figure(case, view, marks, [] if outcome is None else [s.x for s in outcome.trace])
    picture(
        figure,
        KEY,
        on_select=lambda: clicked(case, view, st.session_state[KEY]["selection"]["points"]),
        selection_mode="points",
    )


def step_picture(case: Case, view: View, step: int) -> None:
    """The slice with the path of Algorithm 1 up to a step."""
    outcome = cached.path(case.scenario)
    path = [] if outcome is None else [s.x for s in outcome.trace[: step + 1]]
    picture(_figure(case, view, _landmarks(case, view), path), "geometry steps")


def animation(case: Case, view: View) -> None:
    """The slice over growing ρ; the browser plays it, nothing is solved meanwhile."""
    plane = view.plane(case)
    figure = geometry_over_radius(
        plane.slice,
        plane.axes,
        cached.radii(case.scenario),
        _landmarks(case, view),
        names=case.component_names,
        theme=theme(),
    )
    picture(figure, "geometry animation")
    st.caption(
        "Press ▶, or drag the slider. As ρ grows, every solid margin moves away from its dashed "
        "boundary and the shaded set shrinks. The budget and the marked points stay those of the "
        f"radius set on the left (ρ = {wording.amount(max(case.problem.radii))})."
    )


def _figure(case: Case, view: View, marks: Sequence[Landmark], path: Sequence[Array]) -> go.Figure:
    plane = view.plane(case)
    figure = geometry(
        plane.slice,
        plane.axes,
        marks,
        path,
        levels=case.problem.objective if LEVELS in view.layers else None,
        names=case.component_names,
        click_targets=CLICK_TARGETS,
        theme=theme(),
    )
    # Where the width is the limit, the legend stays close to the picture.
    return figure.update_layout(height=HEIGHT, yaxis_constraintoward="top")


def _landmarks(case: Case, view: View) -> list[Landmark]:
    """The applicant, its projection, ROAR's point if asked for, and the plan on top."""
    scenario = case.scenario
    marks = [Landmark("applicant", case.x0)]
    nearest = cached.nearest(scenario)
    if nearest is not None:
        marks.append(Landmark("projection", nearest))
    if ROAR in view.layers:
        roar = cached.roar(scenario)
        if roar.x is not None:
            marks.append(Landmark("roar", roar.x, f"ROAR (λ = {LAMBDA:g})"))
    found = computing.solution(scenario).real.plan.x
    if found is not None:
        name = "Certified plan" if scenario.solver == "certified" else "Plan of Algorithm 1"
        marks.append(Landmark("plan", found, name))
    return marks
