"""Mixtures: the certificate against Algorithm 1 from many starts, and honesty at a time limit."""

import numpy as np
import pytest
from problems import LINKS, THREE_WEIGHTINGS, WEIGHTINGS, random_case

from dirrac_core import find_recourse
from dirrac_core.solvers import Algorithm1, certified, solve_projected_gradient
from dirrac_core.solvers.last_descent import Descent
from tests import oracle

GAP = 1e-3
FEW_STEPS = Algorithm1(iterations=40)


@pytest.mark.parametrize("cost", ["l1", "l2"])
@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize("weighting", ["nominal", "kl", "chi2"])
def test_never_above_projected_gradient_and_never_below_the_bound(weighting, link, cost):
    case = random_case(41, components=3)
    flags = "everything" if cost == "l2" else "box"
    problem = case.problem(flags, weighting=weighting, link=link, cost=cost)
    plan = find_recourse(problem, gap=GAP)
    opinion = oracle.second_opinion(problem.feasible_set, problem.objective, plan.x)
    assert opinion.broken == ()
    assert opinion.value == pytest.approx(plan.worst_case_probability, abs=1e-6)
    assert plan.lower_bound >= opinion.lower_bound - 1e-5
    for _ in range(5):
        start = np.append(case.rng.uniform(size=case.x0.size - 1), 1.0)
        other = solve_projected_gradient(
            problem.feasible_set, problem.objective, FEW_STEPS, start=start
        )
        assert oracle.broken_constraints(problem.feasible_set, other.x) == ()
        assert plan.worst_case_probability <= other.value + GAP
        assert plan.lower_bound <= other.value + 1e-7


@pytest.mark.parametrize("weighting", THREE_WEIGHTINGS)
@pytest.mark.parametrize("categories", ["relaxed", "whole"])
def test_certified_is_never_worse_than_projected_gradient(weighting, categories):
    for seed in (42, 43):
        problem = random_case(seed, components=2).problem(
            "everything", weighting=weighting, categories=categories, delta_add=2.3
        )
        certified = find_recourse(problem, gap=GAP)
        paper = find_recourse(problem, solver="projected_gradient")
        assert certified.worst_case_probability <= paper.worst_case_probability + GAP
        assert certified.lower_bound <= paper.worst_case_probability + 1e-7
        assert paper.lower_bound <= certified.worst_case_probability + 1e-7
        assert paper.status in ("converged", "stalled", "iteration limit")


@pytest.mark.parametrize("link", LINKS)
def test_a_smaller_gap_is_reached_and_brackets_the_larger_one(link):
    for seed in (44, 45, 46):
        problem = random_case(seed, components=4, spread=0.5).problem("everything", link=link)
        rough, fine = (find_recourse(problem, gap=gap) for gap in (1e-2, 1e-5))
        assert (rough.status, fine.status) == ("optimal", "optimal")
        assert rough.gap <= 1e-2 * (1 + 1e-6)
        assert fine.gap <= 1e-5 * (1 + 1e-6)
        assert rough.lower_bound <= fine.worst_case_probability + 1e-9
        assert fine.lower_bound <= rough.worst_case_probability + 1e-9


@pytest.mark.parametrize("weighting", THREE_WEIGHTINGS)
@pytest.mark.parametrize("categories", ["relaxed", "whole"])
def test_no_time_still_gives_a_plan_and_an_honest_gap(weighting, categories):
    problem = random_case(47, components=3, spread=0.6).problem(
        "everything", weighting=weighting, categories=categories, delta_add=2.3
    )
    hasty = find_recourse(problem, gap=1e-7, time_limit=0.0)
    calm = find_recourse(problem, gap=1e-4)
    assert bool(hasty.checks)
    assert hasty.status == ("optimal" if hasty.gap <= 1e-7 * (1 + 1e-6) else "time limit")
    assert hasty.gap == pytest.approx(hasty.worst_case_probability - hasty.lower_bound)
    assert hasty.lower_bound <= calm.worst_case_probability + 1e-9
    assert calm.lower_bound <= hasty.worst_case_probability + 1e-9


def test_the_time_limit_is_met_somewhere():
    """The case above must include one that is really cut short, or it would prove nothing."""
    problem = random_case(47, components=3, spread=0.6).problem("everything", delta_add=2.3)
    assert find_recourse(problem, gap=1e-7, time_limit=0.0).status == "time limit"


class Clock:
    """A clock that moves on by one whenever somebody looks at it."""

    def __init__(self):
        self.now = 0.0

    def perf_counter(self):
        self.now += 1.0
        return self.now


@pytest.mark.parametrize("weighting", ["nominal", "worst-component"])
def test_the_time_limit_counts_inside_a_node(weighting, monkeypatch):
    """One node of many columns holds many cone programs: none is begun once it is late."""

    def asked():
        # One each: what was found out about a piece is kept with it.
        case = random_case(47, components=5, spread=0.6)
        return case.problem("box", weighting=weighting, delta_add=2.3)

    calm = find_recourse(asked(), gap=1e-7)
    monkeypatch.setattr(certified, "time", Clock())
    monkeypatch.setattr(certified, "algorithm_1", lambda *_: Descent((), 0))
    hasty = find_recourse(asked(), gap=1e-7, time_limit=3.0)
    assert hasty.status == "time limit" and hasty.nodes <= 2
    assert bool(hasty.checks)
    assert hasty.solves <= 8 < calm.solves


@pytest.mark.parametrize("weighting", WEIGHTINGS)
def test_ten_components(weighting):
    link = LINKS[len(weighting) % 2]
    problem = random_case(48, components=10).problem("groups", weighting=weighting, link=link)
    plan = find_recourse(problem, gap=GAP)
    assert plan.status == "optimal"
    assert plan.gap <= GAP * (1 + 1e-6)
    assert plan.component_probabilities.shape == plan.worst_weights.shape == (10,)
    assert plan.worst_weights @ plan.component_probabilities == pytest.approx(
        plan.worst_case_probability, abs=1e-9
    )


def test_the_trace_ends_at_the_answer_and_never_gets_worse():
    plan = find_recourse(random_case(49, components=3).problem("everything"), gap=1e-6)
    values = [step.value for step in plan.trace]
    assert values == sorted(values, reverse=True)
    assert plan.trace[-1].value == plan.worst_case_probability
    assert np.array_equal(plan.trace[-1].x, plan.x)
    assert plan.trace[-1].lower_bound == plan.lower_bound
    assert plan.solves > 0 and plan.nodes > 0
