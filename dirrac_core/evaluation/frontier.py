"""Cost against validity: each method swept over its parameter, for one applicant or a dataset."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import numpy.typing as npt
import pandas as pd

from dirrac_core.baselines import Dirrac, Method, Roar, RoarPublished
from dirrac_core.data.actions import Actions
from dirrac_core.evaluation.applicants import Applicant
from dirrac_core.evaluation.measures import Judge, Measures, describe, measure, table
from dirrac_core.evaluation.parallel import ALL_CORES, Cancel, Mapped, Progress, mapped
from dirrac_core.robustness import Objective

# The paper's frontiers: δ_add in [0, 2] for DiRRAc and λ in [0.01, 0.2] for ROAR; its study of ρ
# fixes δ_add = 0.1 and takes ρ in [0, 0.5].
DELTA_ADDS = tuple(float(add) for add in np.linspace(0.0, 2.0, 9))
LAMBDAS = tuple(float(lam) for lam in np.geomspace(0.01, 0.2, 9))
RADII = tuple(float(rho) for rho in np.linspace(0.0, 0.5, 11))


def frontier_methods(
    dirrac: Dirrac,
    roars: Sequence[Roar | RoarPublished] = (),
    others: Sequence[Method] = (),
    delta_adds: Sequence[float] = DELTA_ADDS,
    lambdas: Sequence[float] = LAMBDAS,
) -> list[Method]:
    """DiRRAc at every δ_add, each ROAR at every λ, and the other methods as single points."""
    methods: list[Method] = [replace(dirrac, delta_add=float(add)) for add in delta_adds]
    for roar in roars:
        for lam in lambdas:
            methods.append(replace(roar, settings=replace(roar.settings, lam=float(lam))))
    return [*methods, *others]


def applicant_frontier(
    x0: npt.ArrayLike,
    actions: Actions,
    methods: Sequence[Method],
    judge: Judge,
    objective: Objective | None = None,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> pd.DataFrame:
    """One row a method and parameter: cost, M2 with its Wilson interval, worst-case bound, plan.

    The columns are those of `table` plus `worst_case`, the DiRRAc bound of `objective` on the
    probability that a future model declines the plan, whichever method made it. When `cancel`
    answers True the rows finished so far are returned; `attrs["complete"]` tells which it is.
    """
    measured: list[Measures] = []
    for index, method in enumerate(methods):
        if cancel is not None and cancel():
            break
        plan = method.recourse(x0, actions)
        measured.append(measure(plan, x0, actions, judge, method.parameter))
        if progress is not None:
            progress((index + 1) / len(methods), f"{method.name} at {method.parameter:.3g}")
    frame = table(measured)
    frame["worst_case"] = _bounds(measured, objective)
    frame.attrs["complete"] = len(measured) == len(methods)
    return frame


def dataset_frontier(
    applicants: Sequence[Applicant],
    methods: Sequence[Method],
    judge: Judge,
    objective: Objective | None = None,
    jobs: int | None = ALL_CORES,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> pd.DataFrame:
    """One row a method and parameter: the columns of `summary`, and the mean `worst_case` bound.

    When cancelled, the means are over the applicants finished so far (see `n`), and
    `attrs["complete"]` is False.
    """
    done = measure_all(applicants, methods, judge, jobs, progress, cancel)
    rows = []
    for index, method in enumerate(methods):
        measured = [result[index] for result in done.results]
        bounds = [bound for bound in _bounds(measured, objective) if not np.isnan(bound)]
        rows.append(
            {
                "method": method.name,
                "parameter": method.parameter,
                **describe(measured),
                "worst_case": float(np.mean(bounds)) if bounds else np.nan,
            }
        )
    frame = pd.DataFrame(rows)
    frame.attrs["complete"] = done.complete
    return frame


def sensitivity(
    applicants: Sequence[Applicant],
    dirrac: Dirrac,
    judge: Judge,
    radii: Sequence[float] = RADII,
    delta_adds: Sequence[float] = (0.1,),
    jobs: int | None = ALL_CORES,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> pd.DataFrame:
    """DiRRAc at every pair of ρ (the same for all components) and δ_add: columns of `summary`.

    `worst_case` is the mean bound at that ρ. A large ρ leaves some applicants without a plan:
    read the means beside `plans` and `n`.
    """
    pairs = [(float(rho), float(add)) for rho in radii for add in delta_adds]
    methods = [replace(dirrac, radii=rho, delta_add=add) for rho, add in pairs]
    done = measure_all(applicants, methods, judge, jobs, progress, cancel)
    rows = []
    for index, ((rho, add), method) in enumerate(zip(pairs, methods, strict=True)):
        measured = [result[index] for result in done.results]
        bounds = [b for b in _bounds(measured, method.objective()) if not np.isnan(b)]
        worst = float(np.mean(bounds)) if bounds else np.nan
        row = {"method": method.name, "rho": rho, "delta_add": add}
        rows.append(row | describe(measured) | {"worst_case": worst})
    frame = pd.DataFrame(rows)
    frame.attrs["complete"] = done.complete
    return frame


def measure_all(
    applicants: Sequence[Applicant],
    methods: Sequence[Method],
    judge: Judge,
    jobs: int | None = ALL_CORES,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> Mapped[list[Measures]]:
    """For each applicant the measures of every method, in order."""
    ask = partial(_measure_methods, methods=methods, judge=judge)
    return mapped(ask, applicants, jobs, progress, cancel)


def _measure_methods(
    applicant: Applicant, methods: Sequence[Method], judge: Judge
) -> list[Measures]:
    x0, actions = applicant.x0, applicant.actions
    return [
        measure(method.recourse(x0, actions), x0, actions, judge, method.parameter)
        for method in methods
    ]


def _bounds(measured: Sequence[Measures], objective: Objective | None) -> list[float]:
    """The worst-case bound of every plan; NaN without a plan or an objective."""
    return [
        np.nan if m.plan.x is None or objective is None else objective.value(m.plan.x)
        for m in measured
    ]
