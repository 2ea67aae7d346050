"""What a result says: no plan, a broken plan, a what-if; and the table of backend statuses."""

from dataclasses import replace
from types import SimpleNamespace

import clarabel
import numpy as np
import pytest
from problems import random_case

from dirrac_core import assess, find_recourse, recourse
from dirrac_core.conic import (
    _STATUS,
    FAILED,
    INFEASIBLE,
    SOLVED,
    UNBOUNDED,
    ConeProgram,
    ConeSolution,
    ConeSolver,
)
from dirrac_core.errors import BrokenPlan, SolverFailure
from dirrac_core.feasible.feasible_set import found_point


@pytest.mark.parametrize("solver", ["certified", "projected_gradient"])
def test_no_plan_is_none_with_a_reason(solver):
    plan = find_recourse(random_case(2).problem("box", delta=0.0), solver=solver)
    assert plan.x is None and plan.status == "infeasible"
    assert plan.component_probabilities is None and plan.checks is None
    assert np.isnan(plan.cost)
    assert plan.worst_case_probability == 1.0
    assert plan.explanation.blame and plan.message == plan.explanation.message
    assert f"{plan.delta_min:.4g}" in plan.message


def test_a_plan_that_fails_its_own_checklist_is_an_error(monkeypatch):
    problem = random_case(2).problem("box")

    def cheat(*arguments):
        outcome = honest(*arguments)
        return replace(outcome, x=outcome.x + np.append(np.full(6, 0.5), 0.0))

    honest = recourse.solve_certified
    monkeypatch.setattr(recourse, "solve_certified", cheat)
    with pytest.raises(BrokenPlan, match="must pass its own checklist, got .* outside"):
        find_recourse(problem)


def test_the_message_holds_the_value_and_the_bound():
    plan = find_recourse(random_case(2).problem("box"))
    assert f"at most {100 * plan.worst_case_probability:.3g} in 100" in plan.message
    assert f"fewer than {100 * plan.lower_bound:.3g} in 100" in plan.message


def test_a_what_if_is_assessed_and_never_refused():
    problem = random_case(2, components=2).problem("box")
    what_if = assess(problem, problem.x0)
    assert what_if.status == "assessed" and not what_if.checks
    assert {check.name for check in what_if.checks.broken} == {"validity"}
    assert what_if.cost == 0.0 and what_if.lower_bound == 0.0
    assert what_if.worst_case_probability == problem.objective.value(problem.x0)


def test_a_given_budget_replaces_the_extra():
    case = random_case(2)
    plan = find_recourse(case.problem("box", delta_add=0.3))
    same = find_recourse(case.problem("box", delta=plan.delta_min + 0.3, delta_add=99.0))
    assert same.delta == plan.delta
    assert same.x == pytest.approx(plan.x, abs=1e-6)


def test_every_status_of_the_backend_is_in_the_table():
    names = {
        str(status)
        for status in vars(clarabel.SolverStatus).values()
        if isinstance(status, clarabel.SolverStatus)
    }
    assert names and names <= set(_STATUS)


def test_an_unknown_status_is_an_error():
    backend = SimpleNamespace(solve=lambda: SimpleNamespace(status="Tired", x=[0.0]))
    with pytest.raises(SolverFailure, match="statuses are .*Solved.*, got Tired"):
        ConeSolver._read(backend)


def one_variable(rows, limits):
    program = ConeProgram(1)
    program.at_most(np.array(rows, dtype=float), np.array(limits, dtype=float))
    return program.solver()


def test_statuses_of_small_programs():
    solved = one_variable([[1.0], [-1.0]], [2.0, 1.0]).minimise(np.array([1.0]))
    assert solved.status == SOLVED
    assert (solved.v[0], solved.value) == pytest.approx((-1.0, -1.0), abs=1e-7)
    assert solved.bound <= solved.value + 1e-8
    empty = one_variable([[1.0], [-1.0]], [-1.0, -1.0]).minimise(np.array([1.0]))
    assert empty.status == INFEASIBLE and not empty.usable
    assert one_variable([[1.0]], [2.0]).minimise(np.array([1.0])).status == UNBOUNDED


def test_a_solver_answers_each_new_objective():
    solver = one_variable([[1.0], [-1.0]], [2.0, 1.0])
    ends = [solver.minimise(np.array([slope])).v[0] for slope in (1.0, -1.0, 1.0)]
    assert ends == pytest.approx([-1.0, 2.0, -1.0], abs=1e-7)
    assert solver.solves == 3


def test_without_variables_the_rows_hold_or_they_do_not():
    for limit, status in ((0.5, SOLVED), (-0.5, INFEASIBLE)):
        program = ConeProgram(0)
        program.at_most(np.zeros((1, 0)), np.array([limit]))
        assert program.solver().minimise(np.zeros(0)).status == status
    cone = ConeProgram(0)
    cone.norm(np.zeros((3, 0)), np.array([1.0, 2.0, 0.0]))
    assert cone.solver().minimise(np.zeros(0)).status == INFEASIBLE


def test_only_a_proof_of_emptiness_means_no_point():
    def ended(status):
        return ConeSolution(status, np.zeros(1), 0.0, 0.0)

    assert found_point(ended(SOLVED), "a test") is True
    assert found_point(ended(INFEASIBLE), "a test") is False
    for status in (FAILED, UNBOUNDED):
        with pytest.raises(SolverFailure, match=f"a test must end .* got {status}"):
            found_point(ended(status), "a test")
