"""Future models seen in a plane: points, the ellipse and the ball of every component."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dirrac_core.arrays import Array, frozen_array
from dirrac_core.errors import InvalidInput
from dirrac_core.models.mixture import ParameterMixture
from dirrac_core.robustness import Doubt, Metric
from dirrac_core.robustness.coverage import Coverage, coverage

PRINCIPAL = "principal"
DEVIATIONS = 2.0
CURVE_POINTS = 121


@dataclass(frozen=True, eq=False)
class CloudComponent:
    """The models of one component (n, 2), its mean (2,), ellipse and ball as closed curves."""

    models: Array
    mean: Array
    ellipse: Array
    ball: Array
    radius: float


@dataclass(frozen=True, eq=False)
class ModelCloud:
    """Everything a picture of the models shows, in its plane; `titles` name the two axes.

    `shifted` (m, 2) are the models after the shift and `covered` how far away they are; `is_round`
    says that the balls are circles.
    """

    titles: tuple[str, str]
    components: tuple[CloudComponent, ...]
    is_round: bool
    shifted: Array | None = None
    covered: Coverage | None = None

    @property
    def models(self) -> int:
        """How many re-trained models there are."""
        return sum(len(component.models) for component in self.components)


def model_cloud(
    parameters: npt.ArrayLike,
    labels: npt.ArrayLike,
    mixture: ParameterMixture,
    radii: npt.ArrayLike,
    columns: tuple[str, ...],
    view: tuple[int, int] | str = PRINCIPAL,
    shifted: npt.ArrayLike | None = None,
    metric: Metric = "weights",
    covered: Coverage | None = None,
) -> ModelCloud:
    """Models θ (n, D) seen in two weights (`view` = their places) or two principal components.

    Each component has an ellipse of two deviations around its mean and the ball of means within
    ρ_k in the `metric`: a circle of radius ρ_k in the paper's, because the view only turns and
    projects, otherwise an ellipse. `columns` names the D weights, the bias last; `labels` (n,)
    says which component each model belongs to; `shifted` (m, D) are the models trained after the
    shift and `covered` where they lie, when that is known already.
    """
    d = mixture.dimension
    theta = frozen_array("parameters", parameters, (None, d))
    moved = None if shifted is None else frozen_array("shifted", shifted, (None, d))
    doubt = Doubt.of(mixture, radii, metric)
    member = np.asarray(labels)
    if member.shape != (len(theta),) or not np.isin(member, range(mixture.components)).all():
        raise InvalidInput(
            f"labels must give each of the {len(theta)} models a component from 0 to "
            f"{mixture.components - 1}, got shape {member.shape}"
        )
    if len(columns) != d:
        raise InvalidInput(f"columns must name all {d} weights, the bias last, got {len(columns)}")
    rows, titles = plane_of(theta, view, columns)
    components = tuple(
        _component(k, theta[member == k], mixture, doubt, rows) for k in range(mixture.components)
    )
    if covered is None and moved is not None and len(moved) > 1:
        covered = coverage(moved, mixture, doubt.radii, doubt.metric)
    seen = None if moved is None else moved @ rows.T
    return ModelCloud(titles, components, doubt.factors is None, seen, covered)


def plane_of(
    parameters: Array, view: tuple[int, int] | str, columns: tuple[str, ...]
) -> tuple[Array, tuple[str, str]]:
    """Two orthonormal rows (2, D) to look along, and what to call them."""
    d = parameters.shape[1]
    if view == PRINCIPAL:
        centred = parameters - parameters.mean(axis=0)
        _, sizes, directions = np.linalg.svd(centred, full_matrices=True)
        spread = np.zeros(2)
        spread[: min(2, sizes.size)] = sizes[:2] ** 2
        total = float((sizes**2).sum())
        part = spread / total if total > 0.0 else spread
        return directions[:2], (
            f"1st principal component ({part[0]:.0%} of the spread)",
            f"2nd principal component ({part[1]:.0%})",
        )
    places = [v for v in view if isinstance(v, int | np.integer) and 0 <= v < d]
    if len(view) != 2 or len(set(places)) != 2:
        raise InvalidInput(
            f'view must be "principal" or two different weights below {d}, got {view!r}'
        )
    i, j = places
    return np.eye(d)[[i, j]], (f"weight of {columns[i]}", f"weight of {columns[j]}")


def _component(
    k: int, models: Array, mixture: ParameterMixture, doubt: Doubt, rows: Array
) -> CloudComponent:
    mean = rows @ mixture.means[k]
    ellipse = _ellipse(mean, rows @ mixture.covariances[k] @ rows.T, DEVIATIONS)
    radius, matrix = float(doubt.radii[k]), doubt.matrix(k)
    around = np.eye(2) if matrix is None else rows @ matrix @ rows.T
    return CloudComponent(models @ rows.T, mean, ellipse, _ellipse(mean, around, radius), radius)


def _ellipse(mean: Array, covariance: Array, deviations: float) -> Array:
    """The closed curve of points `deviations` away from a mean (2,) under a covariance (2, 2)."""
    angles = np.linspace(0.0, 2.0 * np.pi, CURVE_POINTS)
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    values, vectors = np.linalg.eigh(covariance)
    curve: Array = circle * np.sqrt(np.maximum(values, 0.0)) * deviations @ vectors.T + mean
    return curve
