"""A plan for every declined applicant, how it fares, and why some have none."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from dirrac_core.arrays import Array
from dirrac_core.case.case import Case
from dirrac_core.case.futures import bootstrap_of
from dirrac_core.case.nonlinear.linearised import linearised_at_plan
from dirrac_core.case.promise_kind import NO_PROMISE, promise_kind
from dirrac_core.case.realism import Allowed
from dirrac_core.data.dataset import Dataset, Sample
from dirrac_core.data.schema.schema import Schema, with_constant
from dirrac_core.feasible import Explanation, FeasibleSet
from dirrac_core.methods.dirrac import Dirrac
from dirrac_core.models.classifiers import LinearModel
from dirrac_core.models.stand_in import StandIn
from dirrac_core.parallel import ALL_CORES
from dirrac_core.progress import Cancel, Progress, never, no_progress
from dirrac_core.recourse import Recourse
from dirrac_core.recourse.find import promise_words
from dirrac_core.recourse.kinds.alternatives import SAFEST
from dirrac_core.recourse.kinds.chosen import chosen_in_real_units, chosen_plan
from dirrac_core.solvers.batch.pieces import Mask
from dirrac_core.studies.intervals import share_of
from dirrac_core.studies.measures import FEW, Judge, features_changed, plausibility
from dirrac_core.studies.people.applicants import Applicant
from dirrac_core.studies.people.everybody import plan_everybody
from dirrac_core.studies.people.many_plans import ManyPlanner, certain, kernel_columns, plain_metric

RADIUS = "radius"


@dataclass(frozen=True, eq=False)
class PortfolioPlanner:
    """All that a worker needs for the row of one applicant; light, because it travels to it.

    Plans are in whole units of the dataset's schema, re-checked, or the exact solutions when not
    `rounded`; `kind` and `level` say which plan of the menu is taken. `stand_in` is there when
    today's model is not linear: every applicant then gets the mixture of their own surrogate,
    around their plan unless the futures are the paper's.
    """

    dirrac: Dirrac
    judge: Judge
    allowed: Allowed
    rounded: bool
    stand_in: StandIn | None
    kind: str
    level: float | None

    @property
    def dataset(self) -> Dataset:
        """The dataset without its people."""
        return self.allowed.dataset

    @classmethod
    def of(cls, case: Case, rounded: bool = True) -> "PortfolioPlanner":
        """The planner with every setting of the case but its applicant."""
        bundle, scenario, stand_in = case.bundle, case.scenario, None
        if case.surrogate is not None:
            stand_in = bundle.stand_in(bootstrap_of(scenario))
        judge, allowed = Judge.of(bundle), Allowed.of(case.dataset, scenario, case.dirrac)
        allowed = replace(allowed, dataset=without_people(case.dataset))
        kind, level = scenario.plan_kind, scenario.level
        return cls(case.dirrac, judge, allowed, rounded, stand_in, kind, level)

    @property
    def many(self) -> ManyPlanner:
        """The same by the kernel."""
        return ManyPlanner(self.dirrac, self.allowed, self.rounded)

    def together(self, X: Array) -> tuple[Mask, pd.DataFrame]:
        """Who of the people X (n, D − 1) the kernel settles, and the rows of those."""
        many = self.many
        plans = many(X)
        settled = plans.settled
        if not settled.any():
            return settled, pd.DataFrame()
        columns = kernel_columns(many, self.judge, X, plans)
        value, lower = columns["worst_case"], columns["lower_bound"]
        frame = pd.DataFrame(
            {
                **columns,
                "found": True,
                "seconds": plans.seconds[settled],
                "message": [promise_words(*each) for each in zip(value, lower, strict=True)],
                "x": list(plans.x[settled]),
                "too_much_doubt": False,
                "unlocks": [()] * len(value),
            }
        )
        return settled, frame

    def __call__(self, applicant: Applicant) -> dict[str, object]:
        """The row of one applicant."""
        dirrac = self.dirrac
        if self.stand_in is not None:
            x0, actions = applicant.x0, applicant.actions
            surrogate = self.stand_in.around(x0)
            if self.stand_in.retrained:
                surrogate = linearised_at_plan(
                    dirrac, x0, actions, self.stand_in, surrogate
                ).surrogate
            dirrac = replace(dirrac, mixture=surrogate.mixture)
        units = self.dataset if self.rounded else None
        plan = planned(applicant, dirrac, units, self.kind, self.level)
        row = plan_row(plan, applicant, dirrac, self.judge)
        reasons = _reasons(plan.explanation, self.dataset.schema)
        return row | reasons | {"solved_by": dirrac.solver}


def case_portfolio(
    case: Case,
    rows: Iterable[int],
    jobs: int | None = ALL_CORES,
    progress: Progress = no_progress,
    cancel: Cancel = never,
    rounded: bool = True,
) -> pd.DataFrame:
    """One row per applicant: the DiRRAc plan of the case's settings, and how it fares.

    `cost` is in the norm of the problem. `price_of_robustness` is what the cheapest valid plan
    costs more than the cheapest one today's linear model accepts, with the same rules, so without
    δ_add (NaN where today's model is not linear). `worst_case`, `lower_bound` and `gap` are the
    certificate; NaN, with the reason in `message`, where today's model is not linear and declines
    the plan. `too_much_doubt` is True where a smaller radius alone would open a plan. `unlocks`
    holds the smallest sets of features whose freeing would (each a tuple of names), cheapest first.
    When cancelled, the first part of the applicants is returned and `attrs["complete"]` is False.

    `solved_by` is "kernel", or the solver of those the kernel does not settle, who are asked one
    by one; `attrs["one_by_one"]` counts them. So is everybody where the kernel does not know the
    question, or where there are fewer than FEW people.
    """
    planner = PortfolioPlanner.of(case, rounded)
    asked = [int(row) for row in rows]
    X = case.dataset.present.X[asked]
    several = planner.stand_in is None and len(asked) >= FEW and planner.many.applies
    done = plan_everybody(
        planner.together if several else None,
        planner,
        X,
        lambda place: Applicant(
            asked[place], with_constant(X[place]), planner.allowed.actions(X[place])
        ),
        *(jobs, progress, cancel),
    )
    frame = done.rows
    if len(frame):
        frame["row"] = [asked[place] for place in frame.index]
        frame = frame[["row", *(name for name in frame.columns if name != "row")]]
    frame = frame.reset_index(drop=True)
    frame.attrs.update(complete=done.complete, one_by_one=done.one_by_one)
    return frame


def locks_to_blame(frame: pd.DataFrame) -> pd.DataFrame:
    """For the people without a plan: how often a feature would open one, most often first.

    `alone`: freeing this feature alone is enough. `together`: it is one of the smallest set of
    several features that is.
    """
    alone: Counter[str] = Counter()
    together: Counter[str] = Counter()
    for sets in frame.loc[~frame["found"].astype(bool), "unlocks"]:
        for name in {name for names in sets for name in names}:
            (alone if any(names == (name,) for names in sets) else together)[name] += 1
    names = sorted({*alone, *together}, key=lambda name: (-alone[name], -together[name], name))
    return pd.DataFrame(
        {
            "feature": names,
            "alone": np.array([alone[name] for name in names], dtype=np.int64),
            "together": np.array([together[name] for name in names], dtype=np.int64),
        }
    )


def without_people(dataset: Dataset) -> Dataset:
    """The schema and all that is said of a dataset, light enough to travel to a worker."""
    present = dataset.present
    nobody = Sample(present.X[:0], present.y[:0], present.people[:0])
    return replace(
        dataset,
        present=nobody,
        shifted=None,
        periods=None,
        training_rows=None,
        shifted_training_rows=None,
    )


def planned(
    applicant: Applicant,
    dirrac: Dirrac,
    units: Dataset | None = None,
    kind: str = SAFEST,
    level: float | None = None,
) -> Recourse:
    """The plan of one applicant, in whole units when the dataset is given as `units`.

    `kind` is which plan of the menu to take, `level` the worst case it may have.
    """
    problem = dirrac.problem(applicant.x0, applicant.actions)
    chosen = chosen_plan(problem, kind, level, dirrac.gap, dirrac.solver)
    if units is None:
        return chosen.plan
    return chosen_in_real_units(units, chosen, dirrac.gap)


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
    accepted_today = bool(dirrac.current.decision(plan.x[None, :-1])[0])
    if promise_kind(not isinstance(dirrac.current, LinearModel), accepted_today) is None:
        row |= {"worst_case": np.nan, "lower_bound": np.nan, "gap": np.nan, "message": NO_PROMISE}
    accepted = judge.future.accepts(plan.x)
    m2 = share_of(int(accepted.sum()), accepted.size)
    return row | {
        "price_of_robustness": plan.delta_min - _cheapest_today(applicant, dirrac),
        "m1": accepted_today,
        "m2": m2.value,
        "m2_low": m2.low,
        "m2_high": m2.high,
        "features_changed": features_changed(plan.x, applicant.x0, applicant.actions.groups),
        "plausibility": plausibility(plan.x, judge.favourable),
    }


def _cheapest_today(applicant: Applicant, dirrac: Dirrac) -> float:
    """The cost of the cheapest plan today's linear model accepts; NaN when it is not linear."""
    if not isinstance(dirrac.current, LinearModel):
        return np.nan
    return FeasibleSet(
        applicant.x0,
        certain(dirrac.current),
        0.0,
        applicant.actions,
        dirrac.cost,
        margin=dirrac.margin,
        categories=dirrac.categories,
        metric=plain_metric(dirrac),
    ).delta_min()


def _reasons(explanation: Explanation | None, schema: Schema) -> dict[str, object]:
    if explanation is None:
        return {"too_much_doubt": False, "unlocks": ()}
    return {
        "too_much_doubt": RADIUS in explanation.blame,
        "unlocks": tuple(
            tuple(_name(schema, columns) for columns in unlock.features)
            for unlock in explanation.unlocks
        ),
    }


def _name(schema: Schema, columns: tuple[int, ...]) -> str:
    """The feature of a column, or of all columns of a group."""
    return next(f.name for f in schema.features if columns[0] in schema.columns_of(f.name))
