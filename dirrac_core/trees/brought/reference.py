"""Reference predictions: what the library that trained a model says of some people."""

import numpy as np
import pandas as pd

from dirrac_core.data.schema.schema import Schema
from dirrac_core.errors import InvalidModel, InvalidTable
from dirrac_core.models.classifiers import Classifier

# XGBoost adds its leaves in single precision.
TOLERANCE = 1e-5


def check_reference(
    model: Classifier, schema: Schema, people: pd.DataFrame, probability: str
) -> float:
    """The largest difference to the reference in the column `probability`; too large is an error.

    `people` are in real units, one row per person.
    """
    if probability not in people.columns:
        raise InvalidTable(
            f"Column {probability!r} is needed, got {', '.join(map(str, people.columns))}"
        )
    said = pd.to_numeric(people[probability], errors="coerce").to_numpy(np.float64)
    if not len(said) or not ((said >= 0.0) & (said <= 1.0)).all():
        raise InvalidTable(f"Column {probability!r} must hold probabilities from 0 to 1")
    ours = model.probability(schema.encode(people))
    off = np.abs(ours - said)
    worst = int(off.argmax())
    if off[worst] > TOLERANCE:
        raise InvalidModel(
            f"The model must reproduce its reference predictions to {TOLERANCE:g}, got "
            f"{ours[worst]:.6f} instead of {said[worst]:.6f} in row {worst + 1}"
        )
    return float(off[worst])
