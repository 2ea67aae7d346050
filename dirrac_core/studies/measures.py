"""What a plan is worth: accepted today (M1), accepted later (M2), cost, sparsity, plausibility."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.spatial.distance import cdist

from dirrac_core.arrays import Array
from dirrac_core.data.schema.actions import Actions
from dirrac_core.data.schema.schema import CHANGE_TOLERANCE
from dirrac_core.methods.dirrac import Dirrac
from dirrac_core.methods.protocol import Method, Plan
from dirrac_core.models.classifiers import Decisions
from dirrac_core.models.futures.future import FutureModels
from dirrac_core.models.training import ModelBundle
from dirrac_core.parallel import ALL_CORES, Mapped, mapped
from dirrac_core.progress import Cancel, Progress, never, no_progress, scaled
from dirrac_core.robustness import Objective, checked_applicant
from dirrac_core.studies.intervals import Interval, mean_interval, share_interval, share_of
from dirrac_core.studies.people.applicants import Applicant

# Fewer people than this are planned for one by one, which is as fast.
FEW = 10
# So many people are planned for at once; results do not depend on it.
BATCH = 1024
# The part of the progress in which all are planned for at once, before the slower methods.
QUICK_SHARE = 0.1


@dataclass(frozen=True, eq=False)
class Judge:
    """Who judges plans: the future models, and the real people with the favourable outcome."""

    future: FutureModels
    favourable: Array

    @classmethod
    def of(cls, bundle: ModelBundle) -> "Judge":
        """The future models of a bundle and the favourable cases of its present data."""
        present = bundle.dataset.present
        return cls(bundle.future, present.X[present.y == 1])


@dataclass(frozen=True, eq=False)
class Measures:
    """One plan, measured. Without a plan M1 and the rule keeping are False, the numbers NaN.

    `m1`: today's model accepts. `m2`: the share of the future models that accept, with its
    Wilson interval over models; `future` their (n,) decisions. `features_changed` counts a
    one-hot group once. `plausibility` is the ℓ1 distance to the nearest real favourable case.
    """

    plan: Plan
    parameter: float
    m1: bool
    keeps_rules: bool
    m2: Interval
    future: Decisions | None
    features_changed: float
    plausibility: float


def measure(
    plan: Plan, x0: npt.ArrayLike, actions: Actions, judge: Judge, parameter: float = np.nan
) -> Measures:
    """Measure one plan of the applicant x0 (D, with the trailing 1)."""
    if plan.x is None:
        missing = share_interval(np.zeros(0, dtype=bool))
        return Measures(plan, parameter, False, False, missing, None, np.nan, np.nan)
    start = checked_applicant("x0", x0, plan.x.size)
    accepted = judge.future.accepts(plan.x)
    return Measures(
        plan=plan,
        parameter=parameter,
        m1=plan.accepted,
        keeps_rules=plan.keeps_rules,
        m2=share_of(int(accepted.sum()), accepted.size),
        future=accepted,
        features_changed=features_changed(plan.x, start, actions.groups),
        plausibility=plausibility(plan.x, judge.favourable),
    )


def measure_all(
    applicants: Sequence[Applicant],
    methods: Sequence[Method],
    judge: Judge,
    jobs: int | None = ALL_CORES,
    progress: Progress = no_progress,
    cancel: Cancel = never,
) -> Mapped[list[Measures]]:
    """For each applicant the measures of every method, in order.

    DiRRAc plans for all of them at once where the kernel can; the other
    methods, and everybody where there are fewer than FEW applicants, one by one.
    """
    quick = [
        method
        for method in methods
        if isinstance(method, Dirrac) and method.together and len(applicants) >= FEW
    ]
    slow = [method for method in methods if not any(method is each for each in quick)]
    share = 1.0 if not slow else QUICK_SHARE * bool(quick)
    asked = [
        (method, applicants[first : first + BATCH])
        for method in quick
        for first in range(0, len(applicants), BATCH)
    ]
    ask = partial(_measured_together, judge=judge)
    found = mapped(ask, asked, jobs, scaled(progress, 0.0, share), cancel)
    if not found.complete:
        return Mapped([], False)
    together: dict[int, list[Measures]] = {id(method): [] for method in quick}
    for (method, _), part in zip(asked, found.results, strict=True):
        together[id(method)] += part
    done: Mapped[list[Measures]] = Mapped([[] for _ in applicants], True)
    if slow:
        one = partial(measure_methods, methods=slow, judge=judge)
        done = mapped(one, applicants, jobs, scaled(progress, share, 1.0), cancel)
    results = []
    for place, others in enumerate(done.results):
        rest = iter(others)
        results.append(
            [
                together[id(method)][place] if id(method) in together else next(rest)
                for method in methods
            ]
        )
    return Mapped(results, done.complete)


def _measured_together(asked: tuple[Dirrac, Sequence[Applicant]], judge: Judge) -> list[Measures]:
    method, applicants = asked
    plans = method.recourse_many([(each.x0, each.actions) for each in applicants])
    return [
        measure(plan, each.x0, each.actions, judge, method.parameter)
        for plan, each in zip(plans, applicants, strict=True)
    ]


def measure_methods(
    applicant: Applicant, methods: Sequence[Method], judge: Judge
) -> list[Measures]:
    """One applicant's plans by every method, measured, in order."""
    x0, actions = applicant.x0, applicant.actions
    return [
        measure(method.recourse(x0, actions), x0, actions, judge, method.parameter)
        for method in methods
    ]


def features_changed(x: Array, x0: Array, groups: Iterable[tuple[int, ...]]) -> int:
    """How many features a plan changes; the one-hot columns of a group are one feature."""
    moved = np.abs(x - x0) > CHANGE_TOLERANCE
    count = 0
    for group in groups:
        count += int(moved[list(group)].any())
        moved[list(group)] = False
    return count + int(moved.sum())


def plausibility(x: Array, favourable: Array) -> float:
    """The ℓ1 distance from a plan to the nearest of the real favourable cases (n, D − 1)."""
    return float(cdist(x[None, :-1], favourable, "cityblock").min())


def table(measured: Sequence[Measures]) -> pd.DataFrame:
    """One row per plan: method, parameter, plan, costs, M1, M2 with interval, and the rest."""
    return pd.DataFrame(
        {
            "method": [m.plan.method for m in measured],
            "parameter": [m.parameter for m in measured],
            "found": [m.plan.x is not None for m in measured],
            "cost_l1": [m.plan.cost_l1 for m in measured],
            "cost_l2": [m.plan.cost_l2 for m in measured],
            "m1": [m.m1 for m in measured],
            "m2": [m.m2.value for m in measured],
            "m2_low": [m.m2.low for m in measured],
            "m2_high": [m.m2.high for m in measured],
            "models": [m.m2.n for m in measured],
            "features_changed": [m.features_changed for m in measured],
            "plausibility": [m.plausibility for m in measured],
            "keeps_rules": [m.keeps_rules for m in measured],
            "broken": [_broken(m.plan) for m in measured],
            "seconds": [m.plan.seconds for m in measured],
            "message": [m.plan.message for m in measured],
            "x": [m.plan.x for m in measured],
        }
    )


def describe(chosen: Sequence[Measures]) -> dict[str, float]:
    """`averages` of the plans of one method, and M2's interval and spread over models.

    M2 has two intervals: over applicants (their average shares) and over models (each model's
    share of accepted plans); `m2_spread_models` is the standard deviation over models, the ± of
    the paper.
    """
    decisions = [m.future for m in chosen if m.future is not None]
    over_models = mean_interval(np.mean(decisions, axis=0) if decisions else (), shares=True)
    return averages(table(chosen)) | {
        "m2_low_models": over_models.low,
        "m2_high_models": over_models.high,
        "m2_spread_models": over_models.spread,
    }


def averages(rows: pd.DataFrame) -> dict[str, float]:
    """n, success, and means with their intervals over the applicants of rows like `table`'s.

    `n` applicants were asked, `plans` of them got a plan, and `success` is the share of all n
    whose plan today's model accepts; the rest is over the plans. `success` and M1 have Wilson
    intervals, means Student's t.
    """
    found = rows[rows["found"].astype(bool)]
    success = share_interval(rows["m1"].to_numpy(dtype=bool))
    m1 = share_interval(found["m1"].to_numpy(dtype=bool))
    m2 = mean_interval(found["m2"].to_numpy(dtype=np.float64), shares=True)
    row: dict[str, float] = {
        "n": len(rows),
        "plans": len(found),
        "success": success.value,
        "success_low": success.low,
        "success_high": success.high,
        "keeps_rules": float(found["keeps_rules"].mean()) if len(found) else np.nan,
        "m1": m1.value,
        "m1_low": m1.low,
        "m1_high": m1.high,
        "m2": m2.value,
        "m2_low_applicants": m2.low,
        "m2_high_applicants": m2.high,
        "m2_spread_applicants": m2.spread,
    }
    for name in ("cost_l1", "cost_l2", "seconds", "features_changed", "plausibility"):
        mean = mean_interval(found[name].to_numpy(dtype=np.float64))
        row |= {name: mean.value, f"{name}_low": mean.low, f"{name}_high": mean.high}
        row[f"{name}_spread"] = mean.spread
    return row


def _broken(plan: Plan) -> str:
    """The names of the broken checks, each once."""
    broken = () if plan.checks is None else plan.checks.broken
    return ", ".join(dict.fromkeys(check.name for check in broken))


def worst_cases(measured: Sequence[Measures], objective: Objective) -> list[float]:
    """The worst-case bound of every plan under `objective`; NaN without a plan."""
    return [np.nan if m.plan.x is None else objective.value(m.plan.x) for m in measured]
