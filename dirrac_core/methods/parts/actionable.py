"""The actionable set X alone, without any model: its convex pieces and a quick projection."""

from functools import lru_cache

import numpy as np

from dirrac_core.arrays import Array
from dirrac_core.data.schema.actions import Actions
from dirrac_core.feasible.bounds import ColumnBounds, column_bounds
from dirrac_core.feasible.piece import Piece
from dirrac_core.models.mixture import ParameterMixture
from dirrac_core.robustness import Doubt


def actionable_piece(x0: Array, actions: Actions, bounds: ColumnBounds) -> Piece:
    """X within `bounds`, groups relaxed to the simplex.

    A piece carries a validity row; that of the model which accepts everybody (score 1) is void.
    """
    mixture, doubt = _accepts_all(x0.size)
    return Piece(x0, mixture, doubt, actions, bounds, "l1", np.zeros(1), None)


@lru_cache(maxsize=16)
def _accepts_all(dimension: int) -> tuple[ParameterMixture, Doubt]:
    """The one model of this many parameters that accepts everybody, beyond doubt."""
    theta = np.zeros((1, dimension))
    theta[0, -1] = 1.0
    mixture = ParameterMixture([1.0], theta, np.zeros((1, dimension, dimension)))
    return mixture, Doubt.of(mixture, 0.0)


class QuickProjection:
    """Euclidean projection on the bounds and the simplices of the one-hot groups.

    Linear and conditional rules are left out: gradient methods take thousands of these steps,
    and their checklist tells when a rule is broken.
    """

    def __init__(self, x0: Array, actions: Actions) -> None:
        bounds = column_bounds(x0, actions)
        self._lower, self._upper = bounds.lower, bounds.upper
        free = bounds.lower < bounds.upper
        self._groups = [np.array(group) for group in actions.groups if free[list(group)].any()]

    def __call__(self, x: Array) -> Array:
        """The nearest point, constant last entry 1."""
        nearest = np.ones_like(x)
        nearest[:-1] = np.clip(x[:-1], self._lower, self._upper)
        for group in self._groups:
            nearest[group] = on_simplex(x[group], self._lower[group], self._upper[group])
        return nearest


def on_simplex(v: Array, lower: Array, upper: Array) -> Array:
    """The projection of v on {l ≤ z ≤ u, Σ z = 1}: clip(v − τ, l, u) with τ such that Σ = 1.

    The sum falls piecewise linearly in τ, with kinks at v − u and v − l, so τ is interpolated.
    """
    kinks = np.sort(np.concatenate([v - upper, v - lower]))[::-1]
    sums = np.clip(v - kinks[:, None], lower, upper).sum(axis=1)
    nearest: Array = np.clip(v - np.interp(1.0, sums, kinks), lower, upper)
    return nearest
