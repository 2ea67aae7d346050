"""`certified` where one score decides (K = 1, worst component), against bisection in cvxpy."""

import numpy as np
import pytest
from problems import FLAGS, LINKS, random_case

from dirrac_core import find_recourse
from dirrac_core.robustness import link_named
from tests import oracle

AGREE = 1e-5


def assert_same_optimum(problem):
    plan = find_recourse(problem, gap=1e-6)
    opinion = oracle.second_opinion(problem.feasible_set, problem.objective, plan.x)
    assert plan.status == "optimal"
    assert opinion.broken == ()
    assert opinion.value == pytest.approx(plan.worst_case_probability, abs=1e-9)
    assert plan.worst_case_probability == pytest.approx(opinion.lower_bound, abs=AGREE)
    assert problem.objective.value(opinion.x) == pytest.approx(opinion.lower_bound, abs=AGREE)
    assert plan.lower_bound <= opinion.lower_bound + 1e-6
    assert plan.gap <= 1e-6
    return plan


@pytest.mark.parametrize("flags", FLAGS)
@pytest.mark.parametrize("cost", ["l1", "l2"])
def test_one_component(flags, cost):
    link = LINKS[len(flags) % 2]
    assert_same_optimum(random_case(11).problem(flags, cost=cost, link=link))


@pytest.mark.parametrize("flags", FLAGS)
@pytest.mark.parametrize("cost", ["l1", "l2"])
def test_worst_component(flags, cost):
    case = random_case(12, components=3)
    radii = np.array([0.0, 0.03, 0.08])
    problem = case.problem(flags, cost=cost, weighting="worst-component", radii=radii)
    assert_same_optimum(problem)


@pytest.mark.parametrize("components", [1, 2])
@pytest.mark.parametrize("cost", ["l1", "l2"])
def test_whole_categories(components, cost):
    changed = 0
    for seed in range(13, 16):
        case = random_case(seed, components)
        problem = case.problem(
            "everything",
            cost=cost,
            categories="whole",
            weighting="worst-component",
            delta_add=2.5,
        )
        plan = assert_same_optimum(problem)
        changed += not np.array_equal(plan.x[3:6], case.x0[3:6])
    assert changed


@pytest.mark.parametrize("rank", [0, 1, 3])
def test_singular_covariances(rank):
    for radii in (0.0, 0.05):
        problem = random_case(16, rank=rank).problem("groups", radii=radii)
        if rank == 0 and radii == 0.0:
            plan = find_recourse(problem, gap=1e-6)
            assert plan.worst_case_probability <= 1e-12
            assert plan.status == "optimal"
        else:
            assert_same_optimum(problem)


# Without extra budget the set has no interior, which cvxpy remarks on.
@pytest.mark.filterwarnings("ignore:Solution may be inaccurate")
@pytest.mark.parametrize("delta_add", [0.0, 1e-4, 10.0])
def test_budgets_from_none_to_plenty(delta_add):
    for cost in ("l1", "l2"):
        assert_same_optimum(random_case(17).problem("everything", cost=cost, delta_add=delta_add))


def test_a_current_model_is_one_more_condition():
    case = random_case(18)
    today = np.array([0.1, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    today[-1] = -0.2 - today @ case.x0
    free, bound = case.problem("box"), case.problem("box", current_model=today)
    plan = assert_same_optimum(bound)
    assert today @ plan.x >= bound.feasible_set.margin - 1e-6
    assert plan.cost > find_recourse(free).delta_min
    assert any(check.name == "today's model" for check in plan.checks.checks)


@pytest.mark.parametrize("cost", ["l1", "l2"])
@pytest.mark.parametrize("flags", ["free", "everything"])
def test_both_links_have_the_same_plan_for_one_component(flags, cost):
    for seed in range(19, 23):
        case = random_case(seed)
        first, second = (
            find_recourse(case.problem(flags, cost=cost, link=link), gap=1e-7) for link in LINKS
        )
        scores = [
            link_named(link).score(plan.worst_case_probability)
            for link, plan in zip(LINKS, (first, second), strict=True)
        ]
        assert scores[0] == pytest.approx(scores[1], rel=1e-5)
        assert first.x == pytest.approx(second.x, abs=1e-3)
        assert first.worst_case_probability > second.worst_case_probability


def test_a_second_opinion_tells_its_progress_and_can_be_stopped():
    problem = random_case(12, components=3).problem("box")
    plan = find_recourse(problem)
    parts = []
    oracle.second_opinion(
        problem.feasible_set, problem.objective, plan.x, lambda part, words: parts.append(part)
    )
    assert parts == [0.0, 1 / 3, 2 / 3]

    class Stopped(Exception):
        pass

    def stop(part, words):
        raise Stopped

    with pytest.raises(Stopped):
        oracle.second_opinion(problem.feasible_set, problem.objective, plan.x, stop)
