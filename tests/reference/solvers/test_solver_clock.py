"""The time limit, with a clock that ticks once for every cone program."""

from types import SimpleNamespace

import pytest
from problems import THREE_WEIGHTINGS, random_case

from dirrac_core import find_recourse
from dirrac_core.conic import ConeSolver
from dirrac_core.recourse import find
from dirrac_core.solvers import algorithm_1, certified

# What may still be solved when the time is over: the program that was running, and the two that
# a step always needs together.
LAST = 3
# Small enough for work to be left, large enough for one score to reach it.
GAP = 1e-5


@pytest.fixture
def ticks(monkeypatch):
    """Seconds are cone programs; the list holds one entry for each."""
    solved = []
    minimise = ConeSolver.minimise

    def counted(self, q):
        solved.append(1)
        return minimise(self, q)

    monkeypatch.setattr(ConeSolver, "minimise", counted)
    clock = SimpleNamespace(perf_counter=lambda: float(len(solved)))
    for module in (certified, algorithm_1, find):
        monkeypatch.setattr(module, "time", clock)
    return solved


@pytest.mark.parametrize("metric", ["weights", "deviations"])
@pytest.mark.parametrize("categories", ["relaxed", "whole"])
@pytest.mark.parametrize("weighting", THREE_WEIGHTINGS)
def test_no_more_cone_programs_than_the_time_allows(ticks, weighting, categories, metric):
    options = {
        "weighting": weighting,
        "categories": categories,
        "metric": metric,
        "delta_add": 2.3,
        "radii": 0.2 if metric == "deviations" else 0.05,
    }
    problem = random_case(47, 3, spread=0.6).problem("everything", **options)
    calm = find_recourse(problem, gap=1e-2)
    for limit in (0, 1, 4, 9, 16):
        ticks.clear()
        plan = find_recourse(problem, gap=GAP, time_limit=float(limit))
        assert len(ticks) <= limit + LAST
        assert plan.checks.ok and plan.cost <= problem.feasible_set.delta + 1e-6
        assert plan.status == ("optimal" if plan.gap <= GAP * (1 + 1e-6) else "time limit")
        assert plan.lower_bound <= calm.worst_case_probability + 1e-9
        assert calm.lower_bound <= plan.worst_case_probability + 1e-9


def test_more_time_gives_a_better_bound(ticks):
    problem = random_case(47, 3, spread=0.6).problem("everything", delta_add=2.3)
    assert problem.delta_min > 0.0
    gaps = []
    for limit in (0.0, 20.0, 60.0):
        ticks.clear()
        gaps.append(find_recourse(problem, gap=GAP, time_limit=limit).gap)
    assert gaps[0] > gaps[1] > gaps[2]


def test_the_paper_s_descent_stops_in_the_middle_of_a_line_search(ticks):
    problem = random_case(48).problem("box")
    assert problem.delta_min > 0.0
    calm = find_recourse(problem, "projected_gradient")
    assert calm.solves > 8
    ticks.clear()
    hasty = find_recourse(problem, "projected_gradient", time_limit=3.0)
    assert hasty.status == "time limit" and hasty.checks.ok
    assert len(ticks) <= 3 + LAST


@pytest.mark.parametrize("limit", [60.0, 90.0])
def test_categories_not_looked_at_in_time_have_the_bound_of_their_relaxation(ticks, limit):
    """At half time the relaxation bounds every combination, so the bound is not 0."""
    case = random_case(54, 3, spread=0.6)
    problem = case.problem("groups", categories="whole", delta_add=2.5)
    assert problem.delta_min > 0.0
    ticks.clear()
    hasty = find_recourse(problem, gap=1e-9, time_limit=limit)
    assert hasty.lower_bound > 0.0
