"""The ceiling on ρ over several pieces: the largest of them, each asked only for more."""

import numpy as np
import pytest

from dirrac_core import Actions, ParameterMixture
from dirrac_core.feasible import FeasibleSet, ceiling
from dirrac_core.feasible.ceiling import Reached, largest_radius_in

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
    alone = [largest_radius_in(piece, budget, ratio).radius for piece in feasible.pieces()]
    assert len(alone) == 3 and np.argmax(alone) == best and min(alone) < 0.9 * max(alone)
    assert feasible.largest_radius() == pytest.approx(max(alone), rel=1e-8)


@pytest.mark.parametrize("metric", ["weights", "deviations"])
def test_a_piece_that_has_no_more_gives_back_what_is_known(metric):
    feasible, known = of_categories(1, metric), Reached(50.0)
    for piece in feasible.pieces():
        assert largest_radius_in(piece, feasible.budget(), np.ones(2), known) is known


@pytest.mark.parametrize("metric", ["weights", "deviations"])
def test_the_radius_of_a_piece_is_that_of_its_plan(metric):
    feasible = of_categories(2, metric)
    for piece in feasible.pieces():
        found = largest_radius_in(piece, feasible.budget(), np.ones(2))
        assert piece.holds(found.x) and feasible.contains(found.x)
        gains = feasible.mixture.means @ found.x - feasible.margins
        radius = (gains / feasible.doubt.lengths(found.x)).min()
        assert found.radius == pytest.approx(radius, rel=1e-7)


def of_many_categories(seed: int, metric: str, box: float = 1.0) -> FeasibleSet:
    """Two numbers, one that no model looks at, and three groups of three: 27 pieces."""
    rng = np.random.default_rng(seed)
    groups = tuple(tuple(range(first, first + 3)) for first in (3, 6, 9))
    x0 = np.array([0.3, 0.6, 0.5, *[1.0, 0.0, 0.0] * 3, 1.0])
    means = rng.normal(size=12) + 0.4 * rng.normal(size=(4, 12))
    roots = rng.normal(size=(4, 13, 13)) / 6.0
    means[:, 2] = roots[:, 2] = 0.0
    means = np.column_stack([means, -(means @ x0[:-1]) - rng.uniform(0.1, 0.5, 4)])
    mixture = ParameterMixture(np.full(4, 0.25), means, roots @ roots.transpose(0, 2, 1))
    lower, upper = [*[1.0 - box] * 3, *[0.0] * 9], [*[box] * 3, *[1.0] * 9]
    actions = Actions(lower=lower, upper=upper, groups=groups)
    return FeasibleSet(x0, mixture, actions=actions, categories="whole", metric=metric)


@pytest.mark.parametrize("profile", [[1.0, 1.0, 1.0, 1.0], [0.0, 2.0, 0.5, 1.0]])
@pytest.mark.parametrize("metric", ["weights", "deviations"])
@pytest.mark.parametrize("seed", range(12))
def test_pieces_left_out_have_no_larger_one(seed, metric, profile, monkeypatch):
    feasible, ratio = of_many_categories(seed, metric), np.array(profile)
    pieces, asked = list(feasible.pieces()), []
    alone = [largest_radius_in(piece, np.inf, ratio).radius for piece in pieces]
    search = ceiling.largest_radius_in
    monkeypatch.setattr(
        ceiling, "largest_radius_in", lambda *told: asked.append(told[0]) or search(*told)
    )
    found = feasible.largest_radius(ratio)
    assert found == pytest.approx(max(alone), rel=1e-6)
    assert 0 < len(asked) < len(pieces)


@pytest.mark.parametrize("metric", ["weights", "deviations"])
def test_a_column_without_an_end_leaves_nothing_out_wrongly(metric):
    for seed in range(6):
        feasible = of_many_categories(seed, metric, np.inf).with_delta(3.0)
        pieces, budget = feasible.pieces(), feasible.budget()
        alone = [largest_radius_in(piece, budget, np.ones(4)).radius for piece in pieces]
        assert feasible.largest_radius() == pytest.approx(max(alone), rel=1e-6)


def test_a_ceiling_without_end_stays_one_whatever_comes_after():
    assert of_categories(0, "deviations", spread=0.0).largest_radius() == np.inf
