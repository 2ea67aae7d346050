"""RBR: robust Bayesian recourse for any classifier.

Nguyen, Bui, Nguyen, Yue, Nguyen: Robust Bayesian Recourse, UAI 2022. Around a boundary point the
classifier labels random samples; the plan minimises the log-ratio of the optimistic likelihood of
the unfavourable samples to the pessimistic likelihood of the favourable ones.
"""

from dataclasses import dataclass

import numpy as np
from scipy.interpolate import CubicHermiteSpline
from scipy.special import logsumexp, softmax

from dirrac_core.arrays import Array, checked_choice, checked_number, frozen_array
from dirrac_core.data.schema.actions import Actions
from dirrac_core.errors import InvalidInput
from dirrac_core.feasible import Projector
from dirrac_core.feasible.bounds import column_bounds
from dirrac_core.methods.parts.actionable import QuickProjection, actionable_piece
from dirrac_core.methods.parts.rbr_likelihood import interpolated, optimistic, pessimistic
from dirrac_core.methods.protocol import CATEGORIES, Answer, SearchMethod
from dirrac_core.models.classifiers import Classifier

# Points tried on a segment before its first flip is bisected, and the halvings.
SEGMENT = 200
HALVINGS = 30


@dataclass(frozen=True)
class RbrSettings:
    """Radius r and number of the samples, kernel width σ, radii ε_op, ε_pe (< σ), budget δ_plus.

    `neighbours` favourable people are tried at a time for the boundary point. The descent takes
    at most `steps` steps and halves their size where the ratio would not fall.
    """

    radius: float = 0.2
    samples: int = 200
    sigma: float = 1.0
    epsilon_op: float = 0.5
    epsilon_pe: float = 0.5
    delta_plus: float = 0.2
    neighbours: int = 50
    steps: int = 100
    tolerance: float = 1e-6

    def __post_init__(self) -> None:
        for name in ("radius", "sigma", "tolerance"):
            checked_number(f"RBR's {name}", getattr(self, name), low=0.0, strict=True)
        for name in ("epsilon_op", "epsilon_pe", "delta_plus"):
            checked_number(f"RBR's {name}", getattr(self, name), low=0.0)
        for name in ("samples", "neighbours", "steps"):
            checked_number(f"RBR's number of {name}", getattr(self, name), low=1.0)
        if self.epsilon_pe >= self.sigma:
            raise InvalidInput(
                "RBR's epsilon_pe must be below sigma (else a density can vanish), "
                f"got {self.epsilon_pe:g} and {self.sigma:g}"
            )


@dataclass(frozen=True, eq=False)
class LikelihoodRatio:
    """log of optimistic unfavourable over pessimistic favourable likelihood, averaged kernels."""

    unfavourable: Array
    favourable: Array
    optimistic: CubicHermiteSpline
    pessimistic: CubicHermiteSpline

    def value_and_gradient(self, x: Array) -> tuple[float, Array]:
        """The log-ratio at x (D − 1,) and its gradient."""
        above, up = _log_likelihood(x, self.unfavourable, self.optimistic)
        below, down = _log_likelihood(x, self.favourable, self.pessimistic)
        return above - below, up - down


@dataclass(frozen=True, eq=False)
class Rbr(SearchMethod):
    """RBR for any classifier; `people` (n, D − 1) are its training data.

    Categories stay relaxed; `categories` only says how the plan is judged.
    """

    NAME = "RBR"
    asks_later_models = False

    current: Classifier
    people: Array
    settings: RbrSettings = RbrSettings()
    categories: str = "whole"
    seed: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "people", frozen_array("people", self.people, (None, None)))
        checked_choice("categories", self.categories, CATEGORIES)

    @property
    def parameter(self) -> float:
        """δ_plus."""
        return self.settings.delta_plus

    def boundary_point(self, x0: Array, actions: Actions) -> Array | None:
        """The cheapest first flip on the way to the nearest favourable people who lead to one.

        They are tried `neighbours` at a time, nearest first. What is locked or out of range for
        the applicant is taken off those people before.
        """
        person = x0[:-1]
        targets = self.people[self.current.decision(self.people)]
        order = np.abs(targets - person).sum(axis=1).argsort(kind="stable")
        project = QuickProjection(x0, actions)
        start = project(x0)[:-1]
        weights = column_bounds(x0, actions).weights
        size = self.settings.neighbours
        for first in range(0, len(order), size):
            nearest = targets[order[first : first + size]]
            ends = np.array([project(np.append(target, 1.0))[:-1] for target in nearest])
            flips = self._first_flips(start, ends)
            if len(flips):
                costs = np.abs(weights * (flips - person)).sum(axis=1)
                cheapest: Array = flips[int(costs.argmin())]
                return cheapest
        return None

    def _first_flips(self, start: Array, ends: Array) -> Array:
        """The first accepted point on each segment from `start` that has one."""
        parts = np.linspace(0.0, 1.0, SEGMENT + 1)
        points = start + parts[:, None] * (ends - start)[:, None, :]
        accepted = self.current.decision(points.reshape(-1, start.size)).reshape(len(ends), -1)
        flipping = accepted.any(axis=1)
        way = (ends - start)[flipping]
        first = accepted[flipping].argmax(axis=1)
        low, high = parts[np.maximum(first - 1, 0)], parts[first]
        for _ in range(HALVINGS if len(way) else 0):
            middle = (low + high) / 2
            flipped = self.current.decision(start + middle[:, None] * way)
            low, high = np.where(flipped, low, middle), np.where(flipped, middle, high)
        flips: Array = start + high[:, None] * way
        return flips

    def search(self, x0: Array, actions: Actions) -> Answer:
        """The end of the projected descent; None when no boundary point is found."""
        boundary = self.boundary_point(x0, actions)
        if boundary is None:
            return Answer(None, "No favourable person can be approached until the decision flips.")
        bounds = column_bounds(x0, actions)
        reach = float(np.abs(bounds.weights * (boundary - x0[:-1])).sum())
        budget = reach + self.settings.delta_plus
        piece = actionable_piece(x0, actions, bounds)
        if piece.empty:
            return Answer(None, "No point keeps all rules of what may change.")
        project = Projector(piece, budget)
        x = project(np.append(boundary, 1.0))
        if x is None:
            return Answer(None, "No point within the budget keeps all rules of what may change.")
        furthest = float(np.linalg.norm(boundary - x0[:-1])) + budget / bounds.weights.min()
        ratio = self._ratio(boundary, furthest + self.settings.radius)
        if ratio is None:
            return Answer(None, "All samples around the boundary point get the same decision.")
        return self._descend(x, ratio, project)

    def _ratio(self, boundary: Array, furthest: float) -> LikelihoodRatio | None:
        """Samples uniform in the ball around the boundary point, labelled by the classifier."""
        chosen, p = self.settings, boundary.size
        rng = np.random.default_rng(self.seed)
        direction = rng.standard_normal((chosen.samples, p))
        direction /= np.linalg.norm(direction, axis=1, keepdims=True)
        length = chosen.radius * rng.random((chosen.samples, 1)) ** (1.0 / p)
        samples = boundary + direction * length
        accepted = self.current.decision(samples)
        if accepted.all() or not accepted.any():
            return None
        return LikelihoodRatio(
            samples[~accepted],
            samples[accepted],
            interpolated(optimistic, furthest, chosen.sigma, chosen.epsilon_op, p),
            interpolated(pessimistic, furthest, chosen.sigma, chosen.epsilon_pe, p),
        )

    def _descend(self, x: Array, ratio: LikelihoodRatio, project: Projector) -> Answer:
        value, gradient = ratio.value_and_gradient(x[:-1])
        size, chosen = 1.0, self.settings
        for _ in range(chosen.steps):
            candidate = project(x - size * np.append(gradient, 0.0))
            if candidate is None:
                break
            moved = float(np.linalg.norm(candidate - x))
            if moved <= chosen.tolerance * size:
                break
            new, slope = ratio.value_and_gradient(candidate[:-1])
            if new < value:
                x, value, gradient = candidate, new, slope
            else:
                size *= 0.5
        return Answer(x, f"The log-ratio of the likelihoods is {value:.4g}.")


def _log_likelihood(x: Array, samples: Array, extreme: CubicHermiteSpline) -> tuple[float, Array]:
    """log of the average density of the samples at x, and its gradient."""
    offset = x - samples
    c = np.linalg.norm(offset, axis=1)
    log_density = -extreme(c)
    share = softmax(log_density)
    direction = offset / np.maximum(c, np.finfo(float).tiny)[:, None]
    gradient: Array = -(share * extreme(c, 1)) @ direction
    return float(logsumexp(log_density) - np.log(len(samples))), gradient
