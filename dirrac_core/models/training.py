"""Everything trained for one dataset: current model, re-trainings, mixture, future models."""

from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from dirrac_core.arrays import Array
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
from dirrac_core.progress import Progress, step_of


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

    @property
    def people(self) -> Array:
        """The present people (m, D − 1) the current model was trained on."""
        return self.dataset.present.X[self.training]

    def stand_in(self, bootstrap: Bootstrap | None = None) -> StandIn:
        """Surrogates of the current model around any point: the paper's, or with a `bootstrap`
        those of re-trainings, whose spread is that of future models of its training size."""
        people, groups = self.people, self.dataset.schema.groups
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


def logistic_bundle(
    dataset: Dataset,
    components: Components,
    seed: int,
    settings: LogisticSettings,
    scenarios: tuple[Shift, ...] | None,
    bootstrap: Bootstrap | None,
    progress: Progress,
) -> ModelBundle:
    present = dataset.present
    training = _training_rows(dataset, seed)
    judged = ~training
    if dataset.given_model is None:
        progress(0.1, "Training today's model")
        known = dataset.seen(present.X[training])
        current = train_logistic(known, present.y[training], settings)
    else:
        given = dataset.seen(dataset.given_model)
        current, judged = LinearModel(given), np.ones_like(training)
        progress(0.1, "Looking for the recipe of the given model")
        settings = recipe_of(dataset).settings
    progress(0.15, "Training 100 models on other draws of the same people")
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
    progress(0.4, "Training the models of the future")
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


def nonlinear_bundle(
    dataset: Dataset,
    model: Literal["mlp", "trees"] | FittedClassifier,
    seed: int,
    settings: MLPSettings,
    scenarios: tuple[Shift, ...] | None,
    retrain: bool,
    progress: Progress,
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
    steps = 2 if retrain else 1
    share = step_of(progress, 0, steps)
    learnt, rows = dataset.for_training, dataset.training_rows
    known = training if rows is None else training[rows]
    future = nonlinear_future(learnt, known, train, seed, scenarios, progress=share)
    retrained: tuple[Classifier, ...] = ()
    if retrain:
        n, _ = Bootstrap().sizes(len(learnt.present))
        share = step_of(progress, 1, steps)
        retrained = retrained_classifiers(learnt.present, n, train, seed, progress=share)
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
