"""Wachter's counterfactuals: the loss of being declined plus λ times the change, by Adam.

Wachter, Mittelstadt, Russell: Counterfactual Explanations Without Opening the Black Box,
Harvard Journal of Law & Technology 2018:  min over x of  loss(model(x), 1) + λ‖x − x0‖₁,
with λ lowered until the decision flips.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from dirrac_core.arrays import Array, checked_choice, checked_number
from dirrac_core.data.schema.actions import Actions
from dirrac_core.feasible.bounds import column_bounds
from dirrac_core.methods.parts.actionable import QuickProjection
from dirrac_core.methods.parts.adam import adam_path
from dirrac_core.methods.parts.log_odds import log_odds
from dirrac_core.methods.protocol import CATEGORIES, Answer, SearchMethod
from dirrac_core.models.classifiers import Classifier


@dataclass(frozen=True, eq=False)
class Wachter(SearchMethod):
    """Linear models and perceptrons; categories stay relaxed on the way.

    λ starts at `lam` and falls by `lam_step` a round, never below 0; the round with λ = 0 is the
    last. A round takes at most `steps` Adam steps from where the one before ended.
    `categories` only says how the plan is judged.
    """

    NAME = "Wachter"
    asks_later_models = False

    current: Classifier
    lam: float = 0.1
    lam_step: float = 0.05
    learning_rate: float = 0.01
    steps: int = 1000
    categories: str = "whole"

    def __post_init__(self) -> None:
        checked_number("The cost weight 'lam'", self.lam, low=0.0)
        checked_number("The step of 'lam'", self.lam_step, low=0.0, strict=True)
        checked_number("The learning rate", self.learning_rate, low=0.0, strict=True)
        checked_number("The number of steps", self.steps, low=1.0)
        checked_choice("categories", self.categories, CATEGORIES)

    @property
    def parameter(self) -> float:
        """λ at the start."""
        return self.lam

    def knows_usual_limits(self, actions: Actions) -> bool:
        """No: only the range of every column, and the groups."""
        return False

    def search(self, x0: Array, actions: Actions) -> Answer:
        """The first accepted point on the way, or None when the last round ends declined."""
        odds = log_odds(self.current)
        project = QuickProjection(x0, actions)
        weights = np.append(column_bounds(x0, actions).weights, 0.0)
        rounds = int(np.ceil(self.lam / self.lam_step)) + 1
        x = project(x0)
        for index in range(rounds):
            lam = max(0.0, self.lam - index * self.lam_step)

            def gradient(x: Array, lam: float = lam) -> Array:
                value, slope = odds(x)
                total: Array = -expit(-value) * slope + lam * weights * np.sign(x - x0)
                return total

            path = adam_path(x, gradient, project, self.learning_rate, self.steps, actions.groups)
            for taken, x in enumerate(path, start=1):
                # The score alone may round differently from the classifier's own decision.
                if odds(x)[0] >= 0.0 and self.current.decision(x[None, :-1])[0]:
                    words = f"Accepted after {taken} steps of round {index + 1}, λ = {lam:g}."
                    return Answer(x, words)
        return Answer(None, f"No point tried was accepted in {rounds} rounds, down to λ = 0.")
