"""A plan for every declined applicant, and who bears the cost: equity by any feature."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache, partial

import numpy as np
import pandas as pd

from dirrac_core.baselines.dirrac import Dirrac
from dirrac_core.data.dataset import Dataset, Sample
from dirrac_core.errors import InvalidInput
from dirrac_core.evaluation.applicants import Applicant
from dirrac_core.evaluation.intervals import Interval, mean_interval, share_interval
from dirrac_core.evaluation.measures import Judge, features_changed, plausibility
from dirrac_core.evaluation.parallel import ALL_CORES, Cancel, Progress, mapped
from dirrac_core.feasible import FeasibleSet
from dirrac_core.models.classifiers import LinearModel
from dirrac_core.models.mixture import ParameterMixture
from dirrac_core.real_units import plan_in_real_units
from dirrac_core.recourse import Recourse, find_recourse

BINS = 4
# What is averaged over the plans of a group; the second ones are probabilities and shares.
MEANS = ("cost", "price_of_robustness", "gap", "features_changed", "plausibility")
SHARES = ("worst_case", "m2")


def portfolio(
    applicants: Sequence[Applicant],
    dirrac: Dirrac,
    judge: Judge,
    jobs: int | None = ALL_CORES,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
    units: Dataset | None = None,
) -> pd.DataFrame:
    """One row an applicant: the DiRRAc plan, its certificate, and how it fares.

    With the dataset as `units` every plan is in whole units of its schema, re-checked; otherwise
    it is the exact solution. `cost` is in the norm of the problem. `price_of_robustness` is what
    the plan costs more than the cheapest one today's linear model accepts, with the same rules
    (NaN where today's model is not linear). `worst_case`, `lower_bound` and `gap` are the
    certificate. When cancelled the first part of the applicants is returned and
    `attrs["complete"]` is False.
    """
    light = None if units is None else without_people(units)
    ask = partial(_asked, dirrac=dirrac, judge=judge, units=light)
    done = mapped(ask, applicants, jobs, progress, cancel)
    frame = pd.DataFrame(done.results)
    frame.attrs["complete"] = done.complete
    return frame


def equity(frame: pd.DataFrame, dataset: Dataset, feature: str, bins: int = BINS) -> pd.DataFrame:
    """The portfolio by groups of one feature: a category each, or `bins` quantiles of a number.

    Each group has `n` applicants, the share `infeasible` without a plan (Wilson interval), and
    over its `plans` the means (t interval) of cost, price of robustness, gap, features changed,
    plausibility, worst case and M2.
    """
    if bins < 1:
        message = f"The number of groups must be ≥ 1, got {bins}"
        raise InvalidInput(message)
    described = dataset.schema.feature(feature)
    people = dataset.present.people[feature].iloc[frame["row"]].reset_index(drop=True)
    if described.is_categorical:
        groups = people.astype(str)
        names = [name for name in described.categories if (groups == name).any()]
    else:
        part = pd.qcut(people, bins, labels=False, duplicates="drop")
        ends = people.groupby(part).agg(["min", "max"])
        # A group is named by the smallest and the largest value in it.
        words = [
            described.format_value(high)
            if low == high
            else f"{described.number(low)} – {described.format_value(high)}"
            for low, high in zip(ends["min"], ends["max"], strict=True)
        ]
        groups = part.map(dict(zip(ends.index, words, strict=True)))
        names = words
    rows = []
    for name in names:
        chosen = frame[(groups == name).to_numpy()]
        found = chosen[chosen["found"]]
        infeasible = share_interval(~chosen["found"].to_numpy(dtype=bool))
        row: dict[str, object] = {
            "feature": feature,
            "group": name,
            "n": len(chosen),
            "plans": len(found),
            "infeasible": infeasible.value,
            "infeasible_low": infeasible.low,
            "infeasible_high": infeasible.high,
        }
        for column in (*MEANS, *SHARES):
            values = found[column].dropna().to_numpy(dtype=np.float64)
            mean = mean_interval(values, shares=column in SHARES)
            row |= {column: mean.value, f"{column}_low": mean.low, f"{column}_high": mean.high}
        rows.append(row)
    return pd.DataFrame(rows)


def without_people(dataset: Dataset) -> Dataset:
    """The schema and all that is said of a dataset, light enough to travel to a worker."""
    present = dataset.present
    nobody = Sample(present.X[:0], present.y[:0], present.people[:0])
    return replace(dataset, present=nobody, shifted=None)


def planned(applicant: Applicant, dirrac: Dirrac, units: Dataset | None = None) -> Recourse:
    """The plan of one applicant, in whole units when the dataset is given as `units`."""
    problem = dirrac.problem(applicant.x0, applicant.actions)
    plan = find_recourse(problem, dirrac.solver, dirrac.gap)
    return plan if units is None else plan_in_real_units(units, problem, plan).plan


def plan_row(
    plan: Recourse, applicant: Applicant, dirrac: Dirrac, judge: Judge
) -> dict[str, object]:
    """The row of one applicant's plan in the portfolio."""
    row: dict[str, object] = {
        "row": applicant.row,
        "status": plan.status,
        "found": plan.x is not None,
        "cost": plan.cost,
        "delta_min": plan.delta_min,
        "price_of_robustness": np.nan,
        "worst_case": plan.worst_case_probability,
        "lower_bound": plan.lower_bound,
        "gap": plan.gap,
        "m1": False,
        "m2": np.nan,
        "m2_low": np.nan,
        "m2_high": np.nan,
        "features_changed": np.nan,
        "plausibility": np.nan,
        "seconds": plan.seconds,
        "message": plan.message,
        "x": plan.x,
    }
    if plan.x is None:
        return row
    accepted = judge.future.accepts(plan.x)
    m2 = _share(int(accepted.sum()), accepted.size)
    return row | {
        "price_of_robustness": plan.cost - _cheapest_today(applicant, dirrac),
        "m1": bool(dirrac.current.decision(plan.x[None, :-1])[0]),
        "m2": m2.value,
        "m2_low": m2.low,
        "m2_high": m2.high,
        "features_changed": features_changed(plan.x, applicant.x0, applicant.actions.groups),
        "plausibility": plausibility(plan.x, judge.favourable),
    }


def _asked(
    applicant: Applicant, dirrac: Dirrac, judge: Judge, units: Dataset | None
) -> dict[str, object]:
    return plan_row(planned(applicant, dirrac, units), applicant, dirrac, judge)


@lru_cache
def _share(accepted: int, models: int) -> Interval:
    """The Wilson interval of a share that many applicants have in common."""
    return share_interval(np.arange(models) < accepted)


def _cheapest_today(applicant: Applicant, dirrac: Dirrac) -> float:
    """The cost of the cheapest plan today's linear model accepts; NaN when it is not linear."""
    if not isinstance(dirrac.current, LinearModel):
        return np.nan
    return FeasibleSet(
        applicant.x0,
        _certain(dirrac.current),
        0.0,
        applicant.actions,
        dirrac.cost,
        margin=dirrac.margin,
        categories=dirrac.categories,
    ).delta_min()


@lru_cache(maxsize=8)
def _certain(today: LinearModel) -> ParameterMixture:
    """Today's model as a mixture without any doubt; the same for every applicant."""
    theta = today.theta
    return ParameterMixture([1.0], theta[None], np.zeros((1, theta.size, theta.size)))
