"""Limits that give way: the least factor, the same for one and for many, said where it is used."""

import datetime
from dataclasses import replace

import cvxpy as cp
import numpy as np
import pytest

from dirrac_core import load_dataset
from dirrac_core.case.case import bundle_of, formulate, make_case, solve
from dirrac_core.case.documents.letter import letter
from dirrac_core.case.facts import facts_of
from dirrac_core.case.likeness import widened_words
from dirrac_core.case.realism import Allowed
from dirrac_core.case.recommended import recommended
from dirrac_core.case.scenario import Scenario
from dirrac_core.data.plausibility import real_people
from dirrac_core.data.schema.schema import with_constant
from dirrac_core.errors import InvalidInput
from dirrac_core.recourse import find_recourse
from dirrac_core.recourse.many import plan_many
from dirrac_core.solvers.least_unusual import LEVELS, widened, widening
from dirrac_core.studies.people.many_plans import ManyPlanner

STUDENT = recommended("student")
STRICT = replace(STUDENT, widen=False)


def student(place: int, settings=STRICT):
    row = int(bundle_of(STUDENT).declined[place])
    return make_case(Scenario.of(settings, row))


def comfortable():
    """An applicant with a usual plan that lasts, whose limits may give way and need not."""
    settings = replace(recommended("synthetic"), plausibility=0.05, widen=True)
    row = int(bundle_of(settings).declined[0])
    return make_case(Scenario.of(settings, row))


def factor_by_cvxpy(case, level):
    """The least factor for the applicant's own categories, written down a second time."""
    problem, actions = case.problem, case.problem.unbounded.actions
    feasible, people = problem.unbounded, actions.plausible
    x0, mixture = problem.x0, problem.mixture
    x, f = cp.Variable(x0.size), cp.Variable()
    bounds = feasible.bounds
    grouped = [column for group in actions.groups for column in group]
    rules = [x[-1] == 1.0, f >= 1.0, x[grouped] == x0[grouped]]
    rules += [x[:-1] >= bounds.lower, x[:-1] <= bounds.upper]
    rules += [cp.norm(people.factor @ (x[:-1] - people.centre)) <= f * people.size]
    for rule in actions.linear:
        if np.isfinite(rule.high):
            rules.append(rule.coefficients @ x[:-1] <= rule.high + (f - 1.0) * rule.give)
        if np.isfinite(rule.low):
            rules.append(rule.coefficients @ x[:-1] >= rule.low)
    a = float(problem.objective.link.score(level))
    for k, mean in enumerate(mixture.means):
        deviation = cp.norm(mixture.factors[k].T @ x)
        reach = problem.radii[k] * cp.norm(problem.doubt.factors[k].T @ x)
        rules += [
            mean @ x >= a * deviation + np.hypot(1.0, a) * reach,
            mean @ x - reach >= feasible.margins[k],
        ]
    program = cp.Problem(cp.Minimize(f), rules)
    program.solve(solver="CLARABEL")
    return None if program.status.startswith("infeasible") else float(f.value)


@pytest.mark.parametrize("place", [10, 65, 100])
def test_the_factor_is_that_of_cvxpy(place):
    case = student(place)
    found = widening(case.problem.unbounded, case.problem.objective)
    factors = (factor_by_cvxpy(case, level) for level in LEVELS)
    expected = next(each for each in factors if each is not None)
    assert found == pytest.approx(expected, rel=1e-4)


def test_no_plan_as_usual_promises_as_much_and_a_wider_one_does():
    case = student(100)
    problem = case.problem
    factor = widening(problem.unbounded, problem.objective)
    assert factor > 1.2
    actions = problem.unbounded.actions
    for share, reached in ((0.98, False), (1.02, True)):
        wider = problem.variant(actions=widened(actions, share * factor))
        plan = find_recourse(wider)
        promises = plan.x is not None and plan.worst_case_probability <= LEVELS[0] + 1e-3
        assert promises == reached


def test_what_gives_way_is_the_ellipsoid_and_the_rules_that_yield_and_nothing_else():
    actions = student(50).actions
    wider = widened(actions, 2.0)
    assert wider.plausible.size == 2.0 * actions.plausible.size
    assert wider.plausible.widened == 2.0
    np.testing.assert_array_equal(wider.plausible.upper, actions.plausible.upper)
    (step,) = (rule for rule in actions.linear if rule.name == "Step in grades")
    (more,) = (rule for rule in wider.linear if rule.name == "Step in grades")
    span = load_dataset("student").schema.feature("Second grade")
    # Three points in units of the larger coefficient: that of the grade with the larger range.
    first = load_dataset("student").schema.feature("First grade")
    size = max(feature.high - feature.low for feature in (first, span))
    assert more.high - step.high == pytest.approx(3.0 / size)
    assert widened(actions, 1.0) is actions


def test_who_has_a_good_plan_keeps_the_limits():
    case = comfortable()
    assert case.actions.plausible.widened == 1.0
    assert find_recourse(case.problem).worst_case_probability <= LEVELS[0]


def test_german_limits_never_give_way_by_default():
    assert not recommended("german").widen and not recommended("sba").widen


def test_many_people_get_the_limits_of_each():
    bundle = bundle_of(STUDENT)
    dirrac, _ = formulate(STUDENT, bundle)
    allowed = Allowed.of(bundle.dataset, STUDENT, dirrac)
    X = bundle.dataset.present.X[bundle.declined[:12]]
    alone = plan_many([dirrac.problem(with_constant(x), allowed.actions(x)) for x in X])
    together = ManyPlanner(dirrac, allowed, rounded=False)(X)
    settled = together.settled
    assert settled.sum() >= 6
    np.testing.assert_allclose(together.x[settled], alone.x[settled], atol=1e-6)


def test_widening_needs_a_linear_model_and_the_models():
    with pytest.raises(InvalidInput, match="logistic"):
        replace(STUDENT, model="mlp", futures="sampling")
    with pytest.raises(InvalidInput, match="models are needed"):
        Allowed.of(load_dataset("student"), STUDENT, None)


def test_a_limit_that_gave_way_is_said_on_the_page_and_in_the_letter():
    case = student(25, STUDENT)
    plan = find_recourse(case.problem)
    people, shape = case.actions.plausible, real_people(case.dataset, 0.05).shape_of(case.x0[:-1])
    said = widened_words(case, plan.x)
    columns = case.dataset.schema.number_columns
    rows = np.tile(people.centre, (len(shape.numbers), 1))
    rows[:, columns] = shape.numbers
    unusual = sum(people.distance(row) >= people.distance(plan.x) for row in rows)
    assert f"{people.widened:.1f} times as wide" in said
    assert f"{unusual or 'none'} of the {len(shape.numbers)} real people" in said
    strict = comfortable()
    assert widened_words(strict, find_recourse(strict.problem).x) == ""
    for each, promised in ((case, False), (strict, True)):
        solution = solve(each)
        facts = facts_of(each, solution.plan.x)
        page = letter(solution, facts, "link", datetime.date(2026, 1, 1))
        assert ("as unusual as at most 1 in 20" in page) == promised
        assert "improve by at most 3 points" not in page
        assert ("times as wide" in page) != promised


def test_a_student_is_not_told_to_reach_the_top():
    schema = load_dataset("student").schema
    for place in range(0, 129, 13):
        case = student(place, STUDENT)
        plan = find_recourse(case.problem)
        assert plan.x is not None
        assert schema.decode(plan.x)["Second grade"] <= 18.0
