"""The mixture of some shifts: each component is one story about the future.

Section 2 of the paper: "each component in the mixture represents one specific type of model
shifts: the weights p̂ reflect the proportion of the shift types".
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from dirrac_core.arrays import Array, frozen_array
from dirrac_core.data.dataset import Dataset
from dirrac_core.errors import InvalidInput
from dirrac_core.models.estimate import known_mixture
from dirrac_core.models.futures import history, shifts
from dirrac_core.models.futures.bootstrap import Bootstrap, predicted_models
from dirrac_core.models.futures.carry_over import CarryOver
from dirrac_core.models.futures.recipe import recipe_of
from dirrac_core.models.futures.retraining import PRESENT_FRACTION, RETRAININGS, random_draws
from dirrac_core.models.futures.shift import (
    CORRECTION,
    DRIFT,
    HISTORY,
    NOISE,
    PRIOR,
    SITE,
    STORIES,
    Shift,
    titles,
)
from dirrac_core.models.logistic import LogisticSettings, fit_logistic
from dirrac_core.models.mixture import ParameterMixture, checked_radii

KEPT_COMPONENTS, KEPT_COMPOSITIONS = 128, 32


@dataclass(frozen=True, eq=False)
class Composition:
    """The mixture of some shifts: component k has the name `labels[k]` and `sentences[k]`.

    `parameters[k]` (n, D) are the re-trained models behind component k.
    """

    mixture: ParameterMixture
    radii: Array
    labels: tuple[str, ...]
    sentences: tuple[str, ...]
    parameters: tuple[Array, ...]


@dataclass(frozen=True)
class Retraining:
    """How the models behind a component are trained again.

    Without a `bootstrap` it is the paper's way: random draws of 80 % of the people. `base` names
    the periods everything starts from (None: all present people).
    """

    bootstrap: Bootstrap | None = None
    base: str | None = None
    models: int = RETRAININGS
    settings: LogisticSettings | None = None


PAPER = Retraining()


def compose(
    dataset: Dataset, chosen: Sequence[Shift], seed: int = 0, retraining: Retraining = PAPER
) -> Composition:
    """The mixture with one component per shift, each from re-trained models of its own.

    A component depends on its own shift and the seed only, not on its neighbours; its models are
    kept, so that another weight, radius or neighbour needs no training.
    """
    if not chosen:
        message = "A mixture of shifts needs at least one shift, got none"
        raise InvalidInput(message)
    without_radii = tuple(replace(shift, radius=0.0) for shift in chosen)
    composed = _composed(dataset, without_radii, seed, retraining)
    radii = checked_radii([shift.radius for shift in chosen], len(chosen))
    return replace(composed, radii=radii)


@lru_cache(maxsize=KEPT_COMPOSITIONS)
def _composed(
    dataset: Dataset, chosen: tuple[Shift, ...], seed: int, retraining: Retraining
) -> Composition:
    """The composition of shifts without radii: the mixture is the same whatever they are."""
    trained = [
        _retrained(dataset, replace(shift, weight=1.0), seed, retraining) for shift in chosen
    ]
    parameters, sentences = zip(*trained, strict=True)
    weights = np.array([shift.weight for shift in chosen])
    return Composition(
        known_mixture(parameters, weights / weights.sum()),
        checked_radii(0.0, len(chosen)),
        titles(chosen),
        sentences,
        parameters,
    )


def composed_mixture(
    dataset: Dataset, chosen: Sequence[Shift], seed: int = 0, retraining: Retraining = PAPER
) -> Composition:
    """`compose`, for the model a dataset was given where it has one (see `CarryOver`)."""
    if dataset.given_model is None:
        return compose(dataset, chosen, seed, retraining)
    retraining = replace(retraining, settings=recipe_of(dataset).settings)
    found = compose(dataset, chosen, seed, retraining)
    centre = compose(dataset, [Shift(NOISE)], seed, retraining).mixture.means[0]
    carry = CarryOver.to_given_model(dataset, centre)
    mixture = found.mixture
    moved = ParameterMixture(
        mixture.weights, carry.models(mixture.means), carry.scale**2 * mixture.covariances
    )
    return replace(found, mixture=moved, parameters=tuple(map(carry.models, found.parameters)))


@lru_cache(maxsize=KEPT_COMPONENTS)
def _retrained(
    dataset: Dataset, shift: Shift, seed: int, retraining: Retraining
) -> tuple[Array, str]:
    """The re-trained models (read-only) and the sentence of one shift."""
    pool, sentence = future_pool(dataset, shift, seed, retraining.base)
    settings, m = retraining.settings, retraining.models
    # The second entry once told apart several draws of one story; without it numbers would change.
    rng = np.random.default_rng([seed, 0])
    n, n_f = (retraining.bootstrap or Bootstrap()).sizes(len(dataset.present))
    if retraining.bootstrap is None:
        draws = random_draws(pool.y, m, PRESENT_FRACTION, rng)
        models = fit_logistic(pool.X, pool.y, draws, pool.weights, settings)
    else:
        models = predicted_models(pool, (n, n_f), rng, m, settings).models
    if shift.story == HISTORY and shift.strength:
        step = history.change_step(dataset, _change_name(shift), n, settings)
        models = frozen_array("parameters", models + shift.strength * step, models.shape)
    return models, sentence


def future_pool(
    dataset: Dataset, shift: Shift, seed: int = 0, base: str | None = None
) -> tuple[shifts.Pool, str]:
    """The training data of the shift's future, and the shift in one sentence.

    A past change moves the model, not its training data.
    """
    rows = _base_rows(dataset, base)
    pool = shifts.present_pool(dataset.present, rows)
    story = STORIES[shift.story]
    if shift.strength == 0.0:
        if shift.story == NOISE:
            return pool, story.explanation
        return pool, f"{story.title} at strength 0: nothing changes but luck."
    if shift.story == HISTORY:
        name = _change_name(shift)
        history.change_step(dataset, name, len(dataset.present))
        return pool, history.sentence_of(name, shift.strength)
    pool, words = _reshape(dataset, shift, pool, rows, np.random.default_rng([seed, 0, 1]))
    return pool, f"{story.title}: {words}."


def check_strong_enough(dataset: Dataset, shift: Shift) -> None:
    """Refuse what the shift would be refused for at full strength: at 0 nothing is looked at."""
    future_pool(dataset, replace(shift, strength=shift.strength or STORIES[shift.story].strongest))


def available_stories(dataset: Dataset) -> tuple[str, ...]:
    """The stories that apply to a dataset: some need shifted people or categories."""
    missing = set()
    if dataset.shifted is None:
        missing |= {"economic-period", "another-site"}
    if not dataset.schema.groups:
        missing |= {CORRECTION, SITE}
    if not dataset.schema.number_columns:
        missing.add("covariance-growth")
    if dataset.periods is None:
        missing.add(HISTORY)
    return tuple(story for story in STORIES if story not in missing)


def _base_rows(dataset: Dataset, base: str | None) -> shifts.Rows:
    if base is None:
        return np.ones(len(dataset.present), dtype=bool)
    if dataset.periods is None:
        message = f"A base of {base!r} needs a period for each person, got none in {dataset.title}"
        raise InvalidInput(message)
    return dataset.periods.within(base)


def _change_name(shift: Shift) -> str:
    if not isinstance(shift.value, str):
        message = f"A past change needs its name as value, got {shift.value!r}"
        raise InvalidInput(message)
    return shift.value


def _reshape(
    dataset: Dataset, shift: Shift, pool: shifts.Pool, rows: shifts.Rows, rng: np.random.Generator
) -> tuple[shifts.Pool, str]:
    strength = shift.strength
    people = dataset.present.people[rows]
    if shift.story in (DRIFT, SITE):
        if shift.feature is None or shift.value is None:
            message = (
                f"{STORIES[shift.story].title} needs a feature and a value, "
                f"got {shift.feature!r} and {shift.value!r}"
            )
            raise InvalidInput(message)
        feature = dataset.schema.feature(shift.feature)
        move = shifts.population_drift if shift.story == DRIFT else shifts.site
        return move(pool, people, feature, shift.value, strength)
    if shift.story == PRIOR:
        return shifts.prior_shift(pool, dataset.unfavourable, strength)
    if shift.story == "covariance-growth":
        return shifts.covariance_growth(pool, dataset.schema.number_columns, rng, strength)
    if shift.story == CORRECTION:
        name, correction = _correction(dataset, shift)
        schema = dataset.schema
        return shifts.coding_correction(
            pool, schema.feature(name), schema.columns_of(name), correction, rng, strength
        )
    if dataset.shifted is None:
        title = STORIES[shift.story].title
        message = f"{title} needs shifted people, got a dataset without them"
        raise InvalidInput(message)
    source = "the later period" if shift.story == "economic-period" else "the other site"
    return shifts.blend(pool, dataset.shifted, source, strength)


def _correction(dataset: Dataset, shift: Shift) -> tuple[str, Mapping[str, str]]:
    """The feature that is recoded and its permutation: the shift's own or the dataset's."""
    known = dataset.corrections
    name = shift.feature or next(iter(known), None)
    if shift.correction and shift.feature is not None:
        categories = dataset.schema.feature(shift.feature).categories
        return shift.feature, {**{c: c for c in categories}, **dict(shift.correction)}
    if name is None or name not in known:
        message = (
            "A coding correction needs a feature and the permutation of its categories, "
            f"got {shift.feature!r} and {dict(shift.correction)!r}"
        )
        raise InvalidInput(message)
    return name, known[name]
