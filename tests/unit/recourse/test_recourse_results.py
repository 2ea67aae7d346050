"""What a result says: no plan, a broken plan, a what-if; and the table of backend statuses."""

import re
from dataclasses import replace
from types import SimpleNamespace

import clarabel
import numpy as np
import pytest
from problems import random_case

from dirrac_core import assess, find_recourse
from dirrac_core.conic import (
    FAILED,
    INFEASIBLE,
    SOLVED,
    UNBOUNDED,
    ConeProgram,
    ConeSolution,
    ConeSolver,
)
from dirrac_core.conic.solver import _STATUS
from dirrac_core.errors import BrokenPlan, SolverFailure
from dirrac_core.feasible import Cheapest, FeasibleSet, Projector, found_point
from dirrac_core.recourse import find as recourse
from dirrac_core.solvers.certified import _Search
from dirrac_core.solvers.relaxation import Relaxation, Relaxed


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


def test_a_set_no_cone_program_can_settle_is_out_of_reach(monkeypatch):
    """Neither a plan nor a proof that there is none: said in words, and nothing is claimed."""

    def stuck(self):
        message = "The cone program must end solved or infeasible, got failed"
        raise SolverFailure(message)

    monkeypatch.setattr(FeasibleSet, "cheapest", property(stuck))
    plan = find_recourse(random_case(2).problem("box"))
    assert plan.x is None and plan.status == "out of reach"
    assert (plan.lower_bound, plan.worst_case_probability) == (0.0, 1.0)
    assert "could not be settled" in plan.message and "got failed" in plan.message


@pytest.mark.parametrize("solver", ["certified", "projected_gradient"])
def test_a_plan_no_more_accurate_than_a_broken_cheapest_one_is_out_of_reach(monkeypatch, solver):
    problem = random_case(2).problem("box")
    invalid = Cheapest(0.0, problem.x0, 0.0)
    broken = problem.feasible_set.contains(problem.x0)
    monkeypatch.setattr(FeasibleSet, "cheapest", property(lambda self: invalid))
    monkeypatch.setattr(FeasibleSet, "is_valid", lambda self, x: False)
    monkeypatch.setattr(FeasibleSet, "contains", lambda self, x: broken)
    plan = find_recourse(problem, solver=solver)
    assert plan.x is None and plan.status == "out of reach"
    assert "must pass its own checklist, got validity" in plan.message


def test_an_explanation_that_cannot_be_computed_is_said_to_be_missing(monkeypatch):
    def stuck(*arguments):
        message = "got failed"
        raise SolverFailure(message)

    monkeypatch.setattr(recourse, "explain", stuck)
    plan = find_recourse(random_case(2).problem("box", delta=0.0))
    assert plan.x is None and plan.status == "infeasible" and plan.explanation is None
    assert "the ways out could not be computed: got failed" in plan.message


def test_a_certificate_left_open_by_the_cone_solver_is_stalled_not_late(monkeypatch):
    unknown = Relaxed(0.0, None, None)
    monkeypatch.setattr(Relaxation, "bound", lambda self, lo, hi, cuts: unknown)
    monkeypatch.setattr(_Search, "_split", lambda self, box, bound: self._close(bound))
    plan = find_recourse(random_case(47, components=3, spread=0.6).problem("box"), gap=1e-7)
    assert plan.gap > 1e-7 and plan.status == "stalled"


def test_algorithm_1_keeps_the_cheapest_plan_where_nothing_can_be_projected(monkeypatch):
    def stuck(self, point):
        message = "The cone program for projection must end solved or infeasible, got failed"
        raise SolverFailure(message)

    problem = random_case(2).problem("box")
    monkeypatch.setattr(Projector, "__call__", stuck)
    plan = find_recourse(problem, solver="projected_gradient")
    assert plan.status == "stalled" and plan.cost == pytest.approx(plan.delta_min)
    assert plan.checks.ok


def at_least_zero():
    """The rows of v ≥ 0, for one v."""
    cones = [clarabel.NonnegativeConeT(1)]
    return ConeSolver(-np.ones((1, 1)), np.zeros(1), cones, None, np.ones(1), np.zeros(1))


@pytest.mark.parametrize("status", ["Solved", "AlmostSolved"])
def test_a_point_far_larger_than_expected_is_not_accurate(status):
    """The backend's residual is relative to the point; a row is missed by their product."""

    def ended(x, missed=0.0):
        # With A = −1 and q = 1 the dual point z = 1 misses nothing; the backend claims so always.
        result = SimpleNamespace(
            status=status,
            x=[x],
            z=[1.0 - missed],
            obj_val=1.0,
            obj_val_dual=1.0,
            r_prim=1e-9,
            r_dual=0.0,
        )
        return at_least_zero()._read(SimpleNamespace(solve=lambda: result), np.ones(1))

    assert ended(-2.0).accurate
    assert ended(1e4).usable and not ended(1e4).accurate
    # Nor does a dual objective prove more than its accuracy allows.
    allowed = 1e-9 if status == "Solved" else 5e-4
    assert 1.0 - ended(1.0).bound == pytest.approx(allowed)
    assert 1.0 - ended(-20.0, missed=1e-6).bound == pytest.approx(allowed + 2e-5)


def test_the_message_holds_the_value_and_the_bound():
    plan = find_recourse(random_case(2).problem("box"))
    (most,) = re.findall(r"at most ([0-9.]+) of 100", plan.message)
    (least,) = re.findall(r"fewer than ([0-9.]+)\.$", plan.message)
    # Rounded in the direction in which they stay true.
    value, bound = 100 * plan.worst_case_probability, 100 * plan.lower_bound
    assert value <= float(most) <= value + 0.1 and bound - 0.1 <= float(least) <= bound


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
        at_least_zero()._read(backend, np.ones(1))


def one_variable(rows, limits):
    program = ConeProgram()
    program.add("v")
    program.at_most({"v": rows}, limits)
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
        program = ConeProgram()
        program.at_most({}, limit)
        assert program.solver().minimise(np.zeros(0)).status == status
    cone = ConeProgram()
    cone.norm({}, [2.0, 0.0], {}, 1.0)
    assert cone.solver().minimise(np.zeros(0)).status == INFEASIBLE


def test_only_a_proof_of_emptiness_means_no_point():
    def ended(status):
        return ConeSolution(status, np.zeros(1), 0.0, 0.0)

    assert found_point(ended(SOLVED), "a test") is True
    assert found_point(ended(INFEASIBLE), "a test") is False
    for status in (FAILED, UNBOUNDED):
        with pytest.raises(SolverFailure, match=f"a test must end .* got {status}"):
            found_point(ended(status), "a test")
