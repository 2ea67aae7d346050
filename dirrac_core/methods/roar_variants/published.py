"""ROAR the way it was published: alternate the worst shift d with a gradient step on x.

Upadhyay, Joshi, Lakkaraju: Towards Robust and Reliable Algorithmic Recourse, NeurIPS 2021,
Algorithm 1. The objective is that of `roar`; only the optimiser differs.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from dirrac_core.arrays import Array, checked_choice, checked_number
from dirrac_core.data.schema.actions import Actions
from dirrac_core.feasible.bounds import column_bounds
from dirrac_core.methods.parts.actionable import QuickProjection
from dirrac_core.methods.protocol import CATEGORIES, Answer, SearchMethod
from dirrac_core.methods.roar import RoarSettings
from dirrac_core.models.classifiers import LinearModel
from dirrac_core.progress import look_up


@dataclass(frozen=True)
class Descent:
    """The length of a gradient step, and when to stop: the objective moves by no more than
    `tolerance`, or after `steps` steps. Stopping on a small move is what was published; it
    proves nothing."""

    learning_rate: float = 0.01
    steps: int = 1000
    tolerance: float = 1e-6

    def __post_init__(self) -> None:
        checked_number("The learning rate", self.learning_rate, low=0.0, strict=True)
        checked_number("The number of steps", self.steps, low=1.0)
        checked_number("The tolerance", self.tolerance, low=0.0)


@dataclass(frozen=True, eq=False)
class RoarPublished(SearchMethod):
    """ROAR by alternating gradient steps; categories stay relaxed on the way.

    `categories` only says how the plan is judged: with "whole", a plan between two categories
    fails that check.
    """

    NAME = "ROAR (as published)"
    asks_later_models = False

    current: LinearModel
    settings: RoarSettings = RoarSettings()
    categories: str = "whole"
    descent: Descent = Descent()

    def __post_init__(self) -> None:
        checked_choice("categories", self.categories, CATEGORIES)

    @property
    def parameter(self) -> float:
        """λ."""
        return self.settings.lam

    def knows_usual_limits(self, actions: Actions) -> bool:
        """No: only the range of every column, and the groups."""
        return False

    def search(self, x0: Array, actions: Actions) -> Answer:
        """The last point of the descent, wherever it is."""
        theta, settings = self.current.theta, self.settings
        weights = column_bounds(x0, actions).weights
        slope_of_cost = settings.lam * np.append(weights, 0.0)

        def gradient(x: Array) -> Array:
            shifted = theta + worst_shift(x, settings)
            slope: Array = -expit(-shifted @ x) * shifted + slope_of_cost * np.sign(x - x0)
            return slope

        project = QuickProjection(x0, actions)
        x = project(x0)
        value = settings.objective(theta[None, :], x, x0, weights)
        chosen = self.descent
        taken = 0
        while taken < chosen.steps:
            look_up()
            taken += 1
            x = project(x - chosen.learning_rate * gradient(x))
            before, value = value, settings.objective(theta[None, :], x, x0, weights)
            if abs(before - value) <= chosen.tolerance:
                break
        return Answer(x, f"ROAR's objective is {value:.6g} after {taken} gradient steps.")


def worst_shift(x: Array, settings: RoarSettings) -> Array:
    """d with ‖d‖ ≤ δ_max that lowers (θ + d)ᵀx the most: −δ_max x/‖x‖₂, or −δ_max sign(x)."""
    direction: Array = x / np.linalg.norm(x) if settings.ball == "l2" else np.sign(x)
    return -settings.delta_max * direction
