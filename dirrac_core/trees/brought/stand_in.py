"""A stand-in for a brought model that can be trained again: its settings, on the visitor's table.

LightGBM writes into its file how it was trained; XGBoost and ONNX files do not hold the learning
rate. The stand-in is trained by another library on people the model may not have seen, so it
counts only where it decides as the brought model does, and is never called that model.
"""

import re
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from sklearn.ensemble import HistGradientBoostingClassifier

from dirrac_core.arrays import Array
from dirrac_core.data.dataset import Dataset
from dirrac_core.models.boosted.training import read_boosting
from dirrac_core.models.boosted.tree_model import TreeModel
from dirrac_core.models.futures.bootstrap import bootstrap_counts
from dirrac_core.progress import Progress, no_progress
from dirrac_core.trees.brought.match import BroughtModel

RETRAININGS = 40
# A stand-in that decides otherwise for more than one person in twenty says nothing of the model.
LEAST_AGREEMENT = 0.95
MOST_PEOPLE = 20_000
_NEEDED = ("learning_rate", "num_leaves", "max_depth", "min_data_in_leaf", "lambda_l2")


@dataclass(frozen=True)
class Recipe:
    """How a LightGBM model was trained: `leaves` per tree, `depth` None without a limit."""

    learning_rate: float
    leaves: int
    depth: int | None
    least_leaf: int
    ridge: float


@dataclass(frozen=True, eq=False)
class StandIn:
    """The share of the table on which the stand-in decides as the model, and its re-trainings."""

    agreement: float
    retrainings: tuple[TreeModel, ...]

    @property
    def close(self) -> bool:
        """Whether it decides enough like the model to stand for it."""
        return self.agreement >= LEAST_AGREEMENT


def told_recipe(content: bytes, kind: str) -> Recipe | None:
    """The settings a file tells; None where it does not."""
    if kind != "lightgbm":
        return None
    _, _, told = content.decode("utf-8", "replace").rpartition("\nparameters:\n")
    given = dict(re.findall(r"^\[(\w+): ([^\]\n]*)\]$", told, flags=re.MULTILINE))
    try:
        rate, leaves, depth, least, ridge = (float(given[name]) for name in _NEEDED)
    except (KeyError, ValueError):
        return None
    usual = given.get("boosting") == "gbdt" and given.get("objective") == "binary"
    numbers = np.array([rate, leaves, depth, least, ridge])
    if not usual or not np.isfinite(numbers).all() or rate <= 0 or leaves < 2 or ridge < 0:
        return None
    limit = int(depth) if depth >= 1 else None
    return Recipe(rate, int(leaves), limit, max(int(least), 1), ridge)


def stand_in_for(
    model: BroughtModel, dataset: Dataset, recipe: Recipe, progress: Progress = no_progress
) -> StandIn:
    """Train the recipe on the table; where it decides like the model, also on people drawn again.

    A table of more than MOST_PEOPLE people is represented by as many of them.
    """
    rng = np.random.default_rng(0)
    X, y = model.view.inputs(dataset.present.X), dataset.present.y
    if len(y) > MOST_PEOPLE:
        some = rng.choice(len(y), MOST_PEOPLE, replace=False)
        X, y = X[some], y[some]
    first = _trained(model, recipe, X, y)
    agreement = float((first.decision(X) == model.tree.decision(X)).mean())
    if agreement < LEAST_AGREEMENT:
        return StandIn(agreement, ())
    again: list[TreeModel] = []
    for counts in bootstrap_counts(y, RETRAININGS, len(y), rng):
        rows = np.repeat(np.arange(len(y)), counts)
        again.append(_trained(model, recipe, X[rows], y[rows]))
        progress(len(again) / RETRAININGS, f"Stand-in {len(again)} of {RETRAININGS}")
    return StandIn(agreement, tuple(again))


def _trained(model: BroughtModel, recipe: Recipe, X: Array, y: npt.NDArray[np.int64]) -> TreeModel:
    boosting = HistGradientBoostingClassifier(
        learning_rate=recipe.learning_rate,
        max_iter=len(model.tree.trees),
        max_leaf_nodes=recipe.leaves,
        max_depth=recipe.depth,
        min_samples_leaf=recipe.least_leaf,
        l2_regularization=recipe.ridge,
        early_stopping=False,
        random_state=0,
    )
    boosting.fit(X, y)
    return read_boosting(boosting).at_threshold(model.threshold)
