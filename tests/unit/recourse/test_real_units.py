"""Plans in real units: always whole, always checked, never just printed."""

import numpy as np
import pytest

from dirrac_core import DATASETS, RecourseProblem, find_recourse, load_dataset
from dirrac_core.data import with_constant
from dirrac_core.errors import SolverFailure
from dirrac_core.models.bundle import prepare
from dirrac_core.recourse.whole_units import SMALL_LOSS, plan_in_real_units

APPLICANTS = 6


def solved(name, row, **settings):
    dataset = load_dataset(name)
    bundle = prepare(dataset, "logistic", 1)
    x0 = with_constant(dataset.present.X[bundle.declined[row]])
    problem = RecourseProblem(
        x0,
        bundle.estimate.mixture,
        actions=dataset.actions("sensible", x0),
        current_model=bundle.current.theta,
        **{"categories": "whole", **settings},
    )
    plan = find_recourse(problem)
    return dataset, problem, plan, plan_in_real_units(dataset, problem, plan)


def is_whole(feature, value, before):
    """On the grid of the feature, untouched, at the end of its range, or in its finest unit."""
    if isinstance(value, str) or np.isclose(value, (before, feature.low, feature.high)).any():
        return True
    return any(
        abs(value / step - round(value / step)) < 1e-6
        for step in (feature.step, 10.0**-feature.decimals)
    )


@pytest.mark.parametrize("name", DATASETS)
@pytest.mark.parametrize("delta_add", [0.0, 0.2, 1.0])
def test_a_rounded_plan_passes_its_checklist_or_is_said_to_be_exact(name, delta_add):
    for row in range(APPLICANTS):
        dataset, problem, exact, real = solved(name, row, delta_add=delta_add)
        if not real.rounded:
            assert (
                real.exact is exact
                and real.x is exact.x
                and "exact solution is shown" in real.rounding_note
            )
            continue
        schema = dataset.schema
        assert problem.feasible_set.contains(real.x).ok
        held = [rule.holds for rule in schema.check_rules(exact.x)]
        now = [rule.holds for rule in schema.check_rules(real.x)]
        assert all(n or not h for n, h in zip(now, held, strict=True))
        before, after = schema.decode(problem.x0), schema.decode(real.x)
        follows = {rule.result for rule in schema.rules if hasattr(rule, "result")}
        for feature in schema.features:
            if feature.name not in follows:
                assert is_whole(feature, after[feature.name], before[feature.name])


@pytest.mark.parametrize("name", DATASETS)
def test_with_room_in_the_budget_every_plan_becomes_whole(name):
    for row in range(APPLICANTS):
        *_, real = solved(name, row, delta_add=0.3)
        assert real.rounded


def test_the_numbers_are_those_of_the_rounded_plan_and_the_bound_stays():
    _, problem, exact, real = solved("german", 0, delta_add=0.3)
    assert real.worst_case_probability == problem.objective.value(real.x)
    assert real.cost == problem.unbounded.cost_of(real.x) <= real.delta + 1e-6
    assert real.lower_bound == exact.lower_bound
    assert real.gap == real.worst_case_probability - exact.lower_bound
    assert real.rounding_loss == real.worst_case_probability - exact.worst_case_probability
    assert not np.array_equal(real.x, exact.x)


@pytest.mark.parametrize("delta_add", [0.05, 0.1])
def test_a_costly_rounding_is_solved_again(delta_add):
    """Whole months matter: the amount must make up for them, as trying every pair shows."""
    dataset, problem, exact, real = solved("german", 0, delta_add=delta_add)
    schema = dataset.schema
    (months,), (amount,) = (schema.columns_of(name) for name in ("Duration", "Credit amount"))
    duration, credit = schema.feature("Duration"), schema.feature("Credit amount")
    values = []
    for term in range(4, 73):
        for money in range(300, 18_400, 100):
            x = problem.x0.copy()
            x[months], x[amount] = duration.scaled(term), credit.scaled(money)
            cost = abs(x[months] - problem.x0[months]) + abs(x[amount] - problem.x0[amount])
            if cost <= exact.delta and problem.feasible_set.contains(x).ok:
                values.append(problem.objective.value(x))
    assert min(values) - 1e-9 <= real.worst_case_probability <= min(values) + SMALL_LOSS


def test_fixed_numbers_that_cannot_be_settled_leave_the_plan_as_it_is(monkeypatch):
    def unsettled(*_):
        raise SolverFailure("got failed")

    dataset, problem, exact, _ = solved("german", 0, delta_add=0.0)
    assert problem.unbounded.cheapest is not None
    monkeypatch.setattr("dirrac_core.feasible.feasible_set.cheapest_in", unsettled)
    real = plan_in_real_units(dataset, problem, exact)
    assert real.x is not None
    assert problem.feasible_set.contains(real.x).ok


def test_no_plan_stays_no_plan():
    *_, exact, real = solved("german", 0, radii=50.0)
    assert real.exact is exact and real.x is None and not real.rounded


def test_inputs_are_not_changed():
    dataset, problem, exact, _ = solved("sba", 0)
    copies = exact.x.copy(), problem.x0.copy()
    plan_in_real_units(dataset, problem, exact)
    np.testing.assert_array_equal(exact.x, copies[0])
    np.testing.assert_array_equal(problem.x0, copies[1])
