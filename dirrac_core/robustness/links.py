"""Links: what is assumed of a component's models turns its score into a worst-case probability."""

from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, ndtri

from dirrac_core.arrays import Array, checked_choice
from dirrac_core.errors import InvalidInput


class Link(Protocol):
    """A decreasing function from the robust score to the worst-case probability of failing."""

    @property
    def name(self) -> str:
        """The short name used in programs."""

    @property
    def label(self) -> str:
        """What is assumed, as text."""

    def probability(self, a: npt.ArrayLike) -> Array:
        """The worst-case probability at score `a` (any real, ±∞ included)."""

    def derivative(self, a: npt.ArrayLike) -> Array:
        """d probability / da, 0 at ±∞."""

    def score(self, probability: npt.ArrayLike) -> Array:
        """The largest score whose probability is still at least `probability`; +∞ for 0."""


@dataclass(frozen=True)
class Chebyshev:
    """Only mean and covariance are assumed: 1/(1 + a²) for a > 0, else 1 (Proposition 1)."""

    name: str = "chebyshev"
    label: str = "only mean and covariance are known"

    def probability(self, a: npt.ArrayLike) -> Array:
        root: Array = 1.0 / np.hypot(1.0, np.maximum(a, 0.0))
        return root * root

    def derivative(self, a: npt.ArrayLike) -> Array:
        positive = np.clip(a, 0.0, 1e150)  # beyond it the slope is below the smallest double
        p: Array = 1.0 / (1.0 + positive * positive)
        return -2.0 * (positive * p) * p

    def score(self, probability: npt.ArrayLike) -> Array:
        p = np.clip(probability, 0.0, 1.0)
        with np.errstate(divide="ignore"):
            a: Array = np.sqrt(1.0 - p) / np.sqrt(p)
        return a


@dataclass(frozen=True)
class Gaussian:
    """The models are also Gaussian: Φ(−a) (Proposition on the Gaussian worst case)."""

    name: str = "gaussian"
    label: str = "the future models are Gaussian"

    def probability(self, a: npt.ArrayLike) -> Array:
        p: Array = ndtr(-np.asarray(a, dtype=np.float64))
        return p

    def derivative(self, a: npt.ArrayLike) -> Array:
        clipped = np.clip(a, -100.0, 100.0)  # beyond it the density is below the smallest double
        slope: Array = -np.exp(-0.5 * clipped * clipped) / np.sqrt(2.0 * np.pi)
        return slope

    def score(self, probability: npt.ArrayLike) -> Array:
        a: Array = 0.0 - ndtri(np.clip(probability, 0.0, 1.0))
        return a


LINKS: Final[dict[str, Link]] = {"chebyshev": Chebyshev(), "gaussian": Gaussian()}


def link_named(link: str | Link) -> Link:
    """The link with this name; a link passes through."""
    if isinstance(link, str):
        return LINKS[checked_choice("The link", link, LINKS)]
    if not isinstance(link, Chebyshev | Gaussian):
        message = f"The link must be 'chebyshev' or 'gaussian', got {type(link).__name__}"
        raise InvalidInput(message)
    return link
