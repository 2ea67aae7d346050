"""The ceiling on ρ over several pieces: the largest of them, each asked only for more."""

import numpy as np
import pytest

from dirrac_core import Actions, ParameterMixture
from dirrac_core.feasible import FeasibleSet
from dirrac_core.feasible.ceiling import largest_radius_in

GROUPS = ((1, 2, 3),)
X0 = [0.2, 1.0, 0.0, 0.0, 1.0]


def of_categories(best: int, metric: str, spread: float = 0.05) -> FeasibleSet:
    """One number and one group, of which category `best` is liked most by both components."""
    liked = np.where(np.arange(3) == best, 1.5, 0.3)
    means = [[1.0, *liked, -0.4], [0.7, *(0.9 * liked), -0.2]]
    mixture = ParameterMixture([0.5, 0.5], means, [spread * np.diag([1, 2, 3, 4, 5.0])] * 2)
    actions = Actions(lower=[0.0] * 4, upper=[1.0] * 4, groups=GROUPS)
    return FeasibleSet(X0, mixture, actions=actions, categories="whole", metric=metric)


@pytest.mark.parametrize("metric", ["weights", "deviations"])
@pytest.mark.parametrize("best", [0, 1, 2])
def test_the_ceiling_is_the_largest_of_the_pieces(best, metric):
    feasible = of_categories(best, metric)
    ratio, budget = np.ones(2), feasible.budget()
    alone = [largest_radius_in(piece, budget, ratio) for piece in feasible.pieces()]
    assert len(alone) == 3 and np.argmax(alone) == best and min(alone) < 0.9 * max(alone)
    assert feasible.largest_radius() == pytest.approx(max(alone), rel=1e-8)


@pytest.mark.parametrize("metric", ["weights", "deviations"])
def test_a_piece_that_has_no_more_gives_back_what_is_known(metric):
    feasible = of_categories(1, metric)
    for piece in feasible.pieces():
        assert largest_radius_in(piece, feasible.budget(), np.ones(2), 50.0) == 50.0


def test_a_ceiling_without_end_stays_one_whatever_comes_after():
    assert of_categories(0, "deviations", spread=0.0).largest_radius() == np.inf
