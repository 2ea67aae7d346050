"""Re-trainings of a boosted model: the same futures as for linear models, on shared thresholds.

A plan fits the luck of the people it was made with, and every model trained on those people shares
that luck, however they are drawn. So the people are split in two halves: plans are made for models
of the one, and fresh models of the other, which the plan has not seen, say what it is worth.

Models a plan is made for are trained on people drawn with replacement from their half, twice, as if
another sample had been collected first. Fresh models come from whole next samples: people drawn
from the other half, each with an outcome drawn from the chance that models which have not seen
them give; every sample is as large as today's and trains several models. Drawing outcomes matters:
where all people near a plan had a good outcome, drawing the same people again can never show a bad
one, and people drawn twice with the same outcome make boosted trees too sure of themselves.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from scipy.special import expit, logit

from dirrac_core.arrays import Array, checked_count
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
from dirrac_core.models.logistic import fit_logistic
from dirrac_core.progress import Cancel, Progress, never, no_progress

PLANNED, FRESH = 20, 100
# Fresh models of one next sample; they share its luck.
PER_SAMPLE = 4
# Models of drawn people whose word counts for those they have not seen.
OUT_OF_BAG = 20
# The first number of a model: whether plans are made for it.
_PLANNED = 0
KEPT_MODELS, KEPT_SAMPLES, KEPT_POOLS = 512, 64, 16


@dataclass(frozen=True, eq=False)
class Retrainings:
    """N models to plan on and M fresh ones that no plan has seen, with the story of each.

    `stories` are the names; `fresh_story` says which one a fresh model belongs to, `fresh_sample`
    which next sample of its story it was trained on. `size_ratio` is, per story, how many people a
    next sample has over those its people are drawn from.
    """

    planned: tuple[TreeModel, ...]
    fresh: tuple[TreeModel, ...]
    stories: tuple[str, ...]
    fresh_story: tuple[int, ...]
    fresh_sample: tuple[int, ...]
    size_ratio: tuple[float, ...]

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

    Without a `bootstrap` each is trained on 80 % of its people, the paper's way; with one on as
    many drawn people as it says (those to plan on on at most as many as their half has). Equal
    arguments give equal models; the last ones are kept. None when cancelled.
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
            number = (which, index, index // len(chosen) // PER_SAMPLE)
            models.append(_model(dataset, shift, bootstrap, seed, number, settings))
            progress(len(models) / total, f"Re-training {len(models)} of {total}")
    return Retrainings(
        tuple(models[:planned]),
        tuple(models[planned:]),
        titles(chosen),
        tuple(index % len(chosen) for index in range(fresh)),
        tuple(index // len(chosen) // PER_SAMPLE for index in range(fresh)),
        tuple(
            _sample_size(dataset, bootstrap) / len(_halves(dataset, shift, seed)[1].y)
            for shift in chosen
        ),
    )


@lru_cache(maxsize=KEPT_MODELS)
def _model(
    dataset: Dataset,
    shift: Shift,
    bootstrap: Bootstrap | None,
    seed: int,
    number: tuple[int, int, int],
    settings: BoostingSettings,
) -> TreeModel:
    """One re-training; `number` says whether it is fresh, which one, and of which next sample."""
    which, index, sample = number
    trainer, pool = boosted_trainer(dataset, settings), _halves(dataset, shift, seed)[which]
    rng = np.random.default_rng([seed, 3, which, index])
    if which != _PLANNED:
        pool = _next_sample(dataset, shift, bootstrap, seed, sample, settings)
    if bootstrap is None:
        return _paper_way(trainer, pool, rng)
    size = bootstrap.sizes(len(dataset.for_training.present))[1]
    if which == _PLANNED:
        return _one(trainer, pool, True, min(size, len(pool.y)), rng)
    return _one(trainer, pool, False, size, rng)


@lru_cache(maxsize=KEPT_SAMPLES)
def _next_sample(
    dataset: Dataset,
    shift: Shift,
    bootstrap: Bootstrap | None,
    seed: int,
    sample: int,
    settings: BoostingSettings,
) -> Pool:
    """People of the judging half with outcomes drawn from their chances, as many as a next sample
    has."""
    pool, chances = _halves(dataset, shift, seed)[1], _chances(dataset, shift, seed, settings)
    rng = np.random.default_rng([seed, 5, sample])
    size, share = _sample_size(dataset, bootstrap), pool.weights / pool.weights.sum()
    for _ in range(100):
        rows = rng.choice(len(share), size, p=share)
        y = (rng.random(size) < chances[rows]).astype(np.float64)
        if 0.0 < y.mean() < 1.0:
            return Pool(pool.X[rows], y, np.ones(size))
    raise InvalidInput(f"A next sample of {size} people must hold both outcomes, got one only")


def _sample_size(dataset: Dataset, bootstrap: Bootstrap | None) -> int:
    """How many people are collected next: models are trained on 80 % as many."""
    _, trained = (bootstrap or Bootstrap()).sizes(len(dataset.for_training.present))
    return round(trained / PRESENT_FRACTION)


@lru_cache(maxsize=KEPT_POOLS)
def _chances(dataset: Dataset, shift: Shift, seed: int, settings: BoostingSettings) -> Array:
    """The chance of a good outcome of everybody in the judging half.

    Models trained on people drawn from it say on average what they think of those they have not
    seen; a logistic curve through what became of these corrects how sure the models are.
    """
    pool, trainer = _halves(dataset, shift, seed)[1], boosted_trainer(dataset, settings)
    rng = np.random.default_rng([seed, 6])
    total, judges = np.zeros(len(pool.y)), np.zeros(len(pool.y))
    for counts in bootstrap_counts(pool.y, OUT_OF_BAG, len(pool.y), rng, pool.weights):
        rows = np.repeat(np.arange(len(pool.y)), counts)
        unseen = counts == 0
        total[unseen] += trainer(pool.X[rows], pool.y[rows], 0).probability(pool.X[unseen])
        judges[unseen] += 1.0
    # Whom every draw holds (about 1 in 10,000 people) gets the share of good outcomes.
    usual = np.average(pool.y, weights=pool.weights)
    said = np.where(judges > 0.0, total / np.maximum(judges, 1.0), usual)
    log_odds = logit(np.clip(said, 1e-3, 1.0 - 1e-3))[:, None]
    slope, start = fit_logistic(log_odds, pool.y, weights=pool.weights)[0]
    return np.asarray(expit(slope * log_odds[:, 0] + start), dtype=np.float64)


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
