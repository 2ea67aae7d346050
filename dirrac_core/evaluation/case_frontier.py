"""The frontier of a case: its methods by family, one applicant's rows, and averages over many."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from dirrac_core.actionability import edited_actions
from dirrac_core.arrays import Array, checked_choice
from dirrac_core.baselines import (
    ActionableRecourse,
    Cepm,
    Dirrac,
    Method,
    Plan,
    Rbr,
    Roar,
    RoarEnsemble,
    RoarPublished,
    Wachter,
)
from dirrac_core.baselines.protocol import AskedOtherwise, judged
from dirrac_core.data.actions import Actions
from dirrac_core.evaluation.frontier import applicant_frontier, frontier_methods
from dirrac_core.evaluation.intervals import mean_interval
from dirrac_core.evaluation.measures import Judge, averages
from dirrac_core.models.classifiers import Classifier, LinearModel
from dirrac_core.scenario import Case

DIRRAC, ROAR, PUBLISHED, OTHERS = "dirrac", "roar", "roar-published", "others"
FAMILIES = (DIRRAC, ROAR, PUBLISHED, OTHERS)
CURRENT = "current setting"
# Solvers agree to about this much; smaller differences in cost or probability mean nothing.
SAME = 1e-6


@dataclass(frozen=True, eq=False)
class OnStandIn(AskedOtherwise):
    """A method for linear models asked about a stand-in; its plan is judged by the real model."""

    method: Roar | RoarPublished
    current: Classifier

    def recourse(self, x0: npt.ArrayLike, actions: Actions) -> Plan:
        """The method's plan with the real model's decision on its checklist."""
        plan = self.method.recourse(x0, actions)
        if plan.x is None:
            return plan
        start = np.asarray(x0, dtype=np.float64)
        whole = self.method.categories == "whole"
        return replace(plan, checks=judged(plan.x, start, actions, self.current, whole))


def case_actions(case: Case) -> Actions:
    """What may change in this case, without the rule that today's model must accept."""
    scenario = case.scenario
    return edited_actions(case.dataset, scenario.preset, scenario.edits, case.x0)


def linear_stand_in(case: Case) -> LinearModel:
    """Today's model if it is linear, else its linear surrogate around the applicant."""
    if isinstance(case.bundle.current, LinearModel):
        return case.bundle.current
    return LinearModel(case.problem.mixture.means[0])


def case_methods(case: Case, family: str) -> list[Method]:
    """The methods of one family with this case's settings, at every value of their parameter.

    "dirrac": over δ_add. "roar" and "roar-published": over λ. "others": methods without a
    frontier, one point each.
    """
    checked_choice("A family", family, FAMILIES)
    categories = case.scenario.categories
    if family == DIRRAC:
        return frontier_methods(_dirrac(case))
    if family == OTHERS:
        return _others(case)
    kind = Roar if family == ROAR else RoarPublished
    swept = frontier_methods(
        _dirrac(case), [kind(linear_stand_in(case), categories=categories)], delta_adds=()
    )
    if isinstance(case.bundle.current, LinearModel):
        return swept
    return [
        OnStandIn(method, case.bundle.current)
        for method in swept
        if isinstance(method, Roar | RoarPublished)
    ]


def case_frontier(case: Case, family: str) -> pd.DataFrame:
    """`applicant_frontier` of one family, with `applicant` and `guaranteed` = 1 − worst case."""
    return _rows(case, case_methods(case, family))


def with_guarantee(rows: pd.DataFrame, case: Case) -> pd.DataFrame:
    """The same plans with the worst case of this case's future models.

    ROAR and the others do not know ρ, K's weights or the link, so their plans can be kept while
    an analyst changes those.
    """
    worst = [np.nan if x is None else case.problem.objective.value(x) for x in rows["x"]]
    return rows.assign(worst_case=worst, guaranteed=1.0 - np.array(worst))


def current_setting(case: Case) -> pd.DataFrame:
    """One row: DiRRAc at the δ_add that is set now."""
    return _rows(case, [_dirrac(case)]).assign(method=CURRENT)


def average_frontier(rows: pd.DataFrame) -> pd.DataFrame:
    """One row a method and parameter: the `averages` over the applicants of `rows`.

    The guaranteed share gets its mean over the plans and Student's t interval, like M2.
    """
    groups = rows.groupby(["method", "parameter"], sort=False, dropna=False)
    averaged: list[dict[str, object]] = []
    for (method, parameter), group in groups:
        promised = group.loc[group["found"].astype(bool), "guaranteed"]
        mean = mean_interval(promised.to_numpy(dtype=np.float64), shares=True)
        averaged.append(
            {"method": method, "parameter": parameter, **averages(group)}
            | {
                "guaranteed": mean.value,
                "guaranteed_low_applicants": mean.low,
                "guaranteed_high_applicants": mean.high,
            }
        )
    return pd.DataFrame(averaged)


@dataclass(frozen=True)
class Reach:
    """How far the plans of one method reach, against those of another.

    `best` is the highest value and `best_cost` the least cost that attains it; `dearest` is the
    value of the most expensive plan, at `dearest_cost`. `level_cost` is the least cost at which
    the level common to both is reached. `beaten` of the `plans` have a rival that costs no more,
    reaches at least as much, and is better in one of the two.
    """

    plans: int
    best: float
    best_cost: float
    dearest: float
    dearest_cost: float
    level_cost: float
    beaten: int


@dataclass(frozen=True)
class Comparison:
    """Two frontiers side by side; `level` is the highest value both reach."""

    level: float
    first: Reach
    second: Reach


def compare(
    rows: pd.DataFrame, method: str, other: str, cost: str, value: str
) -> Comparison | None:
    """Compare two methods by the columns `cost` and `value`; None when one of them has no plan."""
    first, second = (_points(rows, name, cost, value) for name in (method, other))
    if not len(first) or not len(second):
        return None
    level = float(min(first[:, 1].max(), second[:, 1].max()))
    return Comparison(level, _reach(first, second, level), _reach(second, first, level))


def _dirrac(case: Case) -> Dirrac:
    scenario, problem = case.scenario, case.problem
    return Dirrac(
        case.bundle.current,
        problem.mixture,
        radii=problem.radii,
        delta_add=scenario.delta_add,
        cost=scenario.cost,
        link=scenario.link,
        weighting=scenario.weighting_choice,
        categories=scenario.categories,
        current_model=problem.current_model,
        gap=scenario.gap,
        solver=scenario.solver,
    )


def _others(case: Case) -> list[Method]:
    """The methods that are one point each; AR and ROAR-Ensemble need linear models."""
    bundle, scenario = case.bundle, case.scenario
    current, categories = bundle.current, scenario.categories
    people = bundle.dataset.present.X[bundle.training]
    methods: list[Method] = [
        Wachter(current, categories=categories),
        Cepm(current, people, seed=scenario.seed),
        Rbr(current, people, categories=categories, seed=scenario.seed),
    ]
    if isinstance(current, LinearModel) and bundle.parameters is not None:
        methods += [
            ActionableRecourse(current, people),
            RoarEnsemble(current, bundle.parameters, categories=categories),
        ]
    return methods


def _rows(case: Case, methods: Sequence[Method]) -> pd.DataFrame:
    judge = Judge.of(case.bundle)
    frame = applicant_frontier(case.x0, case_actions(case), methods, judge)
    return with_guarantee(frame.assign(applicant=case.scenario.applicant), case)


def _reach(plans: Array, rivals: Array, level: float) -> Reach:
    best = float(plans[:, 1].max())
    dearest_cost, dearest = plans[plans[:, 0].argmax()]
    return Reach(
        plans=len(plans),
        best=best,
        best_cost=_least_cost(plans, best),
        dearest=float(dearest),
        dearest_cost=float(dearest_cost),
        level_cost=_least_cost(plans, level),
        beaten=_beaten(plans, rivals),
    )


def _least_cost(plans: Array, level: float) -> float:
    return float(plans[plans[:, 1] >= level - SAME, 0].min())


def _points(rows: pd.DataFrame, method: str, cost: str, value: str) -> Array:
    points: Array = rows.loc[rows["method"] == method, [cost, value]].to_numpy(dtype=np.float64)
    finite: Array = points[np.isfinite(points).all(axis=1)]
    return finite


def _beaten(plans: Array, rivals: Array) -> int:
    """How many plans (cost, value) have a rival at least as good in both and better in one."""
    saved = plans[:, None, 0] - rivals[None, :, 0]
    gained = rivals[None, :, 1] - plans[:, None, 1]
    no_worse = (saved >= -SAME) & (gained >= -SAME)
    better = (saved > SAME) | (gained > SAME)
    return int((no_worse & better).any(axis=1).sum())
