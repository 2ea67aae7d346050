"""The same question in other units has the same answer, from 1e-8 to 1e8."""

import numpy as np
import pytest
from problems import LINKS, random_case

from dirrac_core import Actions, ParameterMixture, RecourseProblem, find_recourse
from dirrac_core.conic import ConeProgram
from dirrac_core.feasible import FeasibleSet
from dirrac_core.feasible.bounds import column_bounds
from dirrac_core.feasible.units import column_units
from dirrac_core.robustness import Doubt

SIZES = (1e-8, 1e-4, 1e4, 1e8)


def in_units(problem, units):
    """x → units·x, with the models and the cost weights divided by the units (ρ = 0)."""
    scale, old = np.append(units, 1.0), problem.unbounded
    mixture = ParameterMixture(
        problem.mixture.weights,
        problem.mixture.means / scale,
        problem.mixture.covariances / np.outer(scale, scale),
    )
    actions = Actions(
        lower=old.actions.lower * units, upper=old.actions.upper * units, weights=1.0 / units
    )
    return RecourseProblem(
        problem.x0 * scale,
        mixture,
        radii=0.0,
        delta_add=problem.delta_add,
        cost=old.cost,
        actions=actions,
        link=problem.objective.link,
    )


def assert_same(plan, other, scale):
    assert other.status == plan.status == "optimal"
    assert other.delta_min == pytest.approx(plan.delta_min, rel=1e-6)
    assert other.worst_case_probability == pytest.approx(plan.worst_case_probability, abs=1e-4)
    assert other.x / scale == pytest.approx(plan.x, abs=2e-2)
    assert other.checks.ok


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("cost", ["l1", "l2"])
@pytest.mark.parametrize("components", [1, 2])
def test_the_unit_of_all_features(components, cost, size):
    case = random_case(96, components)
    problem = case.problem("box", radii=0.0, cost=cost, link=LINKS[components % 2])
    units = np.full(6, size)
    plan, other = (find_recourse(p, gap=1e-4) for p in (problem, in_units(problem, units)))
    assert_same(plan, other, np.append(units, 1.0))


@pytest.mark.parametrize("seed", range(4))
def test_each_feature_in_a_unit_of_its_own(seed):
    problem = random_case(97).problem("box", radii=0.0)
    units = 10.0 ** np.random.default_rng(seed).uniform(-8, 8, 6)
    plan, other = (find_recourse(p, gap=1e-4) for p in (problem, in_units(problem, units)))
    assert_same(plan, other, np.append(units, 1.0))


@pytest.mark.parametrize("size", SIZES)
def test_the_unit_of_the_models(size):
    """A model and any multiple of it decide alike; the margin is in the model's unit."""
    case = random_case(98, components=2)
    plan = find_recourse(case.problem("everything"), gap=1e-4)
    mixture = case.mixture
    scaled = ParameterMixture(
        mixture.weights, mixture.means * size, mixture.covariances * size * size
    )
    same = RecourseProblem(
        case.x0,
        scaled,
        radii=0.05 * size,
        delta_add=0.4,
        margin=1e-3 * size,
        actions=case.problem("everything").unbounded.actions,
    )
    assert_same(plan, find_recourse(same, gap=1e-4), 1.0)


@pytest.mark.parametrize("size", [1e-8, 1e8])
def test_a_budget_in_small_units_is_kept(size):
    """The tolerance of a check is relative: 1e-6 would be a hundred times this budget."""
    mixture = ParameterMixture([1.0], [[1.0 / size, -0.5]], np.zeros((1, 2, 2)))
    one = FeasibleSet([0.2 * size, 1.0], mixture, margin=0.0, delta=0.4 * size)
    assert one.delta_min() == pytest.approx(0.3 * size)
    assert one.contains([0.55 * size, 1.0]) and one.contains([0.6 * size, 1.0])
    assert {check.name for check in one.contains([0.7 * size, 1.0]).broken} == {"budget"}
    assert {check.name for check in one.contains([0.4 * size, 1.0]).broken} == {"validity"}
    assert one.project([9.0 * size, 1.0])[0] == pytest.approx(0.6 * size)


@pytest.mark.parametrize("size", SIZES)
def test_a_column_keeps_its_unit_when_it_is_rescaled(size):
    case = random_case(99, components=3)
    for flags in ("free", "box"):
        problem = case.problem(flags, radii=0.0)
        plain = problem.unbounded
        units = column_units(plain.x0, plain.bounds, plain.mixture, plain.doubt, plain.margins)
        assert (units >= np.abs(plain.x0[:-1]) * (1.0 - 1e-12)).all()
        if flags == "box":
            assert (units <= 1.0).all()
            other = in_units(problem, np.full(6, size)).unbounded
            rescaled = column_units(
                other.x0, other.bounds, other.mixture, other.doubt, other.margins
            )
            assert rescaled == pytest.approx(size * units)


@pytest.mark.parametrize("size", SIZES)
def test_a_column_without_bounds_takes_its_unit_from_the_models(size):
    """At x0 = 0 nothing else tells that a plan is `size` away."""
    mixture = ParameterMixture([1.0], [[1.0 / size, -0.5]], np.zeros((1, 2, 2)))
    free = FeasibleSet([0.0, 1.0], mixture, margin=0.0)
    units = column_units(free.x0, free.bounds, mixture, free.doubt, free.margins)
    assert units == pytest.approx([0.5 * size])
    assert free.delta_min() == pytest.approx(0.5 * size, rel=1e-7)


def test_columns_without_any_number_have_a_unit():
    mixture = ParameterMixture([1.0], np.zeros((1, 3)), np.zeros((1, 3, 3)))
    bounds = column_bounds(np.array([0.0, 0.0, 1.0]), Actions())
    doubt = Doubt.of(mixture, 0.0)
    units = column_units(np.array([0.0, 0.0, 1.0]), bounds, mixture, doubt, np.zeros(1))
    assert units == pytest.approx([1.0, 1.0])


@pytest.mark.parametrize("size", [1e-8, 1.0, 1e8])
@pytest.mark.parametrize("origin", [0.0, 3.0])
def test_a_cone_program_in_its_own_units(size, origin):
    """minimise x + 2y with ‖(x, y) − (3, 3)·size‖ ≤ size, and the nearest point to (9, 3)·size."""
    program = ConeProgram()
    program.add("v", 2, size, origin * size)
    program.norm({"v": np.eye(2)}, size * np.array([-3.0, -3.0]), {}, size)
    solution = program.solver().minimise(np.array([1.0, 2.0]))
    expected = 3.0 - np.array([1.0, 2.0]) / np.sqrt(5.0)
    assert solution.accurate
    assert solution.v / size == pytest.approx(expected, abs=1e-6)
    assert solution.value / size == pytest.approx(9.0 - np.sqrt(5.0), abs=1e-7)
    assert solution.bound / size == pytest.approx(9.0 - np.sqrt(5.0), abs=1e-7)
    nearest = program.solver(np.ones(2)).minimise(size * np.array([-9.0, -3.0]))
    assert nearest.v / size == pytest.approx([4.0, 3.0], abs=1e-5)


@pytest.mark.parametrize("origin", [0.0, 0.7])
def test_a_homogenised_program_is_the_same_set(origin):
    """2 ≤ v ≤ 5 as v = origin + u/t: with t = 1 the same ends."""
    program = ConeProgram()
    program.add("v", 1, 1.0, origin)
    program.at_most({"v": [[1.0], [-1.0]]}, [5.0, -2.0])
    cone = program.homogenised("t")
    cone.equal({"t": 1.0}, 1.0)
    ends = [cone.solver().minimise(np.array([way, 0.0])).v[0] + origin for way in (1.0, -1.0)]
    assert ends == pytest.approx([2.0, 5.0], abs=1e-7)
