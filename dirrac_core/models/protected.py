"""Models without protected attributes, and what leaving them out costs in accuracy."""

from dataclasses import dataclass, replace
from functools import lru_cache

from dirrac_core.data.dataset import Dataset
from dirrac_core.errors import InvalidInput
from dirrac_core.models.accuracy import Accuracy
from dirrac_core.models.bundle import prepare
from dirrac_core.wording import joined, out_of

KEPT_DATASETS = 16


@dataclass(frozen=True)
class PriceOfLeavingOut:
    """The accuracy of today's logistic model with the protected attributes and without them."""

    features: tuple[str, ...]
    with_them: Accuracy
    without_them: Accuracy

    @property
    def price(self) -> float:
        """The share of right decisions given up on people the models have not seen."""
        return self.with_them.now - self.without_them.now

    @property
    def sentence(self) -> str:
        """Right decisions with and without them."""
        judged = "people the model has not seen" if self.with_them.held_out else "people"
        return (
            f"Without {joined(list(self.features))}, today's model is right for "
            f"{out_of(self.without_them.now)} {judged}; with them for {out_of(self.with_them.now)}."
        )


def protected_features(dataset: Dataset) -> tuple[str, ...]:
    """The names of the protected attributes among the features."""
    return tuple(feature.name for feature in dataset.schema.features if feature.protected)


@lru_cache(maxsize=KEPT_DATASETS)
def without_protected(dataset: Dataset) -> Dataset:
    """The same people, whose protected attributes no model sees; the same dataset every time.

    A model given from elsewhere loses their weights.
    """
    left_out = protected_features(dataset)
    if len(left_out) == len(dataset.schema.features):
        message = f"Without {', '.join(left_out)} a dataset must keep a feature, got none"
        raise InvalidInput(message)
    return replace(dataset, unseen=left_out) if left_out else dataset


def price_of_leaving_out(dataset: Dataset, seed: int = 0) -> PriceOfLeavingOut | None:
    """What today's model loses without protected attributes; None when there are none."""
    features = protected_features(dataset)
    if not features:
        return None
    accuracies = (
        prepare(people, seed=seed).accuracy for people in (dataset, without_protected(dataset))
    )
    return PriceOfLeavingOut(features, *accuracies)
