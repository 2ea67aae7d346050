"""Bad input to the recourse API: a named error that states the rule and the value given."""

import numpy as np
import pytest
from problems import FLAGS, WEIGHTINGS, random_case

from dirrac_core import Actions, FeasibleSet, RecourseProblem, WeightBall, assess, find_recourse
from dirrac_core.errors import (
    DirracError,
    InvalidActions,
    InvalidInput,
    InvalidMixture,
    UnknownName,
)

CASE = random_case(1, components=2)
GOOD = {"x0": CASE.x0, "mixture": CASE.mixture}


def changed(array, place, value):
    copy = np.array(array, dtype=float)
    copy[place] = value
    return copy


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"x0": CASE.x0[:-1]}, InvalidInput, r"x0 must have shape \(7\), got \(6,\)"),
        ({"x0": CASE.x0[None]}, InvalidInput, r"x0 must have shape \(7\), got \(1, 7\)"),
        ({"x0": changed(CASE.x0, 2, np.nan)}, InvalidInput, r"finite, got nan at \(2,\)"),
        ({"x0": changed(CASE.x0, 0, np.inf)}, InvalidInput, r"finite, got inf at \(0,\)"),
        ({"x0": changed(CASE.x0, -1, 0.0)}, InvalidInput, "last entry of x0 .* 1, got 0"),
        ({"x0": "abc"}, InvalidInput, "x0 must be an array of numbers, got 'abc'"),
        ({"radii": -0.2}, InvalidInput, "'rho' must be ≥ 0 and finite, got -0.2"),
        ({"radii": [0.1, -0.3]}, InvalidMixture, "'rho' must be ≥ 0, got -0.3"),
        ({"radii": [0.1, 0.1, 0.1]}, InvalidInput, r"radii must have shape \(2\), got \(3,\)"),
        ({"radii": np.nan}, InvalidInput, "'rho' must be .* got nan"),
        ({"delta_add": -1.0}, InvalidInput, "delta_add must be ≥ 0 and finite, got -1"),
        ({"delta_add": np.inf}, InvalidInput, "delta_add must be ≥ 0 and finite, got inf"),
        ({"delta": -0.5}, InvalidInput, "delta must be ≥ 0 and finite, got -0.5"),
        ({"margin": -1e-3}, InvalidInput, "margin must be ≥ 0 and finite, got -0.001"),
        ({"cost": "l3"}, UnknownName, "cost must be one of 'l1', 'l2', got 'l3'"),
        ({"link": "cauchy"}, UnknownName, "link must be one of .* got 'cauchy'"),
        ({"link": 3}, InvalidInput, "link must be .* got int"),
        ({"weighting": "equal"}, UnknownName, "weighting must be one of .* got 'equal'"),
        ({"weighting": 0.5}, InvalidInput, "weighting must be .* got float"),
        ({"categories": "some"}, UnknownName, "one of 'relaxed', 'whole', got 'some'"),
        ({"current_model": [1.0, 2.0]}, InvalidInput, r"current_model must have shape \(7\)"),
        ({"actions": Actions(lower=[0.0])}, InvalidActions, "lower must have 6 entries.* got 1"),
        ({"actions": Actions(locked=(6,))}, InvalidActions, "from 0 to 5, got 6"),
        ({"actions": Actions(groups=((0, 9),))}, InvalidActions, "from 0 to 5, got 9"),
        (
            {"actions": Actions(linear=[([1.0, 2.0], 0, 1)])},
            InvalidActions,
            "needs 6 coefficients.* got 2",
        ),
        (
            {"actions": Actions(groups=((3, 4, 5),), conditional=[(3, 0, 0, 1)])},
            InvalidActions,
            "finite lower and upper bounds.* column 0",
        ),
    ],
)
def test_a_problem_states_the_rule_and_the_value(options, error, message):
    with pytest.raises(error, match=message) as caught:
        RecourseProblem(**(GOOD | options))
    assert isinstance(caught.value, DirracError)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"solver": "magic"}, UnknownName, "'certified', 'projected_gradient', got 'magic'"),
        ({"gap": 0.0}, InvalidInput, "gap must be > 0 and finite, got 0"),
        ({"gap": -1e-3}, InvalidInput, "gap must be > 0 and finite, got -0.001"),
        ({"gap": "small"}, InvalidInput, "gap must be a number, got 'small'"),
        ({"time_limit": -1.0}, InvalidInput, "time_limit must be ≥ 0 and finite, got -1"),
        ({"time_limit": np.nan}, InvalidInput, "time_limit must be .* got nan"),
    ],
)
def test_the_solver_call_states_the_rule_and_the_value(options, error, message):
    with pytest.raises(error, match=message):
        find_recourse(RecourseProblem(**GOOD), **options)


def test_weight_balls_and_boxes_refuse_contradictions():
    with pytest.raises(UnknownName, match="divergence must be one of .* got 'renyi'"):
        WeightBall("renyi", 0.1)
    with pytest.raises(InvalidInput, match="weight radius must be ≥ 0 .* got -0.1"):
        WeightBall("kl", -0.1)
    with pytest.raises(InvalidActions, match="must not exceed .* got 2 > 1 in column 1"):
        Actions(lower=[0, 2], upper=[1, 1])
    with pytest.raises(InvalidInput, match="'delta' must be ≥ 0, got -1"):
        FeasibleSet(CASE.x0, CASE.mixture, delta=-1.0)
    with pytest.raises(InvalidInput, match="'delta' must be ≥ 0, got nan"):
        FeasibleSet(CASE.x0, CASE.mixture, delta=np.nan)
    with pytest.raises(InvalidInput, match="needs an entry > 0, got only zeros"):
        RecourseProblem(**GOOD).feasible_set.largest_radius([0.0, 0.0])


@pytest.mark.parametrize("x", [[1.0, 2.0], np.full(7, np.nan), "plan"])
def test_points_are_checked_too(x):
    problem = RecourseProblem(**GOOD)
    for use in (
        problem.feasible_set.contains,
        problem.feasible_set.project,
        lambda point: assess(problem, point),
    ):
        with pytest.raises(InvalidInput):
            use(x)


@pytest.mark.parametrize("solver", ["certified", "projected_gradient"])
def test_nothing_that_comes_in_is_changed(solver):
    x0, radii = CASE.x0.copy(), np.array([0.05, 0.04])
    raw = {
        name: np.array(value, dtype=float)
        for name, value in FLAGS["everything"].items()
        if name in ("lower", "upper", "weights")
    }
    row = np.array([1.0, 1.0, -0.5, 0.0, 0.3, 0.0])
    actions = Actions(
        **(FLAGS["everything"] | raw | {"linear": [(row, -0.2, 1.4)]}),
    )
    given = [x0, radii, row, *raw.values()]
    kept = [array.copy() for array in given]
    problem = RecourseProblem(
        x0, CASE.mixture, radii, actions=actions, categories="whole", weighting=WEIGHTINGS["kl"]
    )
    plan = find_recourse(problem, solver=solver)
    problem.feasible_set.project(x0)
    for before, after in zip(kept, given, strict=True):
        assert np.array_equal(before, after) and after.flags.writeable
    # And what went in cannot reach the problem any more.
    x0[:] = 0.0
    radii[:] = 9.0
    assert problem.x0 == pytest.approx(CASE.x0)
    assert problem.radii == pytest.approx([0.05, 0.04])
    assert plan.x[-1] == 1.0
