"""ROAR against many re-trained models: the worst of them, or the average of their plans.

Nguyen, Bui, Nguyen: Distributionally Robust Recourse Action, appendix, "Comparison with ensemble
baselines".
"""

from dataclasses import dataclass

import numpy as np

from dirrac_core.arrays import Array, checked_choice, frozen_array
from dirrac_core.data.schema.actions import Actions
from dirrac_core.methods.protocol import CATEGORIES, Answer, SearchMethod
from dirrac_core.methods.roar import RoarPrograms, RoarSettings
from dirrac_core.models.classifiers import Classifier


@dataclass(frozen=True, eq=False)
class _ManyModels(SearchMethod):
    """What both variants are fitted to: today's model, the re-trained θ^i (n, D), the settings."""

    current: Classifier
    thetas: Array
    settings: RoarSettings = RoarSettings()
    categories: str = "whole"

    def __post_init__(self) -> None:
        object.__setattr__(self, "thetas", frozen_array("thetas", self.thetas, (None, None)))
        checked_choice("categories", self.categories, CATEGORIES)

    @property
    def parameter(self) -> float:
        """λ."""
        return self.settings.lam


class RoarEnsemble(_ManyModels):
    """min over x of max over i and ‖d‖ ≤ δ_max of logloss(θ^i + d, x → 1) + λ‖x − x0‖₁, exactly.

    The loss falls with the margin, so the inner maximum is the loss of the smallest margin.
    """

    NAME = "ROAR-Ensemble"

    def search(self, x0: Array, actions: Actions) -> Answer:
        """The minimiser of the worst loss of all models."""
        whole = self.categories == "whole"
        programs = RoarPrograms(self.thetas, x0, actions, self.settings)
        return programs.answer(self.settings.lam, whole)


class RoarAverage(_ManyModels):
    """The mean of the exact ROAR plans of each re-trained model.

    The mean of whole categories is not a category; the checklist says so.
    """

    NAME = "ROAR-Avg"

    def search(self, x0: Array, actions: Actions) -> Answer:
        """The mean over the models of the plan for each alone."""
        whole = self.categories == "whole"
        found = [
            RoarPrograms(theta[None, :], x0, actions, self.settings).minimum(
                self.settings.lam, whole
            )
            for theta in self.thetas
        ]
        plans = [minimum.x for minimum in found if minimum is not None]
        if not plans:
            return Answer(None, "No point keeps all rules of what may change.")
        return Answer(np.mean(plans, axis=0), f"The mean of {len(plans)} plans of ROAR.")
