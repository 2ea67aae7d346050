"""A small part of benchmarks/fuzz.py: random problems of all formulations, units and corners."""

import json
from dataclasses import asdict, replace

import numpy as np
import pytest

from benchmarks import fuzz
from benchmarks.fuzzing import checks
from benchmarks.fuzzing.checks import Finding, examine
from benchmarks.fuzzing.conditions import misses
from benchmarks.fuzzing.problems import fuzz_problem
from dirrac_core import find_recourse
from dirrac_core.errors import SolverFailure
from dirrac_core.solvers import last_descent
from dirrac_core.solvers.algorithm_1 import solve_projected_gradient

SEED = 20
PROBLEMS = 200
# Problems of longer runs that once went wrong: (seed, index).
ONCE_WRONG = (
    *((1, 470), (1, 1113), (1, 1391), (1, 149), (1, 510), (1, 1102)),
    *((2, 602), (2, 771), (2, 1429), (2, 31), (2, 2231)),
    *((4, 63), (4, 1317), (4, 1602), (4, 2290), (5, 569), (5, 2273)),
    *((7, 1387), (7, 3404), (7, 4873), (7, 10761), (7, 12241), (11, 2084), (11, 2549)),
    *((7, 6855), (7, 11407), (7, 13324), (7, 15556)),
    *((42, 4803), (42, 11885), (42, 12113), (42, 13853), (42, 18504)),
    *((42, 5431), (42, 12236)),
)
# Problems on which branch and bound once split the same component for ever.
ONCE_ENDLESS = ((7, 1895), (7, 3447), (7, 9067), (7, 18178), (11, 2196))


@pytest.mark.parametrize("part", range(4))
def test_random_problems(part):
    for index in range(part, PROBLEMS, 4):
        assert examine(SEED, index).violations == [], index


@pytest.mark.parametrize("seed, index", ONCE_WRONG)
def test_what_once_went_wrong(seed, index):
    assert examine(seed, index).violations == []


@pytest.mark.parametrize("seed, index", ONCE_ENDLESS)
def test_what_once_never_ended(seed, index):
    plan = find_recourse(fuzz_problem(seed, index).problem, gap=1e-2, time_limit=20.0)
    assert plan.status == "optimal" and plan.nodes < 200


def test_without_a_time_limit_no_clock_decides(monkeypatch):
    """Here the certificate stalls and Algorithm 1 helps; the answer is the same on every run."""
    limits = []

    def recorded(*arguments, time_limit):
        limits.append(time_limit)
        return solve_projected_gradient(*arguments, time_limit=time_limit)

    monkeypatch.setattr(last_descent, "solve_projected_gradient", recorded)
    problem = fuzz_problem(7, 15019).problem
    plan = find_recourse(problem, gap=1e-2)
    assert plan.status == "stalled" and plan.trace[-2].note == "last descent"
    find_recourse(problem, gap=1e-2, time_limit=5.0)
    assert limits == [None, last_descent.ALGORITHM_1_SECONDS]


def test_the_problems_cover_every_corner():
    cases = [fuzz_problem(SEED, index) for index in range(PROBLEMS)]
    tags = {tag for case in cases for tag in case.tags}
    assert {
        "everything locked",
        "zero budget",
        "no extra budget",
        "radius near the ceiling",
        "huge covariance",
        "zero covariance",
        "duplicated columns",
        "units of each column",
        "units of models",
    } <= tags
    # 2 links × 7 weightings, one and several components.
    assert len({case.formulation for case in cases}) == 28
    assert {1, 10} <= {case.problem.mixture.components for case in cases}
    assert sum(case.planted is not None for case in cases) > PROBLEMS / 2


def test_a_problem_depends_on_its_seed_and_index_alone():
    first, again, other = (fuzz_problem(seed, 17).problem for seed in (3, 3, 4))
    assert np.array_equal(first.mixture.means, again.mixture.means)
    assert np.array_equal(first.x0, again.x0)
    assert first.mixture.means.tobytes() != other.mixture.means.tobytes()


@pytest.fixture(scope="module")
def solved():
    """A problem with a plan, a planted plan that is affordable, and room above the optimum."""
    for index in range(100):
        case = fuzz_problem(SEED, index)
        plan = find_recourse(case.problem, gap=1e-3)
        if plan.x is None or case.planted is None or not case.problem.radii.any():
            continue
        if 0.05 < plan.worst_case_probability < 0.9:
            return case, plan
    pytest.fail("no problem of moderate difficulty among the first 100")


def test_the_checks_see_a_broken_plan(solved):
    case, plan = solved
    assert max(by for _, by in misses(case.problem, plan.x)) <= checks.MISSED
    for shift in (-1.0, 1.0):
        moved = plan.x + shift * np.append(np.ones(plan.x.size - 1), 0.0)
        assert max(by for _, by in misses(case.problem, moved)) > checks.MISSED


@pytest.mark.parametrize(
    "change, word",
    [
        (lambda p: {"lower_bound": p.worst_case_probability + 1e-5}, "against value"),
        (lambda p: {"gap": p.gap + 1e-5}, "gap is not"),
        (lambda p: {"component_probabilities": 0.9 * p.component_probabilities}, "off by"),
        (lambda p: {"worst_weights": 1.1 * p.worst_weights}, "no weights"),
    ],
)
def test_the_checks_see_wrong_numbers(solved, change, word):
    case, plan = solved
    wrong = replace(plan, **change(plan))
    assert checks._single(case, plan) == []
    assert any(word in said for said in checks._single(case, wrong))


def test_the_checks_compare_the_two_solvers(solved):
    case, plan = solved
    better = replace(plan, worst_case_probability=plan.lower_bound - 0.05, lower_bound=0.0)
    assert len(checks._pair(case.problem, plan, better)) == 2
    none = replace(plan, x=None, status="infeasible")
    assert checks._pair(case.problem, plan, none) != []
    assert checks._pair(case.problem, plan, replace(none, status="out of reach")) == []


def test_a_bound_is_refuted_by_a_plan_inside_and_not_by_the_width_of_a_tolerance(solved):
    case, plan = solved
    twin = case.problem.variant(delta=1.5 * case.problem.unbounded.cost_of(case.planted))
    value = case.problem.objective.value(case.planted)
    inside = replace(plan, x=case.planted, worst_case_probability=value)
    assert checks._undercuts(twin, inside, value + 1e-5)
    assert not checks._undercuts(twin, inside, value)
    # A plan of a larger budget: too good for this one, and just right for its own.
    outside = find_recourse(case.problem.variant(delta=plan.delta * 1.5), gap=1e-6)
    better = outside.worst_case_probability
    assert better < plan.lower_bound - 1e-3
    assert not checks._undercuts(case.problem, outside, plan.lower_bound)
    impossible = replace(outside, worst_case_probability=better - 0.01)
    assert checks._undercuts(case.problem, impossible, plan.lower_bound)


def test_an_exception_is_a_violation(monkeypatch):
    def raises(error):
        def solver(*arguments, **options):
            raise error

        monkeypatch.setattr(checks, "find_recourse", solver)
        return examine(SEED, 0)

    named, unnamed = raises(SolverFailure("stuck")), raises(ZeroDivisionError("division by zero"))
    assert named.violations == ["SolverFailure: stuck"]
    assert unnamed.violations == ["unnamed ZeroDivisionError: division by zero"]


def test_the_log_resumes_and_forgives_a_line_cut_short(tmp_path):
    path = tmp_path / "log.jsonl"
    assert fuzz.logged(path, 1, 10) == {}
    lines = [{"seed": seed, **asdict(Finding(index, "f", ("t",)))} for seed, index in SEEN]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines) + '{"seed": 1, "ind')
    assert sorted(fuzz.logged(path, 1, 10)) == [0, 3]
    assert len(path.read_text().splitlines()) == len(SEEN)


SEEN = ((1, 0), (1, 3), (1, 12), (2, 4))


def test_a_run_writes_its_log_and_goes_on_from_it(tmp_path, monkeypatch, capsys):
    path = tmp_path / "log.jsonl"
    for problems, said in (("4", "0 problems in the log, 4 to do"), ("6", "4 problems in the log")):
        arguments = ["fuzz", "--problems", problems, "--seed", "3", "--jobs", "1"]
        monkeypatch.setattr("sys.argv", [*arguments, "--log", str(path)])
        assert fuzz.main() == 0
        assert said in capsys.readouterr().out
    indices = [json.loads(line)["index"] for line in path.read_text().splitlines()]
    assert sorted(indices) == list(range(6))
