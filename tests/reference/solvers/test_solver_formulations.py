"""Six formulations × ℓ1/ℓ2 × relaxed/whole × every action flag: each plan passes its checklist."""

import pytest
from problems import FLAGS, LINKS, THREE_WEIGHTINGS, random_case

from dirrac_core import assess, find_recourse
from tests import oracle

FORMULATIONS = [(link, weighting) for link in LINKS for weighting in THREE_WEIGHTINGS]


@pytest.mark.parametrize("flags", FLAGS)
@pytest.mark.parametrize("categories", ["relaxed", "whole"])
@pytest.mark.parametrize("cost", ["l1", "l2"])
def test_every_formulation_gives_a_verified_plan(cost, categories, flags):
    case = random_case(71, components=2)
    for link, weighting in FORMULATIONS:
        problem = case.problem(
            flags, cost=cost, categories=categories, link=link, weighting=weighting
        )
        for solver in ("certified", "projected_gradient"):
            if solver == "projected_gradient" and weighting == "kl":
                continue
            plan = find_recourse(problem, solver=solver, gap=2e-3)
            assert plan.checks.ok and bool(plan.checks)
            assert 0.0 <= plan.lower_bound <= plan.worst_case_probability <= 1.0
            assert plan.gap == plan.worst_case_probability - plan.lower_bound
            assert plan.cost <= plan.delta + 1e-6
            assert plan.delta == pytest.approx(plan.delta_min + problem.delta_add)
            assert plan.worst_case_probability == problem.objective.value(plan.x)
            if solver == "certified":
                assert plan.status == "optimal"
                assert plan.gap <= 2e-3 * (1 + 1e-6)
        assert oracle.broken_constraints(problem.feasible_set, plan.x) == ()
        same = assess(problem, plan.x)
        assert same.worst_case_probability == plan.worst_case_probability
        assert same.status == "assessed" and same.checks.ok
