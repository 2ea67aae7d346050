"""Everything trained for one dataset, once: current model, re-trainings, mixture, future models."""

from collections import OrderedDict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import partial
from threading import Lock
from types import MappingProxyType
from typing import Literal

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array, checked_choice
from dirrac_core.data.dataset import Dataset
from dirrac_core.errors import InvalidInput
from dirrac_core.models.classifiers import (
    Classifier,
    FittedClassifier,
    LinearModel,
    MLPSettings,
    accuracy,
    refit,
    train_logistic,
    train_mlp,
)
from dirrac_core.models.estimate import MixtureEstimate, estimate_mixture
from dirrac_core.models.future import (
    FutureModels,
    Progress,
    Trainer,
    logistic_future,
    nonlinear_future,
)
from dirrac_core.models.given_coefficients import CarryOver
from dirrac_core.models.logistic import LogisticSettings
from dirrac_core.models.reasons import Reason, main_reasons
from dirrac_core.models.retraining import PRESENT_FRACTION, random_draws, retrained_parameters
from dirrac_core.models.scenarios import Scenario
from dirrac_core.models.surrogate import Surrogate, lime_surrogate

MODELS = ("logistic", "mlp")
MAX_BUNDLES = 32

PAPER_ACCURACY = MappingProxyType(
    {
        "german": MappingProxyType({"logistic": (0.72, 0.70), "mlp": (0.76, 0.72)}),
        "sba": MappingProxyType({"logistic": (0.79, 0.77), "mlp": (0.93, 0.89)}),
        "student": MappingProxyType({"logistic": (0.84, 0.91), "mlp": (0.91, 0.99)}),
    }
)
"""Accuracy of the current and of the shifted classifiers (the paper's appendix, "Accuracy of the
underlying classifiers"). Its classes were balanced first and its SBA label is the other way round.
"""


@dataclass(frozen=True)
class Accuracy:
    """Shares of right decisions; None where there are no shifted people.

    `now`: the current model on present people it was not trained on (`held_out` False: on all of
    them, for a model trained elsewhere). `after`: the current model on the shifted people.
    `future`: the average future model on shifted people it was not trained on, ± `future_spread`.
    """

    now: float
    held_out: bool
    after: float | None
    future: float | None
    future_spread: float | None


@dataclass(frozen=True, eq=False)
class ModelBundle:
    """What `prepare` trained; nothing in it changes afterwards.

    `training` (n,) marks the present people the current model was trained on. `parameters` and
    `estimate` belong to logistic models; a non-linear model gets its mixture from `surrogate`,
    around one applicant. `carried` says how re-trainings became those of a given model.
    """

    dataset: Dataset
    kind: str
    seed: int
    current: Classifier
    training: npt.NDArray[np.bool_]
    parameters: Array | None
    estimate: MixtureEstimate | None
    future: FutureModels
    accuracy: Accuracy
    carried: CarryOver | None = None

    @property
    def declined(self) -> npt.NDArray[np.intp]:
        """Row numbers of the present people the current model declines."""
        return np.flatnonzero(~self.current.decision(self.dataset.present.X))

    def surrogate(self, x0: npt.ArrayLike, progress: Progress | None = None) -> Surrogate:
        """The LIME surrogate of the current model around the applicant x0."""
        people = self.dataset.present.X[self.training]
        groups = self.dataset.schema.groups
        return lime_surrogate(self.current, people, x0, groups, seed=self.seed, progress=progress)

    def reasons(self, x0: npt.ArrayLike) -> tuple[Reason, ...]:
        """Up to four main reasons of a decline, from the model or its surrogate at x0."""
        if isinstance(self.current, LinearModel):
            theta = self.current.theta
        else:
            theta = self.surrogate(x0).mixture.means[0]
        return main_reasons(theta, x0, self.dataset.present, self.dataset.schema)


def prepare(
    dataset: Dataset,
    model: Literal["logistic", "mlp"] | FittedClassifier = "logistic",
    components: int | Literal["auto"] = 1,
    seed: int = 0,
    logistic: LogisticSettings | None = None,
    mlp: MLPSettings | None = None,
    scenarios: Sequence[Scenario] | None = None,
    progress: Progress | None = None,
) -> ModelBundle:
    """Everything trained for (dataset, model, components, seed, settings), from cache if it can.

    The current model sees a random 80 % of the present people; a `FittedClassifier` is taken as
    it is, and so is the linear model a dataset was given (see `CarryOver` for its re-trainings).
    `scenarios` simulate the future of a dataset without shifted people (by default
    `simulated_future`). `progress` is told the part done and a sentence.
    """
    if not isinstance(model, FittedClassifier):
        checked_choice("A model", model, MODELS)
    if model != "logistic" and components != 1:
        message = (
            "Several components are estimated from re-trained linear models; "
            f"a non-linear model has 1, got {components!r}"
        )
        raise InvalidInput(message)
    logistic, mlp = logistic or LogisticSettings(), mlp or MLPSettings()
    stories = None if scenarios is None else tuple(scenarios)
    key = (dataset, model, components, seed, logistic, mlp, stories)
    bundle = _CACHE.get(key)
    if bundle is None:
        if model == "logistic":
            bundle = _logistic_bundle(dataset, components, seed, logistic, stories, progress)
        else:
            bundle = _nonlinear_bundle(dataset, model, seed, mlp, stories, progress)
        _CACHE.put(key, bundle)
    if progress is not None:
        progress(1.0, "Models ready")
    return bundle


def _logistic_bundle(
    dataset: Dataset,
    components: int | Literal["auto"],
    seed: int,
    settings: LogisticSettings,
    scenarios: tuple[Scenario, ...] | None,
    progress: Progress | None,
) -> ModelBundle:
    def tell(part: float, words: str) -> None:
        if progress is not None:
            progress(part, words)

    present = dataset.present
    training = _training_rows(dataset, seed)
    judged = ~training
    if dataset.given_model is None:
        tell(0.1, "Training today's model")
        current = train_logistic(present.X[training], present.y[training], settings)
    else:
        current, judged = LinearModel(dataset.given_model), np.ones_like(training)
    tell(0.15, "Training 100 models on other draws of the same people")
    parameters = retrained_parameters(present, seed=seed, settings=settings)
    carried = None
    if dataset.given_model is not None:
        centre = parameters.mean(axis=0)
        carried = CarryOver.between(present.X, dataset.given_model, centre)
        parameters = carried.models(parameters)
    tell(0.4, "Training the models of the future")
    future = logistic_future(dataset, seed, settings, scenarios)
    return ModelBundle(
        dataset,
        "logistic",
        seed,
        current,
        training,
        parameters,
        estimate_mixture(parameters, components, seed),
        future,
        _accuracy(dataset, current, judged, future),
        carried,
    )


def _nonlinear_bundle(
    dataset: Dataset,
    model: Literal["mlp"] | FittedClassifier,
    seed: int,
    settings: MLPSettings,
    scenarios: tuple[Scenario, ...] | None,
    progress: Progress | None,
) -> ModelBundle:
    present = dataset.present
    training = _training_rows(dataset, seed)
    if isinstance(model, FittedClassifier):
        train: Trainer = partial(refit, model)
        kind = type(model.estimator).__name__
        current: Classifier = model
        judged = np.ones_like(training)
    else:
        train = partial(train_mlp, settings=settings)
        kind = model
        current = train(present.X[training], present.y[training], seed)
        judged = ~training
    future = nonlinear_future(dataset, training, train, seed, scenarios, progress=progress)
    return ModelBundle(
        dataset,
        kind,
        seed,
        current,
        training,
        None,
        None,
        future,
        _accuracy(dataset, current, judged, future),
    )


def _training_rows(dataset: Dataset, seed: int) -> npt.NDArray[np.bool_]:
    rng = np.random.default_rng([seed, 0])
    rows: npt.NDArray[np.bool_] = random_draws(dataset.present.y, 1, PRESENT_FRACTION, rng)[0]
    rows.flags.writeable = False
    return rows


def _accuracy(
    dataset: Dataset, current: Classifier, judged: npt.NDArray[np.bool_], future: FutureModels
) -> Accuracy:
    present, shifted = dataset.present, dataset.shifted
    return Accuracy(
        now=accuracy(current, present.X[judged], present.y[judged]),
        held_out=not judged.all(),
        after=None if shifted is None else accuracy(current, shifted.X, shifted.y),
        future=None if future.accuracies is None else float(future.accuracies.mean()),
        future_spread=None if future.accuracies is None else float(future.accuracies.std()),
    )


class _BoundedCache:
    """The last bundles used, shared by all threads; what it hands out is immutable."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._entries: OrderedDict[Hashable, ModelBundle] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable) -> ModelBundle | None:
        with self._lock:
            bundle = self._entries.get(key)
            if bundle is not None:
                self._entries.move_to_end(key)
            return bundle

    def put(self, key: Hashable, bundle: ModelBundle) -> None:
        with self._lock:
            self._entries[key] = bundle
            self._entries.move_to_end(key)
            while len(self._entries) > self._size:
                self._entries.popitem(last=False)


_CACHE = _BoundedCache(MAX_BUNDLES)
