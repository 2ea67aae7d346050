"""A small part of `benchmarks.fuzz --generator foreign`: problems drawn as others would."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks import fuzz_checks
from benchmarks.foreign_problems import foreign_problem
from benchmarks.fuzz_checks import examine
from benchmarks.witnesses import witness
from dirrac_core import ParameterMixture, RecourseProblem, find_recourse

SEED, PROBLEMS = 1, 60


@pytest.mark.parametrize("part", range(2))
def test_problems_of_others(part):
    for index in range(part, PROBLEMS, 2):
        assert examine(SEED, index, foreign_problem).violations == [], index


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
    } <= tags
    assert sum(case.planted is not None for case in cases) > PROBLEMS / 10
    smallest = min(case.problem.mixture.weights.min() for case in cases)
    assert smallest < 1e-9


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
    assert fuzz_checks._single(case, plan) == []
    wrong = replace(plan, delta_min=0.01)
    assert any("δ_min" in said for said in fuzz_checks._single(case, wrong))
    none = replace(plan, x=None, status="infeasible")
    assert "called infeasible although a plan was planted" in fuzz_checks._single(case, none)
