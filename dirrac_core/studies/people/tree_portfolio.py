"""Plans of boosted trees for everyone declined, with a limit on the effort for each person."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from dirrac_core.case.nonlinear.trees import TreeCase, solve_trees, tree_case_of
from dirrac_core.parallel import ALL_CORES, mapped
from dirrac_core.progress import Cancel, Progress, never, no_progress
from dirrac_core.trees.cp_sat.solving import Effort

COLUMNS = (
    *("row", "found", "proved", "status", "cost", "delta_min", "accepted", "retrainings"),
    *("fresh_declined", "fresh", "promised", "declined", "models", "seconds", "sentence", "x"),
)
# What everyone's search may take unless another limit is set, in CP-SAT's deterministic seconds.
PER_PERSON = Effort(work=5.0)


@dataclass(frozen=True)
class TreeVerdict:
    """A portfolio in a few numbers: those `asked`, with a `plans`, with a `proved` answer.

    `promised` is the mean share that may decline, `useful` the plans for which it is small enough;
    `fresh` and `observed` are the mean shares of fresh re-trainings and of later models that do;
    `broken` plans are declined by a larger share of the later models than was promised. Means are
    NaN without plans.
    """

    asked: int
    plans: int
    proved: int
    effort: float
    promised: float
    useful: int
    fresh: float
    observed: float
    broken: int


@dataclass(frozen=True, eq=False)
class _Planner:
    """The row of one applicant, with every setting of the case but its applicant."""

    case: TreeCase
    effort: Effort

    def __call__(self, row: int) -> dict[str, object]:
        case = self.case
        scenario = replace(case.scenario, applicant=row)
        solved = solve_trees(tree_case_of(scenario, case.bundle, case.trained), self.effort)
        plan, promise, x0 = solved.plan, solved.promise, solved.case.x0
        found = plan.x is not None and promise is not None
        return {
            "row": row,
            "found": found,
            "proved": plan.proved,
            "status": plan.status,
            "cost": plan.cost,
            "delta_min": plan.delta_min,
            "accepted": plan.accepted,
            "retrainings": len(solved.case.problem.retrainings),
            "fresh_declined": promise.declined if promise is not None else 0,
            "fresh": promise.fresh if promise is not None else 0,
            "promised": promise.at_most if promise is not None else np.nan,
            "declined": int((~solved.observed).sum()),
            "models": len(solved.observed),
            "seconds": plan.seconds,
            "sentence": plan.message
            if plan.x is None
            else case.dataset.schema.sentence(x0, plan.x),
            "x": plan.x,
        }


def tree_portfolio(
    case: TreeCase,
    rows: Iterable[int],
    effort: Effort = PER_PERSON,
    jobs: int | None = ALL_CORES,
    progress: Progress = no_progress,
    cancel: Cancel = never,
) -> pd.DataFrame:
    """One row per applicant with the columns of `COLUMNS`; nobody gets more than `effort`.

    When cancelled, the first part of the applicants is returned and `attrs["complete"]` is False.
    """
    asked = [int(row) for row in rows]
    done = mapped(_Planner(case, effort), asked, jobs, progress, cancel)
    frame = pd.DataFrame(done.results, columns=list(COLUMNS))
    frame.attrs["complete"] = done.complete
    return frame


def tree_verdict(frame: pd.DataFrame, useless: float = 0.5) -> TreeVerdict:
    """What a portfolio says as a whole; a promise above `useless` is worth nothing."""
    plans = frame[frame["found"].astype(bool)]
    observed = plans["declined"] / plans["models"].where(plans["models"] > 0)
    return TreeVerdict(
        asked=len(frame),
        plans=len(plans),
        proved=int(frame["proved"].sum()),
        effort=float(plans["cost"].astype(float).median()),
        promised=float(plans["promised"].astype(float).mean()),
        useful=int((plans["promised"] <= useless).sum()),
        fresh=float((plans["fresh_declined"] / plans["fresh"]).astype(float).mean()),
        observed=float(observed.astype(float).mean()),
        broken=int((observed > plans["promised"]).sum()),
    )
