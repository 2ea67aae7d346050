"""From a case to its slice: axes, points, path and radii."""

from dataclasses import replace

import numpy as np
import pytest

from dirrac_core.errors import DirracError
from dirrac_core.figures.case_plane import (
    algorithm1,
    animated_radii,
    case_plane,
    drawn_set,
    numeric_features,
    roar_plan,
    telling_features,
)
from dirrac_core.figures.geometry import geometry, view_window
from dirrac_core.recourse import find_recourse
from dirrac_core.scenario import Scenario, bundle_of, make_case


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


def test_the_path_starts_at_the_projection_and_stays_feasible(german):
    outcome = algorithm1(german, steps=5)
    feasible = german.problem.feasible_set
    assert 1 <= len(outcome.trace) <= 6
    assert all(feasible.contains(step.x) for step in outcome.trace)
    assert all(a.value >= b.value for a, b in zip(outcome.trace, outcome.trace[1:], strict=False))


def test_the_radii_start_at_nothing_and_pass_the_ceiling(german):
    radii = animated_radii(german)
    ceiling = german.problem.feasible_set.largest_radius()
    assert radii[0] == 0.0 and (np.diff(radii) > 0).all()
    assert radii[-1] >= ceiling and radii[-1] >= german.problem.radii.max()


def test_without_any_plan_the_picture_still_has_a_finite_budget():
    case = made("german", radii=2.0)
    assert find_recourse(case.problem).x is None
    assert np.isfinite(drawn_set(case).delta)
    assert case_plane(case, ("Duration", "Age"), case.x0).slice.outlines == ()
    assert algorithm1(case) is None


def test_the_line_of_todays_model_is_where_it_is_undecided(german):
    plane = case_plane(german, ("Duration", "Age"), german.x0)
    ((name, line),) = plane.slice.rule_lines((0.0, 1.0, 0.0, 1.0))
    assert name == "today's model"
    theta = german.bundle.current.theta
    assert plane.slice.embed(line) @ theta == pytest.approx(german.problem.unbounded.margin)
    figure = geometry(plane.slice, plane.axes)
    assert [trace.name for trace in figure.data].count("Today's model") == 1


def test_roar_keeps_the_rules_of_the_case(german):
    plan = roar_plan(german)
    assert plan.keeps_rules and plan.x is not None
