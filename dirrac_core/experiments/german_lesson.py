"""A guarantee holds for the shifts one has declared: the corrected coding of German credit."""

from dataclasses import dataclass, replace
from typing import cast

import numpy as np
import numpy.typing as npt
import pandas as pd

from dirrac_core.baselines import Dirrac, Method, Plan
from dirrac_core.baselines.protocol import AskedOtherwise
from dirrac_core.data import Actions, load_dataset
from dirrac_core.declared_shifts import declared_mixture
from dirrac_core.evaluation import (
    Applicant,
    Judge,
    Measures,
    declined_applicants,
    mean_interval,
    measure_all,
)
from dirrac_core.evaluation.parallel import ALL_CORES, Cancel, Progress
from dirrac_core.models.bundle import prepare
from dirrac_core.models.classifiers import LinearModel
from dirrac_core.models.estimate import MixtureEstimate
from dirrac_core.outlook import LESSON

DATASET, FEATURE, MISREAD = "german", "Status", "no account"
# Changing a category costs 2: a smaller budget often cannot reach Status at all.
DELTA_ADD = 2.0
APPLICANTS = 30
BLIND, DECLARED, LOCKED = "re-splits only", "correction declared", "Status locked"
PREPARED = (BLIND, DECLARED, LOCKED)
COLUMNS = ("prepared", "applicant", "found", "uses_status", "ends_misread", "m2")


@dataclass(frozen=True, eq=False)
class Locking(AskedOtherwise):
    """A method that must leave some more columns alone."""

    columns: tuple[int, ...]

    def recourse(self, x0: npt.ArrayLike, actions: Actions) -> Plan:
        """The method's plan under more locks."""
        return self.method.recourse(x0, replace(actions, locked=(*actions.locked, *self.columns)))


def german_lesson(
    applicants: int = APPLICANTS,
    delta_add: float = DELTA_ADD,
    seed: int = 0,
    jobs: int | None = ALL_CORES,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> pd.DataFrame:
    """A row for each applicant and each way to prepare (docs/german-lesson.md).

    The applicants are spread evenly over all declined ones. `m2` is the share of the models
    trained on the corrected file that accept the plan; `ends_misread` says whether the plan has
    the category whose name was wrong. When cancelled, the first applicants; `attrs["complete"]`
    is then False.
    """
    dataset = load_dataset(DATASET)
    bundle = prepare(dataset, components=1, seed=seed)
    current = cast(LinearModel, bundle.current)
    declared = declared_mixture(dataset, LESSON, seed)
    blind = Dirrac(
        current,
        cast(MixtureEstimate, bundle.estimate).mixture,
        delta_add=delta_add,
        current_model=current.theta,
    )
    status = tuple(dataset.schema.columns_of(FEATURE))
    methods: list[Method] = [
        blind,
        replace(blind, mixture=declared.mixture, radii=declared.radii),
        Locking(blind, status),
    ]
    places = np.linspace(0, bundle.declined.size - 1, applicants).astype(int)
    people = declined_applicants(bundle, rows=bundle.declined[places])
    done = measure_all(people, methods, Judge.of(bundle), jobs, progress, cancel)

    def row(prepared: str, person: Applicant, found: Measures) -> tuple[object, ...]:
        if found.plan.x is None:
            return prepared, person.row, False, False, False, np.nan
        before, after = (dataset.schema.decode(x)[FEATURE] for x in (person.x0, found.plan.x))
        return prepared, person.row, True, after != before, after == MISREAD, found.m2.value

    rows = [
        row(prepared, person, measured[i])
        for person, measured in zip(people, done.results, strict=False)
        for i, prepared in enumerate(PREPARED)
    ]
    frame = pd.DataFrame(rows, columns=list(COLUMNS))
    frame.attrs["complete"] = done.complete
    return frame


def lesson_table(frame: pd.DataFrame) -> pd.DataFrame:
    """The lesson in three rows: n asked, plans, shares over the plans, M2 with its t interval."""
    rows = []
    for prepared in PREPARED:
        asked = frame[frame["prepared"] == prepared]
        plans = asked[asked["found"].astype(bool)]
        m2 = mean_interval(plans["m2"], shares=True)
        rows.append(
            {
                "prepared": prepared,
                "n": len(asked),
                "plans": len(plans),
                "uses_status": float(plans["uses_status"].mean()),
                "ends_misread": float(plans["ends_misread"].mean()),
                "m2": m2.value,
                "m2_low": m2.low,
                "m2_high": m2.high,
            }
        )
    return pd.DataFrame(rows)
