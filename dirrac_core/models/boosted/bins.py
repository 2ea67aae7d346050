"""The thresholds every training may use: bins of each column, fixed once for one dataset."""

from functools import lru_cache

import numpy as np

from dirrac_core.arrays import Array
from dirrac_core.data.dataset import Dataset
from dirrac_core.data.schema.feature import Feature

KEPT_EDGES = 32
# One-hot columns hold 0 or 1.
HALF = 0.5


@lru_cache(maxsize=KEPT_EDGES)
def shared_edges(dataset: Dataset, bins: int) -> tuple[Array, ...]:
    """The edges of each encoded column, increasing: bin k holds edges[k − 1] < x ≤ edges[k].

    A number has at most `bins` bins of about equally many present people. Its edges lie half a
    unit away from every value that can be shown, so no plan in whole units is near a threshold.
    """
    schema, people = dataset.schema, dataset.present.people
    edges: list[Array] = []
    for feature in schema.features:
        if feature.is_categorical:
            edges += [np.array([HALF])] * feature.width
        else:
            edges.append(_number_edges(feature, people[feature.name].to_numpy(np.float64), bins))
    for each in edges:
        each.flags.writeable = False
    return tuple(edges)


def bin_codes(X: Array, edges: tuple[Array, ...]) -> Array:
    """The (n, columns) numbers of the bins, from 0; code ≤ k exactly when x ≤ edges[k]."""
    return np.stack(
        [np.searchsorted(each, X[:, c], side="left") for c, each in enumerate(edges)], axis=1
    ).astype(np.float64)


def _number_edges(feature: Feature, values: Array, bins: int) -> Array:
    unit = 10.0**-feature.decimals
    parts = np.quantile(values, np.arange(1, bins) / bins, method="lower")
    # Whole units first: (n + ½)·unit in real units is never a value of a plan.
    half = np.unique(np.floor(parts / unit + 1e-9)) + HALF
    half = half[half * unit < values.max()]
    return np.array([feature.scaled(float(edge)) for edge in half * unit])
