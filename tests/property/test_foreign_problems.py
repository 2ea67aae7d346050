"""A small part of `benchmarks.fuzz --generator foreign`: problems drawn as others would."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.fuzzing import checks
from benchmarks.fuzzing.checks import examine
from benchmarks.fuzzing.conditions import shortfalls
from benchmarks.fuzzing.foreign import foreign_problem
from benchmarks.fuzzing.witnesses import _thrown, witness
from dirrac_core import ParameterMixture, RecourseProblem, find_recourse

SEED, PROBLEMS = 1, 60
# Once "out of reach": the first cheapest plan missed validity by a trace, and nobody looked again.
ONCE_OUT_OF_REACH = ((2026, 2245), (2026, 4320), (2026, 6771), (2026, 9613))


@pytest.mark.parametrize("part", range(2))
def test_problems_of_others(part):
    for index in range(part, PROBLEMS, 2):
        assert examine(SEED, index, foreign_problem).violations == [], index


@pytest.mark.parametrize("seed, index", ONCE_OUT_OF_REACH)
def test_what_once_could_not_be_settled(seed, index):
    finding = examine(seed, index, foreign_problem)
    assert finding.status == "optimal" and finding.violations == []


def test_the_cheapest_plan_is_right_where_some_columns_are_of_no_use():
    """Columns without weight and hardly any spread have huge units, and a cone program is accurate
    to a share of those. Here one column does it all: δ_min once was 3.35, called proved."""
    problem = foreign_problem(2026, 10264).problem
    theta, margin = problem.mixture.means[0], float(problem.unbounded.margins[0])
    alone = (margin - theta[-1]) / theta[11]
    cheapest = problem.unbounded.cheapest
    assert cheapest.cost == pytest.approx(alone, rel=1e-3) and cheapest.cost <= alone * 1.0001
    assert cheapest.bound <= cheapest.cost * (1 + 1e-6) and cheapest.proved
    assert examine(2026, 10264, foreign_problem).violations == []


def test_the_problems_cover_what_others_draw():
    cases = [foreign_problem(SEED, index) for index in range(PROBLEMS)]
    tags = {tag for case in cases for tag in case.tags}
    assert {
        "heavy person",
        "extreme weights",
        "repeated models",
        "contradictory models",
        "few covariance",
        "hilbert covariance",
        "narrow box",
        "elsewhere box",
        "categories",
        "like real people",
        "today's model",
        "ρ in weights",
        "ρ in deviations",
        "ρ in matrices",
    } <= tags
    assert sum(case.planted is not None for case in cases) > PROBLEMS / 10
    smallest = min(case.problem.mixture.weights.min() for case in cases)
    assert smallest < 1e-9


def test_the_conditions_agree_with_the_checklist_whatever_is_drawn():
    """Two ways to judge a point, written apart: both see what is far from the edge alike."""
    seen = set()
    for index in range(PROBLEMS):
        problem = foreign_problem(SEED, index).problem
        points = _thrown(problem, np.random.default_rng(index))
        by = np.max([missed.by for missed in shortfalls(problem, points)], axis=0)
        for point, missed in zip(points, by, strict=True):
            if missed <= 0.0 or missed > 1e-3:
                assert bool(problem.unbounded.contains(point)) == (missed <= 0.0), index
                seen.add((str(problem.metric)[:7], missed <= 0.0))
    assert {"weights", "deviati"} <= {metric for metric, kept in seen if kept}


def test_a_problem_depends_on_its_seed_and_index_alone():
    first, again = (foreign_problem(3, 5).problem for _ in range(2))
    assert np.array_equal(first.mixture.means, again.mixture.means)
    assert not np.array_equal(first.x0, foreign_problem(4, 5).problem.x0)


def test_a_person_who_keeps_everything_is_a_witness_against_a_price():
    mixture = ParameterMixture([1.0], [[1.0, 1.0, -0.5]], [0.01 * np.eye(3)])
    problem = RecourseProblem([1.0, 1.0, 1.0], mixture, 0.1, delta=0.0)
    found = witness(problem, np.random.default_rng(0))
    assert np.array_equal(found, problem.x0)
    case = replace(foreign_problem(SEED, 0), problem=problem, planted=found)
    plan = find_recourse(problem)
    assert checks._single(case, plan) == []
    wrong = replace(plan, delta_min=0.01)
    assert any("δ_min" in said for said in checks._single(case, wrong))
    none = replace(plan, x=None, status="infeasible")
    assert "called infeasible although a plan was planted" in checks._single(case, none)
