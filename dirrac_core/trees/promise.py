"""What may be promised: fresh re-trainings the plan has not seen, and a bound from their number."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from dirrac_core.arrays import Array
from dirrac_core.errors import InvalidInput
from dirrac_core.models.boosted.tree_model import TreeModel
from dirrac_core.trees.problem import TreeProblem

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Promise:
    """`declined` of `fresh` re-trainings decline the plan; with `confidence` at most the share
    `at_most` of all re-trainings of this kind do."""

    declined: int
    fresh: int
    at_most: float
    confidence: float = CONFIDENCE

    @property
    def observed(self) -> float:
        """The share that declined."""
        return self.declined / self.fresh

    @property
    def sentence(self) -> str:
        """The promise in one sentence."""
        return (
            f"With {self.confidence:.0%} confidence at most {_in_100(self.at_most)} in 100 "
            f"re-trainings of this kind decline the plan."
        )


def promise_of(problem: TreeProblem, x: Array, fresh: Sequence[TreeModel]) -> Promise:
    """The promise of a plan x (D,) from fresh re-trainings, drawn apart from those planned on."""
    if not fresh:
        raise InvalidInput("A promise needs fresh re-trainings, got none")
    declined = int((~problem.decisions(x, fresh)).sum())
    return Promise(declined, len(fresh), upper_bound(declined, len(fresh)))


def upper_bound(declined: int, fresh: int, confidence: float = CONFIDENCE) -> float:
    """The one-sided Clopper–Pearson bound: the p with P(Bin(fresh, p) ≤ declined) = 1 − confidence.

    It is the `confidence` quantile of Beta(declined + 1, fresh − declined); 1 when all declined.
    """
    if not 0 <= declined <= fresh or fresh < 1:
        raise InvalidInput(f"declined must be from 0 to fresh ≥ 1, got {declined} of {fresh}")
    if declined == fresh:
        return 1.0
    return float(stats.beta.ppf(confidence, declined + 1, fresh - declined))


def _in_100(share: float) -> str:
    """Rounded up: a promise must not be made smaller by rounding."""
    return f"{np.ceil(1000.0 * share - 1e-9) / 10.0:g}"
