"""The batched kernel against `certified`: same answers, valid certificates, same for any crowd."""

import subprocess
import sys
from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_problems import random_problem

from benchmarks.fuzzing.problems import fuzz_problem
from dirrac_core import Actions, ParameterMixture, RecourseProblem, find_recourse, load_dataset
from dirrac_core.data import with_constant
from dirrac_core.errors import BrokenPlan, InvalidInput, SolverFailure
from dirrac_core.models.bundle import prepare
from dirrac_core.recourse.many import plan_many
from dirrac_core.recourse.plane import plan_plane
from dirrac_core.robustness import WeightBall
from dirrac_core.solvers.batch import linear
from dirrac_core.solvers.batch.choices import choices
from dirrac_core.solvers.batch.crowd import crowd_of
from dirrac_core.solvers.batch.search import best_plans, cheapest_plans

GAP = 1e-3


def assert_same_answer(problem, plans, place):
    """What the kernel says of one person is what `certified` says, up to the gaps of both.

    The values are compared at the kernel's own budget: where deviations are tiny, the last digits
    of δ_min alone move a probability by more than any tolerance.
    """
    other = find_recourse(problem, gap=GAP)
    assert plans.status[place] == other.status
    if other.x is None:
        assert np.isnan(plans.x[place]).all()
        return
    kept = problem.unbounded
    other = find_recourse(
        RecourseProblem(
            kept.x0,
            kept.mixture,
            radii=kept.radii,
            delta=plans.delta[place],
            cost=kept.cost,
            link=problem.objective.link.name,
            weighting=problem.objective.weighting,
            actions=kept.actions,
            categories=kept.categories,
            margin=kept.margin,
            metric=kept.metric,
        ),
        gap=GAP,
    )
    if other.x is None:
        # The cheapest plans of the two differ by more than the slack of a budget: not by much.
        assert other.delta_min - plans.delta[place] <= 2e-6 * other.delta_min
        return
    x, value = plans.x[place], plans.worst_case_probability[place]
    assert problem.feasible_set.contains(x)
    unit = max(other.delta_min, problem.unbounded.cost_unit)
    assert abs(plans.delta_min[place] - other.delta_min) <= 1e-6 * unit
    assert value == pytest.approx(problem.objective.value(x), rel=1e-9, abs=1e-12)
    assert plans.cost[place] == pytest.approx(problem.unbounded.cost_of(x), rel=1e-12)
    # A certificate covers the plans within the budget of the proof, not their rounding beyond it.
    covered = problem.unbounded.with_delta(plans.delta[place]).proof_budget()
    if other.cost <= covered:
        assert plans.lower_bound[place] <= other.worst_case_probability + 1e-7
    assert other.lower_bound <= value + 1e-7
    assert value - plans.lower_bound[place] <= GAP * 1.001


@pytest.mark.slow
def test_every_kind_of_problem_ends_like_certified():
    kernel = 0
    for index in range(220):
        try:
            problem = fuzz_problem(11, index).problem
            plans = plan_many([problem], GAP)
        except (SolverFailure, BrokenPlan):
            continue
        if plans.one_by_one:
            continue
        kernel += 1
        assert_same_answer(problem, plans, 0)
    # Most of the others are infeasible or weigh by a ball; half of all is a sign of a defect.
    assert kernel > 60


@pytest.mark.parametrize(
    ("name", "components", "settings"),
    [
        ("german", 1, {}),
        ("german", 3, {"weighting": "worst-component"}),
        ("german", 3, {"link": "gaussian"}),
        ("sba", 1, {"cost": "l2"}),
        ("sba", 5, {}),
        ("sba", 1, {"metric": "deviations", "radii": 1.0}),
        ("german", 2, {"metric": "deviations", "radii": 0.5, "weighting": "worst-component"}),
        ("student", 1, {"radii": 0.0, "link": "gaussian"}),
    ],
)
def test_real_people_end_like_certified(name, components, settings):
    dataset = load_dataset(name)
    bundle = prepare(dataset, components=components)
    problems = [
        RecourseProblem(
            with_constant(dataset.present.X[row]),
            bundle.estimate.mixture,
            actions=dataset.actions("sensible", dataset.present.X[row]),
            categories="whole",
            current_model=bundle.current.theta,
            **{"radii": 0.1, **settings},
        )
        for row in bundle.declined[:12]
    ]
    plans = plan_many(problems, GAP)
    assert len(plans.one_by_one) <= 2
    for place, problem in enumerate(problems):
        assert_same_answer(problem, plans, place)


@given(st.integers(0, 10_000), st.integers(1, 3), st.sampled_from(["l1", "l2"]))
@settings(max_examples=12)
def test_nobody_depends_on_who_else_is_there(seed, components, cost):
    rng = np.random.default_rng(seed)
    first = random_problem(rng, components=components, cost=cost)
    problems = [first] + [random_problem(rng, mixture=first.mixture, cost=cost) for _ in range(5)]
    together = plan_many(problems, GAP)
    order = rng.permutation(len(problems))
    shuffled = plan_many([problems[i] for i in order], GAP)
    np.testing.assert_array_equal(shuffled.x, together.x[order])
    np.testing.assert_array_equal(shuffled.lower_bound, together.lower_bound[order])
    for place in (0, 3):
        alone = plan_many([problems[place]], GAP)
        np.testing.assert_array_equal(alone.x[0], together.x[place])
        assert alone.status[0] == together.status[place]


def test_whole_categories_do_not_depend_on_the_order_of_people():
    dataset = load_dataset("german")
    bundle = prepare(dataset, components=2)
    problems = [
        RecourseProblem(
            with_constant(dataset.present.X[row]),
            bundle.estimate.mixture,
            radii=0.1,
            delta_add=2.0,
            actions=dataset.actions("free", dataset.present.X[row]),
            categories="whole",
        )
        for row in bundle.declined[:9]
    ]
    crowd = crowd_of([p.unbounded for p in problems], problems[0].objective)
    # Somebody can afford other categories, so that one person has several pieces at once.
    assert (np.isfinite(choices(crowd).costs) & (choices(crowd).costs <= 2.0)).sum() > 2 * 9
    together = plan_many(problems, GAP)
    order = np.random.default_rng(5).permutation(9)
    shuffled = plan_many([problems[i] for i in order], GAP)
    alone = plan_many(problems[4:5], GAP)
    for name in ("x", "delta_min", "worst_case_probability", "lower_bound"):
        np.testing.assert_array_equal(getattr(shuffled, name), getattr(together, name)[order])
        np.testing.assert_array_equal(getattr(alone, name)[0], getattr(together, name)[4])


@pytest.mark.parametrize(
    "actions",
    [
        Actions(lower=np.zeros(3), upper=np.ones(3), locked=[0, 1, 2]),
        Actions(lower=[0.2, 0, 0], upper=[0.2, 1, 1]),
        Actions(lower=np.zeros(3), upper=np.ones(3), locked=[1, 2]),
        Actions(),
        Actions(lower=np.zeros(3), upper=np.ones(3), linear=[([1.0, 1.0, 0.0], 0.4, 0.4)]),
    ],
)
@pytest.mark.parametrize("size", [1.0, 1e9, 1e-9])
@pytest.mark.parametrize("delta_add", [0.0, 0.5])
def test_degenerate_people_end_like_certified(actions, size, delta_add):
    means = size * np.array([[1.0, -0.5, 0.8, -0.6]])
    mixture = ParameterMixture([1.0], means, [size**2 * 0.01 * np.eye(4)])
    problem = RecourseProblem(
        [0.2, 0.5, 0.1, 1.0],
        mixture,
        radii=0.05 * size,
        delta_add=delta_add,
        actions=actions,
        margin=1e-3 * size,
    )
    assert_same_answer(problem, plan_many([problem], GAP), 0)


def test_people_who_share_nothing_are_refused():
    rng = np.random.default_rng(0)
    first = random_problem(rng)
    with pytest.raises(InvalidInput, match="mixture"):
        plan_many([first, random_problem(rng)])
    with pytest.raises(InvalidInput, match="link and weighting"):
        plan_many([first, random_problem(rng, mixture=first.mixture, link="gaussian")])
    with pytest.raises(InvalidInput, match="got none"):
        plan_many([])


def test_a_weight_ball_is_left_to_certified():
    rng = np.random.default_rng(1)
    problem = random_problem(rng, components=2, weighting=WeightBall("kl", 0.1))
    assert list(plan_many([problem]).one_by_one) == [0]


def test_the_plane_of_one_applicant_is_what_each_problem_says():
    problem = random_problem(np.random.default_rng(3))
    radii, budgets = np.array([0.0, 0.05, 0.1]), np.array([0.1, 0.5, 1.0])
    plane = plan_plane(problem, radii, budgets)
    assert plane.worst_case_probability.shape == (3, 3)
    for i, rho in enumerate(radii):
        for j, extra in enumerate(budgets):
            alone = find_recourse(
                RecourseProblem(
                    problem.x0,
                    problem.mixture,
                    radii=rho,
                    delta_add=extra,
                    actions=problem.unbounded.actions,
                )
            )
            value = plane.worst_case_probability[i, j]
            assert value == pytest.approx(alone.worst_case_probability, abs=2e-6)
            assert plane.delta_min[i, j] == pytest.approx(alone.delta_min, abs=1e-6)


def test_the_plane_keeps_the_ratio_of_the_radii_and_each_plan_its_budget():
    own = random_problem(np.random.default_rng(11), components=2)
    problem = RecourseProblem(
        own.x0, own.mixture, radii=[0.05, 0.1], delta_add=0.2, actions=own.unbounded.actions
    )
    radii, budgets = np.array([0.0, 0.04, 0.08]), np.array([0.0, 0.1, 3.0])
    plane = plan_plane(problem, radii, budgets)
    assert (plane.delta_min > 0.05).all()
    # The largest budget is not used up, so that its plan fills the budgets it leaves unused.
    assert (plane.cost[:, 2] < plane.delta_min[:, 2] + 3.0).all()
    for i, rho in enumerate(radii):
        for j, extra in enumerate(budgets):
            alone = find_recourse(
                RecourseProblem(
                    own.x0,
                    own.mixture,
                    radii=[rho / 2.0, rho],
                    delta_add=extra,
                    actions=own.unbounded.actions,
                )
            )
            value = plane.worst_case_probability[i, j]
            assert value == pytest.approx(alone.worst_case_probability, abs=1.1e-3)
            assert plane.lower_bound[i, j] <= alone.worst_case_probability + 1e-9
            assert plane.cost[i, j] <= plane.delta_min[i, j] + extra + 1e-6
            assert problem.unbounded.cost_of(plane.x[i, j]) == pytest.approx(plane.cost[i, j])


def test_a_cone_around_real_people_is_kept_and_proved():
    problem = random_problem(np.random.default_rng(3))
    crowd = crowd_of([problem.unbounded], problem.objective)
    free = cheapest_plans(crowd)
    outside = best_plans(crowd, free, free.cost + 1.0, problem.objective, GAP).x[:, 0]
    centre = 0.5 * (free.x[:, 0] + problem.x0)
    limit = 0.5 * (np.linalg.norm(free.x[:, 0] - centre) + np.linalg.norm(outside - centre))
    shared = replace(crowd.shared, cone=(np.eye(5), centre))
    kept = replace(crowd, shared=shared, cone_limit=np.full(1, limit))
    cheapest = cheapest_plans(kept)
    best = best_plans(kept, cheapest, cheapest.cost + 1.0, problem.objective, GAP)
    assert cheapest.settled[0] and best.settled[0]
    assert np.linalg.norm(outside - centre) > 1.01 * limit
    assert np.linalg.norm(best.x[:, 0] - centre) <= limit * (1.0 + 1e-6)
    assert best.value[0] >= problem.objective.value(outside)
    # No random point inside beats the proof.
    for x in np.random.default_rng(0).random((4000, 5)):
        x[-1] = 1.0
        inside = kept.keeps(x[:, None], cheapest.cost + 1.0)[0]
        assert not inside or problem.objective.value(x) >= best.lower_bound[0]


@pytest.mark.parametrize("index", [30, 142, 191])
def test_the_cheapest_plan_lies_on_the_edge_and_is_proved(index):
    problem = fuzz_problem(11, index).problem
    crowd = crowd_of([problem.unbounded], problem.objective)
    found = cheapest_plans(crowd)
    assert found.settled[0] and problem.unbounded.is_valid(found.x[:, 0])
    assert found.floor[0] == pytest.approx(found.cost[0], rel=1e-8)
    assert found.cost[0] == pytest.approx(problem.unbounded.cheapest.cost, rel=2e-7)
    m, _, r = crowd.terms(found.x)
    assert abs((m - r - problem.unbounded.margins[0]).min()) < 1e-8 * np.abs(m).max()


def test_compiled_loops_give_the_same_digits(monkeypatch):
    pytest.importorskip("numba")
    rng = np.random.default_rng(4)
    first = random_problem(rng, components=2)
    problems = [first] + [random_problem(rng, mixture=first.mixture) for _ in range(6)]
    plain = plan_many(problems, GAP)
    monkeypatch.setattr(linear._Loops, "module", None)
    assert linear.compile_loops() and linear._Loops.module is not None
    compiled = plan_many(problems, GAP)
    for name in ("x", "delta_min", "worst_case_probability", "lower_bound"):
        np.testing.assert_array_equal(getattr(compiled, name), getattr(plain, name))


def test_without_numba_nothing_is_compiled(monkeypatch):
    monkeypatch.setattr(linear._Loops, "module", None)
    monkeypatch.setattr(linear, "find_spec", lambda name: None)
    assert not linear.compile_loops() and linear._Loops.module is None


def test_nothing_loads_numba_unasked():
    """The start of the dashboard and of small runs is the same with the extra and without it."""
    code = "import sys, dirrac_core.bulk.stream; print('numba' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "False"


def test_the_kernel_knows_every_kind_of_action():
    """A further field of Actions must be taught to `crowd_of` before it may be planned with."""
    assert {field.name for field in fields(Actions)} == {
        *("lower", "upper", "locked", "only_up", "only_down"),
        *("groups", "weights", "linear", "conditional"),
        # What may be advised changes no plan.
        *("not_advised", "plausible"),
    }
