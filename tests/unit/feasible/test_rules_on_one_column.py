"""A rule that leaves one column free is a bound of that column, and kept like one: exactly."""

import numpy as np
import pytest

from benchmarks.fuzzing.foreign import foreign_problem
from dirrac_core import Actions, ParameterMixture, find_recourse
from dirrac_core.feasible import FeasibleSet


def embedded(rule, v, lower=-1.0, upper=1.0, locked=(1,)):
    """What is read from a solution v for column 0; column 1 is 0.5."""
    mixture = ParameterMixture([1.0], [[1.0, 1.0, 1.0]], [np.zeros((3, 3))])
    actions = Actions([lower, -1.0], [upper, 1.0], locked=locked, linear=[rule])
    (piece,) = FeasibleSet([0.0, 0.5, 1.0], mixture, actions=actions).pieces()
    return piece.embed(np.array(v))


@pytest.mark.parametrize(
    ("rule", "v", "kept"),
    [
        (([60.0, 0.0], -1e-9, 1e-9), 2e-11, 1e-9 / 60.0),
        (([60.0, 0.0], -1e-9, 1e-9), -2e-11, -1e-9 / 60.0),
        (([-4.0, 0.0], -1.0, 2.0), 0.3, 0.25),
        (([-4.0, 0.0], -1.0, 2.0), -0.6, -0.5),
        (([2.0, 1.0], 0.5, 0.5), 1e-18, 0.0),
        (([2.0, 1.0], 0.0, 1.0), 0.1, 0.1),
    ],
)
def test_it_is_kept_exactly(rule, v, kept):
    assert embedded(rule, [v])[0] == pytest.approx(kept, rel=1e-15, abs=0.0)


def test_the_box_comes_first():
    """Which of two that contradict each other by a trace is kept must not depend on the rule."""
    assert embedded(([1.0, 0.0], -np.inf, -1e-12), [0.0], lower=0.0)[0] == 0.0


def test_a_rule_on_two_columns_moves_nothing():
    v = [0.6, 0.1]
    assert embedded(([1.0, 1.0], 0.0, 0.5), v, locked=())[:2].tolist() == v


@pytest.mark.parametrize("index", [14416, 53359])
@pytest.mark.parametrize("solver", ["certified", "projected_gradient"])
def test_a_rule_narrower_than_a_solvers_accuracy_is_kept(index, solver):
    """People of zeros with ±1e-9 or 0 to move in: plans once missed that by a quarter or all."""
    problem = foreign_problem(3101, index).problem
    plan = find_recourse(problem, solver)
    (rule, *_) = problem.unbounded.actions.linear
    level = float(rule.coefficients @ plan.x[:-1])
    assert rule.low * (1.0 + 1e-15) <= level <= rule.high * (1.0 + 1e-15)
