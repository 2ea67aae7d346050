"""No plan: who is to blame and what each way out costs, against brute force in cvxpy."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from problems import BOX, GROUP, random_case

from dirrac_core import Actions, find_recourse
from dirrac_core.feasible import explain, restricted_features, unlocked
from tests import oracle

# Column 0 helps but may only fall, 1 hurts but may only rise, 2 and the group are locked.
BOUND = {"locked": (2, *GROUP), "only_down": (0,), "only_up": (1,), **BOX}


def empty_set(seed, categories="relaxed", cost="l1", radii=0.05, delta=0.6):
    problem = random_case(seed, components=2).problem(
        actions=Actions(**BOUND, groups=(GROUP,)),
        categories=categories,
        cost=cost,
        radii=radii,
        delta=delta,
    )
    return problem.feasible_set


def brute_unlocks(feasible):
    """{features: price} of the smallest sets whose unlocking opens a plan within the budget."""
    features = restricted_features(feasible.actions)
    for size in range(1, len(features) + 1):
        found = {}
        for chosen in combinations(features, size):
            price = oracle.cheapest_cost(
                replace(feasible, actions=unlocked(feasible.actions, chosen))
            )
            if np.isfinite(price) and price <= feasible.delta:
                found[frozenset(chosen)] = price
        if found:
            return found
    return {}


@pytest.mark.parametrize("categories", ["relaxed", "whole"])
@pytest.mark.parametrize("cost", ["l1", "l2"])
def test_blame_and_unlocks_equal_brute_force(categories, cost):
    seen = set()
    cases = ((81, 0.6), (83, None), (82, 0.15))
    for seed, delta in cases[: 3 if categories == "relaxed" else 2]:
        feasible = empty_set(seed, categories, cost, delta=delta)
        explanation = explain(feasible)
        price = oracle.cheapest_cost(feasible)
        # Without a given budget the set is empty only when no budget opens it.
        assert price == np.inf if delta is None else price > delta
        assert explanation.delta_min == pytest.approx(price, abs=1e-6)
        assert ("budget" in explanation.blame) == np.isfinite(price)
        without_radius = oracle.cheapest_cost(replace(feasible, radii=np.zeros(2)))
        assert ("radius" in explanation.blame) == (
            np.isfinite(without_radius) and without_radius <= feasible.delta
        )
        expected = brute_unlocks(feasible)
        found = {frozenset(unlock.features): unlock.delta_min for unlock in explanation.unlocks}
        assert found == pytest.approx(expected, abs=1e-6)
        assert ("locks" in explanation.blame) == bool(expected)
        prices = [unlock.delta_min for unlock in explanation.unlocks]
        assert prices == sorted(prices)
        seen.update(len(unlock.features) for unlock in explanation.unlocks)
    assert seen


def test_the_features_that_can_be_unlocked_are_the_restricted_ones():
    actions = Actions(**BOUND, groups=(GROUP,))
    assert set(restricted_features(actions)) == {(0,), (1,), (2,), GROUP}
    freed = unlocked(actions, ((0,), GROUP))
    assert (freed.locked, freed.only_down, freed.only_up) == ((2,), (), (1,))
    assert unlocked(actions, ((1,), (2,))).only_up == ()
    assert unlocked(actions, ((1,), (2,))).locked == GROUP
    assert np.array_equal(freed.lower, actions.lower) and freed.groups == actions.groups


def test_every_way_out_works_when_it_is_taken():
    case = random_case(84, components=2)
    taken = set()
    for delta, radii, flags in ((0.05, 0.05, "box"), (0.4, 0.4, "box"), (0.5, 0.05, None)):
        bound = Actions(**BOUND, groups=(GROUP,))
        options = {"flags": flags} if flags else {"actions": bound}
        plan = find_recourse(case.problem(delta=delta, radii=radii, **options))
        why = plan.explanation
        assert plan.x is None and plan.status == "infeasible"
        assert plan.message == why.message and why.message.startswith("No plan")
        if "budget" in why.blame:
            roomier = case.problem(delta=why.delta_min, radii=radii, **options)
            assert find_recourse(roomier).cost == pytest.approx(why.delta_min, abs=1e-6)
            assert (
                find_recourse(case.problem(delta=why.delta_min - 1e-4, radii=radii, **options)).x
                is None
            )
        if "radius" in why.blame:
            for stretch, exists in ((1 - 1e-5, True), (1 + 1e-3, False)):
                closer = case.problem(
                    delta=delta, radii=radii * why.radius_factor * stretch, **options
                )
                assert (find_recourse(closer).x is not None) == exists
            assert why.radius_factor * radii == pytest.approx(why.largest_radius, abs=1e-6)
        for unlock in why.unlocks:
            freed = case.problem(delta=delta, radii=radii, actions=unlocked(bound, unlock.features))
            assert find_recourse(freed).delta_min == pytest.approx(unlock.delta_min, abs=1e-6)
        taken.update(why.blame)
    assert taken == {"budget", "radius", "locks"}


def test_only_what_opens_a_plan_alone_is_blamed():
    case = random_case(85, components=1)
    # Declined today by more than the radius explains, nothing restricted: only the budget is small.
    (blame,) = find_recourse(case.problem("free", delta=1e-3, radii=1e-4)).explanation.blame
    assert blame == "budget"
    # No budget helps against a radius above ‖θ̂‖, and nothing is locked.
    beyond = 2 * float(np.linalg.norm(case.mixture.means[0]))
    far = find_recourse(case.problem("box", delta=6.0, radii=beyond))
    assert far.explanation.blame == ("radius",) and far.delta_min == np.inf
    # Everything locked: neither money nor a smaller radius moves anyone.
    locked = Actions(locked=range(6))
    stuck = find_recourse(case.problem(delta=6.0, actions=locked)).explanation
    assert stuck.blame == ("locks",)
    assert (stuck.delta_min, stuck.radius_factor, stuck.largest_radius) == (np.inf, 0.0, 0.0)


def test_ranges_that_leave_no_valid_point_are_said_to_do_so():
    case = random_case(86)
    tight = Actions(lower=case.x0[:-1], upper=case.x0[:-1])
    plan = find_recourse(case.problem(actions=tight))
    assert plan.x is None and plan.explanation.blame == ()
    assert "ranges" in plan.message


def test_a_contradiction_is_named():
    case = random_case(87)
    lower, upper = BOX["lower"].copy(), BOX["upper"].copy()
    upper[0] = case.x0[0] - 0.1
    plan = find_recourse(case.problem(actions=Actions(lower=lower, upper=upper, only_up=(0,))))
    assert plan.x is None
    assert "column 0 must be at least" in plan.message


def test_a_set_that_is_not_empty_needs_no_explanation():
    assert explain(random_case(88).problem("everything").feasible_set) is None


def test_after_the_deadline_one_way_out_is_still_found():
    """No further sets are tried: a set none of whose features can be spared."""
    case = random_case(92)
    feasible = case.problem(actions=Actions(locked=range(6))).unbounded.with_delta(5.0)
    calm, late = explain(feasible), explain(feasible, deadline=-np.inf)
    assert len(late.unlocks) == 1 and late.unlocks[0].delta_min <= 5.0
    assert len(late.unlocks[0].features) >= len(calm.unlocks[0].features)
    assert late.blame == calm.blame
