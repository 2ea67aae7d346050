"""The paper's synthetic shifts as future models: one component per kind of shift."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array
from dirrac_core.data import load_dataset
from dirrac_core.data.datasets.synthetic import SHIFTS, ShiftKind, shifted_sets
from dirrac_core.models.estimate import known_mixture
from dirrac_core.models.futures.future import FutureModels, linear_models
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
        own = [self.parameters[self.labels == k] for k in np.unique(self.labels)]
        return known_mixture(own, [len(part) / len(self.kinds) for part in own])

    def future(self) -> FutureModels:
        """The same models as those who judge plans."""
        source = f"{len(self.kinds)} models, each trained on its own shifted sample."
        models = linear_models(self.parameters)
        return FutureModels(models, self.parameters, source, True, None)


def kinds_of_models(seed: int, n: int = SETS) -> KindsOfModels:
    """One logistic model for each of n shifted samples of growing size, scaled as the dataset."""
    sets = shifted_sets(seed, n, schema=load_dataset("synthetic").schema)
    parameters = np.vstack([fit_logistic(each.sample.X, each.sample.y) for each in sets])
    sizes = tuple(max(each.alpha, each.beta) for each in sets)
    return KindsOfModels(tuple(each.kind for each in sets), sizes, parameters)
