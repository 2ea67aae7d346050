"""The portfolio of a case: everyone's plan under its settings, and why some have none."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from dirrac_core.arrays import Array
from dirrac_core.baselines.dirrac import Dirrac
from dirrac_core.data.dataset import Dataset
from dirrac_core.data.schema import Schema
from dirrac_core.evaluation.applicants import Applicant
from dirrac_core.evaluation.case_methods import case_applicants, case_dirrac
from dirrac_core.evaluation.measures import Judge
from dirrac_core.evaluation.parallel import ALL_CORES, Cancel, Progress, mapped
from dirrac_core.evaluation.portfolio import plan_row, planned, without_people
from dirrac_core.feasible import Explanation
from dirrac_core.models.surrogate import lime_surrogate
from dirrac_core.scenario import Case

RADIUS = "radius"


@dataclass(frozen=True, eq=False)
class _Ask:
    """All that a worker needs for one person; `people` are there when today's model is not linear,
    and then every person gets the mixture of their own LIME surrogate."""

    dirrac: Dirrac
    judge: Judge
    units: Dataset
    people: Array | None
    seed: int

    def __call__(self, applicant: Applicant) -> dict[str, object]:
        dirrac = self.dirrac
        if self.people is not None:
            surrogate = lime_surrogate(
                dirrac.current, self.people, applicant.x0, applicant.actions.groups, seed=self.seed
            )
            dirrac = replace(dirrac, mixture=surrogate.mixture)
        plan = planned(applicant, dirrac, self.units)
        row = plan_row(plan, applicant, dirrac, self.judge)
        return row | _reasons(plan.explanation, self.units.schema)


def case_portfolio(
    case: Case,
    rows: Iterable[int],
    jobs: int | None = ALL_CORES,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> pd.DataFrame:
    """The `portfolio` of these people in whole units, with two columns more.

    `too_much_doubt` is True where a smaller radius alone would open a plan. `unlocks` holds the
    smallest sets of features whose freeing would (each a tuple of names), cheapest first. When
    cancelled, the first part of the people is returned and `attrs["complete"]` is False.
    """
    linear = case.surrogate is None
    ask = _Ask(
        case_dirrac(case),
        Judge.of(case.bundle),
        without_people(case.dataset),
        None if linear else case.dataset.present.X[case.bundle.training],
        case.scenario.seed,
    )
    done = mapped(ask, case_applicants(case, rows), jobs, progress, cancel)
    frame = pd.DataFrame(done.results)
    frame.attrs["complete"] = done.complete
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
