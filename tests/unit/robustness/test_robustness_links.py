"""Links: accurate for any score, decreasing, and inverted by their own score."""

import numpy as np
import pytest
from scipy.stats import norm

from dirrac_core.robustness import LINKS, Chebyshev, Gaussian, link_named

pytestmark = pytest.mark.filterwarnings("error")

each_link = pytest.mark.parametrize("link", LINKS.values(), ids=LINKS)
EVERY_SIZE = np.concatenate([[-np.inf, -1e200, -3.0, 0.0], np.logspace(-150, 200, 701), [np.inf]])
DIFFERENCE_STEP = 1e-6


def test_registry_and_labels():
    assert {name: link.name for name, link in LINKS.items()} == {name: name for name in LINKS}
    assert all(link.label for link in LINKS.values())
    assert link_named("chebyshev") == Chebyshev()
    assert link_named("gaussian") == Gaussian()
    assert link_named(LINKS["gaussian"]) is LINKS["gaussian"]


@each_link
def test_probability_falls_from_one_to_zero_without_warnings(link):
    p = link.probability(EVERY_SIZE)
    assert p[0] == 1.0
    assert p[-1] == 0.0
    assert np.all(np.diff(p) <= 0)
    slope = link.derivative(EVERY_SIZE)
    assert np.isfinite(slope).all()
    assert np.all(slope <= 0)
    assert slope[0] == slope[-1] == 0.0


def test_chebyshev_values():
    link = LINKS["chebyshev"]
    np.testing.assert_allclose(link.probability([-1.0, 0.0, 1.0, 3.0]), [1, 1, 0.5, 0.1])
    assert link.probability(1e150) == pytest.approx(1e-300, rel=1e-12)
    assert link.derivative(1e90) == pytest.approx(-2e-270, rel=1e-12)
    assert link.derivative(-2.0) == 0.0


def test_gaussian_values():
    link = LINKS["gaussian"]
    a = np.array([-8.0, -1.0, 0.0, 2.0, 37.0])
    np.testing.assert_allclose(link.probability(a), norm.sf(a), rtol=1e-12)
    np.testing.assert_allclose(link.derivative(a), -norm.pdf(a), rtol=1e-12)


@each_link
def test_derivative_by_central_differences(link):
    a = np.linspace(0.01, 6, 200)
    numeric = link.probability(a + DIFFERENCE_STEP) - link.probability(a - DIFFERENCE_STEP)
    np.testing.assert_allclose(link.derivative(a), numeric / (2 * DIFFERENCE_STEP), atol=1e-9)


@each_link
def test_score_inverts_the_probability(link):
    p = np.concatenate([np.logspace(-300, -1, 300), np.linspace(0.1, 0.999, 50)])
    np.testing.assert_allclose(link.probability(link.score(p)), p, rtol=1e-10)
    assert link.score(0.0) == np.inf
    assert link.score(-0.1) == np.inf


def test_score_at_certain_failure():
    assert LINKS["chebyshev"].score(1.0) == 0.0
    assert LINKS["chebyshev"].score(1.5) == 0.0
    assert LINKS["gaussian"].score(1.0) == -np.inf
    assert LINKS["gaussian"].score(0.5) == 0.0
