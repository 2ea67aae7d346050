"""How often models are right, today's and later ones, and what the paper says of its own."""

from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from dirrac_core.data.dataset import Dataset
from dirrac_core.models.classifiers import Classifier, accuracy
from dirrac_core.models.futures.future import FutureModels

PAPER_ACCURACY = MappingProxyType(
    {
        "german": MappingProxyType({"logistic": (0.72, 0.70), "mlp": (0.76, 0.72)}),
        "sba": MappingProxyType({"logistic": (0.79, 0.77), "mlp": (0.93, 0.89)}),
        "student": MappingProxyType({"logistic": (0.84, 0.91), "mlp": (0.91, 0.99)}),
    }
)
"""Accuracy of the current and of the shifted classifiers (the paper's appendix, "Accuracy of the
underlying classifiers"). Its classes were balanced first and its SBA label is the other way round.
"""


@dataclass(frozen=True)
class Accuracy:
    """Shares of right decisions; None where there are no shifted people.

    `favourable` is the base rate: the share of the judged present people with the favourable
    outcome. Accepting everybody is right that often.

    `now`: the current model on present people it was not trained on (`held_out` False: on all of
    them, for a model trained elsewhere). `after`: the current model on the shifted people.
    `future`: the average future model on shifted people it was not trained on, ± `future_spread`.
    """

    now: float
    held_out: bool
    favourable: float
    after: float | None
    future: float | None
    future_spread: float | None


def accuracy_of(
    dataset: Dataset, current: Classifier, judged: npt.NDArray[np.bool_], future: FutureModels
) -> Accuracy:
    """How often the models are right, today's on the `judged` of the present people."""
    present, shifted = dataset.present, dataset.shifted
    return Accuracy(
        now=accuracy(current, present.X[judged], present.y[judged]),
        held_out=not judged.all(),
        favourable=float(present.y[judged].mean()),
        after=None if shifted is None else accuracy(current, shifted.X, shifted.y),
        future=None if future.accuracies is None else float(future.accuracies.mean()),
        future_spread=None if future.accuracies is None else float(future.accuracies.std()),
    )
