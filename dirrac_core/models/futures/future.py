"""Future models: the classifiers that may judge a plan later, and what they say of it (M2)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array, frozen_array
from dirrac_core.data.dataset import Dataset
from dirrac_core.errors import InvalidInput
from dirrac_core.models.classifiers import Classifier, Decisions, LinearModel, accuracy
from dirrac_core.models.futures.bootstrap import Bootstrap, bootstrapped_models
from dirrac_core.models.futures.carry_over import CarryOver
from dirrac_core.models.futures.compose import (
    Retraining,
    available_stories,
    compose,
    future_pool,
)
from dirrac_core.models.futures.retraining import RETRAININGS, SHIFTED_FRACTION, random_draws
from dirrac_core.models.futures.shift import Shift
from dirrac_core.models.futures.shifts import Pool, present_pool
from dirrac_core.models.logistic import LogisticSettings, fit_logistic
from dirrac_core.progress import Progress, no_progress

Trainer = Callable[[npt.ArrayLike, npt.ArrayLike, int], Classifier]

# The paper's non-linear protocol: present training data plus a random 10 % of the shifted data.
NONLINEAR_MODELS = 10
NONLINEAR_FRACTION = 0.1

# Each is left out where it does not apply, such as noise on numbers when there are none.
SIMULATED_FUTURE = (
    Shift("sampling-noise"),
    Shift("prior-shift", strength=0.3),
    Shift("prior-shift", strength=-0.3),
    Shift("covariance-growth", strength=0.5),
)


@dataclass(frozen=True, eq=False)
class FutureModels:
    """n classifiers of the future; `parameters` (n, D) when they are linear, else None.

    `source` says where they come from; `simulated` is True when no shifted people were
    seen. `accuracies` (n,) are measured on shifted people a model was not trained on, else None.
    """

    models: tuple[Classifier, ...]
    parameters: Array | None
    source: str
    simulated: bool
    accuracies: Array | None

    def __len__(self) -> int:
        return len(self.models)

    def accepts(self, x: npt.ArrayLike) -> Decisions:
        """The (n,) decisions on one person x (D,), given with the constant last entry 1."""
        return self.accept_all(frozen_array("x", x, (None,))[None, :])[:, 0]

    def accept_all(self, X: npt.ArrayLike) -> Decisions:
        """The (n, m) decisions on m people X (m, D), given with the constant last entry 1."""
        width = None if self.parameters is None else self.parameters.shape[1]
        people = frozen_array("X", X, (None, width))
        if (people[:, -1] != 1.0).any():
            message = "The constant last entry of every person must be 1"
            raise InvalidInput(message)
        if self.parameters is not None:
            accepted: Decisions = self.parameters @ people.T >= 0.0
            return accepted
        return np.stack([model.decision(people[:, :-1]) for model in self.models])

    def validity(self, x: npt.ArrayLike) -> float:
        """M2: the share of the future models that accept the plan x (D,)."""
        return float(self.accepts(x).mean())


def simulated_future(dataset: Dataset) -> tuple[Shift, ...]:
    """What the future is taken to be when a dataset has no shifted people."""
    possible = available_stories(dataset)
    return tuple(shift for shift in SIMULATED_FUTURE if shift.story in possible)


def logistic_future(
    dataset: Dataset,
    seed: int,
    settings: LogisticSettings | None = None,
    scenarios: Sequence[Shift] | None = None,
    bootstrap: Bootstrap | None = None,
    carry: CarryOver | None = None,
) -> FutureModels:
    """A hundred logistic models of the shifted people, or simulated where there are none.

    Each is trained on a random 20 % of them, the paper's way, or with `bootstrap` on people drawn
    with replacement, as many as it says. With `carry` they become those of the given model.
    """
    shifted, n = dataset.shifted, RETRAININGS
    if shifted is None:
        stories = scenarios or simulated_future(dataset)
        retraining = Retraining(bootstrap, models=n, settings=settings)
        parts = compose(dataset, stories, seed, retraining).parameters
        drawn = [part[:count] for part, count in zip(parts, _shares(stories, n), strict=True)]
        parameters = _carried(frozen_array("parameters", np.concatenate(drawn), (n, None)), carry)
        source = _told(stories) + _said(carry)
        return FutureModels(linear_models(parameters), parameters, source, True, None)
    if bootstrap is not None:
        return _bootstrapped_future(dataset, seed, settings, bootstrap, carry)
    draws = random_draws(shifted.y, n, SHIFTED_FRACTION, np.random.default_rng(seed))
    parameters = _carried(fit_logistic(shifted.X, shifted.y, draws, settings=settings), carry)
    models = linear_models(parameters)
    unseen = [
        accuracy(model, shifted.X[~draw], shifted.y[~draw])
        for model, draw in zip(models, draws, strict=True)
    ]
    source = f"{n} models, each trained on a random {SHIFTED_FRACTION:.0%} of the shifted people."
    source += _said(carry)
    return FutureModels(models, parameters, source, False, frozen_array("accuracies", unseen, (n,)))


def _bootstrapped_future(
    dataset: Dataset,
    seed: int,
    settings: LogisticSettings | None,
    bootstrap: Bootstrap,
    carry: CarryOver | None,
) -> FutureModels:
    shifted, n = dataset.shifted, RETRAININGS
    assert shifted is not None
    sizes = bootstrap.sizes(len(dataset.present))
    pool = present_pool(shifted, np.ones(len(shifted), dtype=bool))
    parameters, counts = bootstrapped_models(pool, sizes, np.random.default_rng(seed), n, settings)
    parameters = _carried(parameters, carry)
    models = linear_models(parameters)
    unseen = [
        accuracy(model, shifted.X[drawn == 0], shifted.y[drawn == 0])
        for model, drawn in zip(models, counts, strict=True)
        if (drawn == 0).any()
    ]
    source = f"{n} models, each trained on {sizes[1]:,} people drawn from the shifted people."
    source += _said(carry)
    accuracies = frozen_array("accuracies", unseen, (None,)) if unseen else None
    return FutureModels(models, parameters, source, False, accuracies)


def nonlinear_future(
    dataset: Dataset,
    training: npt.NDArray[np.bool_],
    train: Trainer,
    seed: int,
    scenarios: Sequence[Shift] | None = None,
    progress: Progress = no_progress,
) -> FutureModels:
    """Ten classifiers on the training rows plus 10 % of the shifted people, or simulated."""
    rng, n = np.random.default_rng(seed), NONLINEAR_MODELS
    shifted, present = dataset.shifted, dataset.present
    stories = scenarios or simulated_future(dataset)
    if shifted is None:
        pools = [
            future_pool(dataset, scenario, seed)[0]
            for scenario, count in zip(stories, _shares(stories, n), strict=True)
            for _ in range(count)
        ]
        sets = [(pool.X[rows], pool.y[rows]) for pool in pools for rows in [_resampled(pool, rng)]]
    else:
        draws = random_draws(shifted.y, n, NONLINEAR_FRACTION, rng)
        sets = [
            (
                np.concatenate([present.X[training], shifted.X[draw]]),
                np.concatenate([present.y[training], shifted.y[draw]]).astype(np.float64),
            )
            for draw in draws
        ]
    models = []
    for index, (X, y) in enumerate(sets):
        models.append(train(X, y, seed + index))
        progress((index + 1) / n, f"Future model {index + 1} of {n}")
    if shifted is None:
        return FutureModels(tuple(models), None, _told(stories), True, None)
    unseen = [
        accuracy(model, shifted.X[~draw], shifted.y[~draw])
        for model, draw in zip(models, draws, strict=True)
    ]
    source = (
        f"{n} models, each trained on the present training data and a random "
        f"{NONLINEAR_FRACTION:.0%} of the shifted people."
    )
    accuracies = frozen_array("accuracies", unseen, (n,))
    return FutureModels(tuple(models), None, source, False, accuracies)


def _resampled(pool: Pool, rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """Rows of a weighted pool drawn with replacement: as many as there are, by their weights."""
    return rng.choice(len(pool.y), len(pool.y), p=pool.weights / pool.weights.sum())


def linear_models(parameters: Array) -> tuple[Classifier, ...]:
    return tuple(LinearModel(theta) for theta in parameters)


def _carried(parameters: Array, carry: CarryOver | None) -> Array:
    return parameters if carry is None else carry.models(parameters)


def _said(carry: CarryOver | None) -> str:
    return "" if carry is None else f" {carry.sentence}"


def _shares(scenarios: Sequence[Shift], n: int) -> list[int]:
    """How many of n models each shift gets, in proportion to its weight."""
    weights = np.array([shift.weight for shift in scenarios])
    edges = np.round(np.cumsum(weights) / weights.sum() * n).astype(int)
    return [int(count) for count in np.diff(edges, prepend=0)]


def _told(scenarios: Sequence[Shift]) -> str:
    stories = ", ".join(f"{shift.title[0].lower()}{shift.title[1:]}" for shift in scenarios)
    return f"Simulated, because there are no shifted people: {stories}."
