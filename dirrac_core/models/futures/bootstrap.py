"""Sampling noise at a declared training size: what luck alone does to a model trained later.

Today's model saw n people, a future one will see n_f. Both estimates scatter around the same
truth, so given the data the future one scatters around today's estimate with the covariance
V/n + V/n_f = (1 + n/n_f)·V/n, and the bootstrap of n people estimates V/n. Draws of 80 % without
replacement, as in the paper, have only (1/0.8 − 1) = ¼ of V/n (the delete-d jackknife).
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array, brief, checked_count, frozen_array
from dirrac_core.errors import InvalidInput
from dirrac_core.models.futures.retraining import MAX_REDRAWS, PRESENT_FRACTION, RETRAININGS
from dirrac_core.models.futures.shifts import Pool
from dirrac_core.models.logistic import LogisticSettings, checked_outcomes, fit_logistic

FEWEST_TRAINED = 10
Counts = npt.NDArray[np.uint32]


@dataclass(frozen=True)
class Bootstrap:
    """Future models are trained on `future_size` people; None: on as many as today's model."""

    future_size: int | None = None

    def __post_init__(self) -> None:
        size = self.future_size
        if size is None:
            return
        if isinstance(size, bool) or not isinstance(size, int) or size < FEWEST_TRAINED:
            message = (
                "The training size of future models must be a whole number "
                f"≥ {FEWEST_TRAINED}, got {brief(size)}"
            )
            raise InvalidInput(message)

    def sizes(self, present: int) -> tuple[int, int]:
        """n and n_f, when there are `present` people of whom today's model saw 80 %."""
        today = max(2, int(PRESENT_FRACTION * present + 1e-9))
        return today, today if self.future_size is None else self.future_size


@dataclass(frozen=True, eq=False)
class Predicted:
    """Where a model trained later will lie.

    `mean` (D,) is the model of the whole pool, `models` (m, D) draws around it whose covariance is
    Σ̂ = (1 + n/n_f)·Cov_bootstrap(n): mean + √(1 + n/n_f)·(bootstrapped model − their mean).
    """

    mean: Array
    models: Array

    def moved(self, step: Array) -> "Predicted":
        """The same scatter somewhere else."""
        return Predicted(_frozen(self.mean + step), _frozen(self.models + step))


def predicted_models(
    pool: Pool,
    sizes: tuple[int, int],
    rng: np.random.Generator,
    m: int = RETRAININGS,
    settings: LogisticSettings | None = None,
) -> Predicted:
    """m predictive draws of a model trained on the pool later, for training sizes (n, n_f).

    A pool with fewer than n people knows its own model only as well as that many can tell: there
    its own size stands for n in Σ̂. The ridge per person is that of n people everywhere.
    """
    n, n_f = sizes
    known = min(n, len(pool.y))
    mean = pooled_model(pool, n, settings)
    models, _ = bootstrapped_models(pool, (n, known), rng, m, settings)
    scatter = np.sqrt(1.0 + known / n_f) * (models - models.mean(axis=0))
    return Predicted(mean, _frozen(mean + scatter))


def pooled_model(pool: Pool, size: int, settings: LogisticSettings | None = None) -> Array:
    """The model (D,) of everybody in the pool, with the ridge per person of `size` people."""
    weights = pool.weights * (size / pool.weights.sum())
    model: Array = fit_logistic(pool.X, pool.y, weights=weights, settings=settings)[0]
    return model


def bootstrapped_models(
    pool: Pool,
    sizes: tuple[int, int],
    rng: np.random.Generator,
    m: int = RETRAININGS,
    settings: LogisticSettings | None = None,
) -> tuple[Array, Counts]:
    """(m, D) models really trained on n_f people drawn from the pool, ridge per person as at n.

    Also returns how often each person was drawn, (m, people).
    """
    n, n_f = sizes
    counts = bootstrap_counts(pool.y, m, n_f, rng, pool.weights)
    ridge = (settings or LogisticSettings()).per_person(n, n_f)
    return fit_logistic(pool.X, pool.y, counts, settings=ridge), counts


def bootstrap_counts(
    y: npt.ArrayLike,
    m: int,
    size: int,
    rng: np.random.Generator,
    weights: Array | None = None,
) -> Counts:
    """(m, people): how often each person is in each of m draws of `size` people, with replacement.

    People are drawn in proportion to `weights`. A draw with one outcome only cannot train a model
    and is drawn again.
    """
    outcome = checked_outcomes(y, np.size(y))
    checked_count("The number of re-trainings", m, 1)
    share = np.ones(outcome.size) if weights is None else weights
    share = share / share.sum()
    favourable = float(share @ outcome)
    if not 0.0 < favourable < 1.0 or size < 2:
        message = (
            "A bootstrap needs people of both outcomes and at least 2 draws, got "
            f"{favourable:.0%} favourable and {size} draws"
        )
        raise InvalidInput(message)
    counts = np.zeros((m, outcome.size), dtype=np.uint32)
    redraws = 0
    for row in counts:
        while True:
            drawn = rng.multinomial(size, share)
            if 0.0 < drawn @ outcome < size:
                break
            redraws += 1
            if redraws > MAX_REDRAWS:
                message = (
                    f"Draws of {size} people must hold both outcomes, got one outcome in "
                    f"{redraws} draws ({favourable:.1%} of the people are favourable)"
                )
                raise InvalidInput(message)
        row[:] = drawn
    return counts


def _frozen(theta: Array) -> Array:
    return frozen_array("parameters", theta, (None,) * theta.ndim)
