"""Boxes of scores: floors lose no better plan, and a split loses nothing and always shrinks."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dirrac_core import WeightBall
from dirrac_core.robustness import LINKS, Objective
from dirrac_core.solvers.boxes import NARROWEST, SMALLEST_PART, raised_floors, split_in_two
from dirrac_core.solvers.relaxation import Relaxed
from tests.robustness_cases import cases, powers

WEIGHTINGS = ("nominal", "worst-component", WeightBall("kl", 0.1), WeightBall("chi2", 0.5))
NOTHING_KNOWN = Relaxed(0.0, None, None)


@st.composite
def boxes(draw, weightings=WEIGHTINGS):
    """An objective, the scores of a plan, and ceilings above them."""
    case = draw(cases())
    link, weighting = draw(st.sampled_from(sorted(LINKS))), draw(st.sampled_from(weightings))
    objective = Objective(case.mixture, case.radii, link, weighting, case.metric)
    k = case.mixture.components
    scores = np.array([draw(powers(-1.5, 0.5)) for _ in range(k)])
    above = np.array([draw(st.floats(0.0, 2.0)) for _ in range(k)])
    return case, objective, scores, scores + above


@given(boxes(), st.floats(0.0, 0.2))
def test_no_plan_better_than_the_target_lies_below_the_floors(drawn, spare):
    case, objective, scores, hi = drawn
    target = objective.weigh(objective.link.probability(scores))[0] * (1.0 + spare)
    known = objective.worst_weights(case.x)
    floors = raised_floors(objective, np.zeros(scores.size), hi, target, known)
    assert (floors <= scores + 1e-6 * (1.0 + scores)).all()


@given(boxes(weightings=("nominal",)), st.floats(0.0, 0.2))
def test_with_given_weights_a_floor_is_where_the_target_is_just_met(drawn, spare):
    case, objective, scores, hi = drawn
    target = objective.weigh(objective.link.probability(scores))[0] * (1.0 + spare)
    known = objective.worst_weights(case.x)
    floors = raised_floors(objective, np.zeros(scores.size), hi, target, known)
    for k in np.flatnonzero(floors > 0.0):
        at_floor = np.where(np.arange(hi.size) == k, floors, hi)
        value = objective.weigh(objective.link.probability(at_floor))[0]
        assert value == pytest.approx(target, abs=1e-9)
    if hi.size == 1 and spare == 0.0:
        assert floors == pytest.approx(scores)


@given(boxes(), st.booleans())
def test_a_split_covers_the_box_and_shrinks_both_parts(drawn, solved):
    case, objective, lo, hi = drawn
    relaxed = Relaxed(0.0, case.x, 0.5 * (lo + hi)) if solved else NOTHING_KNOWN
    halves = split_in_two(objective, lo, hi, relaxed)
    width = objective.link.probability(lo) - objective.link.probability(hi)
    if halves is None:
        assert width.max() <= NARROWEST
        return
    (upper_lo, upper_hi), (lower_lo, lower_hi) = halves
    (k,) = np.flatnonzero(upper_lo != lo)
    others = np.arange(lo.size) != k
    assert (upper_hi == hi).all() and (lower_lo == lo).all()
    assert (lower_hi[others] == hi[others]).all() and upper_lo[k] == lower_hi[k]
    part = objective.link.probability(lo[k]) - objective.link.probability(upper_lo[k])
    assert SMALLEST_PART * (1 - 1e-6) <= part / width[k] <= (1 - SMALLEST_PART) * (1 + 1e-6)
