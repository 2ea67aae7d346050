"""LIME variants: a linear method applied to the local stand-in of a non-linear classifier."""

from dataclasses import dataclass, replace

import numpy.typing as npt

from dirrac_core.arrays import Array, frozen_array
from dirrac_core.baselines.actionable_recourse import ActionableRecourse
from dirrac_core.baselines.dirrac import Dirrac
from dirrac_core.baselines.protocol import Answer, Plan, planned
from dirrac_core.baselines.roar import Roar
from dirrac_core.baselines.roar_published import RoarPublished
from dirrac_core.data.actions import Actions
from dirrac_core.errors import InvalidInput
from dirrac_core.models.classifiers import Classifier, LinearModel
from dirrac_core.models.surrogate import SAMPLES, SURROGATES, Surrogate, lime_surrogate

LinearMethod = ActionableRecourse | Roar | RoarPublished | Dirrac


@dataclass(frozen=True, eq=False)
class Lime:
    """AR, ROAR or DiRRAc on the LIME surrogate of `current` around each applicant.

    `base` brings the settings; its model or mixture is replaced by the surrogate's mean, or mean
    and covariance. `people` (n, D − 1) are the training data of `current`, which judges the plan.
    """

    current: Classifier
    people: Array
    base: LinearMethod
    seed: int = 0
    surrogates: int = SURROGATES
    samples: int = SAMPLES

    def __post_init__(self) -> None:
        object.__setattr__(self, "people", frozen_array("people", self.people, (None, None)))
        if isinstance(self.base, Dirrac) and self.base.current_model is not None:
            message = "LIME-DiRRAc must not be tied to a linear current_model, got one"
            raise InvalidInput(message)

    @property
    def name(self) -> str:
        """What tables call it."""
        return f"LIME-{self.base.name}"

    @property
    def parameter(self) -> float:
        """The parameter of the linear method."""
        return self.base.parameter

    def recourse(self, x0: npt.ArrayLike, actions: Actions) -> Plan:
        """The linear method's plan for the surrogate, judged by the classifier itself."""

        def search(start: Array) -> Answer:
            surrogate = lime_surrogate(
                self.current,
                self.people,
                start,
                actions.groups,
                self.surrogates,
                self.samples,
                self.seed,
            )
            plan = fitted(self.base, surrogate).recourse(start, actions)
            words = f"The surrogate agrees with the model on {surrogate.fidelity:.0%} nearby. "
            return Answer(plan.x, words + plan.message)

        whole = isinstance(self.base, ActionableRecourse) or self.base.categories == "whole"
        return planned(self.name, x0, actions, self.current, whole, search)


def fitted(base: LinearMethod, surrogate: Surrogate) -> LinearMethod:
    """The same method for the surrogate."""
    model = LinearModel(surrogate.mixture.means[0])
    if isinstance(base, Dirrac):
        return replace(base, current=model, mixture=surrogate.mixture)
    return replace(base, model=model)
