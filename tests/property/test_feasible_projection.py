"""Projection: a member, the nearest one, unchanged by a second projection, never expansive."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from problems import FLAGS, random_case

seeds = st.integers(0, 2**32 - 1)
# The cone program for ½‖x − point‖² is solved to a gap of 1e-9: x to √2e-9.
ACCURACY = 5e-5


@st.composite
def sets_and_points(draw, categories=("relaxed",), count=2):
    case = random_case(draw(st.integers(0, 50)), components=draw(st.integers(1, 3)))
    problem = case.problem(
        draw(st.sampled_from(sorted(FLAGS))),
        cost=draw(st.sampled_from(["l1", "l2"])),
        categories=draw(st.sampled_from(categories)),
        delta_add=draw(st.sampled_from([0.05, 0.5, 2.5])),
    )
    rng, size = np.random.default_rng(draw(seeds)), draw(st.sampled_from([0.01, 0.3, 3.0]))
    points = [np.append(case.x0[:-1] + size * rng.normal(size=6), 1.0) for _ in range(count)]
    return problem.feasible_set, points


@given(sets_and_points(categories=("relaxed", "whole")))
def test_a_projection_is_a_member_and_projects_to_itself(drawn):
    feasible, points = drawn
    for point in points:
        x = feasible.project(point)
        assert feasible.contains(x).broken == ()
        assert np.linalg.norm(feasible.project(x) - x) <= ACCURACY


@settings(max_examples=40)
@given(sets_and_points(count=3))
def test_projections_are_never_further_apart_than_the_points(drawn):
    feasible, points = drawn
    images = [feasible.project(point) for point in points]
    for i in range(3):
        apart = np.linalg.norm(points[i] - points[i - 1])
        assert np.linalg.norm(images[i] - images[i - 1]) <= apart + ACCURACY


@settings(max_examples=40)
@given(sets_and_points(count=3))
def test_the_set_lies_behind_the_projection(drawn):
    """(point − Px)·(y − Px) ≤ 0 for every member y: what makes Px the nearest one."""
    feasible, (point, *others) = drawn
    x = feasible.project(point)
    for other in others:
        y = feasible.project(other)
        assert (point - x) @ (y - x) <= ACCURACY * (1 + np.linalg.norm(point - x))
