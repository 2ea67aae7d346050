"""Re-training: the parameters that other draws of the same data would have given."""

from typing import Protocol

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array, checked_count
from dirrac_core.errors import InvalidInput
from dirrac_core.models.logistic import LogisticSettings, checked_outcomes, fit_logistic

RETRAININGS = 100
PRESENT_FRACTION = 0.8
SHIFTED_FRACTION = 0.2
MAX_REDRAWS = 1000


class Labelled(Protocol):
    """People X (n, D − 1) with their outcomes y (n,)."""

    @property
    def X(self) -> Array: ...

    @property
    def y(self) -> npt.NDArray[np.generic]: ...


def retrained_parameters(
    sample: Labelled,
    n: int = RETRAININGS,
    fraction: float = PRESENT_FRACTION,
    seed: int | np.random.Generator = 0,
    settings: LogisticSettings | None = None,
) -> Array:
    """(n, D) parameters, each of a logistic model on a random 80 % of the present data.

    `seed` may be a generator, which goes on from where it is.
    """
    draws = random_draws(sample.y, n, fraction, np.random.default_rng(seed))
    return fit_logistic(sample.X, sample.y, draws, settings=settings)


def random_draws(
    y: npt.ArrayLike, n: int, fraction: float, rng: np.random.Generator
) -> npt.NDArray[np.bool_]:
    """(n, people) draws without replacement; each holds ⌊fraction · people⌋ people, at least 2.

    A draw with one outcome only cannot train a model and is drawn again.
    """
    outcome = checked_outcomes(y, np.size(y))
    checked_count("The number of re-trainings", n, 1)
    if not 0.0 < fraction <= 1.0:
        message = f"The fraction drawn must be in (0, 1], got {fraction:g}"
        raise InvalidInput(message)
    people = outcome.size
    size = max(2, int(fraction * people + 1e-9))
    favourable = int(outcome.sum())
    if favourable in (0, people) or people < 2:
        message = (
            f"Re-training needs people of both outcomes, got {favourable} favourable of {people}"
        )
        raise InvalidInput(message)
    draws = np.zeros((n, people), dtype=bool)
    redraws = 0
    for draw in draws:
        while True:
            chosen = rng.permutation(people)[:size]
            if 0 < outcome[chosen].sum() < size:
                break
            redraws += 1
            if redraws > MAX_REDRAWS:
                message = (
                    f"Draws of {size} people must hold both outcomes, got one outcome in "
                    f"{redraws} draws ({favourable} of {people} people are favourable)"
                )
                raise InvalidInput(message)
        draw[chosen] = True
    return draws
