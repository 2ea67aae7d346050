"""A slope for boosted trees, which have none: every question softened to a sigmoid.

Lucic, Oosterhuis, Haned, de Rijke: FOCUS: Flexible Optimizable Counterfactual Explanations for
Tree Ensembles, AAAI 2022. A person goes left by the share σ((t − x)/τ), a leaf counts by the
product of the shares on its path, and the sum over the leaves has a gradient. The value stays
that of the trees as they are.
"""

from collections.abc import Callable

import numpy as np
from scipy.special import expit

from dirrac_core.arrays import Array
from dirrac_core.errors import InvalidInput
from dirrac_core.models.boosted.tree_model import LEAF, Nodes, TreeModel

# On columns from 0 to 1: a question is felt this far away from its threshold.
SOFTNESS = 0.05


def soft_log_odds(model: TreeModel) -> Callable[[Array], tuple[float, Array]]:
    """x (D, with the trailing 1) ↦ the exact log-odds beyond the threshold, the softened slope."""
    if any(tree.categories for tree in model.trees):
        raise InvalidInput(
            "A slope of trees needs questions about numbers, got questions about categories"
        )
    paths = [path for tree in model.trees for path in _paths(tree)]
    depth = max((len(steps) for steps, _ in paths), default=0)
    # A path shorter than the longest is filled with questions that everybody passes.
    feature = np.zeros((len(paths), depth), dtype=np.int64)
    threshold, side = np.full((len(paths), depth), np.inf), np.ones((len(paths), depth))
    for row, (steps, _) in enumerate(paths):
        for place, (column, edge, sign) in enumerate(steps):
            feature[row, place], threshold[row, place], side[row, place] = column, edge, sign
    values = np.array([value for _, value in paths])

    def value_and_gradient(x: Array) -> tuple[float, Array]:
        exact = float(model.log_odds(x[None, :-1])[0]) - model.threshold
        passed = expit(side * (threshold - x[feature]) / SOFTNESS)
        weight = values * passed.prod(axis=1)
        # d/dx of log σ(s(t − x)/τ) is −s(1 − σ)/τ.
        slopes = weight[:, None] * (-side * (1.0 - passed) / SOFTNESS)
        summed = np.bincount(feature.ravel(), slopes.ravel(), minlength=x.size)
        gradient: Array = summed.astype(np.float64)
        gradient[-1] = 0.0
        return exact, gradient

    return value_and_gradient


def _paths(tree: Nodes) -> list[tuple[list[tuple[int, float, float]], float]]:
    """Each leaf: the questions on its way as (column, threshold, +1 left or −1), its value."""
    found = []
    waiting: list[tuple[int, list[tuple[int, float, float]]]] = [(0, [])]
    while waiting:
        node, steps = waiting.pop()
        if tree.feature[node] == LEAF:
            found.append((steps, float(tree.value[node])))
            continue
        asked = (int(tree.feature[node]), float(tree.threshold[node]))
        for child, sign in ((tree.left[node], 1.0), (tree.right[node], -1.0)):
            waiting.append((int(child), [*steps, (*asked, sign)]))
    return found
