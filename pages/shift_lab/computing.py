"""What the shift lab computes: models after a shift, what plans are prepared for, and validity.

Only the core is called here, never the screen, so that long work can run in the background; what
was computed is kept for every visitor.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
import numpy.typing as npt
import pandas as pd

from dirrac_core import load_dataset
from dirrac_core.arrays import Array
from dirrac_core.data.datasets.synthetic import SHIFTS, ShiftKind
from dirrac_core.data.schema.actions import Actions
from dirrac_core.figures.lessons.shift_types import Shifted
from dirrac_core.methods import Dirrac, Method, Plan, Roar
from dirrac_core.models.bundle import prepare
from dirrac_core.models.classifiers import LinearModel
from dirrac_core.models.mixture import ParameterMixture
from dirrac_core.models.training import ModelBundle
from dirrac_core.paper.synthetic_futures import kinds_of_models
from dirrac_core.parallel import mapped
from dirrac_core.progress import Cancel, Progress
from dirrac_core.studies import Applicant, spread_applicants
from dirrac_core.studies.shift_impact import MAGNITUDES, impact_at, models_after_shift

SEED, RADIUS, APPLICANTS = 0, 0.1, 10
# Few enough to be trained while somebody drags the size of the shift.
MODELS = 10
SIZES = tuple(round(size, 10) for size in MAGNITUDES)
RETRAININGS, THREE_SHIFTS = "re-trainings", "shifts"
SHIFT_NAMES = {"mean": "Mean shift", "covariance": "Covariance shift", "both": "Both shifts"}


@dataclass(frozen=True, eq=False)
class Prepared:
    """What plans are prepared for: models (n, D), the component of each, mixture and names."""

    parameters: Array
    labels: npt.NDArray[np.int64]
    mixture: ParameterMixture
    names: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Remembered:
    """A method that has already made its plans, by applicant: later models do not change them."""

    name: str
    parameter: float
    plans: Mapping[bytes, Plan]

    def recourse(self, x0: npt.ArrayLike, actions: Actions) -> Plan:
        """The plan made for this applicant."""
        return self.plans[np.asarray(x0).tobytes()]


def models_today() -> ModelBundle:
    """The synthetic data and the models of today."""
    return prepare(load_dataset("synthetic"), "logistic", 1, SEED)


def model_today() -> LinearModel:
    """The model that decides today."""
    current = models_today().current
    assert isinstance(current, LinearModel)
    return current


@lru_cache(maxsize=len(SHIFTS) * len(SIZES))
def after_shift(kind: ShiftKind, size: float) -> Shifted:
    """The models trained after a shift, each on its own sample, and the people of the first."""
    schema = models_today().dataset.schema
    people, models = models_after_shift(schema, kind, size, MODELS, SEED)
    return Shifted(people.X, people.y.astype(np.float64), models)


@lru_cache(maxsize=2)
def preparation(future: str) -> Prepared:
    """Re-trainings on today's data (K = 1), or one component for each kind of shift (K = 3).

    The latter are the paper's hundred shifted sets: 33 mean, 33 covariance and 34 both shifts of
    growing size.
    """
    bundle = models_today()
    if future == RETRAININGS:
        assert bundle.parameters is not None and bundle.estimate is not None
        return Prepared(
            bundle.parameters,
            bundle.estimate.labels,
            bundle.estimate.mixture,
            ("Re-trained today",),
        )
    known = kinds_of_models(SEED)
    names = tuple(SHIFT_NAMES[kind] for kind in SHIFTS)
    return Prepared(known.parameters, known.labels, known.mixture(), names)


@lru_cache(maxsize=64)
def methods(future: str, delta_add: float, rho: float) -> tuple[Remembered, ...]:
    """DiRRAc, Gaussian DiRRAc and ROAR with their plans for ten declined people."""
    asked: list[Method] = [
        dirrac(future, delta_add, rho, link) for link in ("chebyshev", "gaussian")
    ]
    asked.append(Roar(model_today()))
    return tuple(
        Remembered(
            method.name,
            method.parameter,
            {a.x0.tobytes(): method.recourse(a.x0, a.actions) for a in _applicants()},
        )
        for method in asked
    )


def dirrac(future: str, delta_add: float, rho: float, link: str = "chebyshev") -> Dirrac:
    """DiRRAc as the lab sets it: a plan must also be accepted today."""
    current, mixture = model_today(), preparation(future).mixture
    return Dirrac(current, mixture, rho, delta_add, link=link, current_model=current.theta)


def plan_facts(future: str, delta_add: float, rho: float) -> pd.DataFrame:
    """One row per method: the mean effort of its plans, and their mean worst case (any shape)."""
    objective = dirrac(future, delta_add, rho).objective()
    rows = []
    for method in methods(future, delta_add, rho):
        found = [(plan.x, plan.cost_l1) for plan in method.plans.values() if plan.x is not None]
        rows.append(
            {
                "method": method.name,
                "plans": len(found),
                "effort": float(np.mean([cost for _, cost in found])),
                "worst_case": float(np.mean([objective.value(x) for x, _ in found])),
            }
        )
    return pd.DataFrame(rows)


@lru_cache(maxsize=1)
def _applicants() -> tuple[Applicant, ...]:
    """Ten declined people, spread evenly over all of them."""
    return tuple(spread_applicants(models_today(), APPLICANTS))


@lru_cache(maxsize=16 * len(SHIFTS) * len(SIZES))
def validity(
    future: str, delta_add: float, rho: float, kind: ShiftKind, size: float
) -> pd.DataFrame:
    """One row per method: M2 over the models of one shift; columns of `impact_at`."""
    schema = models_today().dataset.schema
    plans = methods(future, delta_add, rho)
    return impact_at(_applicants(), plans, schema, MODELS, SEED, (kind, size))


def curves(
    future: str, delta_add: float, rho: float, progress: Progress, cancel: Cancel
) -> pd.DataFrame:
    """`validity` for every kind and size; when stopped, those finished so far."""
    steps = [(kind, size) for kind in SHIFTS for size in SIZES]
    schema, plans = models_today().dataset.schema, methods(future, delta_add, rho)
    work = partial(impact_at, _applicants(), plans, schema, MODELS, SEED)
    # By the workers, which can be stopped in the middle; here every page would wait for it.
    rows = mapped(work, steps, None, progress, cancel).results
    return pd.concat(rows, ignore_index=True) if rows else pd.DataFrame()
