"""A plan for one person of a table by a model brought along as a file."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from dirrac_core.arrays import Array, checked_choice
from dirrac_core.case.nonlinear.any_model import recourse_for_model
from dirrac_core.data import with_constant
from dirrac_core.data.actionability import edited_actions
from dirrac_core.data.dataset import Dataset
from dirrac_core.errors import InvalidInput
from dirrac_core.trees.brought import (
    BroughtModel,
    OnnxClassifier,
    brought_model,
    check_reference,
    onnx_model,
    read_tree_file,
)
from dirrac_core.trees.brought.match import ONLY_TODAY
from dirrac_core.trees.brought.stand_in import LEAST_AGREEMENT, StandIn
from dirrac_core.trees.cp_sat.solving import Effort
from dirrac_core.trees.problem import TreeProblem
from dirrac_core.trees.search import cheapest_accepted

# Kind of file → what it is called.
KINDS = {
    "xgboost-json": "XGBoost (JSON)",
    "xgboost-ubjson": "XGBoost (UBJSON)",
    "lightgbm": "LightGBM (text)",
    "onnx": "ONNX",
}
PROBABILITY = "probability"
BY_LIME = (
    "An ONNX file can be asked but not looked into: plans come from a linear approximation (LIME), "
    "and one counts only if the model itself accepts it. Nothing is proved."
)
LOOK = Effort(work=10.0)

Brought = BroughtModel | OnnxClassifier


@dataclass(frozen=True)
class BroughtPlan:
    """What a brought model was asked about one person; `sentence` is "" where there is no plan.

    `proved` says that no cheaper plan exists, or none at all. `caution` says what was not checked.
    """

    row: int
    probability: float
    accepted: bool
    sentence: str
    cost: float
    proved: bool
    message: str
    caution: str


def read_brought(content: bytes, kind: str, dataset: Dataset, columns: Sequence[str]) -> Brought:
    """The model in a file on the people of a table; errors by name.

    Without `columns` the model has those of the table, in their order.
    """
    checked_choice("The kind of a model file", kind, KINDS)
    names = list(columns) or [feature.name for feature in dataset.schema.features]
    if kind == "onnx":
        return onnx_model(content, dataset.schema, names)
    return brought_model(read_tree_file(content, kind), dataset.schema, names)


def reference_gap(model: Brought, dataset: Dataset, people: pd.DataFrame) -> float:
    """The largest difference to the reference predictions in the column "probability"."""
    return check_reference(model, dataset.schema, people, PROBABILITY)


def declined_by(model: Brought, dataset: Dataset) -> tuple[int, ...]:
    """The rows of the present people whom the model declines."""
    return tuple(np.flatnonzero(~model.decision(dataset.present.X)).tolist())


def brought_plan(
    model: Brought, dataset: Dataset, row: int, preset: str, stand_in: StandIn | None = None
) -> BroughtPlan:
    """The cheapest plan that a boosted model accepts, proved; for ONNX one by LIME, verified.

    Re-trainings of a `stand_in` that decides like the model say what they think of the plan.
    """
    if not 0 <= row < len(dataset.present):
        raise InvalidInput(f"The row must be from 0 to {len(dataset.present) - 1}, got {row}")
    x0 = with_constant(dataset.present.X[row])
    probability = float(model.probability(x0[None, :-1])[0])
    accepted = bool(model.decision(x0[None, :-1])[0])
    caution = ONLY_TODAY if isinstance(model, BroughtModel) else f"{BY_LIME} {ONLY_TODAY}"
    if accepted:
        message = "The model accepts this person as they are."
        return BroughtPlan(row, probability, True, "", 0.0, True, message, caution)
    if isinstance(model, BroughtModel):
        actions = edited_actions(dataset, preset, (), x0)
        problem = TreeProblem(dataset.schema, x0, actions, model.tree, view=model.view)
        found = cheapest_accepted(problem, 0, effort=LOOK)
        x, cost, proved, message = found.x, found.cost, found.proved, found.message
    else:
        answer = recourse_for_model(model, dataset, x0, preset=preset)
        x, cost, proved, message = answer.x, answer.cost, False, answer.message
    sentence = "" if x is None else dataset.schema.sentence(x0, x)
    if x is not None and stand_in is not None and isinstance(model, BroughtModel):
        caution = _by_stand_in(stand_in, model.view.inputs(x[None, :-1]))
    return BroughtPlan(row, probability, False, sentence, cost, proved, message, caution)


def _by_stand_in(stand_in: StandIn, inputs: Array) -> str:
    """What re-trainings of the stand-in say of a plan, and what that is worth."""
    how = (
        "A stand-in with the settings in the file, trained by another library on this table, "
        f"decides like your model for {stand_in.agreement:.1%} of the people"
    )
    if not stand_in.close:
        return f"{ONLY_TODAY} {how}; {LEAST_AGREEMENT:.0%} are needed to stand for it."
    declined = sum(not model.decision(inputs)[0] for model in stand_in.retrainings)
    return (
        f"{how}. Trained again on people drawn from the table, {declined} of "
        f"{len(stand_in.retrainings)} stand-ins decline this plan: an observation about the "
        "stand-in, not a promise about your model, of which only today's version is checked."
    )
