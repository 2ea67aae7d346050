"""δ_min of one piece: proved, also where it is far smaller than the steps the columns allow."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.fuzzing.foreign import foreign_problem
from benchmarks.fuzzing.problems import fuzz_problem
from dirrac_core import Actions, ParameterMixture, find_recourse
from dirrac_core.conic import FAILED, ConeProgram
from dirrac_core.conic import INFEASIBLE as EMPTY
from dirrac_core.conic.solver import LEAST_REACH
from dirrac_core.errors import SolverFailure
from dirrac_core.feasible import FeasibleSet
from dirrac_core.feasible import cheapest as module
from dirrac_core.feasible.cheapest import COST_ACCURACY, Cheapest
from dirrac_core.recourse.result import INFEASIBLE, OUT_OF_REACH
from dirrac_core.robustness import Doubt
from dirrac_core.solvers.batch.crowd import crowd_of
from dirrac_core.solvers.batch.search import cheapest_plans


def far_apart(cost, **options):
    """A column in units of 1e-7 beside one in units of 1: δ_min is 2e-8, in closed form."""
    theta = np.array([5e6, 0.3, -0.35])
    mixture = ParameterMixture([1.0], theta[None], [1e-6 * np.eye(3)])
    actions = Actions(lower=[-np.inf, 0.0], upper=[np.inf, 1.0])
    x0 = [2e-8, 0.5, 1.0]
    feasible = FeasibleSet(x0, mixture, cost=cost, actions=actions, margin=1e-3, **options)
    short = 1e-3 - float(theta @ x0)
    slopes = np.abs(theta[:-1])
    return feasible, short / (slopes.max() if cost == "l1" else np.linalg.norm(slopes))


@pytest.mark.parametrize("cost", ["l1", "l2"])
def test_a_tiny_cheapest_plan_has_the_cost_of_the_closed_form(cost):
    feasible, expected = far_apart(cost)
    assert expected < 1e-7
    assert feasible.delta_min() == pytest.approx(expected, rel=1e-6)
    assert feasible.cheapest.bound <= expected * (1.0 + 1e-9)
    assert feasible.contains(feasible.cheapest.x)


# In the first, one cone program alone ends at a plan ten thousand times as expensive.
@pytest.mark.parametrize(("seed", "index"), [(11, 24), (11, 30), (11, 142), (17, 55), (17, 89)])
def test_the_cheapest_plan_meets_the_independent_proof(seed, index):
    problem = fuzz_problem(seed, index).problem
    found = problem.unbounded.cheapest
    other = cheapest_plans(crowd_of([problem.unbounded], problem.objective))
    assert other.settled[0] and found.proved
    assert found.cost == pytest.approx(other.floor[0], rel=1e-6)
    assert found.bound <= other.cost[0] * (1.0 + 1e-9)
    # The accuracy aimed at; the residual of a last dual point may take a little more.
    unit = max(found.cost, problem.unbounded.cost_unit)
    assert found.cost - found.bound <= 5.0 * COST_ACCURACY * unit


def test_no_plan_is_claimed_only_when_the_bound_says_so(monkeypatch):
    problem = fuzz_problem(11, 24).problem
    least = problem.unbounded.delta_min()

    def asked(delta):
        # Another applicant object, so that no cheapest plan is remembered.
        return find_recourse(fuzz_problem(11, 24).problem.variant(delta=delta)).status

    assert asked(0.5 * least) == INFEASIBLE
    assert asked(100.0 * least) not in (INFEASIBLE, OUT_OF_REACH)
    # A single cone program finds no plan within that budget, and its bound does not rule one out.
    monkeypatch.setattr(module, "MOST_SOLVES", 1)
    assert asked(100.0 * least) == OUT_OF_REACH


def test_of_two_pieces_the_cheaper_plan_counts_and_the_lower_bound():
    one, other = Cheapest(2.0, np.zeros(1), 1.0), Cheapest(3.0, np.ones(1), 0.5)
    for found in (one.with_other(other), other.with_other(one)):
        assert (found.cost, found.bound, found.x[0]) == (2.0, 0.5, 0.0)


@pytest.mark.parametrize("index", [27612, 31716, 32850])
def test_a_plan_many_times_the_size_of_the_person_away_is_found(index):
    """People of size 0 or 1e-8: the steps to a plan are those of the margin or into the box."""
    case = foreign_problem(2026, index)
    found = case.problem.unbounded.cheapest
    assert found is not None and case.problem.unbounded.contains(found.x)
    assert found.cost <= case.problem.unbounded.cost_of(case.planted) * (1.0 + 1e-6)


@pytest.mark.parametrize("metric", ["weights", "deviations"])
def test_a_point_that_misses_validity_by_a_trace_is_moved_beyond(metric, monkeypatch):
    """√(xᵀMx) may differ between program and checklist, and from one processor to the next."""
    mixture = ParameterMixture(
        [0.5, 0.5], [[1.0, 0.5, -1.0], [0.8, 0.9, -1.1]], [0.2 * np.eye(3), 0.3 * np.eye(3)]
    )

    def feasible():
        return FeasibleSet([0.0, 0.0, 1.0], mixture, radii=0.3, metric=metric)

    exact, terms = feasible().cheapest, Doubt.terms
    # A checklist that measures longer than the programs do.
    monkeypatch.setattr(Doubt, "terms", lambda doubt, x: (1.0 + 1e-4) * terms(doubt, x))
    found = feasible().cheapest
    assert not feasible().is_valid(exact.x) and feasible().is_valid(found.x)
    assert found.bound <= exact.cost * (1.0 + 1e-6)
    assert exact.cost <= found.cost <= exact.cost * (1.0 + 1e-2)


def nearly_parallel(slope):
    """x ≥ 1 and x + slope·y ≤ 0: points have y ≤ −1/slope, and without a slope there is none."""
    program = ConeProgram()
    program.add("v", 2)
    program.at_most({"v": [[-1.0, 0.0], [1.0, slope]]}, [-1.0, 0.0])
    return program.solver().minimise(np.array([0.0, -1.0]))


def test_a_rounded_proof_of_infeasibility_holds_only_as_far_as_it_reaches():
    """Points of two rows that nearly contradict each other lie 1/slope away."""
    for slope in (1e-3, 1e-7, 1e-9, 1e-11):
        solution = nearly_parallel(slope)
        assert solution.usable or solution.status == FAILED or solution.reach <= 1.0001 / slope
    # Nearer than `LEAST_REACH` it counts for nothing; another scaling finds the point.
    assert nearly_parallel(1e-6).usable
    contradiction = nearly_parallel(0.0)
    assert contradiction.status == EMPTY and contradiction.reach >= LEAST_REACH


def test_a_proof_that_ends_inside_the_box_proves_nothing(monkeypatch):
    """Two models that contradict each other, each of which the box could satisfy."""
    mixture = ParameterMixture([0.5, 0.5], [[1.0, -0.5], [-1.0, 0.5]], np.zeros((2, 2, 2)))
    given = [0.5, 1.0], mixture, 0.0, Actions(lower=[0.0], upper=[1.0])
    assert FeasibleSet(*given).cheapest is None
    solved = module._solved

    def short(piece, delta):
        solution, rows = solved(piece, delta)
        return replace(solution, reach=0.5 * piece.farthest), rows

    monkeypatch.setattr(module, "_solved", short)
    with pytest.raises(SolverFailure, match="must cover the whole box"):
        _ = FeasibleSet(*given).cheapest
