"""Reference predictions: what the library that trained a model says of some people."""

import numpy as np
import pandas as pd

from dirrac_core.data.schema.rules import UnknownRule
from dirrac_core.data.schema.schema import Schema
from dirrac_core.errors import InvalidModel, InvalidTable
from dirrac_core.models.classifiers import Classifier

# XGBoost adds its leaves in single precision.
TOLERANCE = 1e-5


def check_reference(
    model: Classifier, schema: Schema, people: pd.DataFrame, probability: str
) -> float:
    """The largest difference to the reference in the column `probability`; too large is an error.

    `people` are in real units, one row per person; what is not known may be missing.
    """
    if probability not in people.columns:
        raise InvalidTable(
            f"Column {probability!r} is needed, got {', '.join(map(str, people.columns))}"
        )
    said = pd.to_numeric(people[probability], errors="coerce").to_numpy(np.float64)
    if not len(said) or not ((said >= 0.0) & (said <= 1.0)).all():
        raise InvalidTable(f"Column {probability!r} must hold probabilities from 0 to 1")
    ours = model.probability(schema.encode(_without_gaps(schema, people)))
    off = np.abs(ours - said)
    worst = int(off.argmax())
    if off[worst] > TOLERANCE:
        raise InvalidModel(
            f"The model must reproduce its reference predictions to {TOLERANCE:g}, got "
            f"{ours[worst]:.6f} instead of {said[worst]:.6f} in row {worst + 1}"
        )
    return float(off[worst])


def _without_gaps(schema: Schema, people: pd.DataFrame) -> pd.DataFrame:
    """Missing values as the schema holds them: a stand-in and an indicator, or “not stated”."""
    filled = people.copy()
    for rule in schema.rules:
        if not isinstance(rule, UnknownRule) or rule.feature not in people.columns:
            continue
        gaps = people[rule.feature].isna()
        if rule.stand_in is None:
            filled[rule.feature] = people[rule.feature].where(~gaps, rule.category)
        elif rule.switch not in people.columns:
            known = next(c for c in schema.feature(rule.switch).categories if c != rule.category)
            filled[rule.feature] = people[rule.feature].fillna(rule.stand_in)
            filled[rule.switch] = np.where(gaps, rule.category, known)
    return filled
