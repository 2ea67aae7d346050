"""Re-trainings of a boosted model: the same futures as for linear models, on shared thresholds.

Today's model saw n people and a future one sees n_f, so a future model scatters around today's by
V/n + V/n_f (see `models.bootstrap`). Trees have no covariance to inflate; here the people
themselves are drawn twice: n people from the pool, as if another sample of the same population
had been collected, and from those n_f people to train on.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from dirrac_core.arrays import checked_count
from dirrac_core.data.dataset import Dataset
from dirrac_core.errors import InvalidInput
from dirrac_core.models.boosted.training import (
    USUAL,
    BoostedTrainer,
    BoostingSettings,
    boosted_trainer,
)
from dirrac_core.models.boosted.tree_model import TreeModel
from dirrac_core.models.futures.bootstrap import Bootstrap, bootstrap_counts
from dirrac_core.models.futures.compose import future_pool
from dirrac_core.models.futures.retraining import PRESENT_FRACTION, random_draws
from dirrac_core.models.futures.shift import HISTORY, NOISE, Shift, titles
from dirrac_core.models.futures.shifts import Pool
from dirrac_core.progress import Cancel, Progress, never, no_progress

PLANNED, FRESH = 20, 100
KEPT_MODELS, KEPT_POOLS = 512, 16


@dataclass(frozen=True, eq=False)
class Retrainings:
    """N models to plan on and M fresh ones that no plan has seen, with the story of each.

    `stories` are the names; `planned_story` and `fresh_story` say which one each model belongs to.
    """

    planned: tuple[TreeModel, ...]
    fresh: tuple[TreeModel, ...]
    stories: tuple[str, ...]
    planned_story: tuple[int, ...]
    fresh_story: tuple[int, ...]

    def at_threshold(self, threshold: float) -> "Retrainings":
        """The same models, accepting from other log-odds on."""
        if not threshold:
            return self
        planned, fresh = (
            tuple(model.at_threshold(threshold) for model in models)
            for models in (self.planned, self.fresh)
        )
        return replace(self, planned=planned, fresh=fresh)


def retrained(
    dataset: Dataset,
    shifts: Sequence[Shift] = (),
    bootstrap: Bootstrap | None = None,
    seed: int = 0,
    planned: int = PLANNED,
    fresh: int = FRESH,
    settings: BoostingSettings = USUAL,
    progress: Progress = no_progress,
    cancel: Cancel = never,
) -> Retrainings | None:
    """Models that may follow today's: luck alone, or one story per shift in turn.

    Without a `bootstrap` each is trained on another 80 % of the people, the paper's way; with one
    on as many people as it says. Equal arguments give equal models; the last ones are kept. None
    when cancelled.
    """
    checked_count("planned", planned, 1)
    checked_count("fresh", fresh, 0)
    chosen = tuple(shifts) or (Shift(NOISE),)
    if any(shift.story == HISTORY for shift in chosen):
        raise InvalidInput(
            "A past change moves the weights of a linear model; boosted trees need shifts of "
            "their training data, got the story 'history'"
        )
    total = planned + fresh
    models: list[TreeModel] = []
    for which, count in enumerate((planned, fresh)):
        for index in range(count):
            if cancel():
                return None
            shift = chosen[index % len(chosen)]
            models.append(_model(dataset, shift, bootstrap, seed, (which, index), settings))
            progress(len(models) / total, f"Re-training {len(models)} of {total}")
    return Retrainings(
        tuple(models[:planned]),
        tuple(models[planned:]),
        titles(chosen),
        tuple(index % len(chosen) for index in range(planned)),
        tuple(index % len(chosen) for index in range(fresh)),
    )


@lru_cache(maxsize=KEPT_MODELS)
def _model(
    dataset: Dataset,
    shift: Shift,
    bootstrap: Bootstrap | None,
    seed: int,
    number: tuple[int, int],
    settings: BoostingSettings,
) -> TreeModel:
    """One re-training; `number` keeps the draws of planned and fresh models apart."""
    trainer, pool = boosted_trainer(dataset, settings), _pool(dataset, shift, seed)
    rng = np.random.default_rng([seed, 3, *number])
    if bootstrap is None:
        return _paper_way(trainer, pool, rng)
    return _one(trainer, pool, *bootstrap.sizes(len(dataset.for_training.present)), rng)


@lru_cache(maxsize=KEPT_POOLS)
def _pool(dataset: Dataset, shift: Shift, seed: int) -> Pool:
    return future_pool(dataset.for_training, shift, seed)[0]


def _one(
    trainer: BoostedTrainer, pool: Pool, n: int, n_f: int, rng: np.random.Generator
) -> TreeModel:
    """Draw n people, and from those n_f to train on."""
    known = min(n, len(pool.y))
    for _ in range(100):
        first = bootstrap_counts(pool.y, 1, known, rng, pool.weights)[0]
        second = bootstrap_counts(pool.y, 1, n_f, rng, first.astype(np.float64))[0]
        rows = np.repeat(np.arange(len(pool.y)), second)
        if 0.0 < pool.y[rows].mean() < 1.0:
            return trainer(pool.X[rows], pool.y[rows], 0)
    raise InvalidInput(f"Draws of {n_f} people must hold both outcomes, got one outcome only")


def _paper_way(trainer: BoostedTrainer, pool: Pool, rng: np.random.Generator) -> TreeModel:
    """Another 80 % of the people; people of a re-weighted pool are drawn by their weights."""
    if np.ptp(pool.weights) == 0.0:
        rows = np.flatnonzero(random_draws(pool.y, 1, PRESENT_FRACTION, rng)[0])
    else:
        size = max(2, int(PRESENT_FRACTION * len(pool.y)))
        drawn = bootstrap_counts(pool.y, 1, size, rng, pool.weights)[0]
        rows = np.repeat(np.arange(len(pool.y)), drawn)
    return trainer(pool.X[rows], pool.y[rows], 0)
