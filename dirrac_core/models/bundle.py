"""Everything trained for one dataset, once and kept: what has been trained is not trained again."""

from collections import OrderedDict
from collections.abc import Hashable, Sequence
from dataclasses import replace
from threading import Lock
from typing import Literal

from dirrac_core.arrays import checked_choice, checked_count, checked_instance
from dirrac_core.data.dataset import Dataset
from dirrac_core.errors import InvalidInput
from dirrac_core.models.classifiers import (
    FittedClassifier,
    MLPSettings,
)
from dirrac_core.models.estimate import Components
from dirrac_core.models.futures.bootstrap import Bootstrap
from dirrac_core.models.futures.shift import Shift
from dirrac_core.models.logistic import LogisticSettings
from dirrac_core.models.training import ModelBundle, logistic_bundle, nonlinear_bundle
from dirrac_core.progress import Progress, no_progress

MODELS = ("logistic", "mlp", "trees")
MAX_BUNDLES = 32


def prepare(
    dataset: Dataset,
    model: Literal["logistic", "mlp", "trees"] | FittedClassifier = "logistic",
    components: Components = 1,
    seed: int = 0,
    logistic: LogisticSettings | None = None,
    mlp: MLPSettings | None = None,
    scenarios: Sequence[Shift] | None = None,
    progress: Progress = no_progress,
    bootstrap: Bootstrap | None = None,
) -> ModelBundle:
    """Everything trained for (dataset, model, components, seed, settings), from cache if it can.

    The current model sees a random 80 % of the present people; a `FittedClassifier` is taken as
    it is, and so is the linear model a dataset was given (see `CarryOver` for its re-trainings).
    `scenarios` simulate the future of a dataset without shifted people (by default
    `simulated_future`). `progress` gets the part done and a sentence. Re-trainings and future
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
            bundle = logistic_bundle(
                dataset, components, seed, logistic, stories, bootstrap, progress
            )
        else:
            retrain = bootstrap is not None
            bundle = nonlinear_bundle(dataset, model, seed, mlp, stories, retrain, progress)
        _CACHE.put(key, bundle)
    progress(1.0, "Models ready")
    return bundle


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
    seed: int = 0,
    bootstrap: Bootstrap | None = None,
) -> bool:
    """Whether `prepare` has this with one component at hand and would not train."""
    return _kept(_usual_key(dataset, model, 1, seed, bootstrap)) is not None


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
