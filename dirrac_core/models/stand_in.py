"""Linear stand-ins of a non-linear model around any point, and other trainings of it."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array
from dirrac_core.data.dataset import Sample
from dirrac_core.models.classifiers import Classifier
from dirrac_core.models.futures.bootstrap import bootstrap_counts
from dirrac_core.models.futures.future import Trainer
from dirrac_core.models.surrogate import Surrogate, lime_surrogate, retrained_surrogate
from dirrac_core.progress import Progress, no_progress

RETRAINED_NETWORKS = 10


@dataclass(frozen=True, eq=False)
class StandIn:
    """What is needed for the surrogate of `current` around any point; it travels to workers.

    `people` (n, D − 1) are its training data. Without `retrained` models the surrogate is the
    paper's, whose covariance is LIME's noise; with them it is that of training again, times
    `inflation` (see `retrained_surrogate`).
    """

    current: Classifier
    people: Array
    groups: tuple[tuple[int, ...], ...]
    seed: int
    retrained: tuple[Classifier, ...] = ()
    inflation: float = 1.0

    def around(self, x: npt.ArrayLike) -> Surrogate:
        """The surrogate around x, given with or without the constant 1."""
        if not self.retrained:
            return lime_surrogate(self.current, self.people, x, self.groups, seed=self.seed)
        return retrained_surrogate(
            self.current,
            self.retrained,
            self.people,
            x,
            self.groups,
            self.inflation,
            seed=self.seed,
        )


def retrained_classifiers(
    present: Sample,
    size: int,
    train: Trainer,
    seed: int,
    m: int = RETRAINED_NETWORKS,
    progress: Progress = no_progress,
) -> tuple[Classifier, ...]:
    """m classifiers, each trained on `size` present people drawn with replacement.

    Each starts from a seed of its own: the start of a training is luck like its people.
    """
    # Apart from the draws of today's model [seed, 0] and of the future ones.
    counts = bootstrap_counts(present.y, m, size, np.random.default_rng([seed, 1]))
    models = []
    for index, drawn in enumerate(counts):
        rows = np.repeat(np.arange(len(present)), drawn)
        models.append(train(present.X[rows], present.y[rows], seed + 1 + index))
        progress((index + 1) / m, f"Re-training {index + 1} of {m}")
    return tuple(models)
