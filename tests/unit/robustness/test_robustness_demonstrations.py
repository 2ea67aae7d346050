"""The two-point law attains the bound; the dual curve lies above the primal and touches it."""

import numpy as np
import pytest

from dirrac_core.errors import InvalidInput
from dirrac_core.robustness import DIVERGENCES, LINKS
from dirrac_core.robustness.demonstrations import dual_curve, two_point_law

WEIGHTS, F = np.array([0.5, 0.3, 0.2]), np.array([0.1, 0.35, 0.6])


@pytest.mark.parametrize(("m", "s"), [(1.0, 1.0), (0.3, 2.0), (5.0, 0.1)])
def test_the_two_points_have_the_moments_and_attain_the_bound(m, s):
    law = two_point_law(m, s)
    mean = (1.0 - law.declined) * law.accepted_at
    variance = (1.0 - law.declined) * law.accepted_at**2 - mean**2
    assert mean == pytest.approx(m) and variance == pytest.approx(s**2)
    assert law.declined == pytest.approx(float(LINKS["chebyshev"].probability(m / s)))


@pytest.mark.parametrize(("m", "s"), [(0.0, 1.0), (1.0, 0.0)])
def test_without_room_there_is_no_such_law(m, s):
    with pytest.raises(InvalidInput, match="must be > 0"):
        two_point_law(m, s)


@pytest.mark.parametrize("divergence", DIVERGENCES)
def test_the_dual_lies_above_the_primal_and_touches_it(divergence):
    curve = dual_curve(divergence, WEIGHTS, F, 0.05)
    assert curve.values.min() == pytest.approx(curve.primal, abs=2e-6)
    assert (curve.values >= curve.primal - 1e-9).all()
    assert curve.multipliers[curve.values.argmin()] == pytest.approx(curve.best, rel=0.1)
    assert curve.primal == pytest.approx(float(curve.weights @ F))
    assert curve.primal > WEIGHTS @ F


def test_nothing_is_drawn_where_nothing_moves():
    assert dual_curve("kl", WEIGHTS, np.full(3, 0.2), 0.05) is None
    assert dual_curve("kl", WEIGHTS, F, 0.0) is None
    assert dual_curve("kl", WEIGHTS, F, 50.0) is None
