"""A plan for any model in Python: linearised at the plan, and verified by the model itself."""

from dataclasses import replace

import numpy.typing as npt

from dirrac_core.arrays import frozen_array
from dirrac_core.case.nonlinear.linearised import linearised_at_plan
from dirrac_core.data.actionability import edited_actions
from dirrac_core.data.dataset import Dataset
from dirrac_core.errors import InvalidInput
from dirrac_core.methods.dirrac import Dirrac
from dirrac_core.models.classifiers import Classifier
from dirrac_core.models.stand_in import StandIn
from dirrac_core.recourse import Recourse, find_recourse

MODEL_RADIUS, MODEL_DELTA_ADD = 0.01, 0.5


def recourse_for_model(
    model: Classifier,
    dataset: Dataset,
    x0: npt.ArrayLike,
    radius: float = MODEL_RADIUS,
    delta_add: float = MODEL_DELTA_ADD,
    preset: str = "sensible",
    seed: int = 0,
) -> Recourse:
    """The plan for the applicant x0 (D, with the trailing 1) of a model of any kind.

    The model is replaced by its LIME surrogate, taken again at the plan until that stops moving;
    `find_recourse` then asks the model itself. A plan it declines is no plan. The worst case is
    that of the surrogate: an assumption, never a guarantee.
    """
    person = frozen_array("x0", x0, (len(dataset.schema.columns) + 1,))
    if bool(model.decision(person[None, :-1])[0]):
        raise InvalidInput("The model must decline the applicant, got one it accepts")
    actions = edited_actions(dataset, preset, (), person)
    stand_in = StandIn(model, dataset.present.X, dataset.schema.groups, seed)
    first = stand_in.around(person[:-1])
    dirrac = Dirrac(model, first.mixture, radius, delta_add, categories="whole")
    moved = linearised_at_plan(dirrac, person, actions, stand_in, first)
    settled = replace(dirrac, mixture=moved.surrogate.mixture)
    return find_recourse(settled.problem(person, actions), model=model)
