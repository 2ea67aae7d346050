"""Any model in Python that reads people in real units, such as a whole scikit-learn pipeline."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array, frozen_array
from dirrac_core.data.dataset import Dataset
from dirrac_core.data.schema.schema import Schema
from dirrac_core.errors import InvalidModel
from dirrac_core.models.classifiers import ProbabilityModel

# So many present people are shown to a model before it is taken.
TRIED = 20


@dataclass(frozen=True, eq=False)
class RawColumnsModel(ProbabilityModel):
    """A model with `predict_proba(DataFrame)`, as a classifier of encoded people.

    It gets one row per person, with the features of the schema as columns in their real units. It
    may return one probability of the favourable outcome per person, or one column per outcome;
    `favourable` is then the name of the good one (1 where the model has `classes_` without it).
    """

    model: Any
    schema: Schema
    favourable: object = 1
    threshold: float = 0.0

    def probability(self, X: npt.ArrayLike) -> Array:
        """The probability of the favourable outcome of each encoded row."""
        people = frozen_array("X", X, (None, len(self.schema.columns)))
        frame = self.schema.decode_people(people)
        try:
            said = np.asarray(self.model.predict_proba(frame), dtype=np.float64)
        except Exception as problem:
            # Whatever a foreign model raises, its reader gets one sentence.
            raise InvalidModel(
                f"The model must read the columns {', '.join(frame.columns)}, got "
                f"{type(problem).__name__}: {str(problem)[:200]}"
            ) from problem
        if said.ndim == 2:
            said = said[:, self._column(said.shape[1])]
        if said.shape != (len(people),) or not ((said >= 0.0) & (said <= 1.0)).all():
            raise InvalidModel(
                f"The model must give {len(people)} probabilities from 0 to 1, got shape "
                f"{said.shape}"
            )
        return said

    def _column(self, width: int) -> int:
        classes = list(getattr(self.model, "classes_", range(width)))
        if len(classes) != 2 or width != 2 or self.favourable not in classes:
            raise InvalidModel(
                f"The model must tell two outcomes apart, one of them {self.favourable!r}, got "
                f"{classes}"
            )
        return classes.index(self.favourable)


def raw_columns_model(model: Any, dataset: Dataset, favourable: object = 1) -> RawColumnsModel:
    """The model, tried on a few present people first: what does not fit is refused by name."""
    if not hasattr(model, "predict_proba"):
        raise InvalidModel(
            f"A model must offer predict_proba(DataFrame), got {type(model).__name__} without it"
        )
    taken = RawColumnsModel(model, dataset.schema, favourable)
    taken.probability(dataset.present.X[:TRIED])
    return taken
