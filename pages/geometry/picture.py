"""The pictures of the geometry page: to click into, over ρ, and along Algorithm 1."""

from dirrac_core.arrays import Array
from dirrac_core.case.case import Case
from dirrac_core.case.scenario import Scenario
from dirrac_core.figures.plane.geometry import geometry
from dirrac_core.figures.plane.geometry_animation import geometry_over_radius
from dirrac_core.figures.plane.geometry_marks import Downhill, Landmark
from dirrac_core.geometry.case_plane import room_box
from dirrac_core.methods.roar import LAMBDA
from pages.geometry.computing import frames, nearest_point, solve_roar
from pages.geometry.view import LEVELS, PATH, ROAR, ROOM, View, is_flat
from pages.geometry.what_if import place_point
from pages.shared import computing
from pages.shared.pictures import draw_picture, theme


def draw_clickable(case: Case, view: View, what_if: Array | None) -> None:
    """The slice with all chosen layers; a click places the what-if point."""
    plane = view.plane(case)
    marks = [*_landmarks(case, view), *([] if what_if is None else [Landmark("what-if", what_if)])]
    walk = computing.algorithm_1_walk(case.scenario) if PATH in view.layers else None
    room = computing.room(case.scenario) if ROOM in view.layers else None
    figure = geometry(
        plane.slice,
        plane.axes,
        marks,
        [] if walk is None else walk.points,
        levels=case.problem.objective if LEVELS in view.layers else None,
        names=case.component_names,
        theme=theme(),
        room=None if room is None else room_box(plane, room),
    )
    draw_picture(
        figure,
        "geometry",
        on_place=lambda across, up: place_point(case, view, (across, up)),
        above=_above(case),
    )


def compute(view: View, scenario: Scenario) -> None:
    """What the picture of a scenario solves, seen in the same way."""
    case = computing.case(scenario)
    computing.solution(scenario)
    view.plane(case)
    _landmarks(case, view)
    if PATH in view.layers:
        computing.algorithm_1_walk(scenario)
    if ROOM in view.layers:
        computing.room(scenario)


def draw_step(case: Case, view: View, step: int) -> None:
    """The slice with the path of Algorithm 1 up to a step, and the step that led there."""
    plane = view.plane(case)
    walk = computing.algorithm_1_walk(case.scenario)
    path, last = [], None
    if walk is not None:
        path = walk.points[: step + 1]
        if step > 0:
            taken = walk.steps[step]
            last = Downhill(walk.steps[step - 1].x, taken.trial, taken.x)
    figure = geometry(
        plane.slice,
        plane.axes,
        _landmarks(case, view),
        path,
        levels=case.problem.objective if LEVELS in view.layers else None,
        names=case.component_names,
        theme=theme(),
        step=last,
    )
    draw_picture(figure, "geometry steps", above=_above(case))


def draw_animation(case: Case, view: View) -> None:
    """The slice over growing ρ; the browser plays it, nothing is solved meanwhile."""
    axes, shown = frames(case.scenario, view.features, view.at_plan)
    figure = geometry_over_radius(
        shown, axes, [Landmark("applicant", case.x0)], names=case.component_names, theme=theme()
    )
    draw_picture(figure, "geometry animation", above=_above(case))


def _above(case: Case) -> float:
    """The height of title and controls in rem; the choice of axes takes a second row."""
    return 17.0 if is_flat(case) else 22.0


def _landmarks(case: Case, view: View) -> list[Landmark]:
    """The applicant, its projection, ROAR's point if chosen, and the plan on top."""
    scenario = case.scenario
    marks = [Landmark("applicant", case.x0)]
    nearest = nearest_point(scenario) if PATH in view.layers else None
    if nearest is not None:
        marks.append(Landmark("projection", nearest))
    if ROAR in view.layers:
        roar = solve_roar(scenario)
        if roar.x is not None:
            marks.append(Landmark("roar", roar.x, f"ROAR (λ = {LAMBDA:g})"))
    found = computing.solution(scenario).plan.x
    if found is not None:
        name = "Certified plan" if scenario.solver == "certified" else "Plan of Algorithm 1"
        marks.append(Landmark("plan", found, name))
    return marks
