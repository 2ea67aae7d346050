"""The paper's synthetic shifts as future models: one component a kind of shift."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array
from dirrac_core.data.schema import Schema
from dirrac_core.data.synthetic import SHIFTS, ShiftKind, shifted_sets
from dirrac_core.models.classifiers import LinearModel
from dirrac_core.models.estimate import one_component
from dirrac_core.models.future import FutureModels
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
        """A component a kind, in the order of SHIFTS: its share, mean and covariance."""
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
