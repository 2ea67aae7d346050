"""What the shift lab computes: models after a shift, what plans are prepared for, and validity.

Only the core is called here, never the screen, so that long work can run beside the pages; what
was computed is kept for every visitor.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import pandas as pd

from dirrac_core import load_dataset
from dirrac_core.arrays import Array
from dirrac_core.baselines import Dirrac, Method, Plan, Roar
from dirrac_core.data.actions import Actions
from dirrac_core.data.synthetic import SHIFTS, ShiftKind, shifted_set, shifted_sets
from dirrac_core.evaluation import Applicant, declined_applicants, shift_impact
from dirrac_core.evaluation.parallel import Cancel, Progress
from dirrac_core.evaluation.shift_impact import MAGNITUDES
from dirrac_core.figures.shift_types import Shifted
from dirrac_core.models.bundle import ModelBundle, prepare
from dirrac_core.models.estimate import one_component
from dirrac_core.models.logistic import fit_logistic
from dirrac_core.models.mixture import ParameterMixture

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


@lru_cache(maxsize=len(SHIFTS) * len(SIZES))
def after_shift(kind: ShiftKind, size: float) -> Shifted:
    """The models trained after a shift, each on its own sample, and the people of the first.

    The random numbers are the same at every size, and those of `shift_impact` for one size, so
    that people and models move smoothly and the curve shows exactly these models.
    """
    (rng,) = np.random.default_rng(SEED).spawn(1)
    schema = models_today().dataset.schema
    samples = [shifted_set(schema, kind, size, child).sample for child in rng.spawn(MODELS)]
    models = np.vstack([fit_logistic(sample.X, sample.y) for sample in samples])
    return Shifted(samples[0].X, samples[0].y, models)


@lru_cache(maxsize=2)
def prepared_for(future: str) -> Prepared:
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
    sets = shifted_sets(SEED, schema=bundle.dataset.schema)
    parameters = np.vstack([fit_logistic(each.sample.X, each.sample.y) for each in sets])
    labels = np.array([SHIFTS.index(each.kind) for each in sets])
    moments = [one_component(parameters[labels == k]) for k in range(len(SHIFTS))]
    mixture = ParameterMixture(
        np.bincount(labels) / len(labels),
        [mean for mean, _ in moments],
        [covariance for _, covariance in moments],
    )
    return Prepared(parameters, labels, mixture, tuple(SHIFT_NAMES[kind] for kind in SHIFTS))


@lru_cache(maxsize=64)
def methods(future: str, delta_add: float) -> tuple[Remembered, ...]:
    """DiRRAc, Gaussian DiRRAc and ROAR with their plans for ten declined people."""
    current = models_today().current
    asked: list[Method] = [dirrac(future, delta_add, link) for link in ("chebyshev", "gaussian")]
    asked.append(Roar(current))
    return tuple(
        Remembered(
            method.name,
            method.parameter,
            {a.x0.tobytes(): method.recourse(a.x0, a.actions) for a in _applicants()},
        )
        for method in asked
    )


def dirrac(future: str, delta_add: float, link: str = "chebyshev") -> Dirrac:
    """DiRRAc as the lab asks it: ρ = 0.1, and a plan must also be accepted today."""
    current, mixture = models_today().current, prepared_for(future).mixture
    return Dirrac(current, mixture, RADIUS, delta_add, link=link, current_model=current.theta)


def plan_facts(future: str, delta_add: float) -> pd.DataFrame:
    """One row a method: the mean effort of its plans, and their mean worst case (any shape)."""
    objective = dirrac(future, delta_add).objective()
    rows = []
    for method in methods(future, delta_add):
        found = [plan for plan in method.plans.values() if plan.x is not None]
        rows.append(
            {
                "method": method.name,
                "plans": len(found),
                "effort": float(np.mean([plan.cost_l1 for plan in found])),
                "worst_case": float(np.mean([objective.value(plan.x) for plan in found])),
            }
        )
    return pd.DataFrame(rows)


@lru_cache(maxsize=1)
def _applicants() -> tuple[Applicant, ...]:
    """Ten declined people, spread evenly over all of them."""
    bundle = models_today()
    places = np.linspace(0, len(bundle.declined) - 1, APPLICANTS).astype(int)
    return tuple(declined_applicants(bundle, rows=bundle.declined[places]))


@lru_cache(maxsize=16 * len(SHIFTS) * len(SIZES))
def validity(future: str, delta_add: float, kind: ShiftKind, size: float) -> pd.DataFrame:
    """One row a method: M2 over the models of one shift; columns of `shift_impact`."""
    schema = models_today().dataset.schema
    return shift_impact(
        _applicants(), methods(future, delta_add), schema, [kind], [size], MODELS, seed=SEED
    )


def curves(future: str, delta_add: float, progress: Progress, cancel: Cancel) -> pd.DataFrame:
    """`validity` for every kind and size; when stopped, those finished so far."""
    steps = [(kind, size) for kind in SHIFTS for size in SIZES]
    rows: list[pd.DataFrame] = []
    for place, (kind, size) in enumerate(steps):
        if cancel():
            break
        rows.append(validity(future, delta_add, kind, size))
        progress((place + 1) / len(steps), f"{SHIFT_NAMES[kind]} of {size:.1f}")
    return pd.concat(rows, ignore_index=True) if rows else pd.DataFrame()
