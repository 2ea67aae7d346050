"""Weight balls around weights of every size, against arithmetic with 160 digits."""

from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dirrac_core import ParameterMixture
from dirrac_core.errors import InvalidMixture
from dirrac_core.models.mixture import SMALLEST_WEIGHT
from dirrac_core.robustness import DIVERGENCES, worst_weights
from tests.robustness_cases import powers, seeds

pytestmark = pytest.mark.filterwarnings("error")

ONE, ZERO = Decimal(1), Decimal(0)
# p ∝ p̂·w(s·g), with s from 0 (p = p̂) upwards, and φ of the ratio p/p̂.
FAMILIES = {
    "kl": (lambda u: (-u).exp(), lambda t: t * t.ln() - t + 1 if t else ONE),
    "chi2": (lambda u: max(ONE - u, ZERO), lambda t: (t - 1) ** 2),
    "hellinger": (lambda u: 1 / (1 + u) ** 2, lambda t: (t.sqrt() - 1) ** 2),
    "burg": (lambda u: 1 / (1 + u), lambda t: -t.ln() + t - 1),
}
SMALLEST_SCALE, LARGEST_SCALE, HALVINGS = Decimal("1e-25"), Decimal("1e200"), 90


def exact_value(name, weights, f, radius):
    """max pᵀf over the ball, for weights that are normalised here."""
    with localcontext() as context:
        context.prec = 160
        p_hat = [Decimal(float(w)) for w in weights]
        p_hat = [p / sum(p_hat) for p in p_hat]
        values, left = [Decimal(float(v)) for v in f], Decimal(float(radius))
        if name == "total-variation":
            taken, pairs = ZERO, sorted(zip(values, p_hat, strict=True))
            for value, p in pairs[:-1]:
                moved = min(p, left)
                left, taken = left - moved, taken + moved * (max(values) - value)
            return float(sum(p * v for p, v in zip(p_hat, values, strict=True)) + taken)
        w, phi = FAMILIES[name]
        gaps = [max(values) - v for v in values]

        def weighed(scale):
            raw = [p * w(scale * g) for p, g in zip(p_hat, gaps, strict=True)]
            return [r / sum(raw) for r in raw]

        def distance(p):
            return sum(h * phi(q / h) for q, h in zip(p, p_hat, strict=True))

        low, high = SMALLEST_SCALE, LARGEST_SCALE
        for _ in range(HALVINGS):
            middle = (low * high).sqrt()
            low, high = (middle, high) if distance(weighed(middle)) <= left else (low, middle)
        return float(sum(p * v for p, v in zip(weighed(low), values, strict=True)))


def by_hand(tiny):
    """All but nothing of the weight is with the smaller value: the case that was understated."""
    return np.array([1.0 - tiny, tiny]), np.array([0.0, 1.0])


@pytest.mark.parametrize("name", sorted(DIVERGENCES))
@pytest.mark.parametrize("tiny", [1e-6, 1e-13, 1e-16, 1e-17, 1e-40, SMALLEST_WEIGHT])
@pytest.mark.parametrize("radius", [1e-9, 1e-3, 0.1, 1.0, 30.0])
def test_the_largest_value_at_a_tiny_weight(name, tiny, radius):
    weights, f = by_hand(tiny)
    worst = worst_weights(name, weights, f, radius)
    expected = exact_value(name, weights, f, radius)
    assert worst.value == pytest.approx(expected, abs=1e-12, rel=1e-9)
    assert worst.weights.sum() == pytest.approx(1.0, abs=1e-12)


@st.composite
def tiny_weights(draw):
    k = draw(st.integers(2, 5))
    rng = np.random.default_rng(draw(seeds))
    weights = 10.0 ** rng.uniform(draw(st.sampled_from([-95, -30, -8])), 0, size=k)
    values = {
        "uniform": rng.uniform(size=k),
        "ties": rng.integers(0, 3, size=k) / 2,
        "every size": 10.0 ** rng.uniform(-9, 0, size=k),
    }[draw(st.sampled_from(["uniform", "ties", "every size"]))]
    return weights / weights.sum(), values


@settings(max_examples=60, deadline=None)
@given(
    name=st.sampled_from(sorted(DIVERGENCES)),
    case=tiny_weights(),
    radius=powers(-9, 1.5),
)
@example(name="chi2", case=(np.array([0.5, 0.5, 1e-60]), np.array([0.3, 0.3, 0.9])), radius=1.0)
def test_weights_of_every_size(name, case, radius):
    weights, f = case
    worst = worst_weights(name, weights, f, radius)
    expected = exact_value(name, weights, f, radius)
    assert worst.value == pytest.approx(expected, abs=1e-11)


def test_a_weight_too_small_to_compute_with_is_refused():
    message = "Every weight must be > 0 and at least 1e-100 .drop an empty component., got 1e-101"
    for refused in (
        lambda p: ParameterMixture(p, [[1.0, 0.0], [0.0, 1.0]], [np.eye(2), np.eye(2)]),
        lambda p: worst_weights("kl", p, [0.0, 1.0], 0.1),
    ):
        with pytest.raises(InvalidMixture, match=message):
            refused([1.0, 1e-101])
