"""How a shift starts when somebody declares it, and whether it applies to a dataset."""

from dataclasses import replace

from dirrac_core.arrays import checked_choice
from dirrac_core.data.dataset import Dataset
from dirrac_core.data.schema.feature import Value
from dirrac_core.models.futures.compose import available_stories, check_strong_enough
from dirrac_core.models.futures.history import past_changes
from dirrac_core.models.futures.shift import CORRECTION, DRIFT, HISTORY, NOISE, SITE, Shift

USUAL_STRENGTH = 0.5


def check_shift(dataset: Dataset, shift: Shift) -> None:
    """Refuse a shift that does not apply to the dataset, before any model is trained."""
    checked_choice(f"A shift of {dataset.title}", shift.story, available_stories(dataset))
    check_strong_enough(dataset, shift)


def usual_shift(dataset: Dataset, story: str) -> Shift:
    """A story as it starts when somebody adds it: half strength, a value most people lack."""
    checked_choice(f"A shift of {dataset.title}", story, available_stories(dataset))
    if story == NOISE:
        return Shift(story)
    if story == HISTORY:
        return Shift(story, strength=1.0, value=past_changes(dataset)[-1].name)
    shift = Shift(story, strength=USUAL_STRENGTH)
    if story == DRIFT:
        return drift_of(dataset, shift, dataset.schema.features[0].name)
    if story == SITE:
        return drift_of(dataset, shift, _first_categorical(dataset))
    if story == CORRECTION:
        if dataset.corrections:
            return replace(shift, strength=1.0)
        return swap_of(dataset, shift, _first_categorical(dataset))
    return shift


def drift_of(dataset: Dataset, shift: Shift, feature: str) -> Shift:
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


def swap_of(dataset: Dataset, shift: Shift, feature: str) -> Shift:
    """The correction that exchanges the first and the last category of the feature."""
    categories = dataset.schema.feature(feature).categories
    return replace(
        shift, feature=feature, value=None, correction=swapped(categories[0], categories[-1])
    )


def swapped(one: str, other: str) -> tuple[tuple[str, str], ...]:
    """The correction that exchanges two categories."""
    return ((one, other), (other, one))


def _first_categorical(dataset: Dataset) -> str:
    return next(f.name for f in dataset.schema.features if f.is_categorical)
