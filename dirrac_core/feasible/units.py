"""How large a change of a column is one that matters: the unit a solver should measure it in."""

import numpy as np

from dirrac_core.arrays import Array
from dirrac_core.feasible.bounds import ColumnBounds
from dirrac_core.models.mixture import ParameterMixture
from dirrac_core.robustness import Doubt


def column_units(
    x0: Array, bounds: ColumnBounds, mixture: ParameterMixture, doubt: Doubt, margins: Array
) -> Array:
    """A unit for each of the D − 1 columns, > 0; rescaling a column rescales its unit.

    A change of column c by u moves m, s and r of component k by at most g_kc·u, where
    g_kc = |θ̂_kc| + √Σ̂_kcc + ρ_k√M_kcc. At x, the point of the box nearest to x0, they are of the
    size max_c g_kc|x_c|, and validity asks for ε_k (`margins`): M_k is the larger of the two. So
    min_k M_k/g_kc changes something by all of its size. A column never needs more than its range.
    """
    nearest = np.append(np.minimum(np.maximum(x0[:-1], bounds.lower), bounds.upper), 1.0)
    variances = np.diagonal(mixture.covariances, axis1=1, axis2=2)
    reach = doubt.radii[:, None] * doubt.diagonal_roots()
    g = np.abs(mixture.means) + np.sqrt(np.maximum(variances, 0.0)) + reach
    size = np.maximum((g * np.abs(nearest)).max(axis=1), margins)
    with np.errstate(divide="ignore", invalid="ignore"):
        matters = (size[:, None] / g)[:, :-1]
    matters = np.where(g[:, :-1] > 0.0, matters, np.inf).min(axis=0)
    units = np.minimum(matters, np.where(bounds.bounded, bounds.sizes, np.inf))
    known = np.isfinite(units) & (units > 0.0)
    return np.where(known, units, bounds.sizes)
