"""A guarantee holds for the shifts one has declared: the corrected coding of German credit."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from dirrac_core.case.case import bundle_of, formulate
from dirrac_core.case.outlook import LESSON
from dirrac_core.case.settings import Settings
from dirrac_core.data import Actions
from dirrac_core.methods import Method, Plan
from dirrac_core.methods.protocol import AskedOtherwise
from dirrac_core.paper.experiment import Run, marked
from dirrac_core.studies import Judge, mean_interval, measure_all, spread_applicants

DATASET, FEATURE, MISREAD = "german", "Status", "no account"
# Changing a category costs 2: a smaller budget often cannot reach Status at all.
DELTA_ADD = 2.0
APPLICANTS = 30
BLIND, DECLARED, LOCKED = "re-splits only", "correction declared", "Status locked"
PREPARED = (BLIND, DECLARED, LOCKED)
COLUMNS = ["prepared", "applicant", "found", "uses_status", "ends_misread", "m2"]


@dataclass(frozen=True, eq=False)
class Locking(AskedOtherwise):
    """A method that must leave some more columns alone."""

    columns: tuple[int, ...]

    def recourse(self, x0: npt.ArrayLike, actions: Actions) -> Plan:
        """The method's plan under more locks."""
        return self.method.recourse(x0, actions.with_locked(self.columns))


def german_lesson(run: Run, delta_add: float = DELTA_ADD) -> pd.DataFrame:
    """A row for each applicant and each way to prepare (docs/german-lesson.md).

    The applicants are spread evenly over all declined ones. `m2` is the share of the models
    trained on the corrected file that accept the plan; `ends_misread` says whether the plan has
    the category whose name was wrong. When cancelled, the first applicants; `attrs["complete"]`
    is then False.
    """
    settings = Settings(DATASET, components=1, delta_add=delta_add, seed=run.settings.seed)
    bundle = bundle_of(settings)
    schema = bundle.dataset.schema
    blind, _ = formulate(settings, bundle)
    declared, _ = formulate(replace(settings, shifts=LESSON), bundle)
    methods: list[Method] = [blind, declared, Locking(blind, tuple(schema.columns_of(FEATURE)))]
    people = spread_applicants(bundle, run.settings.applicants or APPLICANTS)
    done = measure_all(people, methods, Judge.of(bundle), *run.how)
    rows: list[tuple[object, ...]] = []
    for person, measured in zip(people, done.results, strict=False):
        before = schema.decode(person.x0)[FEATURE]
        for prepared, found in zip(PREPARED, measured, strict=True):
            if found.plan.x is None:
                rows.append((prepared, person.row, False, False, False, np.nan))
                continue
            after = schema.decode(found.plan.x)[FEATURE]
            told = after != before, after == MISREAD, found.m2.value
            rows.append((prepared, person.row, True, *told))
    return marked(pd.DataFrame(rows, columns=COLUMNS), done.complete)


def lesson_table(frame: pd.DataFrame) -> pd.DataFrame:
    """The lesson in three rows: n asked, plans, shares over the plans, M2 with its t interval."""
    rows = []
    for prepared in PREPARED:
        asked = frame[frame["prepared"] == prepared]
        plans = asked[asked["found"].astype(bool)]
        m2 = mean_interval(plans["m2"], shares=True)
        shares = plans["uses_status"].mean(), plans["ends_misread"].mean()
        rows.append((prepared, len(asked), len(plans), *shares, m2.value, m2.low, m2.high))
    columns = ["prepared", "n", "plans", *COLUMNS[-3:], "m2_low", "m2_high"]
    return pd.DataFrame(rows, columns=columns)
