"""Weight balls against cvxpy and their own dual; conjugates against their definition."""

import cvxpy as cp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from dirrac_core.robustness import DIVERGENCES, Nominal, WeightBall, WorstComponent, worst_weights
from tests.robustness_cases import powers, seeds

pytestmark = pytest.mark.filterwarnings("error")

DIVERGENCE_NAMES = sorted(DIVERGENCES)
each_divergence = pytest.mark.parametrize("name", DIVERGENCE_NAMES)
WEIGHTINGS = [Nominal(), WorstComponent(), *(WeightBall(name, 0.15) for name in DIVERGENCE_NAMES)]
each_weighting = pytest.mark.parametrize("weighting", WEIGHTINGS, ids=str)
# D_φ is a sum of terms near 0 that are differences of terms near 1.
ROUNDING = 1e-15


@st.composite
def weights_and_values(draw, max_components=10):
    k = draw(st.integers(1, max_components))
    rng = np.random.default_rng(draw(seeds))
    weights = rng.dirichlet(np.full(k, draw(powers(-0.5, 1)))) + 1e-4
    kind = draw(st.sampled_from(["uniform", "ties", "every size", "tiny"]))
    values = {
        "uniform": rng.uniform(size=k),
        "ties": rng.integers(0, 3, size=k) / 2,
        "every size": 10.0 ** rng.uniform(-12, 0, size=k),
        "tiny": 1e-9 + 1e-12 * rng.uniform(size=k),
    }[kind]
    return weights / weights.sum(), values


def direct_maximum(name, nominal, f, radius):
    """max pᵀf over the ball, stated in cvxpy."""
    p = cp.Variable(nominal.size, nonneg=True)
    distance = {
        "kl": lambda: cp.sum(cp.kl_div(p, nominal)),
        "chi2": lambda: cp.sum_squares(cp.multiply(nominal**-0.5, p - nominal)),
        "hellinger": lambda: 2 - 2 * cp.sum(cp.multiply(np.sqrt(nominal), cp.sqrt(p))),
        "total-variation": lambda: cp.norm1(p - nominal) / 2,
        "burg": lambda: -cp.sum(cp.multiply(nominal, cp.log(p) - np.log(nominal))),
    }[name]()
    problem = cp.Problem(cp.Maximize(f @ p), [cp.sum(p) == 1, distance <= radius])
    problem.solve(solver=cp.CLARABEL)
    assert problem.status == cp.OPTIMAL
    return problem.value


def dual_value(divergence, nominal, f, radius, lam):
    """min over η of η + ελ + λ Σ p̂ φ*((f − η)/λ), by a search over u = (max f − η)/λ.

    No ratio exceeds t = 1/p̂(best), so u ≤ φ'(t), which is at most the slope of φ beyond t.
    """
    t = 1.0 / nominal[f == f.max()].sum()
    most = float(divergence.phi(np.array(2 * t)) - divergence.phi(np.array(t))) / t

    def excess(u):
        return radius - u + nominal @ divergence.conjugate(u - (f.max() - f) / lam)

    found = minimize_scalar(excess, bounds=(0, most), method="bounded", options={"xatol": 1e-14})
    return f.max() + lam * min(found.fun, excess(most))


@each_weighting
@given(weights_and_values())
def test_what_certainly_fails_in_every_component_fails_for_certain(weighting, example):
    weights, _ = example
    assert weighting.evaluate(weights, np.ones(weights.size))[0] == 1.0


@pytest.mark.filterwarnings("default")
@each_divergence
@settings(max_examples=20)
@given(seed=seeds, k=st.integers(1, 6), radius=powers(-2.5, 0.3))
def test_worst_weights_equal_a_direct_maximisation(name, seed, k, radius):
    rng = np.random.default_rng(seed)
    nominal = rng.dirichlet(np.full(k, 2.0)) * 0.9 + 0.1 / k
    f = rng.uniform(size=k)
    expected = direct_maximum(name, nominal, f, radius)
    assert worst_weights(name, nominal, f, radius).value == pytest.approx(expected, abs=1e-6)


@each_divergence
@given(case=weights_and_values(), radius=powers(-12, 2))
def test_worst_weights_are_in_the_ball_and_prove_themselves(name, case, radius):
    nominal, f = case
    worst = worst_weights(name, nominal, f, radius)
    assert worst.weights.sum() == pytest.approx(1.0, abs=1e-12)
    assert (worst.weights >= 0).all()
    distance = DIVERGENCES[name].between(worst.weights, nominal)
    assert distance <= radius * (1 + 1e-9) + ROUNDING
    spread = np.ptp(f)
    assert worst.value == pytest.approx(worst.weights @ f, abs=1e-14)
    if 0.0 < worst.multiplier < np.inf:
        dual = dual_value(DIVERGENCES[name], nominal, f, radius, worst.multiplier)
        assert worst.value == pytest.approx(dual, abs=1e-7 * spread + 1e-16)
    assert nominal @ f - 1e-15 <= worst.value <= f.max()
    assert worst.multiplier >= 0


@each_divergence
@given(
    case=weights_and_values(),
    radius=powers(-3, 1),
    lam_anywhere=powers(-3, 2),
    eta=st.floats(-2, 2),
)
def test_every_dual_point_bounds_the_value(name, case, radius, lam_anywhere, eta):
    """The theorem's objective anywhere, not just at our λ, is never below the maximum."""
    nominal, f = case
    worst, phi = worst_weights(name, nominal, f, radius), DIVERGENCES[name]

    def theorem(lam, eta):
        return eta + radius * lam + lam * nominal @ phi.conjugate((f - eta) / lam)

    assert theorem(lam_anywhere, eta) >= worst.value - 1e-12
    lam = worst.multiplier
    if lam > 1e-9 * np.ptp(f):
        nearby = [dual_value(phi, nominal, f, radius, lam * change) for change in (0.9, 1.1)]
        assert min(nearby) >= worst.value - 1e-9


@each_divergence
@given(seed=seeds, k=st.integers(2, 6), radius=powers(-2, -1))
def test_multiplier_is_the_price_of_the_radius(name, seed, k, radius):
    rng = np.random.default_rng(seed)
    nominal = rng.dirichlet(np.full(k, 5.0)) * 0.5 + 0.5 / k
    f = rng.uniform(size=k)
    step = 1e-5 * radius
    below, here, above = (
        worst_weights(name, nominal, f, radius + change) for change in (-step, 0.0, step)
    )
    # The value is concave in the radius, so its slopes on both sides enclose λ, kinks included.
    slopes = (above.value - here.value) / step, (here.value - below.value) / step
    assert slopes[0] - 1e-6 <= here.multiplier <= slopes[1] + 1e-6


@each_divergence
@given(case=weights_and_values(), radius=powers(-6, 1), factor=powers(0, 2))
def test_value_grows_with_the_radius(name, case, radius, factor):
    nominal, f = case
    small, large = (worst_weights(name, nominal, f, r).value for r in (radius, radius * factor))
    assert small <= large + 1e-9 * np.ptp(f)


@each_divergence
def test_radius_zero_and_equal_values_keep_the_nominal_weights(name):
    nominal, f = np.array([0.2, 0.3, 0.5]), np.array([0.1, 0.9, 0.4])
    still = worst_weights(name, nominal, f, 0.0)
    assert still.weights.tolist() == nominal.tolist()
    assert still.value == pytest.approx(nominal @ f)
    equal = worst_weights(name, nominal, np.full(3, 0.4), 0.7)
    assert equal.weights.tolist() == nominal.tolist()
    assert equal.value == 0.4
    single = worst_weights(name, [1.0], [0.3], 0.7)
    assert (single.weights.tolist(), single.value) == ([1.0], 0.3)


@pytest.mark.parametrize("name", [name for name in DIVERGENCE_NAMES if name != "burg"])
def test_large_radius_moves_all_mass_to_the_tied_largest(name):
    nominal, f = np.array([0.1, 0.3, 0.4, 0.2]), np.array([0.9, 0.9, 0.5, 0.1])
    worst = worst_weights(name, nominal, f, 30.0)
    np.testing.assert_allclose(worst.weights, [0.25, 0.75, 0.0, 0.0], atol=1e-15)
    assert worst.value == 0.9
    assert worst.multiplier == 0.0


@each_divergence
def test_just_inside_the_radius_that_moves_all_mass(name):
    nominal, f = np.array([0.4, 0.3, 0.3]), np.array([0.9, 0.5, 0.1])
    reach = min(DIVERGENCES[name].between([1.0, 0.0, 0.0], nominal), 5.0)
    worst = worst_weights(name, nominal, f, reach * (1 - 1e-12))
    dual = dual_value(DIVERGENCES[name], nominal, f, reach * (1 - 1e-12), worst.multiplier)
    assert worst.value == pytest.approx(dual, abs=1e-7)
    assert worst.value == pytest.approx(0.9, abs=1e-3 if name == "burg" else 1e-9)


def test_burg_never_empties_a_component():
    worst = worst_weights("burg", [0.5, 0.5], [0.0, 1.0], 1e6)
    assert 0 < worst.weights[0] < 1e-200
    assert worst.value == pytest.approx(1.0, abs=1e-15)


def test_total_variation_takes_from_the_smallest_first():
    worst = worst_weights("total-variation", [0.2, 0.3, 0.5], [0.1, 0.2, 0.7], 0.25)
    np.testing.assert_allclose(worst.weights, [0.0, 0.25, 0.75], atol=1e-15)
    assert worst.multiplier == pytest.approx(0.5)


def test_chi2_with_two_components_by_hand():
    # p = p̂ ± δ: D = δ²/p̂₁ + δ²/p̂₂ = 4δ² for even weights.
    worst = worst_weights("chi2", [0.5, 0.5], [0.0, 1.0], 0.04)
    np.testing.assert_allclose(worst.weights, [0.4, 0.6], rtol=1e-12)


@each_divergence
@pytest.mark.parametrize("s", [-30.0, -2.5, -2.0, -1.0, -0.5, -0.2, 0.0, 0.2, 0.45, 0.5, 0.9, 3.0])
def test_conjugate_is_the_supremum(name, s):
    divergence = DIVERGENCES[name]

    def value(t):
        return t * s - float(divergence.phi(np.array(t)))

    ours = float(divergence.conjugate(np.array(s)))
    if ours == np.inf:
        assert s >= divergence.domain_limit
        assert value(1e9) > value(1e6) > value(1e3) > 10
    else:
        best = minimize_scalar(
            lambda u: -value(np.exp(u)), bounds=(-30, 10), method="bounded", options={"xatol": 1e-9}
        )
        supremum = max(-best.fun, value(1.0), s * 0.0 - divergence.at_zero)
        assert ours == pytest.approx(supremum, rel=1e-7, abs=1e-7)


@each_divergence
def test_phi_is_zero_at_one_and_at_zero_as_stated(name):
    divergence = DIVERGENCES[name]
    assert divergence.phi(np.array([1.0]))[0] == 0.0
    assert divergence.phi(np.array([0.0]))[0] == divergence.at_zero
    t = np.linspace(0.01, 5, 400)
    values = divergence.phi(t)
    assert (values >= 0).all()
    assert (np.diff(values, 2) >= -1e-12).all()


def test_phi_are_the_stated_functions():
    t = np.array([0.3, 2.5])
    expected = {
        "kl": t * np.log(t) - t + 1,
        "chi2": (t - 1) ** 2,
        "hellinger": (np.sqrt(t) - 1) ** 2,
        "total-variation": np.abs(t - 1) / 2,
        "burg": -np.log(t) + t - 1,
    }
    assert set(expected) == set(DIVERGENCES)
    for name, values in expected.items():
        np.testing.assert_allclose(DIVERGENCES[name].phi(t), values, rtol=1e-12)


@each_weighting
@given(case=weights_and_values(max_components=6), seed=seeds)
def test_weightings_increase_in_every_probability(weighting, case, seed):
    weights, f = case
    higher = f + np.random.default_rng(seed).uniform(0, 0.3, f.size)
    assert weighting.evaluate(weights, f)[0] <= weighting.evaluate(weights, higher)[0] + 1e-12


@each_weighting
@given(case=weights_and_values(max_components=6), seed=seeds)
def test_picked_weights_are_a_subgradient(weighting, case, seed):
    weights, f = case
    value, picked = weighting.evaluate(weights, f)
    other = np.random.default_rng(seed).uniform(size=f.size)
    assert value == pytest.approx(picked @ f, abs=1e-13)
    assert weighting.evaluate(weights, other)[0] >= value + picked @ (other - f) - 1e-9
    assert Nominal().evaluate(weights, f)[0] - 1e-12 <= value
    assert value <= WorstComponent().evaluate(weights, f)[0] + 1e-12


def test_worst_component_picks_the_first_of_tied_largest():
    value, picked = WorstComponent().evaluate(np.full(3, 1 / 3), np.array([0.1, 0.8, 0.8]))
    assert (value, picked.tolist()) == (0.8, [0.0, 1.0, 0.0])
