"""The rows of a piece: the part no budget changes is shared, and never changed by who uses it."""

import numpy as np
import pytest

from dirrac_core import Actions, ParameterMixture
from dirrac_core.feasible import FeasibleSet


def piece_of(cost, metric):
    rng = np.random.default_rng(3)
    factors = 0.1 * rng.normal(size=(3, 5, 5))
    mixture = ParameterMixture(
        [0.2, 0.3, 0.5], rng.normal(size=(3, 5)), factors @ factors.transpose(0, 2, 1)
    )
    rules = [([1.0, 1.0, 0.0, 0.0], 0.5, 0.5), ([0.0, 1.0, 2.0, 0.0], -np.inf, 3.0)]
    actions = Actions(lower=[-2.0] * 4, upper=[2.0] * 4, only_up=[2], linear=rules)
    x0 = [0.2, 0.3, 0.1, 0.4, 1.0]
    radii = [0.1, 0.0, 0.2]
    (piece,) = FeasibleSet(x0, mixture, radii, actions, cost, metric=metric, margin=0.0).pieces()
    return piece


@pytest.mark.parametrize("metric", ["weights", "deviations"])
@pytest.mark.parametrize("cost", ["l1", "l2"])
def test_rows_do_not_depend_on_what_was_asked_before(cost, metric):
    used = piece_of(cost, metric)
    for delta, slack in ((np.inf, 0.0), (2.0, 1e-3), (0.3, np.array([0.0, 1e-3, 0.1]))):
        fresh = piece_of(cost, metric).rows(delta, slack)
        again = used.rows(delta, slack)
        for one, other in zip(again.program.stacked(), fresh.program.stacked(), strict=True):
            assert one.tolist() == other.tolist()
        assert again.program.size.tolist() == fresh.program.size.tolist()
        assert again.steps.tolist() == fresh.steps.tolist()
        # Whoever gets the rows may go on with them.
        again.program.add("more", 2, 7.0)
        again.program.at_most({"more": [1.0, 1.0], "y": 1.0}, 1.0)
        again.program.norm({"more": np.eye(2)}, np.zeros(2), {}, 1.0)


def test_the_budget_is_a_row_of_its_own_and_sets_the_steps():
    piece = piece_of("l1", "weights")
    without, narrow = piece.rows(np.inf), piece.rows(1e-3)
    assert len(narrow.program.stacked()[1]) == len(without.program.stacked()[1]) + 1
    assert (narrow.steps <= 1e-3 / piece.weights).all() and (without.steps == piece.units).all()
