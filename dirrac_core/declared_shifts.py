"""Shifts a visitor declares: plain settings that fit in a file or a link, one a component."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from dirrac_core.arrays import brief, checked_choice, checked_number
from dirrac_core.data.dataset import Dataset
from dirrac_core.data.feature import Value
from dirrac_core.errors import InvalidInput, UnknownName
from dirrac_core.models.given_coefficients import CarryOver
from dirrac_core.models.mixture import ParameterMixture
from dirrac_core.models.scenarios import (
    STORIES,
    ScenarioMixture,
    available_stories,
    compose,
    future_pool,
)
from dirrac_core.models.scenarios import Scenario as ShiftScenario

NEEDS_VALUE = "population-drift"
NEEDS_CORRECTION = "coding-correction"
NOISE = "sampling-noise"
USUAL_STRENGTH = 0.5


@dataclass(frozen=True)
class DeclaredShift:
    """One story about the future with its strength, relative weight p̂_k and radius ρ_k.

    `feature` and `value` name what drifts. `correction` lists (category read so far, category it
    really was); categories left out keep their meaning, and an empty list stands for the dataset's
    own correction.
    """

    story: str
    strength: float = 0.0
    weight: float = 1.0
    radius: float = 0.1
    feature: str | None = None
    value: Value | None = None
    correction: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        for name in ("strength", "weight", "radius"):
            value = getattr(self, name)
            if isinstance(value, bool | str):
                message = f"The {name} of a shift must be a number, got {brief(value)}"
                raise InvalidInput(message)
        if self.feature is not None and not isinstance(self.feature, str):
            message = f"The feature of a shift must be a name, got {brief(self.feature)}"
            raise InvalidInput(message)
        if isinstance(self.value, bool | list | dict):
            message = (
                f"The value of a shift must be a number or a category, got {brief(self.value)}"
            )
            raise InvalidInput(message)
        if not _is_list(self.correction) or not all(map(_is_pair, self.correction)):
            message = f"A correction must list pairs of categories, got {brief(self.correction)}"
            raise InvalidInput(message)
        object.__setattr__(self, "correction", tuple(tuple(pair) for pair in self.correction))
        if isinstance(self.value, int):
            object.__setattr__(self, "value", checked_number("The value of a shift", self.value))
        checked = ShiftScenario(self.story, self.strength, self.weight, self.radius)
        for name in ("strength", "weight", "radius"):
            object.__setattr__(self, name, float(getattr(checked, name)))

    @property
    def title(self) -> str:
        """The story's title, with the strength where it has one."""
        story = STORIES[self.story]
        if story.strongest == story.weakest:
            return story.title
        return f"{story.title} (strength {self.strength:g})".replace("-", "−")

    def on(self, dataset: Dataset) -> ShiftScenario:
        """The story as told about a dataset."""
        correction = None
        if self.correction and self.feature is not None:
            categories = dataset.schema.feature(self.feature).categories
            correction = {**{c: c for c in categories}, **dict(self.correction)}
        return ShiftScenario(
            self.story,
            self.strength,
            self.weight,
            self.radius,
            self.feature,
            self.value,
            correction,
        )


def read_shift(content: object) -> DeclaredShift:
    """A declared shift from a JSON object; what is missing takes its default."""
    if not isinstance(content, dict) or not isinstance(content.get("story"), str):
        message = f"Each shift must be an object that names a story, got {brief(content)}"
        raise InvalidInput(message)
    known = [field.name for field in fields(DeclaredShift)]
    unknown = [key for key in content if key not in known]
    if unknown:
        message = f"A shift may hold {', '.join(known)}, got {', '.join(map(brief, unknown[:5]))}"
        raise UnknownName(message)
    return DeclaredShift(**content)


def check_shift(dataset: Dataset, shift: DeclaredShift) -> None:
    """Refuse a shift that cannot be told about the dataset, before any model is trained."""
    possible = available_stories(dataset)
    checked_choice(f"A shift of {dataset.title}", shift.story, possible)
    # At strength 0 a story changes nothing and would not look at its feature.
    strength = shift.strength or STORIES[shift.story].strongest
    future_pool(dataset, replace(shift, strength=strength).on(dataset))


def usual_shift(dataset: Dataset, story: str) -> DeclaredShift:
    """A story as it starts when somebody adds it: half strength, a value most people lack."""
    checked_choice(f"A shift of {dataset.title}", story, available_stories(dataset))
    if story == NOISE:
        return DeclaredShift(story)
    shift = DeclaredShift(story, strength=USUAL_STRENGTH)
    if story == NEEDS_VALUE:
        return drift_of(dataset, shift, dataset.schema.features[0].name)
    if story == NEEDS_CORRECTION:
        if dataset.corrections:
            return replace(shift, strength=1.0)
        name = next(f.name for f in dataset.schema.features if f.is_categorical)
        return swap_of(dataset, shift, name)
    return shift


def drift_of(dataset: Dataset, shift: DeclaredShift, feature: str) -> DeclaredShift:
    """The drift towards the feature's rarest category, or the value nine in ten stay below."""
    described = dataset.schema.feature(feature)
    column = dataset.present.people[feature]
    if described.is_categorical:
        value: Value = str(column.astype(str).value_counts().index[-1])
    else:
        low, high = float(column.min()), float(column.max())
        value = round(float(column.quantile(0.9)), described.decimals)
        if not low < value < high:
            value = (low + high) / 2
    return replace(shift, feature=feature, value=value)


def swap_of(dataset: Dataset, shift: DeclaredShift, feature: str) -> DeclaredShift:
    """The correction that exchanges the first and the last category of the feature."""
    categories = dataset.schema.feature(feature).categories
    return replace(
        shift, feature=feature, value=None, correction=swapped(categories[0], categories[-1])
    )


def swapped(one: str, other: str) -> tuple[tuple[str, str], ...]:
    """The correction that exchanges two categories."""
    return ((one, other), (other, one))


def declared_mixture(
    dataset: Dataset, shifts: Sequence[DeclaredShift], seed: int = 0
) -> ScenarioMixture:
    """The mixture with one component a declared shift.

    A dataset with a given model has its components carried over to it: each moves from the given
    model as re-trained models move from those trained on other draws of the present people.
    """
    found = compose(dataset, [shift.on(dataset) for shift in shifts], seed)
    if dataset.given_model is None:
        return found
    centre = compose(dataset, [ShiftScenario(NOISE)], seed).mixture.means[0]
    carry = CarryOver.between(dataset.present.X, dataset.given_model, centre)
    mixture = found.mixture
    moved = ParameterMixture(
        mixture.weights, carry.models(mixture.means), carry.scale**2 * mixture.covariances
    )
    return replace(found, mixture=moved, parameters=tuple(map(carry.models, found.parameters)))


def _is_list(content: object) -> bool:
    return isinstance(content, list | tuple)


def _is_pair(content: Any) -> bool:
    return _is_list(content) and [type(part) for part in content] == [str, str]
