"""The main reasons of a decline: what sets an applicant apart from people with a good outcome."""

from dataclasses import dataclass

import numpy.typing as npt

from dirrac_core.arrays import Array, frozen_array
from dirrac_core.data.dataset import Sample
from dirrac_core.data.feature import Value
from dirrac_core.data.schema import Schema
from dirrac_core.errors import InvalidInput

MOST_REASONS = 4
# A feature that explains less than this part of the whole pull is not worth a sentence.
SMALLEST_PART = 0.02


@dataclass(frozen=True)
class Reason:
    """One feature that pulls the score down.

    `typical` is the median, or the most common category, of people with a favourable outcome.
    `contribution` = Σ_j θ_j (x_j − typical_j) over the feature's columns, always below 0: the
    score would rise by that much if the feature were typical.
    """

    feature: str
    contribution: float
    value: Value
    typical: Value
    sentence: str


def main_reasons(
    theta: npt.ArrayLike,
    x0: npt.ArrayLike,
    present: Sample,
    schema: Schema,
    limit: int = MOST_REASONS,
) -> tuple[Reason, ...]:
    """Up to `limit` reasons, the strongest first; fewer when fewer features pull the score down.

    θ (D,) is the linear model, or the surrogate of a non-linear one.
    """
    weights = frozen_array("theta", theta, (len(schema.columns) + 1,))
    person = schema.decode(x0)
    typical = typical_person(present, schema)
    gap: Array = frozen_array("x0", x0, (None,))[: weights.size - 1] - schema.encode(typical)[0]
    pulls = {
        feature.name: sum(float(weights[j] * gap[j]) for j in schema.columns_of(feature.name))
        for feature in schema.features
    }
    whole = sum(pull for pull in pulls.values() if pull < 0.0)
    telling = (name for name in pulls if pulls[name] < min(0.0, SMALLEST_PART * whole))
    strongest = sorted(telling, key=pulls.__getitem__)
    return tuple(
        Reason(
            name,
            pulls[name],
            person[name],
            typical[name],
            f"{name} is {schema.format_value(name, person[name])}; typical of people with a good "
            f"outcome is {schema.format_value(name, typical[name])}.",
        )
        for name in strongest[:limit]
    )


def typical_person(present: Sample, schema: Schema) -> dict[str, Value]:
    """Feature → median or most common category of the people with a favourable outcome."""
    people = present.people[present.y == 1]
    if people.empty:
        message = "Reasons need people with the favourable outcome to compare with, got none"
        raise InvalidInput(message)
    return {
        feature.name: str(people[feature.name].mode().iloc[0])
        if feature.is_categorical
        else round(float(people[feature.name].median()), feature.decimals)
        for feature in schema.features
    }
