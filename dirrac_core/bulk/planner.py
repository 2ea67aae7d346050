"""Plans for the people of a chunk: together where the kernel settles them, else one by one."""

from dataclasses import dataclass, replace
from typing import Any

import pandas as pd
import pyarrow as pa

from dirrac_core.arrays import Array
from dirrac_core.case.case import bundle_of, formulate
from dirrac_core.case.realism import Allowed
from dirrac_core.case.settings import Settings
from dirrac_core.data.dataset import Dataset
from dirrac_core.data.schema.many_people import sentences
from dirrac_core.data.schema.schema import Schema, with_constant
from dirrac_core.errors import BrokenPlan, InvalidActions, SolverFailure
from dirrac_core.methods.dirrac import Dirrac
from dirrac_core.progress import Cancel, Progress
from dirrac_core.recourse import Recourse
from dirrac_core.solvers.batch.linear import compile_loops
from dirrac_core.solvers.batch.pieces import Mask
from dirrac_core.studies.measures import Judge
from dirrac_core.studies.people.applicants import Applicant
from dirrac_core.studies.people.everybody import Everybody, plan_everybody
from dirrac_core.studies.people.many_plans import ManyPlanner, kernel_columns
from dirrac_core.studies.people.portfolio import plan_row, planned, without_people

FAILED = "failed"
# What is written of a plan; not its seconds, which differ from run to run.
NUMBERS = (
    *("cost", "delta_min", "price_of_robustness", "worst_case", "lower_bound", "gap"),
    *("m2", "m2_low", "m2_high", "features_changed", "plausibility"),
)


@dataclass(frozen=True, eq=False)
class Planner:
    """Everything a worker needs to plan for people; light, because it travels to it.

    With `compiled` the kernel runs as compiled loops where numba is installed: the same plans.
    """

    rounded: bool
    allowed: Allowed
    dirrac: Dirrac
    judge: Judge
    compiled: bool = False

    @property
    def dataset(self) -> Dataset:
        """The dataset without its people."""
        return self.allowed.dataset

    @property
    def many(self) -> ManyPlanner:
        """The same by the kernel."""
        return ManyPlanner(self.dirrac, self.allowed, self.rounded)

    @classmethod
    def of(cls, settings: Settings, rounded: bool, compiled: bool = False) -> "Planner":
        """The trained models of the settings, ready to plan."""
        bundle = bundle_of(settings)
        dataset = bundle.dataset
        dirrac, _ = formulate(settings, bundle)
        # What is wrong with the settings is reported now, not once for each person.
        allowed = Allowed.of(dataset, settings, dirrac)
        dirrac.objective()
        light = without_people(dataset)
        return cls(rounded, replace(allowed, dataset=light), dirrac, Judge.of(bundle), compiled)

    def everybody(
        self, X: Array, jobs: int | None, progress: Progress, cancel: Cancel
    ) -> Everybody:
        """The rows of the people X (n, D − 1), by place."""
        together = self.together if self.many.applies else None

        def start(place: int) -> Array:
            return with_constant(X[place])

        return plan_everybody(together, self.one, X, start, jobs, progress, cancel)

    def together(self, X: Array) -> tuple[Mask, pd.DataFrame]:
        """Who of the people X (n, D − 1) the kernel settles, and the rows of those."""
        if self.compiled:
            compile_loops()
        many, schema = self.many, self.dataset.schema
        plans = many(X)
        settled = plans.settled
        if not settled.any():
            return settled, pd.DataFrame()
        X0, x = X[settled], plans.x[settled]
        values = schema.decode_people(x[:, :-1]).add_prefix("plan: ")
        known = pd.DataFrame(
            {
                **kernel_columns(many, self.judge, X, plans),
                "plan": sentences(schema, X0, x[:, :-1]),
            },
            index=values.index,
        )
        return settled, pd.concat([known, values], axis=1)

    def one(self, x0: Array) -> dict[str, Any]:
        """The row of the person x0 (D, with the trailing 1); a failure is a row too."""
        schema, solver = self.dataset.schema, {"solved_by": self.dirrac.solver}
        try:
            person = Applicant(0, x0, self.allowed.actions(x0))
            units = self.dataset if self.rounded else None
            settings = self.allowed.settings
            plan = planned(person, self.dirrac, units, settings.plan_kind, settings.level)
        except (SolverFailure, BrokenPlan, InvalidActions) as problem:
            why = {"cause": type(problem).__name__, "reason": str(problem)}
            return {"status": FAILED, **solver, **why}
        if plan.x is None:
            return {"status": plan.status, **solver, **_why_none(plan, schema)}
        row = plan_row(plan, person, self.dirrac, self.judge)
        values = {f"plan: {name}": value for name, value in schema.decode(plan.x).items()}
        numbers = {name: row[name] for name in ("status", "m1", *NUMBERS)}
        return {**numbers, **solver, "plan": schema.sentence(x0, plan.x), **values}

    def columns(self, named: bool) -> pa.Schema:
        """The columns of the output and their types; with an `id` when people are `named`."""
        text, number = pa.string(), pa.float64()
        types: dict[str, pa.DataType] = {"row": pa.int64()}
        types |= {"id": text, "decision": text} if named else {"decision": text}
        types |= {"probability": number, "status": text, "cause": text, "reason": text}
        types |= {"plan": text, "m1": pa.bool_(), **dict.fromkeys(NUMBERS, number)}
        for feature in self.dataset.schema.features:
            types[f"plan: {feature.name}"] = text if feature.is_categorical else number
        # The last one, so that every column of version 1.0.0 keeps its place.
        return pa.schema({**types, "solved_by": text})


def _why_none(plan: Recourse, schema: Schema) -> dict[str, str]:
    """What stands in the way of a plan, and the cheapest ways out, with features by name."""
    explanation = plan.explanation
    if explanation is None or not explanation.blame:
        return {"cause": "ranges and rules", "reason": plan.message}
    ways = []
    if "radius" in explanation.blame:
        ways.append(f"with the radii at most {explanation.radius_factor:.4g} times as large")
    for unlock in explanation.unlocks[:1]:
        freed = [f.name for f in schema.features if schema.columns_of(f.name) in unlock.features]
        ways.append(f"with {' and '.join(freed)} free to change, at cost {unlock.delta_min:.4g}")
    for drop in explanation.drops[:1]:
        ways.append(f"without the rule “{drop.name}”, at cost {drop.delta_min:.4g}")
    reason = f"No plan keeps every condition. There would be one {', or '.join(ways)}."
    return {"cause": " or ".join(explanation.blame), "reason": reason}
