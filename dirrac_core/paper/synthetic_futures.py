"""The paper's synthetic shifts as future models: one component per kind of shift."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array
from dirrac_core.data.dataset import Sample
from dirrac_core.data.datasets.synthetic import SHIFTS, ShiftKind, shifted_set, shifted_sets
from dirrac_core.data.schema.schema import Schema
from dirrac_core.models.classifiers import LinearModel
from dirrac_core.models.estimate import one_component
from dirrac_core.models.futures.future import FutureModels
from dirrac_core.models.logistic import fit_logistic
from dirrac_core.models.mixture import ParameterMixture

# 33 mean shifts, 33 covariance shifts and 34 of both (the paper's appendix, "Synthetic data").
SETS = 100


@dataclass(frozen=True, eq=False)
class KindsOfModels:
    """Logistic models (n, D) of shifted data, and the kind of shift each has seen."""

    kinds: tuple[ShiftKind, ...]
    magnitudes: tuple[float, ...]
    parameters: Array

    @property
    def labels(self) -> npt.NDArray[np.int64]:
        """The place of each model's kind in SHIFTS."""
        return np.array([SHIFTS.index(kind) for kind in self.kinds], dtype=np.int64)

    def mixture(self) -> ParameterMixture:
        """One component per kind, in the order of SHIFTS: its share, mean and covariance."""
        return mixture_of(self.parameters, self.labels)

    def future(self) -> FutureModels:
        """The same models as those who judge plans."""
        models = tuple(LinearModel(theta) for theta in self.parameters)
        source = f"{len(models)} models, each trained on its own shifted sample."
        return FutureModels(models, self.parameters, source, True, None)


def kinds_of_models(schema: Schema, seed: int, n: int = SETS) -> KindsOfModels:
    """One logistic model for each of n shifted samples of growing size, encoded by `schema`."""
    sets = shifted_sets(seed, n, schema=schema)
    parameters = np.vstack([fit_logistic(each.sample.X, each.sample.y) for each in sets])
    sizes = tuple(max(each.alpha, each.beta) for each in sets)
    return KindsOfModels(tuple(each.kind for each in sets), sizes, parameters)


def mixture_of(parameters: Array, labels: npt.NDArray[np.int64]) -> ParameterMixture:
    """(p̂, θ̂, Σ̂) of models (n, D) whose components 0, 1, … are known."""
    own = [parameters[labels == k] for k in range(int(labels.max()) + 1)]
    moments = [one_component(part) for part in own]
    return ParameterMixture(
        np.array([len(part) / len(parameters) for part in own]),
        np.array([mean for mean, _ in moments]),
        np.array([covariance for _, covariance in moments]),
    )


def models_after_shift(
    schema: Schema, kind: ShiftKind, size: float, models: int, seed: int
) -> tuple[Sample, Array]:
    """The people of one shifted sample, and `models` logistic models, each of a sample of its own.

    The random numbers are the same at every size, and those of `shift_impact` for one size, so
    that people and models move smoothly and a curve over sizes shows exactly these models.
    """
    (rng,) = np.random.default_rng(seed).spawn(1)
    samples = [shifted_set(schema, kind, size, child).sample for child in rng.spawn(models)]
    return samples[0], np.vstack([fit_logistic(sample.X, sample.y) for sample in samples])
