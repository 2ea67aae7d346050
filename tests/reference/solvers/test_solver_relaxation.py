"""The pieces of the certificate: tangents below the link, McCormick bounds, majorise–minimise."""

from functools import cache

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from problems import LINKS, WEIGHTINGS, random_case

from dirrac_core import ParameterMixture, RecourseProblem, find_recourse
from dirrac_core.robustness import link_named
from dirrac_core.solvers.certified import _Search
from dirrac_core.solvers.majorise import Majoriser
from dirrac_core.solvers.relaxation import INFLECTION, Relaxation, link_tangents
from dirrac_core.solvers.score_program import ScoreProgram, best_score

scores = st.floats(0.0, 12.0)


@given(st.sampled_from(LINKS), scores, scores)
@example("chebyshev", INFLECTION["chebyshev"] * (1.0 - 1e-13), 3.0)
def test_link_tangents_stay_below_the_link_and_touch_it(name, first, second):
    link, (lo, hi) = link_named(name), sorted((first, second))
    lines = link_tangents(link, lo, hi)
    a = np.linspace(lo, hi, 400)
    envelope = np.max([slope * a + height for slope, height in lines], axis=0)
    assert (envelope <= link.probability(a) + 1e-12).all()
    # Tight at both ends, so that a box that shrinks to a point has an exact bound.
    assert envelope[[0, -1]] == pytest.approx(link.probability(a[[0, -1]]), abs=1e-9)


def members(problem, count, rng):
    """Random points of the set, by projection and mixing."""
    feasible = problem.feasible_set
    points = []
    while len(points) < count:
        target = np.append(rng.normal(size=problem.x0.size - 1), 1.0)
        points.append(feasible.project(target))
        points.append(np.average(points, axis=0, weights=rng.dirichlet(np.ones(len(points)))))
    return points


def best_for_other_weights(case, problem, count):
    """Plans that no other plan beats in every score: where a bound that is too high shows."""
    points = []
    for weights in case.rng.dirichlet(np.ones(problem.mixture.components), size=count):
        mixture = ParameterMixture(weights, problem.mixture.means, problem.mixture.covariances)
        other = RecourseProblem(
            problem.x0,
            mixture,
            problem.radii,
            cost=problem.unbounded.cost,
            actions=problem.unbounded.actions,
            delta=problem.feasible_set.delta,
            metric=problem.metric,
        )
        points.append(find_recourse(other, gap=1e-5).x)
    return points


def programs(problem):
    (piece,) = problem.feasible_set.pieces()
    count = problem.mixture.components
    return ScoreProgram(piece, problem.feasible_set.proof_budget(), range(count))


def boxed_problem(case, weighting, metric, link):
    radii = np.array([0.0, 0.04, 0.1]) * (5.0 if metric == "deviations" else 1.0)
    cost = "l1" if link == "chebyshev" else "l2"
    return case.problem(
        "everything",
        weighting=weighting,
        link=link,
        radii=radii,
        cost=cost,
        metric=case.metric(metric),
    )


@cache
def boxed_points(metric, link):
    """Plans of the set, which is the same for every weighting."""
    case = random_case(61, components=3)
    problem = boxed_problem(case, "nominal", metric, link)
    return members(problem, 8, case.rng) + best_for_other_weights(case, problem, 4)


@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize(
    ("weighting", "metric"),
    [*((w, "weights") for w in WEIGHTINGS), ("nominal", "deviations"), ("kl", "matrices")],
)
def test_the_relaxation_bounds_every_plan_of_its_box(weighting, metric, link):
    case = random_case(61, components=3)
    problem = boxed_problem(case, weighting, metric, link)
    relaxation = Relaxation(programs(problem), problem.objective)
    points = boxed_points(metric, link)
    assert all(problem.feasible_set.contains(x) for x in points)
    tight = 0
    for x in points:
        a, value = problem.objective.scores(x), problem.objective.value(x)
        cuts = [problem.objective.worst_weights(y) for y in (x, points[0])]
        for width in (0.0, 1e-3, 0.05, 0.5, 3.0):
            lo = np.maximum(a - width * case.rng.uniform(size=3), 0.0)
            hi = a + width * case.rng.uniform(size=3)
            bound = relaxation.bound(lo, hi, cuts).bound
            assert bound <= value + 1e-6
            tight += width == 1e-3 and bound >= value - 1e-3
    # A small box of scores leaves little to relax.
    assert tight > len(points) / 2


@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize("weighting", ["nominal", "kl", "burg"])
def test_raised_floors_cut_off_no_plan_of_interest(weighting, link):
    """Every plan better than the target has scores above the floors, whatever its ceilings are."""
    case = random_case(66, components=3)
    problem = case.problem("everything", weighting=weighting, link=link)
    objective, feasible = problem.objective, problem.feasible_set
    search = _Search(feasible, objective, feasible.cheapest.x, 1e-3, None)
    raised = 0
    for x in members(problem, 8, case.rng) + best_for_other_weights(case, problem, 4):
        a = objective.scores(x)
        # The plan held is the cheapest one, or one hardly worse than x.
        for value in (objective.value(search.x), objective.value(x) + 1.001e-3):
            search.value = value
            if objective.value(x) > search._target():
                continue
            for width in (0.0, 0.1, 2.0):
                lo = search._raised(np.zeros(3), a + width * case.rng.uniform(size=3))
                assert (lo <= a + 1e-9).all()
                raised += bool(lo.any())
    assert raised


def test_an_empty_box_is_proved_empty():
    problem = random_case(62, components=2).problem("box")
    relaxation = Relaxation(programs(problem), problem.objective)
    relaxed = relaxation.bound(np.full(2, 500.0), np.full(2, 1000.0), [problem.mixture.weights])
    assert relaxed.bound == np.inf and relaxed.x is None


@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize("weighting", ["nominal", "kl", "total-variation", "worst-component"])
def test_majorise_minimise_never_returns_a_worse_plan(weighting, link):
    case = random_case(63, components=3)
    problem = case.problem("everything", weighting=weighting, link=link)
    gains = []
    for x in members(problem, 6, case.rng):
        majoriser = Majoriser(programs(problem), problem.objective)
        better, value = majoriser.improve(x, 1e-7)
        assert value == problem.objective.value(better)
        assert value <= problem.objective.value(x)
        assert problem.feasible_set.contains(better)
        gains.append(problem.objective.value(x) - value)
    assert max(gains) > 1e-3


def test_best_score_reports_an_upper_bound_no_member_exceeds():
    case = random_case(64, components=2)
    problem = case.problem("everything")
    program = programs(problem)
    points = members(problem, 30, case.rng)
    for k in range(2):
        found = best_score(
            ScoreProgram(program.piece, program.delta, [k]).try_score,
            lambda x, k=k: float(problem.objective.scores(x)[k]),
            0.0,
        )
        assert found.upper >= max(problem.objective.scores(x)[k] for x in points)
        assert problem.objective.scores(found.x)[k] == pytest.approx(found.upper, rel=1e-5)


def test_try_common_has_the_sign_of_the_smallest_slack():
    case = random_case(65, components=3)
    problem = case.problem("box")
    program = programs(problem)
    for x in members(problem, 6, case.rng):
        a = problem.objective.scores(x)
        assert program.try_common(np.maximum(a * 0.999, 0.0)).bound > 0.0
    beyond = 1.001 * np.max([problem.objective.scores(x) for x in [problem.x0]], axis=0)
    assert program.try_common(np.full(3, 200.0) + np.abs(beyond)).bound <= 0.0
