"""Where a decision is cut: the probability, the score or the share of approvals it takes.

A cut-off is one score c, in the log-odds of today's model: a person is accepted when the score is
at least c. For linear models that moves the bias, θ_D − c, and nothing else: means of components
move with it and covariances stay. An approval rate is turned into the score that it takes *today*,
among the present people and by today's model, and later models are judged by that same score: a
lender changes models more often than rules, and a rate would promise acceptance to some share of
people whatever the models say of them. Each past of a track record finds its own.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from scipy.special import logit

from dirrac_core.arrays import Array, checked_choice, checked_number, frozen_array
from dirrac_core.errors import InvalidInput
from dirrac_core.models.accuracy import accuracy_of
from dirrac_core.models.bundle import MAX_BUNDLES
from dirrac_core.models.classifiers import Classifier
from dirrac_core.models.futures.compose import Composition
from dirrac_core.models.futures.future import FutureModels
from dirrac_core.models.mixture import ParameterMixture
from dirrac_core.models.training import ModelBundle
from dirrac_core.wording import out_of

# Log-odds closer than this are those of one score.
SAME_SCORE = 1e-9
PROBABILITY, SCORE, APPROVAL = CUT_OFF_KINDS = ("probability", "score", "approval")


@dataclass(frozen=True)
class CutOff:
    """`value` is a probability of the favourable outcome (0 to 1, both excluded), a score in
    log-odds, or the share of the present people to approve (0 to 1, both excluded)."""

    value: float = 0.5
    kind: str = PROBABILITY

    def __post_init__(self) -> None:
        checked_choice("The kind of cut-off", self.kind, CUT_OFF_KINDS)
        if isinstance(self.value, bool | str):
            raise InvalidInput(f"The cut-off must be a number, got {self.value!r}")
        value = checked_number("The cut-off", self.value)
        if self.kind != SCORE and not 0.0 < value < 1.0:
            what = "probability" if self.kind == PROBABILITY else "share of approvals"
            message = f"A cut-off by {what} must lie between 0 and 1, got {value:g}"
            raise InvalidInput(message)
        object.__setattr__(self, "value", value)

    @property
    def fixed_threshold(self) -> float | None:
        """The score c in log-odds where it does not depend on models and people."""
        if self.kind == SCORE:
            return self.value
        return float(logit(self.value)) if self.kind == PROBABILITY else None

    def threshold(self, current: Classifier, people: npt.ArrayLike) -> float:
        """The score c in log-odds; `current` and the people (n, D − 1) fix that of a rate.

        A rate r is met between the ⌈r·n⌉-th best of n people and the next lower score, so that
        rounding cannot turn anybody away; people with the same score are approved together.
        """
        if self.fixed_threshold is not None:
            return self.fixed_threshold
        scores = np.sort(current.log_odds(people))
        approved = max(int(np.ceil(self.value * scores.size - 1e-9)), 1)
        last = scores[-approved]
        lower = scores[scores < last - SAME_SCORE]
        return float(last - 1.0 if not lower.size else (last + lower[-1]) / 2.0)

    def words(self, threshold: float) -> str:
        """What it takes, as the lender states it; `threshold` is the score it comes to."""
        if self.kind == PROBABILITY:
            return f"a chance of at least {out_of(self.value)}"
        if self.kind == SCORE:
            return f"a score of at least {self.value:g} in log-odds"
        return (
            f"a score of at least {threshold:.2f} in log-odds, which approves {out_of(self.value)} "
            "of today's people"
        )


def at_cut_off(bundle: ModelBundle, cut_off: CutOff) -> ModelBundle:
    """The same trained models, all of them deciding at the cut-off."""
    return bundle if cut_off == CutOff() else _moved(bundle, cut_off)


@lru_cache(maxsize=MAX_BUNDLES)
def _moved(bundle: ModelBundle, cut_off: CutOff) -> ModelBundle:
    c = cut_off.threshold(bundle.current, bundle.dataset.present.X)
    current = bundle.current.at_threshold(c)
    estimate = bundle.estimate
    if estimate is not None:
        estimate = replace(estimate, mixture=moved_mixture(estimate.mixture, c))
    future = moved_future(bundle.future, c)
    judged = ~bundle.training if bundle.accuracy.held_out else np.ones_like(bundle.training)
    return replace(
        bundle,
        current=current,
        parameters=None if bundle.parameters is None else moved_bias(bundle.parameters, c),
        estimate=estimate,
        future=future,
        accuracy=accuracy_of(bundle.dataset, current, judged, future),
        retrained=tuple(model.at_threshold(c) for model in bundle.retrained),
        threshold=c,
    )


def moved_bias(parameters: Array, c: float) -> Array:
    """Parameters (…, D) that accept from the score c on: c is taken off the bias."""
    moved = np.array(parameters)
    moved[..., -1] -= c
    return frozen_array("parameters", moved, (None,) * moved.ndim)


def moved_mixture(mixture: ParameterMixture, c: float) -> ParameterMixture:
    """The mixture of models that accept from the score c on."""
    return ParameterMixture(mixture.weights, moved_bias(mixture.means, c), mixture.covariances)


def moved_future(future: FutureModels, c: float) -> FutureModels:
    """The future models, accepting from the score c on.

    Their accuracy was measured at another cut-off, on people it did not keep: it is dropped.
    """
    if c == 0.0:
        return future
    return replace(
        future,
        models=tuple(model.at_threshold(c) for model in future.models),
        parameters=None if future.parameters is None else moved_bias(future.parameters, c),
        accuracies=None,
    )


def moved_composition(composition: Composition, c: float) -> Composition:
    """Components with a story, whose models accept from the score c on."""
    if c == 0.0:
        return composition
    return replace(
        composition,
        mixture=moved_mixture(composition.mixture, c),
        parameters=tuple(moved_bias(part, c) for part in composition.parameters),
    )
