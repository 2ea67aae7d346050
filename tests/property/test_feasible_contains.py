"""`contains` names exactly the broken constraints: one at a time, and as cvxpy sees them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from problems import COLUMNS, FLAGS, random_case

from dirrac_core import Actions, FeasibleSet, ParameterMixture
from tests import oracle

seeds = st.integers(0, 2**32 - 1)


def roomy_set(categories="relaxed", **options):
    """A set that contains x0 with room on every side, so that one change breaks one thing."""
    mean = np.array([1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.2])
    mixture = ParameterMixture([0.5, 0.5], [mean, 2 * mean], np.zeros((2, 7, 7)))
    actions = Actions(
        lower=np.zeros(COLUMNS),
        upper=np.ones(COLUMNS),
        locked=(2,),
        only_up=(0,),
        only_down=(1,),
        groups=((3, 4, 5),),
        linear=[([0, 1, 0, 0, 0, 0], 0.25, 0.75)],
        conditional=[(4, 0, 0.0, 0.6), (5, 0, 0.55, 1.0)],
    )
    x0 = np.array([0.5, 0.5, 0.5, 1.0, 0.0, 0.0, 1.0])
    options = {"radii": [0.1, 0.2], "delta": 2.3} | options
    return FeasibleSet(x0, mixture, actions=actions, categories=categories, **options)


def broken_names(feasible, change):
    x = feasible.x0.copy()
    for column, value in change.items():
        x[column] = value
    return {(check.name, check.columns) for check in feasible.contains(x).broken}


@pytest.mark.parametrize("categories", ["relaxed", "whole"])
@pytest.mark.parametrize(
    ("change", "name", "columns"),
    [
        ({6: 1.01}, "constant", ()),
        ({2: 0.5001}, "locked", (2,)),
        ({0: 0.4999}, "only up", (0,)),
        ({1: 0.5001}, "only down", (1,)),
        ({0: 1.0001}, "range", (0,)),
        ({3: 0.999}, "one category", (3, 4, 5)),
        ({1: 0.2499}, "rule", ()),
        ({3: 0.0, 4: 1.0, 0: 0.601}, "rule", (4, 0)),
        ({3: 0.0, 5: 1.0, 0: 0.549}, "rule", (5, 0)),
    ],
)
def test_one_broken_constraint_is_named_alone(change, name, columns, categories):
    found = broken_names(roomy_set(categories), change)
    if name == "one category":
        # A group that does not add up is not whole either.
        found.discard(("whole category", columns))
    assert found == {(name, columns)}


def test_the_applicant_itself_breaks_nothing():
    for categories in ("relaxed", "whole"):
        assert broken_names(roomy_set(categories), {}) == set()
        assert bool(roomy_set(categories).contains(roomy_set().x0))


def test_a_fraction_of_a_category_breaks_only_the_whole_set():
    change = {3: 0.5, 4: 0.5}
    assert broken_names(roomy_set(), change) == set()
    assert broken_names(roomy_set("whole"), change) == {("whole category", (3, 4, 5))}


def test_a_conditional_rule_binds_a_fraction_of_its_category_in_proportion():
    """At z = ½ the limit is halfway between the rule's 0.6 and the column's own 1."""
    inside, outside = {3: 0.5, 4: 0.5, 0: 0.79}, {3: 0.5, 4: 0.5, 0: 0.81}
    assert broken_names(roomy_set(), inside) == set()
    assert broken_names(roomy_set(), outside) == {("rule", (4, 0))}


def test_budget_and_validity_are_named():
    assert broken_names(roomy_set(delta=0.1), {0: 0.7}) == {("budget", ())}
    assert broken_names(roomy_set(radii=[0.1, 2.0]), {}) == {("validity", (1,))}
    assert broken_names(roomy_set(margin=0.6), {}) == {("validity", (0,))}


def test_a_check_tells_its_value_and_its_limits():
    (check,) = roomy_set(delta=0.1).contains([0.7, 0.5, 0.5, 1.0, 0.0, 0.0, 1.0]).broken
    assert (check.value, check.low, check.high) == (pytest.approx(0.2), 0.0, 0.1)


@given(
    st.sampled_from(sorted(FLAGS)),
    st.sampled_from(["l1", "l2"]),
    st.sampled_from(["relaxed", "whole"]),
    seeds,
)
def test_contains_agrees_with_the_violations_cvxpy_sees(flags, cost, categories, seed):
    case = random_case(seed % 7, components=2)
    feasible = case.problem(flags, cost=cost, categories=categories).feasible_set
    rng = np.random.default_rng(seed)
    x = feasible.cheapest.x.copy()
    columns = rng.choice(3, size=rng.integers(0, 3), replace=False)
    x[columns] += rng.normal(scale=0.4, size=columns.size)
    kind = rng.integers(4)
    if kind == 1:
        x[3:6] = np.eye(3)[rng.integers(3)]
    elif kind == 2:
        x[3:6] = rng.dirichlet(np.ones(3))
    elif kind == 3:
        x[3:6] += rng.normal(scale=0.1, size=3)
    ours = {check.name for check in feasible.contains(x).broken}
    theirs = set(oracle.broken_constraints(feasible, x))
    if "whole category" in ours:
        # The oracle says the same in other words: the group is not the category nearest to it.
        ours = ours - {"whole category"} | {"one category"}
    if ours & {"range", "locked", "only up", "only down", "one category"}:
        # Outside its own bounds a column misses the oracle's conditional rows as well.
        ours, theirs = ours - {"rule"}, theirs - {"rule"}
    assert ours == theirs
