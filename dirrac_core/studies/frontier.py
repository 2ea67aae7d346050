"""Cost against validity: each method swept over its parameter, averaged over applicants."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from dirrac_core.methods import Dirrac, Method, Roar, RoarPublished
from dirrac_core.parallel import ALL_CORES
from dirrac_core.progress import Cancel, Progress, never, no_progress
from dirrac_core.robustness import Objective
from dirrac_core.studies.intervals import mean_interval
from dirrac_core.studies.measures import Judge, averages, measure_all, table, worst_cases
from dirrac_core.studies.people.applicants import Applicant

# The paper's frontiers: δ_add in [0, 2] for DiRRAc and λ in [0.01, 0.2] for ROAR.
DELTA_ADDS = tuple(float(add) for add in np.linspace(0.0, 2.0, 9))
LAMBDAS = tuple(float(lam) for lam in np.geomspace(0.01, 0.2, 9))


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


def dataset_frontier(
    applicants: Sequence[Applicant],
    methods: Sequence[Method],
    judge: Judge,
    objective: Objective,
    jobs: int | None = ALL_CORES,
    progress: Progress = no_progress,
    cancel: Cancel = never,
) -> pd.DataFrame:
    """The columns of `average_frontier` for every method's plans.

    When cancelled, the means are over the applicants finished so far (see `n`), and
    `attrs["complete"]` is False.
    """
    done = measure_all(applicants, methods, judge, jobs, progress, cancel)
    rows = []
    for index, method in enumerate(methods):
        measured = [result[index] for result in done.results]
        group = table(measured).assign(worst_case=worst_cases(measured, objective))
        rows.append({"method": method.name, "parameter": method.parameter, **_averaged(group)})
    frame = pd.DataFrame(rows)
    frame.attrs["complete"] = done.complete
    return frame


def average_frontier(rows: pd.DataFrame) -> pd.DataFrame:
    """One row per method and parameter: the `averages` over the applicants of `rows`.

    `rows` are those of `table` with the bound `worst_case` on the probability that a future model
    declines the plan. Its mean, and that of the share guaranteed to accept, 1 − worst case, are
    over the plans; the latter has Student's t interval, like M2.
    """
    groups = rows.groupby(["method", "parameter"], sort=False, dropna=False)
    return pd.DataFrame(
        [
            {"method": method, "parameter": parameter, **_averaged(group)}
            for (method, parameter), group in groups
        ]
    )


def _averaged(group: pd.DataFrame) -> dict[str, float]:
    found = group["found"].astype(bool)
    worst = group.loc[found, "worst_case"].to_numpy(dtype=np.float64)
    promised = mean_interval(1.0 - worst, shares=True)
    return averages(group) | {
        "worst_case": mean_interval(worst).value,
        "guaranteed": promised.value,
        "guaranteed_low_applicants": promised.low,
        "guaranteed_high_applicants": promised.high,
    }
