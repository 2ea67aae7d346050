"""From a case to its slice: axes, points, path and radii."""

from dataclasses import replace

import numpy as np
import pytest

from dirrac_core.case.case import bundle_of, make_case
from dirrac_core.case.scenario import Scenario
from dirrac_core.errors import DirracError
from dirrac_core.figures.plane.geometry import geometry, view_window
from dirrac_core.geometry.algorithm_walk import NO_GAIN, walk
from dirrac_core.geometry.case_plane import (
    case_plane,
    drawn_set,
    numeric_features,
    roar_plan,
    room_box,
    telling_features,
)
from dirrac_core.geometry.radius_frames import animated_radii, radius_frames
from dirrac_core.recourse import find_recourse
from dirrac_core.recourse.room import room_to_move
from dirrac_core.solvers.algorithm_1 import Algorithm1, solve_projected_gradient


def made(dataset, **settings):
    scenario = Scenario(dataset, 0, **settings)
    return make_case(replace(scenario, applicant=int(bundle_of(scenario).declined[0])))


@pytest.fixture(scope="module")
def german():
    return made("german")


def test_only_numbers_can_be_axes(german):
    assert numeric_features(german) == ("Duration", "Credit amount", "Age")
    with pytest.raises(DirracError, match="axis"):
        case_plane(german, ("Status", "Age"), german.x0)


def test_the_telling_features_are_those_the_plan_moves(german):
    moved = np.array(german.x0)
    columns = {n: german.dataset.schema.columns_of(n)[0] for n in numeric_features(german)}
    moved[columns["Age"]] += 0.5
    moved[columns["Duration"]] -= 0.2
    assert telling_features(german, moved) == ("Duration", "Age")
    assert telling_features(german, None) == ("Duration", "Credit amount")


def test_features_that_may_move_come_before_locked_ones():
    case = made("student")
    bounds = case.problem.unbounded.bounds
    age = case.dataset.schema.columns_of("Age")[0]
    assert bounds.lower[age] == bounds.upper[age]
    assert "Age" not in telling_features(case, None)


def test_a_locked_feature_still_leaves_a_picture():
    case = made("student")
    plane = case_plane(case, ("Age", "Second grade"), case.x0)
    left, right, bottom, top = view_window(plane.slice, [case.x0])
    assert 0.5 <= (right - left) / (top - bottom) <= 2.0


def test_real_values_go_to_the_plane_and_back(german):
    plane = case_plane(german, ("Duration", "Age"), german.x0)
    x = plane.point(30.0, 41.0)
    person = german.dataset.schema.decode(x)
    assert (person["Duration"], person["Age"]) == (30.0, 41.0)
    assert plane.real(x) == pytest.approx((30.0, 41.0))
    others = np.delete(np.arange(x.size), plane.slice.columns)
    assert np.array_equal(x[others], german.x0[others])


def test_the_walk_follows_the_pseudo_code_and_ends_where_it_gains_nothing(german):
    found = walk(german, steps=30)
    feasible, objective = german.problem.feasible_set, german.problem.objective
    assert np.array_equal(found.steps[0].trial, german.x0) and len(found.steps) > 1
    assert all(feasible.contains(x) for x in found.points)
    for before, after in zip(found.steps, found.steps[1:], strict=False):
        gradient = objective.value_and_gradient(before.x)[1]
        assert after.size == pytest.approx(0.7**after.backtracks)
        np.testing.assert_allclose(after.trial, before.x - after.size * gradient)
        # The line-search condition of Algorithm 1.
        moved = np.sum((after.x - before.x) ** 2)
        assert after.value <= before.value - moved / (2 * after.size) + 1e-12
        assert before.value - found.steps[-1].value > 0
    whole = solve_projected_gradient(feasible, objective, Algorithm1(iterations=30)).trace
    assert len(whole) == len(found.steps) + found.left_out
    assert found.steps[-1].value - whole[-1].value <= NO_GAIN
    assert found.steps[-2].value - whole[-1].value > NO_GAIN


def test_the_room_of_a_plan_is_a_box_in_its_own_slice_only(german):
    plan = find_recourse(german.problem)
    room = room_to_move(german.dataset, german.problem, plan.x)
    features = telling_features(german, plan.x)
    plane = case_plane(german, features, plan.x)
    box = room_box(plane, room)
    at = plan.x[list(plane.slice.columns)]
    assert (box[0] <= at + 1e-9).all() and (at <= box[1] + 1e-9).all() and (box[0] < box[1]).any()
    elsewhere = np.array(plan.x)
    elsewhere[german.dataset.schema.columns_of("Age")[0]] += 0.1
    assert "Age" not in (*features, *(interval.feature for interval in room.intervals))
    assert room_box(case_plane(german, features, elsewhere), room) is None


def test_every_frame_is_the_problem_of_its_radius(german):
    plane, frames = radius_frames(german, ("Duration", "Age"), at_plan=True)
    assert plane.axes[0].name == "Duration" and frames[0].radius == 0.0
    some = frames[2]
    own = replace(german.scenario, radii=some.radius)
    alone = find_recourse(make_case(own).problem)
    assert some.worst_case == pytest.approx(alone.worst_case_probability, abs=2e-3)
    assert some.plane.feasible.delta == pytest.approx(alone.delta, abs=1e-5)
    np.testing.assert_allclose(some.plane.base, some.plan)
    assert some.plane.outlines
    last = frames[-1]
    assert last.plan is None and last.plane.outlines == ()
    held = radius_frames(german, ("Duration", "Age"), at_plan=False)[1]
    assert all(np.array_equal(frame.plane.base, german.x0) for frame in held)


def test_the_radii_start_at_nothing_and_pass_the_ceiling(german):
    radii = animated_radii(german)
    ceiling = german.problem.unbounded.largest_radius()
    assert radii[0] == 0.0 and (np.diff(radii) > 0).all()
    assert radii[-1] >= ceiling and radii[-1] >= german.problem.radii.max()


def test_without_any_plan_the_picture_still_has_a_finite_budget():
    case = made("german", radii=2.0)
    assert find_recourse(case.problem).x is None
    assert np.isfinite(drawn_set(case).delta)
    assert case_plane(case, ("Duration", "Age"), case.x0).slice.outlines == ()
    assert walk(case) is None


def test_the_line_of_todays_model_is_where_it_is_undecided(german):
    plane = case_plane(german, ("Duration", "Age"), german.x0)
    ((name, line),) = plane.slice.rule_lines((0.0, 1.0, 0.0, 1.0))
    assert name == "today's model"
    theta = german.bundle.current.theta
    assert plane.slice.embed(line) @ theta == pytest.approx(german.problem.unbounded.margin)
    drawn = {trace.name: trace for trace in geometry(plane.slice, plane.axes).data}
    ends = np.column_stack([drawn["Rules"].x, drawn["Rules"].y])
    assert plane.slice.embed(ends) @ theta == pytest.approx(german.problem.unbounded.margin)
    assert list(drawn["labels"].text).count("today's model") == 1


def test_roar_keeps_the_rules_of_the_case(german):
    plan = roar_plan(german)
    assert plan.keeps_rules and plan.x is not None
