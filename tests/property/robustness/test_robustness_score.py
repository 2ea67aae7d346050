"""The robust score against its definition, its angle form, the paper and exact arithmetic."""

from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from dirrac_core.models.mixture import ParameterMixture
from dirrac_core.robustness import (
    LINKS,
    Doubt,
    robust_scores,
    score_gradients,
    score_terms,
    signed_score,
)
from tests.robustness_cases import cases, powers, seeds

pytestmark = pytest.mark.filterwarnings("error")

DIFFERENCE_STEP = 1e-6
DIFFERENCE_TOLERANCE = 1e-6
DIGITS = 1300  # enough to add squares of 1e-150 and 1e150 exactly

signs = st.sampled_from([-1.0, 1.0])
shares = st.one_of(st.just(0.0), st.floats(0.0, 0.999), st.floats(-15, -3).map(lambda u: 1 - 10**u))


def exact_score(m, s, r):
    """cot(α + β) for the given doubles, in exact arithmetic: (mL − sr)/(sL + mr); None if ±∞."""
    with localcontext() as context:
        context.prec = DIGITS
        m, s, r = Decimal(m), Decimal(s), Decimal(r)
        squared = m * m + s * s - r * r
        if squared < 0 or (m <= 0 and s <= r) or (s == 0 and r == 0):
            return None
        slack = squared.sqrt()
        return float((m * slack - s * r) / (s * slack + m * r))


@given(m=powers(-150, 150), share=shares, s=powers(-150, 150))
def test_valid_score_is_exact_at_every_scale(m, share, s):
    r = m * share
    assert signed_score(m, s, r) == pytest.approx(exact_score(m, s, r), rel=1e-14, abs=1e-300)


@given(sign=signs, m=powers(-8, 8), s=powers(-8, 8), r=powers(-8, 8), scale=powers(-140, 140))
def test_signed_score_is_exact_at_every_scale(sign, m, s, r, scale):
    m, s, r = sign * m * scale, s * scale, r * scale
    expected = exact_score(m, s, r)
    if expected is None:
        assert signed_score(m, s, r) == -np.inf
    else:
        # Where r is close to √(m² + s²) the score is steep in m, s and r, whatever the method.
        steepness = 1.0 / (1.0 - min(r / np.hypot(m, s), 1.0 - 1e-12))
        assert signed_score(m, s, r) == pytest.approx(expected, rel=1e-14 * steepness)


@given(gap=powers(-15, -1), s=powers(-12, 3))
def test_near_the_edge_of_validity(gap, s):
    m, r = 1.0 + gap, 1.0
    a = float(signed_score(m, s, r))
    assert a > 0
    assert a == pytest.approx(exact_score(m, s, r), rel=1e-13)


@given(m=powers(-6, 6), share=st.floats(0.0, 0.999), s=powers(-6, 6))
def test_score_solves_its_defining_equation_and_nothing_larger_does(m, share, s):
    r = m * share
    a = float(signed_score(m, s, r))
    assert a > 0
    assert a * s + np.hypot(1.0, a) * r == pytest.approx(m, rel=1e-13)
    larger = a * (1 + 1e-9)
    assert larger * s + np.hypot(1.0, larger) * r > m


@given(sign=signs, m=powers(-3, 3), s=powers(-3, 3), r=powers(-3, 3))
def test_minus_infinity_exactly_when_nothing_solves_the_equation(sign, m, s, r):
    m *= sign
    a = float(signed_score(m, s, r))
    angles = np.linspace(1e-4, np.pi - 1e-4, 2001)
    solved = m * np.sin(angles) - s * np.cos(angles) >= r  # (S) times sin, with a = cot(angle)
    if a == -np.inf:
        assert not solved.any()
    else:
        assert np.all(1 / np.tan(angles[solved]) <= a + 1e-9 * abs(a) + 1e-12)
        assert (a >= 0) == (m >= r)


@given(sign=signs, m=powers(-4, 4), s=powers(-4, 4), share=st.floats(0.0, 0.999))
def test_angle_form(sign, m, s, share):
    m *= sign
    r = share * np.hypot(m, s)
    angle = np.arctan2(s, m) + np.arcsin(r / np.hypot(m, s))
    a = float(signed_score(m, s, r))
    if angle < np.pi * (1 - 1e-12):
        assert np.arctan2(1.0, a) == pytest.approx(angle, rel=1e-11)
    elif angle > np.pi * (1 + 1e-12):
        assert a == -np.inf


@given(m=powers(-4, 4), s=powers(-4, 4), share=st.floats(0.0, 0.999))
def test_moment_proposition_as_printed(m, s, share):
    a_k, b_k, c_k = -m, s, share * m
    root = np.sqrt(a_k**2 + b_k**2 - c_k**2)
    printed = ((-a_k * c_k + b_k * root) / (a_k**2 + b_k**2)) ** 2
    ours = LINKS["chebyshev"].probability(signed_score(m, s, c_k))
    assert ours == pytest.approx(printed, rel=1e-9)


@given(m=powers(-4, 4), s=powers(-4, 4), share=st.floats(0.0, 0.999))
def test_gaussian_proposition_as_printed(m, s, share):
    a_k, b_k, c_k = -m, s, share * m
    root = np.sqrt(a_k**2 + b_k**2 - c_k**2)
    g_k = (a_k**2 - c_k**2) / (-a_k * b_k + c_k * root)
    a = signed_score(m, s, c_k)
    assert a == pytest.approx(g_k, rel=1e-9)
    assert LINKS["gaussian"].probability(a) == pytest.approx(1 - norm.cdf(g_k), abs=1e-12)


@given(sign=signs, m=powers(-4, 4), s=powers(-4, 4), r=powers(-4, 4))
def test_which_case_of_the_propositions_applies(sign, m, s, r):
    m *= sign
    a = float(signed_score(m, s, r))
    moment, gaussian = (float(LINKS[link].probability(a)) for link in ("chebyshev", "gaussian"))
    if -m + r >= 0:
        assert (moment, gaussian >= 0.5) == (1.0, True)
    else:
        # Next to the edge 1/(1 + a²) and Φ(−a) round to 1 and ½; the score itself does not.
        assert a > 0
        assert moment < 1.0 or a < 1e-7
        assert gaussian < 0.5 or a < 1e-15


@given(sign=signs, m=powers(-4, 4), s=powers(-4, 4), r=powers(-4, 4), more=powers(-6, 2))
def test_score_falls_as_the_radius_grows(sign, m, s, r, more):
    m *= sign
    before, after = signed_score(m, s, 0.0), signed_score(m, s, r)
    later = signed_score(m, s, r * (1 + more))
    assert before >= after >= later


@given(sign=signs, m=powers(-4, 4), s=powers(-4, 4), share=shares, scale=powers(-150, 150))
def test_score_is_positively_homogeneous(sign, m, s, share, scale):
    m *= sign
    r = 0.9 * share * np.hypot(m, s)
    a, scaled = signed_score(m, s, r), signed_score(m * scale, s * scale, r * scale)
    assert scaled == pytest.approx(a, rel=1e-9)


@given(seed=seeds, t=st.floats(0.0, 1.0), rho=st.floats(0.0, 1.0))
def test_score_is_quasi_concave_along_segments(seed, t, rho):
    rng = np.random.default_rng(seed)
    factor = rng.normal(size=(5, 5))
    mixture = ParameterMixture([1.0], [rng.uniform(1, 3, 5)], [factor @ factor.T])
    x, y = (np.append(rng.uniform(0, 2, 4), 1.0) for _ in range(2))
    ends = min(robust_scores(x, mixture, rho)[0], robust_scores(y, mixture, rho)[0])
    between = robust_scores(t * x + (1 - t) * y, mixture, rho)[0]
    # The level sets are convex for a ≥ 0; for a rho this small against the mean, ends > 0.
    assert ends > 0
    assert between >= ends * (1 - 1e-12)


@pytest.mark.parametrize(
    ("m", "s", "r", "expected"),
    [
        (2.0, 0.0, 0.0, np.inf),
        (1e-300, 0.0, 0.0, np.inf),
        (2.0, 1.0, 0.0, 2.0),
        (-2.0, 1.0, 0.0, -2.0),
        (0.0, 1.0, 0.0, 0.0),
        (5.0, 0.0, 3.0, 4.0 / 3.0),
        (1.0, 0.0, 1.0, 0.0),
        (1.0, 2.0, 1.0, 0.0),
        (0.0, 0.0, 0.0, 0.0),
        (0.0, 5.0, 3.0, -0.75),
        (0.0, 1.0, 1.0, -np.inf),
        (0.0, 0.0, 1.0, -np.inf),
        (-1.0, 0.0, 0.0, -np.inf),
        (-1.0, 1.0, 1.0, -np.inf),
        (1.0, 0.0, 2.0, -np.inf),
        (3.0, 4.0, 5.1, -np.inf),
        (1e308, 1e-308, 0.0, np.inf),
    ],
)
def test_corners(m, s, r, expected):
    assert signed_score(m, s, r) == pytest.approx(expected, rel=1e-15)


def test_score_is_vectorised():
    m, s, r = [1.0, -1.0, 0.0, 2.0, 1.0], [0.5, 0.5, 0.0, 0.0, 1.0], [0.2, 0.1, 0.0, 0.0, 9.0]
    together = signed_score(m, s, r)
    one_by_one = [float(signed_score(*terms)) for terms in zip(m, s, r, strict=True)]
    assert together.tolist() == one_by_one


@given(case=cases(valid=False, max_components=10))
def test_terms_are_the_formulas(case):
    m, s, r = score_terms(case.x, case.mixture, case.doubt)
    for k, (mean, covariance) in enumerate(
        zip(case.mixture.means, case.mixture.covariances, strict=True)
    ):
        assert m[k] == pytest.approx(mean @ case.x, abs=1e-12)
        assert s[k] ** 2 == pytest.approx(case.x @ covariance @ case.x, rel=1e-9, abs=1e-12)
        length = np.sqrt(max(case.x @ case.matrix(k) @ case.x, 0.0))
        assert r[k] == pytest.approx(case.radii[k] * length, rel=1e-7, abs=1e-9)
    assert np.array_equal(
        signed_score(m, s, r), robust_scores(case.x, case.mixture, case.radii, case.metric)
    )


@given(case=cases(), scale=powers(-70, 70))
def test_scores_of_a_rescaled_mixture(case, scale):
    mixture = case.mixture
    scaled = ParameterMixture(
        mixture.weights, mixture.means * scale, (mixture.covariances * scale) * scale
    )
    # A radius in deviations has no unit.
    radii = case.radii if case.doubt.in_deviations else case.radii * scale
    np.testing.assert_allclose(
        robust_scores(case.x, scaled, radii, case.metric),
        robust_scores(case.x, mixture, case.radii, case.metric),
        rtol=1e-6,
    )


@given(case=cases(min_rank=1))
def test_gradients_by_central_differences(case):
    x = case.x
    scores, gradients = score_gradients(x, case.mixture, case.doubt)
    assert np.array_equal(scores, robust_scores(x, case.mixture, case.radii, case.metric))
    for column, direction in enumerate(np.eye(x.size)):
        step = DIFFERENCE_STEP * direction
        above = signed_score(*score_terms(x + step, case.mixture, case.doubt))
        below = signed_score(*score_terms(x - step, case.mixture, case.doubt))
        numeric = (above - below) / (2 * DIFFERENCE_STEP)
        size = 1 + np.abs(gradients).max(axis=1)
        curvature = size * (1 + np.abs(scores) + size) ** 2
        assert np.all(np.abs(numeric - gradients[:, column]) <= DIFFERENCE_TOLERANCE * curvature)


def test_gradient_where_there_is_no_variance():
    """s = 0 everywhere: a = √(m² − r²)/r, smooth in x, and its slope is known."""
    x, rho = np.array([0.5, 1.0]), 0.3
    mixture = ParameterMixture([1.0], [[1.0, 1.0]], [np.zeros((2, 2))])
    (a,), (gradient,) = score_gradients(x, mixture, Doubt.of(mixture, rho))
    m, n = 1.5, np.linalg.norm(x)
    assert a == pytest.approx(np.sqrt(m**2 - (rho * n) ** 2) / (rho * n))
    # a² + 1 = (m/r)²  ⇒  a∇a = (m/r)∇(m/r)
    ratio = m / (rho * n)
    slope = np.array([1.0, 1.0]) / (rho * n) - ratio * x / n**2
    np.testing.assert_allclose(gradient, ratio * slope / a, rtol=1e-12)


def test_gradient_is_zero_where_the_score_is_infinite_or_has_no_slope():
    x = np.array([1.0, 1.0])
    flat = np.zeros((2, 2))
    mixture = ParameterMixture(
        [0.25] * 4, [[1.0, 1.0], [-1.0, -1.0], [0.0, 0.0], [1.0, 1.0]], [flat] * 4
    )
    scores, gradients = score_gradients(
        x, mixture, Doubt.of(mixture, [0.0, 0.0, 0.0, np.sqrt(2.0)])
    )
    assert scores[:3].tolist() == [np.inf, -np.inf, 0.0]
    assert np.array_equal(gradients[:3], np.zeros((3, 2)))
    assert np.isfinite(gradients).all()
