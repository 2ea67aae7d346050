"""How far future models lie from what was estimated, and how much of it is no shift at all."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dirrac_core.arrays import Array, checked_choice
from dirrac_core.models.cut_off import moved_bias
from dirrac_core.models.estimate import one_component
from dirrac_core.models.futures.bootstrap import bootstrapped_models
from dirrac_core.models.futures.retraining import SHIFTED_FRACTION, retrained_parameters
from dirrac_core.models.futures.shifts import present_pool
from dirrac_core.models.training import ModelBundle
from dirrac_core.robustness import METRICS, gelbrich_distance

KEPT_SPLITS = 16


@dataclass(frozen=True)
class DistanceSplit:
    """Gelbrich distances between three clouds of models, in one metric.

    `total` is from the estimate (θ̂, Σ̂), K = 1, to the future models. `training_size` is from the
    estimate to models of the present people that were trained as the future ones are, on as many
    people: nothing has shifted there. `shift` is from these to the future models. A side of a
    triangle is at most the sum of the others, so the two parts need not add up to the whole.
    """

    metric: str
    training_size: float
    shift: float
    total: float
    people: int


@lru_cache(maxsize=KEPT_SPLITS)
def distance_split(bundle: ModelBundle, metric: str = "weights") -> DistanceSplit | None:
    """The distance of a bundle's future models in two parts.

    None where there is nothing to compare: a model that is not linear, or one that was given and
    whose recipe is not known.
    """
    checked_choice("The metric", metric, METRICS)
    future = bundle.future.parameters
    if bundle.parameters is None or future is None:
        return None
    if bundle.carried is not None and not bundle.carried.recipe.reproduced:
        return None
    mean, covariance = one_component(bundle.parameters)
    models, people = _unshifted(bundle)
    if bundle.carried is not None:
        models = bundle.carried.models(models)
    models = moved_bias(models, bundle.threshold)
    clouds = ((mean, covariance), one_component(models), one_component(future))
    # One scale for all three sides: the scatter that the estimate expects.
    scale = covariance if metric == "deviations" else None

    def between(a: int, b: int) -> float:
        return gelbrich_distance(*clouds[a], *clouds[b], scale)

    return DistanceSplit(metric, between(1, 0), between(2, 1), between(2, 0), people)


@lru_cache(maxsize=KEPT_SPLITS)
def _unshifted(bundle: ModelBundle) -> tuple[Array, int]:
    """Models of the present people trained as the future models are, and on how many people."""
    dataset = bundle.dataset.for_training
    present = dataset.present
    number = len(bundle.future)
    if bundle.bootstrap is None:
        later = present if dataset.shifted is None else dataset.shifted
        people = min(len(present), max(2, int(SHIFTED_FRACTION * len(later) + 1e-9)))
        models = retrained_parameters(
            present, number, people / len(present), bundle.seed, bundle.logistic
        )
        return models, people
    sizes = bundle.bootstrap.sizes(len(present))
    pool = present_pool(present, np.ones(len(present), dtype=bool))
    # Other draws than those behind the estimate.
    rng = np.random.default_rng([bundle.seed, 2])
    return bootstrapped_models(pool, sizes, rng, number, bundle.logistic)[0], sizes[1]
