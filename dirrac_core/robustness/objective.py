"""The objective of all six formulations: scores → link → weighting, with its gradient."""

from dataclasses import dataclass, field

import numpy.typing as npt

from dirrac_core.arrays import Array, checked_instance
from dirrac_core.models.mixture import ParameterMixture
from dirrac_core.robustness.doubt import WEIGHTS, Doubt, Metric
from dirrac_core.robustness.links import Link, link_named
from dirrac_core.robustness.score import score_gradients, score_terms, signed_score
from dirrac_core.robustness.weightings import Weighting, WorstComponent, weighting_named


@dataclass(frozen=True, eq=False)
class Objective:
    """The worst-case probability of failing at x. Checked when made; its methods check nothing.

    `radii` is one number or one for each component, in the unit of `metric` (see `Doubt`); `link`
    and `weighting` are names or instances. The methods take the D-vector x with trailing 1.
    """

    mixture: ParameterMixture
    radii: Array
    link: Link
    weighting: Weighting
    metric: str | Array
    doubt: Doubt = field(init=False, repr=False)

    def __init__(
        self,
        mixture: ParameterMixture,
        radii: npt.ArrayLike,
        link: str | Link = "chebyshev",
        weighting: str | Weighting = "nominal",
        metric: Metric = WEIGHTS,
    ) -> None:
        checked_instance("mixture", mixture, ParameterMixture)
        doubt = Doubt.of(mixture, radii, metric)
        set_field = object.__setattr__
        set_field(self, "mixture", mixture)
        set_field(self, "radii", doubt.radii)
        set_field(self, "metric", doubt.metric)
        set_field(self, "doubt", doubt)
        set_field(self, "link", link_named(link))
        set_field(self, "weighting", weighting_named(weighting))

    @property
    def is_one_score(self) -> bool:
        """Whether one score decides: that of the only component, or of the worst one."""
        return self.mixture.components == 1 or isinstance(self.weighting, WorstComponent)

    def scores(self, x: Array) -> Array:
        """a_k(x), (K,)."""
        return signed_score(*score_terms(x, self.mixture, self.doubt))

    def probabilities(self, x: Array) -> Array:
        """The worst-case probability of failing of every component, (K,)."""
        return self.link.probability(self.scores(x))

    def weigh(self, probabilities: Array) -> tuple[float, Array]:
        """The worst Σ p_k f_k and its weights p* at given component probabilities f, (K,)."""
        return self.weighting.evaluate(self.mixture.weights, probabilities)

    def value(self, x: Array) -> float:
        """The worst-case probability of failing."""
        return self.weigh(self.probabilities(x))[0]

    def worst_weights(self, x: Array) -> Array:
        """The weights p* the weighting picks at x, (K,)."""
        return self.weigh(self.probabilities(x))[1]

    def value_and_gradient(self, x: Array) -> tuple[float, Array]:
        """The value and Σ p*_k ℓ'(a_k) ∇a_k, its (sub)gradient in x by Danskin's theorem, (D,)."""
        scores, gradients = score_gradients(x, self.mixture, self.doubt)
        value, p = self.weigh(self.link.probability(scores))
        return value, (p * self.link.derivative(scores)) @ gradients
