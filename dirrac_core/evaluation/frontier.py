"""Cost against validity: each method swept over its parameter, for one applicant or a dataset."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from dirrac_core.baselines import Dirrac, Method, Roar, RoarPublished
from dirrac_core.data.actions import Actions
from dirrac_core.evaluation.measures import Judge, Measures, measure, table
from dirrac_core.robustness import Objective

Progress = Callable[[float, str], None]
Cancel = Callable[[], bool]

# The paper's frontiers: δ_add in [0, 2] for DiRRAc and λ in [0.01, 0.2] for ROAR.
DELTA_ADDS = tuple(np.linspace(0.0, 2.0, 9))
LAMBDAS = tuple(np.geomspace(0.01, 0.2, 9))


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
    frame["worst_case"] = [
        np.nan if m.plan.x is None or objective is None else objective.value(m.plan.x)
        for m in measured
    ]
    frame.attrs["complete"] = len(measured) == len(methods)
    return frame
