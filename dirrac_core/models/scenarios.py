"""Named shift scenarios: each component of a mixture is one story about the future.

Section 2 of the paper: "each component in the mixture represents one specific type of model
shifts: the weights p̂ reflect the proportion of the shift types".
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import MappingProxyType

import numpy as np

from dirrac_core.arrays import Array, checked_choice, checked_number
from dirrac_core.data.dataset import Dataset
from dirrac_core.data.feature import Value
from dirrac_core.errors import InvalidInput
from dirrac_core.models import shifts
from dirrac_core.models.estimate import one_component
from dirrac_core.models.logistic import LogisticSettings, fit_logistic
from dirrac_core.models.mixture import ParameterMixture, checked_radii
from dirrac_core.models.retraining import PRESENT_FRACTION, RETRAININGS, random_draws

KEPT_COMPONENTS = 64


@dataclass(frozen=True)
class Story:
    """A kind of shift: its title, one plain sentence, and the strengths it understands."""

    title: str
    explanation: str
    weakest: float = 0.0
    strongest: float = 1.0


STORIES: Mapping[str, Story] = MappingProxyType(
    {
        "sampling-noise": Story(
            "Sampling noise",
            "Nothing changes but luck: the model is trained again on another draw of the same "
            "people.",
            strongest=0.0,
        ),
        "population-drift": Story(
            "Population drift",
            "Other people apply: those with a chosen value become more common.",
        ),
        "prior-shift": Story(
            "Prior shift",
            "The unfavourable outcome becomes more common, or rarer when the strength is "
            "negative; at strength 1 its odds are ten times the present ones.",
            weakest=-1.0,
        ),
        "covariance-growth": Story(
            "Growing noise",
            "The numbers become less reliable: noise is added to each of them.",
        ),
        "coding-correction": Story(
            "Corrected coding",
            "A category turns out to have been coded wrongly, and the codes are put right.",
        ),
        "economic-period": Story(
            "Another economic period",
            "A later period takes over: part of the training data comes from the shifted people.",
        ),
        "another-site": Story(
            "Another site",
            "The model is also trained on another place: part of the training data comes from the "
            "shifted people.",
        ),
    }
)


@dataclass(frozen=True)
class Scenario:
    """One story with its strength, weight p̂_k (relative to the others) and radius ρ_k.

    `feature` and `value` name what drifts, `feature` and `correction` what is recoded (the
    dataset's own correction where it has one). `seed` picks other draws of the same story.
    """

    story: str
    strength: float = 0.0
    weight: float = 1.0
    radius: float = 0.1
    feature: str | None = None
    value: Value | None = None
    correction: Mapping[str, str] | None = field(default=None, hash=False)
    seed: int = 0

    def __post_init__(self) -> None:
        kind = STORIES[checked_choice("A shift story", self.story, STORIES)]
        checked_number("The weight of a scenario", self.weight, low=0.0, strict=True)
        checked_number("The radius 'rho' of a scenario", self.radius, low=0.0)
        strength = checked_number("The strength of a scenario", self.strength)
        if not kind.weakest <= strength <= kind.strongest:
            message = (
                f"The strength of {self.story!r} must be between {kind.weakest:g} and "
                f"{kind.strongest:g}, got {strength:g}"
            )
            raise InvalidInput(message)
        if self.correction is not None:
            frozen = MappingProxyType(dict(self.correction))
            object.__setattr__(self, "correction", frozen)

    @property
    def title(self) -> str:
        """The story's title."""
        return STORIES[self.story].title


@dataclass(frozen=True, eq=False)
class ScenarioMixture:
    """The mixture of some scenarios: component k is the story `labels[k]`, told by `sentences[k]`.

    `parameters[k]` (n, D) are the re-trained models behind component k.
    """

    mixture: ParameterMixture
    radii: Array
    labels: tuple[str, ...]
    sentences: tuple[str, ...]
    parameters: tuple[Array, ...]


def compose(
    dataset: Dataset,
    scenarios: Sequence[Scenario],
    seed: int = 0,
    n: int = RETRAININGS,
    fraction: float = PRESENT_FRACTION,
    settings: LogisticSettings | None = None,
) -> ScenarioMixture:
    """The mixture with one component a scenario, from n re-trained models each.

    A component depends on its own scenario and the seeds only, not on its neighbours; its models
    are kept, so that another weight, radius or neighbour needs no training.
    """
    if not scenarios:
        message = "A mixture of scenarios needs at least one scenario, got none"
        raise InvalidInput(message)
    told = [
        _retrained(dataset, replace(scenario, weight=1.0, radius=0.0), seed, n, fraction, settings)
        for scenario in scenarios
    ]
    moments = [one_component(models) for models, _ in told]
    weights = np.array([scenario.weight for scenario in scenarios])
    return ScenarioMixture(
        ParameterMixture(
            weights / weights.sum(),
            np.stack([mean for mean, _ in moments]),
            np.stack([covariance for _, covariance in moments]),
        ),
        checked_radii([scenario.radius for scenario in scenarios], len(scenarios)),
        tuple(scenario.title for scenario in scenarios),
        tuple(sentence for _, sentence in told),
        tuple(models for models, _ in told),
    )


@lru_cache(maxsize=KEPT_COMPONENTS)
def _retrained(
    dataset: Dataset,
    scenario: Scenario,
    seed: int,
    n: int,
    fraction: float,
    settings: LogisticSettings | None,
) -> tuple[Array, str]:
    """The n re-trained models (read-only) and the sentence of one scenario."""
    pool, sentence = future_pool(dataset, scenario, seed)
    draws = random_draws(pool.y, n, fraction, np.random.default_rng([seed, scenario.seed]))
    return fit_logistic(pool.X, pool.y, draws, pool.weights, settings), sentence


def future_pool(dataset: Dataset, scenario: Scenario, seed: int = 0) -> tuple[shifts.Pool, str]:
    """The training data of the scenario's future, and the scenario in one sentence."""
    pool = shifts.present_pool(dataset)
    explanation = STORIES[scenario.story].explanation
    if scenario.strength == 0.0:
        if scenario.story == "sampling-noise":
            return pool, explanation
        return pool, f"{scenario.title} at strength 0: nothing changes but luck."
    pool, told = _reshape(dataset, scenario, pool, np.random.default_rng([seed, scenario.seed, 1]))
    return pool, f"{scenario.title}: {told}."


def available_stories(dataset: Dataset) -> tuple[str, ...]:
    """The stories that can be told about a dataset: some need shifted people or categories."""
    missing = set()
    if dataset.shifted is None:
        missing |= {"economic-period", "another-site"}
    if not dataset.schema.groups:
        missing.add("coding-correction")
    if not _numeric_columns(dataset):
        missing.add("covariance-growth")
    return tuple(story for story in STORIES if story not in missing)


def _reshape(
    dataset: Dataset, scenario: Scenario, pool: shifts.Pool, rng: np.random.Generator
) -> tuple[shifts.Pool, str]:
    strength = scenario.strength
    if scenario.story == "population-drift":
        if scenario.feature is None or scenario.value is None:
            message = (
                "Population drift needs a feature and a value, "
                f"got {scenario.feature!r} and {scenario.value!r}"
            )
            raise InvalidInput(message)
        feature = dataset.schema.feature(scenario.feature)
        people = dataset.present.people
        return shifts.population_drift(pool, people, feature, scenario.value, strength)
    if scenario.story == "prior-shift":
        return shifts.prior_shift(pool, dataset.unfavourable, strength)
    if scenario.story == "covariance-growth":
        return shifts.covariance_growth(pool, _numeric_columns(dataset), rng, strength)
    if scenario.story == "coding-correction":
        name, correction = _correction(dataset, scenario)
        schema = dataset.schema
        return shifts.coding_correction(
            pool, schema.feature(name), schema.columns_of(name), correction, rng, strength
        )
    if dataset.shifted is None:
        message = f"{scenario.title} needs shifted people, got a dataset without them"
        raise InvalidInput(message)
    source = "the later period" if scenario.story == "economic-period" else "the other site"
    return shifts.blend(pool, dataset.shifted, source, strength)


def _correction(dataset: Dataset, scenario: Scenario) -> tuple[str, Mapping[str, str]]:
    """The feature that is recoded and its permutation: the scenario's own or the dataset's."""
    known = dataset.corrections
    name = scenario.feature or next(iter(known), None)
    correction = scenario.correction or (known.get(name) if name else None)
    if name is None or correction is None:
        message = (
            "A coding correction needs a feature and the permutation of its categories, "
            f"got {scenario.feature!r} and {scenario.correction!r}"
        )
        raise InvalidInput(message)
    return name, correction


def _numeric_columns(dataset: Dataset) -> tuple[int, ...]:
    schema = dataset.schema
    return tuple(
        column
        for feature in schema.features
        if not feature.is_categorical
        for column in schema.columns_of(feature.name)
    )
