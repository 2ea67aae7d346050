"""A plan for every declined applicant, and who bears the cost: equity by any feature."""

from collections.abc import Sequence
from functools import partial

import numpy as np
import pandas as pd

from dirrac_core.baselines.dirrac import Dirrac
from dirrac_core.baselines.protocol import judged
from dirrac_core.data.dataset import Dataset
from dirrac_core.errors import InvalidInput
from dirrac_core.evaluation.applicants import Applicant
from dirrac_core.evaluation.intervals import mean_interval, share_interval
from dirrac_core.evaluation.measures import Judge, features_changed, plausibility
from dirrac_core.evaluation.parallel import ALL_CORES, Cancel, Progress, mapped
from dirrac_core.feasible import FeasibleSet
from dirrac_core.models.classifiers import LinearModel
from dirrac_core.models.mixture import ParameterMixture
from dirrac_core.recourse import find_recourse

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
) -> pd.DataFrame:
    """One row an applicant: the DiRRAc plan, its certificate, and how it fares.

    `cost` is in the norm of the problem. `price_of_robustness` is what the plan costs more than
    the cheapest one today's linear model accepts, with the same rules (NaN where today's model
    is not linear). `worst_case`, `lower_bound` and `gap` are the certificate. When cancelled the
    first part of the applicants is returned and `attrs["complete"]` is False.
    """
    plan = partial(_planned, dirrac=dirrac, judge=judge)
    done = mapped(plan, applicants, jobs, progress, cancel)
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


def _planned(applicant: Applicant, dirrac: Dirrac, judge: Judge) -> dict[str, object]:
    x0, actions = applicant.x0, applicant.actions
    plan = find_recourse(dirrac.problem(x0, actions), dirrac.solver, dirrac.gap)
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
    m2 = share_interval(judge.future.accepts(plan.x))
    today = judged(plan.x, x0, actions, dirrac.current, dirrac.categories == "whole").checks[-1]
    return row | {
        "price_of_robustness": plan.cost - _cheapest_today(applicant, dirrac),
        "m1": today.ok,
        "m2": m2.value,
        "m2_low": m2.low,
        "m2_high": m2.high,
        "features_changed": features_changed(plan.x, x0, actions.groups),
        "plausibility": plausibility(plan.x, judge.favourable),
    }


def _cheapest_today(applicant: Applicant, dirrac: Dirrac) -> float:
    """The cost of the cheapest plan today's linear model accepts; NaN when it is not linear."""
    if not isinstance(dirrac.current, LinearModel):
        return np.nan
    theta = dirrac.current.theta
    certain = ParameterMixture([1.0], theta[None], np.zeros((1, theta.size, theta.size)))
    return FeasibleSet(
        applicant.x0,
        certain,
        0.0,
        applicant.actions,
        dirrac.cost,
        margin=dirrac.margin,
        categories=dirrac.categories,
    ).delta_min()
