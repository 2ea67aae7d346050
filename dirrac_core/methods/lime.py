"""LIME variants: a linear method applied to the local stand-in of a non-linear classifier."""

from dataclasses import dataclass, field, replace

from dirrac_core.arrays import Array, frozen_array
from dirrac_core.data.schema.actions import Actions
from dirrac_core.errors import InvalidInput
from dirrac_core.methods.actionable_recourse import ActionableRecourse
from dirrac_core.methods.dirrac import Dirrac
from dirrac_core.methods.protocol import Answer, SearchMethod
from dirrac_core.methods.roar import Roar
from dirrac_core.methods.roar_variants.published import RoarPublished
from dirrac_core.models.classifiers import Classifier, LinearModel
from dirrac_core.models.surrogate import SAMPLES, SURROGATES, Surrogate, lime_surrogate

LinearMethod = ActionableRecourse | Roar | RoarPublished | Dirrac


@dataclass(frozen=True, eq=False)
class Lime(SearchMethod):
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
    categories: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "categories", self.base.categories)
        object.__setattr__(self, "people", frozen_array("people", self.people, (None, None)))
        if isinstance(self.base, Dirrac) and self.base.current_model is not None:
            raise InvalidInput("LIME-DiRRAc must not be tied to a linear current_model, got one")

    @property
    def name(self) -> str:
        """What tables call it."""
        return f"LIME-{self.base.name}"

    @property
    def parameter(self) -> float:
        """The parameter of the linear method."""
        return self.base.parameter

    def search(self, x0: Array, actions: Actions) -> Answer:
        """The linear method's plan for the surrogate, judged by the classifier itself."""
        surrogate = lime_surrogate(
            self.current,
            self.people,
            x0,
            actions.groups,
            self.surrogates,
            self.samples,
            self.seed,
        )
        plan = fitted(self.base, surrogate).recourse(x0, actions)
        words = f"The surrogate agrees with the model on {surrogate.fidelity:.0%} nearby. "
        return Answer(plan.x, words + plan.message)


def fitted(base: LinearMethod, surrogate: Surrogate) -> LinearMethod:
    """The same method for the surrogate."""
    model = LinearModel(surrogate.mixture.means[0])
    if isinstance(base, Dirrac):
        return replace(base, current=model, mixture=surrogate.mixture)
    return replace(base, current=model)
