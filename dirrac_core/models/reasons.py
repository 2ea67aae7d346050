"""The reasons of a decline: what sets an applicant apart from people with a good outcome."""

from dataclasses import dataclass

import numpy.typing as npt

from dirrac_core.arrays import Array, frozen_array
from dirrac_core.data.dataset import Sample
from dirrac_core.data.schema.feature import Value
from dirrac_core.data.schema.schema import Schema
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


@dataclass(frozen=True)
class Contribution:
    """What one feature adds to the score, compared with the same feature at its typical value.

    `contribution` = Σ_j θ_j (x_j − typical_j) over the feature's columns: below 0 it pulls towards
    a decline. A `protected` attribute is shown, but is never a reason to change something.
    """

    feature: str
    contribution: float
    value: Value
    typical: Value
    shown_value: str
    shown_typical: str
    protected: bool


def contributions(
    theta: npt.ArrayLike, x0: npt.ArrayLike, present: Sample, schema: Schema
) -> tuple[Contribution, ...]:
    """One entry per feature, the strongest pull towards a decline first.

    θ (D,) is the linear model, or the surrogate of a non-linear one. The contributions sum to the
    score of x0 less the score of the typical person.
    """
    weights = frozen_array("theta", theta, (len(schema.columns) + 1,))
    person, typical = schema.decode(x0), typical_person(present, schema)
    gap: Array = frozen_array("x0", x0, (None,))[: weights.size - 1] - schema.encode(typical)[0]
    entries = [
        Contribution(
            feature.name,
            sum(float(weights[j] * gap[j]) for j in schema.columns_of(feature.name)),
            person[feature.name],
            typical[feature.name],
            feature.format_value(person[feature.name]),
            feature.format_value(typical[feature.name]),
            feature.protected,
        )
        for feature in schema.features
    ]
    return tuple(sorted(entries, key=lambda entry: entry.contribution))


def main_reasons(
    theta: npt.ArrayLike,
    x0: npt.ArrayLike,
    present: Sample,
    schema: Schema,
    limit: int = MOST_REASONS,
) -> tuple[Reason, ...]:
    """Up to `limit` reasons, the strongest first; fewer when fewer features pull the score down.

    Protected attributes are no reasons; see `contributions`, which shows what they add.
    """
    return reasons_from(contributions(theta, x0, present, schema), limit)


def reasons_from(pulls: tuple[Contribution, ...], limit: int = MOST_REASONS) -> tuple[Reason, ...]:
    """The contributions worth naming, the strongest first."""
    whole = sum(pull.contribution for pull in pulls if pull.contribution < 0.0)
    telling = [
        pull
        for pull in pulls
        if pull.contribution < min(0.0, SMALLEST_PART * whole) and not pull.protected
    ]
    return tuple(
        Reason(
            pull.feature,
            pull.contribution,
            pull.value,
            pull.typical,
            f"{pull.feature} is {pull.shown_value}; typical of people with a good outcome is "
            f"{pull.shown_typical}.",
        )
        for pull in telling[:limit]
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
