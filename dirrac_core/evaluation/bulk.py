"""A portfolio of any size: score everybody, plan for the declined, from file to file in chunks."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
import pandas as pd
import pyarrow as pa

from dirrac_core.actionability import edited_actions, edited_rules
from dirrac_core.arrays import Array
from dirrac_core.baselines.dirrac import Dirrac
from dirrac_core.data.dataset import Dataset
from dirrac_core.data.schema import Schema, with_constant
from dirrac_core.declared_shifts import declared_mixture
from dirrac_core.errors import BrokenPlan, InvalidActions, InvalidInput, SolverFailure
from dirrac_core.evaluation.applicants import Applicant
from dirrac_core.evaluation.measures import Judge
from dirrac_core.evaluation.parallel import ALL_CORES, Cancel, Progress, mapped
from dirrac_core.evaluation.parts import Parts
from dirrac_core.evaluation.people_chunks import People, file_format, outside, unreadable
from dirrac_core.evaluation.portfolio import plan_row, planned, without_people
from dirrac_core.models.classifiers import LinearModel
from dirrac_core.models.estimate import MixtureEstimate
from dirrac_core.recourse import Recourse
from dirrac_core.scenario import Scenario, bundle_of

ACCEPTED, DECLINED, UNREADABLE = "accepted", "declined", "unreadable"
# The statuses of a declined person beside those of a plan.
OUTSIDE, NOT_ASKED, FAILED = "outside the fitted ranges", "not asked", "failed"
KINDS = ["decision", "status", "cause"]
CHUNK = 10_000
# What is written of a plan; not its seconds, which differ from run to run.
NUMBERS = (
    *("cost", "delta_min", "price_of_robustness", "worst_case", "lower_bound", "gap"),
    *("m2", "m2_low", "m2_high", "features_changed", "plausibility"),
)


@dataclass(frozen=True)
class Bulk:
    """How a portfolio is run: the settings of every plan, and how the file is cut.

    The scenario's applicant plays no part. `rounded` plans are in whole units, re-checked;
    otherwise the exact solutions are given. `most_plans` bounds the declined people asked for a
    plan, first come first served; the rest are scored only.
    """

    scenario: Scenario
    rounded: bool = True
    chunk: int = CHUNK
    most_plans: int | None = None

    def __post_init__(self) -> None:
        if self.scenario.model != "logistic":
            message = (
                "A portfolio from file to file needs one mixture for everybody, which only the "
                f"logistic model has, got {self.scenario.model!r}"
            )
            raise InvalidInput(message)
        for name, low in (("chunk", 1), ("most_plans", 0)):
            value = getattr(self, name)
            if value is not None and (not isinstance(value, int) or value < low):
                message = f"{name} must be a whole number ≥ {low}, got {value!r}"
                raise InvalidInput(message)


@dataclass(frozen=True, eq=False)
class BulkResult:
    """What a run ended with. When `complete` is False it was cancelled and there is no output.

    `counts` has one row for each decision, status and cause (the feature to blame), and the
    number of `people` it holds; `plans` were computed in this run, the others before it.
    """

    complete: bool
    counts: pd.DataFrame
    people: int
    plans: int


@dataclass(frozen=True, eq=False)
class Planner:
    """Everything a worker needs to plan for one person; light, because it travels to it."""

    scenario: Scenario
    rounded: bool
    dataset: Dataset
    dirrac: Dirrac
    judge: Judge

    @classmethod
    def of(cls, bulk: Bulk) -> "Planner":
        """The trained models of the scenario, ready to plan."""
        scenario = bulk.scenario
        bundle = bundle_of(scenario)
        dataset = bundle.dataset
        # The bundle of a logistic model has both.
        current = cast(LinearModel, bundle.current)
        mixture = cast(MixtureEstimate, bundle.estimate).mixture
        radii: Any = scenario.radii
        if scenario.shifts:
            declared = declared_mixture(dataset, scenario.shifts, scenario.seed)
            mixture, radii = declared.mixture, declared.radii
        dirrac = Dirrac(
            current,
            mixture,
            radii,
            scenario.delta_add,
            scenario.cost,
            scenario.link,
            scenario.weighting_choice,
            scenario.categories,
            current_model=current.theta,
            gap=scenario.gap,
            solver=scenario.solver,
        )
        # What is wrong with the settings is told now, not once for each person.
        edited_rules(dataset, scenario.preset, scenario.edits)
        dirrac.objective()
        return cls(scenario, bulk.rounded, without_people(dataset), dirrac, Judge.of(bundle))

    def __call__(self, x0: Array) -> dict[str, Any]:
        """The row of the person x0 (D, with the trailing 1); a failure is told, not hidden."""
        scenario, schema = self.scenario, self.dataset.schema
        try:
            actions = edited_actions(self.dataset, scenario.preset, scenario.edits, x0)
            person = Applicant(0, x0, actions)
            plan = planned(person, self.dirrac, self.dataset if self.rounded else None)
        except (SolverFailure, BrokenPlan, InvalidActions) as problem:
            return {"status": FAILED, "cause": type(problem).__name__, "reason": str(problem)}
        if plan.x is None:
            return {"status": plan.status, **_why_none(plan, schema)}
        row = plan_row(plan, person, self.dirrac, self.judge)
        values = {f"plan: {name}": value for name, value in schema.decode(plan.x).items()}
        told = {name: row[name] for name in ("status", "m1", *NUMBERS)}
        return {**told, "plan": schema.sentence(x0, plan.x), **values}

    def columns(self, named: bool) -> pa.Schema:
        """The columns of the output and their types; with an `id` when people are `named`."""
        text, number = pa.string(), pa.float64()
        fields: dict[str, pa.DataType] = {"row": pa.int64()}
        fields |= {"id": text, "decision": text} if named else {"decision": text}
        fields |= {"probability": number, "status": text, "cause": text, "reason": text}
        fields |= {"plan": text, "m1": pa.bool_(), **dict.fromkeys(NUMBERS, number)}
        for feature in self.dataset.schema.features:
            fields[f"plan: {feature.name}"] = text if feature.is_categorical else number
        return pa.schema(fields)


def stream_portfolio(
    people: People,
    out: str | Path,
    bulk: Bulk,
    version: str,
    resume: bool = False,
    jobs: int | None = ALL_CORES,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> BulkResult:
    """Score everybody, plan for the declined, and write one row a person to `out`.

    The memory needed is that of one chunk. The output (.csv or .parquet) appears whole at the
    end; until then finished chunks lie in the folder `OUT.parts`. With `resume` they are kept
    when the run is cancelled or fails, and used when it is begun again with the same people,
    settings and `version` of the software; anything else is refused. The output is the same to
    the last byte for any number of interruptions and of `jobs`.
    """
    target = Path(out)
    file_format(target)
    planner = Planner.of(bulk)
    columns = planner.columns(people.named)
    stream = _Stream(planner, columns, people.rows, jobs, progress, cancel)
    counts: list[pd.DataFrame] = []
    seen = asked = plans = 0
    with Parts(target, _manifest(people, bulk, version), columns, keep=resume) as parts:
        for number, chunk in enumerate(people.chunks(bulk.chunk)):
            fresh = number not in parts
            if fresh:
                most = None if bulk.most_plans is None else bulk.most_plans - asked
                table = stream.judged(chunk, seen, asked, most)
                if table is None:
                    return BulkResult(False, _summed(counts), seen, plans)
                parts.write(number, table)
            counts.append(_counted(parts.read(number, KINDS)))
            asked += _plans(counts[-1])
            plans += _plans(counts[-1]) if fresh else 0
            seen += len(chunk)
        parts.join(len(counts))
    return BulkResult(True, _summed(counts), seen, plans)


@dataclass(frozen=True, eq=False)
class _Stream:
    """What stays the same from chunk to chunk."""

    planner: Planner
    columns: pa.Schema
    rows: int
    jobs: int | None
    progress: Progress | None
    cancel: Cancel | None

    def judged(
        self, chunk: pd.DataFrame, seen: int, asked: int, most: int | None
    ) -> pa.Table | None:
        """The rows of a chunk after `seen` people and `asked` plans; None when cancelled."""
        if self.cancel is not None and self.cancel():
            return None
        schema, current = self.planner.dataset.schema, self.planner.dirrac.current
        size = len(chunk)
        table = pd.DataFrame(index=range(size), columns=self.columns.names, dtype=object)
        table["row"] = np.arange(seen, seen + size)
        if "id" in table:
            table["id"] = chunk["id"].to_numpy()
        blamed = unreadable(chunk, schema)
        table["decision"] = UNREADABLE
        readable = table.index.difference(blamed.index)
        table.loc[blamed.index, blamed.columns] = blamed
        wanted = readable[:0]
        if len(readable):
            X = schema.encode(chunk.iloc[readable])
            table.loc[readable, "probability"] = current.probability(X)
            accepted = current.decision(X)
            table.loc[readable, "decision"] = np.where(accepted, ACCEPTED, DECLINED)
            far = outside(X, schema)
            far.index = readable[far.index]
            table.loc[far.index, far.columns] = far
            declined = readable[~accepted]
            table.loc[declined, "status"] = np.where(declined.isin(far.index), OUTSIDE, NOT_ASKED)
            wanted = declined.difference(far.index)[:most]
        starts = [with_constant(X[place]) for place in readable.get_indexer(wanted)]
        heard = self._heard(seen, size, asked, len(wanted))
        done = mapped(self.planner, starts, self.jobs, heard, self.cancel)
        if not done.complete:
            return None
        plans = pd.DataFrame(done.results, index=wanted)
        table.loc[wanted, plans.columns] = plans
        if not starts:
            heard(1.0, "")
        return pa.Table.from_pandas(table, self.columns, preserve_index=False)

    def _heard(self, seen: int, size: int, asked: int, wanted: int) -> Progress:
        """Progress of the plans of one chunk as progress of the whole."""

        def heard(part: float, _: str) -> None:
            if self.progress is not None:
                people, plans = seen + part * size, asked + round(part * wanted)
                words = f"{people:,.0f} of {self.rows:,} people, {plans:,} plans"
                self.progress(min(people / max(self.rows, 1), 1.0), words)

        return heard


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
    reason = f"No plan keeps every condition. There would be one {', or '.join(ways)}."
    return {"cause": " or ".join(explanation.blame), "reason": reason}


def _manifest(people: People, bulk: Bulk, version: str) -> dict[str, object]:
    stamp = {"version": version, "people": people.name, "sha256 of the people": people.digest}
    settings = asdict(bulk)
    scenario = settings.pop("scenario")
    del scenario["applicant"]
    return {**stamp, **settings, **scenario}


def _counted(table: pa.Table) -> pd.DataFrame:
    counted = table.group_by(KINDS, use_threads=False).aggregate([([], "count_all")])
    frame: pd.DataFrame = counted.rename_columns([*KINDS, "people"]).to_pandas()
    return frame


def _summed(counts: list[pd.DataFrame]) -> pd.DataFrame:
    if not counts:
        return pd.DataFrame(columns=[*KINDS, "people"])
    groups = pd.concat(counts).groupby(KINDS, dropna=False, sort=True)
    return groups["people"].sum().reset_index()


def _plans(counts: pd.DataFrame) -> int:
    """How many people a plan was asked for."""
    asked = (counts["decision"] == DECLINED) & ~counts["status"].isin((OUTSIDE, NOT_ASKED))
    return int(counts.loc[asked, "people"].sum())
