"""Everything trained for one dataset, once: current model, re-trainings, mixture, future models."""

from collections import OrderedDict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from threading import Lock
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from dirrac_core.arrays import Array, checked_choice, checked_count, checked_instance
from dirrac_core.data.dataset import Dataset
from dirrac_core.errors import InvalidInput
from dirrac_core.models.accuracy import Accuracy, accuracy_of
from dirrac_core.models.boosted.training import boosted_trainer
from dirrac_core.models.classifiers import (
    Classifier,
    FittedClassifier,
    LinearModel,
    MLPSettings,
    refit,
    train_logistic,
    train_mlp,
)
from dirrac_core.models.estimate import Components, MixtureEstimate, estimate_mixture
from dirrac_core.models.futures.bootstrap import Bootstrap
from dirrac_core.models.futures.carry_over import CarryOver
from dirrac_core.models.futures.compose import Retraining, compose
from dirrac_core.models.futures.future import (
    FutureModels,
    Trainer,
    logistic_future,
    nonlinear_future,
)
from dirrac_core.models.futures.recipe import recipe_of
from dirrac_core.models.futures.retraining import (
    PRESENT_FRACTION,
    random_draws,
    retrained_parameters,
)
from dirrac_core.models.futures.shift import NOISE, Shift
from dirrac_core.models.logistic import LogisticSettings
from dirrac_core.models.reasons import Reason, main_reasons
from dirrac_core.models.stand_in import StandIn, retrained_classifiers
from dirrac_core.models.surrogate import Surrogate
from dirrac_core.progress import Progress, no_progress, step_of

MODELS = ("logistic", "mlp", "trees")
MAX_BUNDLES = 32


@dataclass(frozen=True, eq=False)
class ModelBundle:
    """What `prepare` trained; nothing in it changes afterwards.

    `training` (n,) marks the present people the current model was trained on. `parameters` and
    `estimate` belong to logistic models; a non-linear model gets its mixture from `surrogate`,
    around one applicant. `carried` says how re-trainings became those of a given model,
    `bootstrap` and `logistic` how models were trained again (None: the paper's way, the default).
    `retrained` are other trainings of a non-linear model on bootstrapped draws of the present
    people, as many as today's model saw; empty in the paper's way. All models decide at the score
    `threshold` (see `cut_off`).
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
    bootstrap: Bootstrap | None = None
    logistic: LogisticSettings | None = None
    retrained: tuple[Classifier, ...] = ()
    threshold: float = 0.0

    @property
    def needed(self) -> float:
        """The probability of the favourable outcome at which a person is accepted."""
        return float(expit(self.threshold))

    @property
    def declined(self) -> npt.NDArray[np.intp]:
        """Row numbers of the present people the current model declines."""
        return np.flatnonzero(~self.current.decision(self.dataset.present.X))

    def stand_in(self, bootstrap: Bootstrap | None = None) -> StandIn:
        """Surrogates of the current model around any point: the paper's, or with a `bootstrap`
        those of re-trainings, whose spread is that of future models of its training size."""
        people, groups = self.dataset.present.X[self.training], self.dataset.schema.groups
        if bootstrap is None:
            return StandIn(self.current, people, groups, self.seed)
        if not self.retrained:
            message = "The spread of a non-linear model needs its re-trainings, got none"
            raise InvalidInput(message)
        n, n_f = bootstrap.sizes(len(self.dataset.for_training.present))
        inflation = 1.0 + n / n_f
        return StandIn(self.current, people, groups, self.seed, self.retrained, inflation)

    def surrogate(self, x0: npt.ArrayLike) -> Surrogate:
        """The paper's LIME surrogate of the current model around the applicant x0."""
        return self.stand_in().around(x0)

    def reasons(self, x0: npt.ArrayLike) -> tuple[Reason, ...]:
        """Up to four main reasons of a decline, from the model or its surrogate at x0."""
        if isinstance(self.current, LinearModel):
            theta = self.current.theta
        else:
            theta = self.surrogate(x0).mixture.means[0]
        return main_reasons(theta, x0, self.dataset.present, self.dataset.schema)


def prepare(
    dataset: Dataset,
    model: Literal["logistic", "mlp", "trees"] | FittedClassifier = "logistic",
    components: Components = 1,
    seed: int = 0,
    logistic: LogisticSettings | None = None,
    mlp: MLPSettings | None = None,
    scenarios: Sequence[Shift] | None = None,
    progress: Progress | None = None,
    bootstrap: Bootstrap | None = None,
) -> ModelBundle:
    """Everything trained for (dataset, model, components, seed, settings), from cache if it can.

    The current model sees a random 80 % of the present people; a `FittedClassifier` is taken as
    it is, and so is the linear model a dataset was given (see `CarryOver` for its re-trainings).
    `scenarios` simulate the future of a dataset without shifted people (by default
    `simulated_future`). `progress` is told the part done and a sentence. Re-trainings and future
    models are the paper's (80 % of the present, 20 % of the shifted people) or, with a
    `bootstrap`, of a declared training size. A non-linear model keeps the paper's future models
    (the present training data and 10 % of the shifted people) and is with a `bootstrap` also
    trained again on other draws; those serve every declared size.
    """
    checked_instance("dataset", dataset, Dataset)
    checked_count("seed", seed, 0)
    if bootstrap is not None:
        checked_instance("bootstrap", bootstrap, Bootstrap)
    if isinstance(components, str):
        checked_choice("components", components, ("auto", "bic"))
    else:
        checked_count("components", components, 1)
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
    key = (dataset, model, components, seed, logistic, mlp, stories, _asked(model, bootstrap))
    bundle = _kept(key)
    if bundle is None:
        if model == "logistic":
            bundle = _logistic_bundle(
                dataset, components, seed, logistic, stories, bootstrap, progress
            )
        else:
            retrain = bootstrap is not None
            bundle = _nonlinear_bundle(dataset, model, seed, mlp, stories, retrain, progress)
        _CACHE.put(key, bundle)
    if progress is not None:
        progress(1.0, "Models ready")
    return bundle


def _logistic_bundle(
    dataset: Dataset,
    components: Components,
    seed: int,
    settings: LogisticSettings,
    scenarios: tuple[Shift, ...] | None,
    bootstrap: Bootstrap | None,
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
        known = dataset.seen(present.X[training])
        current = train_logistic(known, present.y[training], settings)
    else:
        given = dataset.seen(dataset.given_model)
        current, judged = LinearModel(given), np.ones_like(training)
        tell(0.1, "Looking for the recipe of the given model")
        settings = recipe_of(dataset).settings
    tell(0.15, "Training 100 models on other draws of the same people")
    learnt = dataset.for_training
    if bootstrap is None:
        parameters = retrained_parameters(learnt.present, seed=seed, settings=settings)
    else:
        retraining = Retraining(bootstrap, settings=settings)
        parameters = compose(learnt, [Shift(NOISE)], seed, retraining).parameters[0]
    carried = None
    if dataset.given_model is not None:
        carried = CarryOver.to_given_model(dataset, parameters.mean(axis=0))
        parameters = carried.models(parameters)
    tell(0.4, "Training the models of the future")
    future = logistic_future(learnt, seed, settings, scenarios, bootstrap=bootstrap, carry=carried)
    return ModelBundle(
        dataset,
        "logistic",
        seed,
        current,
        training,
        parameters,
        estimate_mixture(parameters, components, seed),
        future,
        accuracy_of(dataset, current, judged, future),
        carried,
        bootstrap,
        settings,
    )


def _nonlinear_bundle(
    dataset: Dataset,
    model: Literal["mlp", "trees"] | FittedClassifier,
    seed: int,
    settings: MLPSettings,
    scenarios: tuple[Shift, ...] | None,
    retrain: bool,
    progress: Progress | None,
) -> ModelBundle:
    if dataset.unseen:
        message = f"A network sees every attribute, got {', '.join(dataset.unseen)} to be left out"
        raise InvalidInput(message)
    present = dataset.present
    training = _training_rows(dataset, seed)
    if isinstance(model, FittedClassifier):
        train: Trainer = partial(refit, model)
        kind = type(model.estimator).__name__
        current: Classifier = model
        judged = np.ones_like(training)
    else:
        train = (
            boosted_trainer(dataset) if model == "trees" else partial(train_mlp, settings=settings)
        )
        kind = model
        current = train(present.X[training], present.y[training], seed)
        judged = ~training
    whole, steps = progress or no_progress, 2 if retrain else 1
    told = step_of(whole, 0, steps)
    learnt, rows = dataset.for_training, dataset.training_rows
    known = training if rows is None else training[rows]
    future = nonlinear_future(learnt, known, train, seed, scenarios, progress=told)
    retrained: tuple[Classifier, ...] = ()
    if retrain:
        n, _ = Bootstrap().sizes(len(learnt.present))
        told = step_of(whole, 1, steps)
        retrained = retrained_classifiers(learnt.present, n, train, seed, progress=told)
    return ModelBundle(
        dataset,
        kind,
        seed,
        current,
        training,
        None,
        None,
        future,
        accuracy_of(dataset, current, judged, future),
        bootstrap=Bootstrap() if retrain else None,
        retrained=retrained,
    )


def _training_rows(dataset: Dataset, seed: int) -> npt.NDArray[np.bool_]:
    rng = np.random.default_rng([seed, 0])
    drawn = random_draws(dataset.for_training.present.y, 1, PRESENT_FRACTION, rng)[0]
    rows: npt.NDArray[np.bool_] = drawn
    if dataset.training_rows is not None:
        rows = np.zeros(len(dataset.present), dtype=bool)
        rows[dataset.training_rows[drawn]] = True
    rows.flags.writeable = False
    return rows


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


def is_prepared(
    dataset: Dataset,
    model: str,
    components: Components = 1,
    seed: int = 0,
    bootstrap: Bootstrap | None = None,
) -> bool:
    """Whether `prepare` has this at hand and would not train."""
    return _kept(_usual_key(dataset, model, components, seed, bootstrap)) is not None


def keep_prepared(bundle: ModelBundle, dataset: Dataset, components: Components = 1) -> None:
    """Take over what `prepare` trained in another process for this very dataset."""
    key = _usual_key(dataset, bundle.kind, components, bundle.seed, bundle.bootstrap)
    _CACHE.put(key, replace(bundle, dataset=dataset))


def _usual_key(
    dataset: Dataset, model: str, components: Components, seed: int, bootstrap: Bootstrap | None
) -> tuple[Hashable, ...]:
    asked = _asked(model, bootstrap)
    return (dataset, model, components, seed, LogisticSettings(), MLPSettings(), None, asked)


def _asked(model: str | FittedClassifier, bootstrap: Bootstrap | None) -> Bootstrap | None:
    """The bootstrap as part of a key: re-trainings of a non-linear model serve every size."""
    return bootstrap if model == "logistic" or bootstrap is None else Bootstrap()


def _kept(key: tuple[Hashable, ...]) -> ModelBundle | None:
    """The bundle of a key; a non-linear one with re-trainings also serves who asks for none."""
    bundle = _CACHE.get(key)
    if bundle is None and key[1] != "logistic" and key[-1] is None:
        bundle = _CACHE.get((*key[:-1], Bootstrap()))
    return bundle
