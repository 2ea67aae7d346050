"""The slice behind the geometry figure, against the feasible set itself."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dirrac_core import Actions, FeasibleSet, ParameterMixture, RecourseProblem, find_recourse
from dirrac_core.data.schema.plausible_set import PlausibleSet
from dirrac_core.errors import InvalidInput
from dirrac_core.geometry.slices import Slice
from dirrac_core.robustness import WeightBall
from tests.small_problems import slice_at

EVERY_METRIC = ("weights", "deviations", "matrices")
NEAR = 1e-5  # points this close to a boundary may fall on either side of the checklist


def random_slice(seed, cost="l1", rho=0.3, k=3, d=6, actions=None, metric="weights"):
    """A slice through a plan, with a budget a little above the smallest.

    The metric "matrices" is one of rank 1 to 4 for each component.
    """
    rng = np.random.default_rng(seed)
    means = rng.normal(size=(k, d)) * 0.3 + np.linspace(1.0, 2.0, d)
    factors = rng.normal(size=(k, d, d)) * 0.1
    mixture = ParameterMixture(np.full(k, 1 / k), means, factors @ factors.transpose(0, 2, 1))
    x0 = np.append(rng.uniform(-1.5, -0.2, size=d - 1), 1.0)
    if metric == "matrices":
        roots = rng.normal(size=(k, d, 1 + seed % 4)) * 0.4
        metric = roots @ roots.transpose(0, 2, 1)
    problem = RecourseProblem(
        x0,
        mixture,
        radii=rng.uniform(0.2, 1.0, k) * rho,
        delta_add=rng.uniform(0.2, 1.0),
        cost=cost,
        actions=actions,
        metric=metric,
    )
    return Slice(problem.feasible_set, problem.unbounded.cheapest.x, (0, d - 2)), problem


def inside(outline, points):
    """Whether points lie in the convex polygon with this boundary, in counter-clockwise order."""
    edges = np.roll(outline, -1, axis=0) - outline
    normals = np.column_stack([-edges[:, 1], edges[:, 0]])
    normals /= np.maximum(np.linalg.norm(normals, axis=1), 1e-300)[:, None]
    heights = np.einsum("pvd,vd->pv", points[:, None] - outline[None], normals)
    return heights.min(axis=1)


def gaps(feasible, x):
    """Distance of every checked value to its nearest limit, signed: negative outside."""
    return np.array(
        [min(c.value - c.low, c.high - c.value) for c in feasible.contains(x).checks[1:]]
    )


@given(
    st.integers(0, 10_000),
    st.sampled_from(["l1", "l2"]),
    st.sampled_from([0.0, 0.3]),
    st.sampled_from(EVERY_METRIC),
)
def test_every_boundary_point_keeps_all_conditions_and_one_with_equality(seed, cost, rho, metric):
    bounds = {"lower": np.full(5, -1.6), "upper": np.full(5, 1.0), "only_up": [4]}
    plane, _ = random_slice(seed, cost, rho, actions=Actions(**bounds), metric=metric)
    (outline,) = plane.outlines
    for x in plane.embed(outline[:: max(1, len(outline) // 15)]):
        slack = gaps(plane.feasible, x)
        assert plane.feasible.contains(x)
        assert slack.min() == pytest.approx(0.0, abs=2e-7)


@given(st.integers(0, 10_000), st.sampled_from(["l1", "l2"]), st.sampled_from(EVERY_METRIC))
def test_the_shaded_polygon_is_the_feasible_set_on_random_points(seed, cost, metric):
    weights = np.random.default_rng(seed).uniform(0.5, 2.0, 5)
    row = np.array([1.0, 0.0, 0.0, 0.0, -1.0])
    actions = Actions(upper=np.full(5, 0.4), weights=weights, linear=[(row, -1.5, 0.8)])
    plane, _ = random_slice(seed, cost, actions=actions, metric=metric)
    (outline,) = plane.outlines
    low, high = outline.min(axis=0), outline.max(axis=0)
    rng = np.random.default_rng(seed)
    points = rng.uniform(low - 0.2 * (high - low), high + 0.2 * (high - low), size=(50, 2))
    height = inside(outline, points)
    chord = np.linalg.norm(np.roll(outline, -1, axis=0) - outline, axis=1).max()
    for point, h in zip(points, height, strict=True):
        x = plane.embed(point[None])[0]
        slack = gaps(plane.feasible, x).min()
        if h > NEAR:
            assert plane.feasible.contains(x)
        elif h < -chord and slack < -NEAR:  # an arc bulges beyond its chord by less than this
            assert not plane.feasible.contains(x)
        if slack > 0.1 * chord:
            assert h > -NEAR


@pytest.mark.parametrize("cost", ["l1", "l2"])
def test_the_polygon_has_the_area_of_the_feasible_set(cost):
    plane, _ = random_slice(5, cost)
    (outline,) = plane.outlines
    x, y = outline.T
    area = 0.5 * abs(x @ np.roll(y, -1) - y @ np.roll(x, -1))
    low, high = outline.min(axis=0), outline.max(axis=0)
    n = 80
    axes = [a + (np.arange(n) + 0.5) / n * (b - a) for a, b in zip(low, high, strict=True)]
    cells = np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, 2)
    share = np.mean([bool(plane.feasible.contains(p)) for p in plane.embed(cells)])
    assert share * np.prod(high - low) == pytest.approx(area, rel=0.02)


def test_the_corners_of_a_diamond_are_exact():
    mixture = ParameterMixture([1.0], [[0.0, 0.0, 1.0]], [np.eye(3)])
    feasible = FeasibleSet(
        [0.2, 0.3, 1.0], mixture, 0.0, delta=0.5, actions=Actions(weights=[1, 2])
    )
    (outline,) = Slice(feasible, feasible.x0, (0, 1)).outlines
    for corner in ([0.7, 0.3], [-0.3, 0.3], [0.2, 0.55], [0.2, 0.05]):
        assert np.linalg.norm(outline - corner, axis=1).min() < 1e-12
    ball = Slice(feasible, feasible.x0, (0, 1)).ball()
    np.testing.assert_allclose(ball, [[0.7, 0.3], [0.2, 0.55], [-0.3, 0.3], [0.2, 0.05]])


def test_where_two_curved_margins_cross_there_is_a_corner():
    mixture = ParameterMixture([0.5, 0.5], [[2, 1, 0.1], [1, 2, 0.1]], [np.eye(3)] * 2)
    feasible = FeasibleSet([0.0, 0.0, 1.0], mixture, 0.5, cost="l2", delta=2.0)
    (outline,) = Slice(feasible, feasible.x0, (0, 1)).outlines
    margins = mixture.means @ np.column_stack([outline, np.ones(len(outline))]).T
    lengths = np.sqrt(1.0 + (outline**2).sum(axis=1))
    both = np.abs(margins - 0.5 * lengths - 1e-3).max(axis=0)
    assert both.min() < 1e-9


@given(st.integers(0, 10_000), st.floats(0.0, 3.0), st.sampled_from(EVERY_METRIC))
def test_margin_curves_satisfy_their_equation(seed, rho, metric):
    plane, problem = random_slice(seed, metric=metric)
    plane = slice_at(rho, plane)
    mixture = problem.mixture
    for k in range(mixture.components):
        x = plane.margin_curve(k, (-2.0, 1.0, -2.0, 1.0))
        matrix = problem.doubt.matrix(k)
        matrix = np.eye(6) if matrix is None else matrix
        for point in plane.embed(x) if len(x) else []:
            m, r = mixture.means[k] @ point, rho * np.sqrt(point @ matrix @ point)
            size = 1 + abs(m) + np.abs(point).max()
            assert m - r == pytest.approx(plane.feasible.margins[k], abs=1e-8 * size)


@pytest.mark.parametrize(
    ("mean", "rho", "curves"),
    [
        ([1.0, 1.0, 1.0], 0.5, 1),  # bent: the second column leaves the length as it is
        ([1.0, 0.0, 1.0], 0.5, 1),  # one line across
        ([0.2, 0.0, 1.0], 0.5, 2),  # a strip between two lines
        ([0.2, 0.0, -1.0], 0.5, 0),
    ],
)
def test_margins_where_a_column_does_not_change_the_length(mean, rho, curves):
    mixture = ParameterMixture([1.0], [mean], [np.diag([1.0, 0.0, 0.25])])
    feasible = FeasibleSet([0.0, 0.0, 1.0], mixture, rho, delta=1.0, metric="deviations")
    curve = Slice(feasible, feasible.x0, (0, 1)).margin_curve(0, (-9.0, 9.0, -9.0, 9.0))
    gaps_between = np.isnan(curve).any(axis=1).sum()
    assert (0 if not len(curve) else gaps_between + 1) == curves
    for u, v in curve[~np.isnan(curve).any(axis=1)]:
        r = rho * np.sqrt(u * u + 0.25)
        reached = np.array(mean) @ [u, v, 1.0] - r
        assert reached == pytest.approx(feasible.margins[0], abs=1e-9)


def test_a_length_that_nothing_in_the_plane_changes_leaves_a_line():
    mixture = ParameterMixture([1.0], [[1.0, 2.0, 1.0]], [np.diag([0.0, 0.0, 0.25])])
    feasible = FeasibleSet([0.0, 0.0, 1.0], mixture, 0.5, delta=1.0, metric="deviations")
    curve = Slice(feasible, feasible.x0, (0, 1)).margin_curve(0, (-9.0, 9.0, -9.0, 9.0))
    reached = curve @ [1.0, 2.0] + 1.0 - 0.25
    np.testing.assert_allclose(reached, feasible.margins[0], atol=1e-12)
    assert np.ptp(curve, axis=0).max() > 9.0


def test_margin_curve_takes_all_conic_shapes():
    mixture = ParameterMixture([1.0], [[0.6, 0.0, 0.9]], [np.eye(3)])
    feasible = FeasibleSet([0.0, 0.0, 1.0], mixture, 0.5, delta=1.0)
    window = (-1.0, 1.0, -1.0, 1.0)
    plane = Slice(feasible, feasible.x0, (0, 1))
    open_curve = plane.margin_curve(0, window)
    assert np.linalg.norm(open_curve[0] - open_curve[-1]) > 2.0
    parabola = slice_at(0.6, plane).margin_curve(0, window)
    assert np.isfinite(parabola).all()
    closed = slice_at(0.8, plane).margin_curve(0, window)
    np.testing.assert_allclose(closed[0], closed[-1], atol=1e-12)
    assert len(slice_at(2.0, plane).margin_curve(0, window)) == 0


def test_a_locked_column_leaves_a_segment_even_at_the_edge_of_its_range():
    mixture = ParameterMixture([1.0], [[1.0, 1.0, 1.0]], [np.eye(3)])
    actions = Actions(lower=[0, 0], upper=[1, 1], locked=[0])
    feasible = FeasibleSet([0.0, 0.5, 1.0], mixture, 0.1, actions=actions, delta=0.3)
    (segment,) = Slice(feasible, feasible.x0, (0, 1)).outlines
    np.testing.assert_allclose(segment[np.argsort(segment[:, 1])], [[0, 0.2], [0, 0.8]], atol=1e-9)


def test_both_locked_is_the_applicant_alone_or_nothing():
    mixture = ParameterMixture([1.0], [[1.0, 1.0, 1.0]], [np.eye(3)])
    feasible = FeasibleSet([0.1, 0.5, 1.0], mixture, 0.1, Actions(locked=[0, 1]), delta=0.3)
    (point,) = Slice(feasible, feasible.x0, (0, 1)).outlines
    np.testing.assert_allclose(point, [[0.1, 0.5]])
    harder = replace(feasible, margin=5.0)
    assert Slice(harder, harder.x0, (0, 1)).outlines == ()


def test_a_group_in_the_slice_is_a_segment_relaxed_and_points_whole():
    mixture = ParameterMixture([1.0], [[1.0, 0.5, 0.2, 0.1]], [np.eye(4)])
    x0 = np.array([1.0, 0.0, 0.4, 1.0])
    actions = Actions(groups=[(0, 1)], lower=np.zeros(3), upper=np.ones(3))
    relaxed = FeasibleSet(x0, mixture, 0.1, actions, delta=2.0)
    (segment,) = Slice(relaxed, x0, (0, 1)).outlines
    np.testing.assert_allclose(segment[np.argsort(segment[:, 0])], [[0, 1], [1, 0]], atol=1e-9)
    whole = Slice(replace(relaxed, categories="whole"), x0, (0, 1)).outlines
    np.testing.assert_allclose(np.vstack(whole), [[1, 0], [0, 1]])
    (pinned,) = Slice(relaxed, x0, (0, 2)).outlines
    np.testing.assert_allclose(pinned[:, 0], 1.0)
    assert np.ptp(pinned[:, 1]) == pytest.approx(1.0)


def test_a_conditional_rule_holds_where_its_category_is_chosen():
    mixture = ParameterMixture([1.0], [[0.0, 0.0, 0.0, 0.0, 1.0]], [np.eye(5)])
    actions = Actions(
        lower=np.zeros(4),
        upper=np.ones(4),
        groups=[(0, 1)],
        conditional=[(0, 2, 0.3, 0.6), (1, 2, 0.7, 1.0)],
    )
    for category, low, high in ((0, 0.3, 0.6), (1, 0.7, 1.0)):
        x0 = np.array([1.0 - category, category, 0.5, 0.5, 1.0])
        feasible = FeasibleSet(x0, mixture, 0.0, actions, delta=4.0)
        (outline,) = Slice(feasible, x0, (2, 3)).outlines
        assert outline[:, 0].min() == pytest.approx(low)
        assert outline[:, 0].max() == pytest.approx(high)


def test_conditions_on_the_held_columns_can_leave_nothing():
    plane, problem = random_slice(1, actions=Actions(upper=np.full(5, 1.0)))
    off = plane.base.copy()
    off[2] = 1.5
    wide = plane.feasible.with_delta(50.0)
    assert Slice(wide, plane.base, (0, 4)).outlines
    assert Slice(wide, off, (0, 4)).outlines == ()
    off[2] = 9.0
    beyond = Slice(plane.feasible, off, (0, 4))
    assert beyond.budget_left < 0.0
    assert beyond.outlines == ()
    assert len(beyond.ball()) == 0


def test_at_the_smallest_budget_the_set_is_the_cheapest_plan():
    plane, problem = random_slice(2, cost="l2")
    tight = Slice(plane.feasible.with_delta(problem.delta_min), plane.base, (0, 4))
    (point,) = tight.outlines
    np.testing.assert_allclose(point.mean(axis=0), plane.base[[0, 4]], atol=1e-3)


@pytest.mark.parametrize("metric", EVERY_METRIC)
@pytest.mark.parametrize("weighting", ["nominal", "worst-component", WeightBall("kl", 0.2)])
def test_the_grid_holds_the_objective(weighting, metric):
    plane, problem = random_slice(3, metric=metric)
    same = RecourseProblem(
        problem.x0, problem.mixture, problem.radii, weighting=weighting, metric=problem.metric
    )
    xs, ys = np.linspace(-1.0, 1.0, 4), np.linspace(-0.5, 1.0, 3)
    grid = plane.failure_grid(same.objective, xs, ys)
    assert grid.shape == (3, 4)
    for j, y in enumerate(ys):
        for i, x in enumerate(xs):
            point = plane.embed([[x, y]])[0]
            assert grid[j, i] == pytest.approx(same.objective.value(point), abs=1e-12)


def test_a_plan_lies_in_its_own_slice_and_no_other():
    plane, problem = random_slice(4)
    plan = find_recourse(problem)
    own = Slice(problem.feasible_set, plan.x, (0, 4))
    assert own.contains_vector(plan.x)
    assert not own.contains_vector(problem.x0)
    (outline,) = own.outlines
    assert inside(outline, plan.x[None, [0, 4]])[0] > -1e-4


def test_bad_slices_are_refused():
    plane, problem = random_slice(0)
    for columns in ((0, 0), (0, 5), (-1, 2)):
        with pytest.raises(InvalidInput, match="two different columns"):
            Slice(plane.feasible, plane.base, columns)
    with pytest.raises(InvalidInput, match="finite budget"):
        Slice(problem.unbounded, plane.base, (0, 1))


@given(st.integers(0, 10_000), st.sampled_from(["l1", "l2"]))
def test_likeness_to_real_people_bounds_the_outline_exactly(seed, cost):
    rng = np.random.default_rng(seed)
    plane, problem = random_slice(seed, cost)
    at = problem.unbounded.cheapest.x[:-1]
    factor = rng.normal(size=(5, 5)) + 2.0 * np.eye(5)
    people = PlausibleSet(np.full(5, -np.inf), np.full(5, np.inf), factor, at + 0.05, 0.6)
    actions = Actions(plausible=people)
    narrow = Slice(replace(plane.feasible, actions=actions), plane.base, plane.columns)
    (outline,) = narrow.outlines
    for x in narrow.embed(outline[:: max(1, len(outline) // 15)]):
        assert narrow.feasible.contains(x)
        assert gaps(narrow.feasible, x).min() == pytest.approx(0.0, abs=2e-6)
    curve = narrow.likeness_curve()
    distances = [people.distance(x) for x in narrow.embed(curve)]
    assert distances == pytest.approx(np.full(len(curve), 0.6), abs=1e-9)
    assert not len(plane.likeness_curve())
