"""Re-trainings of a boosted model: the same futures as for linear models, on shared thresholds.

A plan fits the luck of the people it was made with, and every model trained on those people shares
that luck, however they are drawn. So the people are split in two halves: plans are made for models
of the one, and fresh models of the other, which the plan has not seen, say what it is worth. Each
model is trained on people drawn with replacement from its half; those a plan is made for twice, as
if another sample had been collected first, because one sample tells less than the next one may.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

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
# The first number of a model: whether plans are made for it.
_PLANNED = 0
KEPT_MODELS, KEPT_POOLS = 512, 16


@dataclass(frozen=True, eq=False)
class Retrainings:
    """N models to plan on and M fresh ones that no plan has seen, with the story of each.

    `stories` are the names; `planned_story` and `fresh_story` say which one each model belongs to.
    `centre` says per story how much farther the centre of the next sample's models may lie from
    that of the fresh ones than these scatter: the ratio of the two standard deviations.
    """

    planned: tuple[TreeModel, ...]
    fresh: tuple[TreeModel, ...]
    stories: tuple[str, ...]
    planned_story: tuple[int, ...]
    fresh_story: tuple[int, ...]
    centre: tuple[float, ...]

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

    Without a `bootstrap` each is trained on 80 % of the people of its half, the paper's way; with
    one on as many people as it says, at most as many as the half has. Equal arguments give
    equal models; the last ones are kept. None when cancelled.
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
        tuple(_centre(dataset, shift, bootstrap, seed) for shift in chosen),
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
    which, _ = number
    trainer, pool = boosted_trainer(dataset, settings), _halves(dataset, shift, seed)[which]
    rng = np.random.default_rng([seed, 3, *number])
    if bootstrap is None:
        return _paper_way(trainer, pool, rng)
    return _one(trainer, pool, which == _PLANNED, _size(dataset, pool, bootstrap), rng)


def _size(dataset: Dataset, pool: Pool, bootstrap: Bootstrap) -> int:
    """How many people a model is trained on: as declared, at most all of the pool."""
    return min(bootstrap.sizes(len(dataset.for_training.present))[1], len(pool.y))


def _centre(dataset: Dataset, shift: Shift, bootstrap: Bootstrap | None, seed: int) -> float:
    """√(V/n + V/h) over the spread of fresh models: the next sample has n people and this half h.

    Models of m people drawn with replacement scatter by V/m; those of 80 % drawn without, by ¼ of
    V/h (the delete-d jackknife).
    """
    n, _ = (bootstrap or Bootstrap()).sizes(len(dataset.for_training.present))
    pool = _halves(dataset, shift, seed)[1]
    half = len(pool.y)
    spread = 0.25 / half if bootstrap is None else 1.0 / _size(dataset, pool, bootstrap)
    return float(np.sqrt((1.0 / n + 1.0 / half) / spread))


@lru_cache(maxsize=KEPT_POOLS)
def _halves(dataset: Dataset, shift: Shift, seed: int) -> tuple[Pool, Pool]:
    """The people to plan with, and the others who judge; the same halves for every shift of them.

    Both hold the outcomes in the same proportion.
    """
    pool = future_pool(dataset.for_training, shift, seed)[0]
    rng = np.random.default_rng([seed, 4])
    order = np.argsort(pool.y[shuffled := rng.permutation(len(pool.y))], kind="stable")
    first, second = (np.sort(shuffled[order][start::2]) for start in range(2))
    return _part(pool, first), _part(pool, second)


def _part(pool: Pool, rows: npt.NDArray[np.intp]) -> Pool:
    return Pool(pool.X[rows], pool.y[rows], pool.weights[rows])


def _one(
    trainer: BoostedTrainer, pool: Pool, twice: bool, size: int, rng: np.random.Generator
) -> TreeModel:
    """Train on `size` people drawn from the pool, or from a sample of it where drawn `twice`."""
    weights = pool.weights
    for _ in range(100):
        if twice:
            sample = bootstrap_counts(pool.y, 1, len(pool.y), rng, pool.weights)[0]
            weights = sample.astype(np.float64)
        second = bootstrap_counts(pool.y, 1, size, rng, weights)[0]
        rows = np.repeat(np.arange(len(pool.y)), second)
        if 0.0 < pool.y[rows].mean() < 1.0:
            return trainer(pool.X[rows], pool.y[rows], 0)
    raise InvalidInput(f"Draws of {size} people must hold both outcomes, got one outcome only")


def _paper_way(trainer: BoostedTrainer, pool: Pool, rng: np.random.Generator) -> TreeModel:
    """Another 80 % of the people; people of a re-weighted pool are drawn by their weights."""
    if np.ptp(pool.weights) == 0.0:
        rows = np.flatnonzero(random_draws(pool.y, 1, PRESENT_FRACTION, rng)[0])
    else:
        size = max(2, int(PRESENT_FRACTION * len(pool.y)))
        drawn = bootstrap_counts(pool.y, 1, size, rng, pool.weights)[0]
        rows = np.repeat(np.arange(len(pool.y)), drawn)
    return trainer(pool.X[rows], pool.y[rows], 0)
