"""A portfolio of any size: score everybody, plan for the declined, from file to file in chunks."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from dirrac_core.arrays import checked_instance
from dirrac_core.bulk.parts import Parts, check_place
from dirrac_core.bulk.people import People, checked_path, file_format, outside, unreadable
from dirrac_core.bulk.planner import Planner
from dirrac_core.case.settings import Settings
from dirrac_core.errors import InvalidInput
from dirrac_core.parallel import ALL_CORES, checked_jobs
from dirrac_core.progress import Cancel, Progress, never, no_progress
from dirrac_core.studies.people.everybody import KERNEL

ACCEPTED, DECLINED, UNREADABLE = "accepted", "declined", "unreadable"
# The statuses of a declined person beside those of a plan.
OUTSIDE, NOT_ASKED = "outside the fitted ranges", "not asked"
KINDS = ["decision", "status", "cause"]
CHUNK = 10_000
# From so many plans on, compiled loops save more time than it takes to load them.
WORTH_COMPILING = 20_000


@dataclass(frozen=True)
class Bulk:
    """How a portfolio is run: the settings of every plan, and how the file is cut.

    `rounded` plans are in whole units, re-checked;
    otherwise the exact solutions are given. `most_plans` bounds the declined people asked for a
    plan, first come first served; the rest are scored only.
    """

    settings: Settings
    rounded: bool = True
    chunk: int = CHUNK
    most_plans: int | None = None

    def __post_init__(self) -> None:
        checked_instance("settings", self.settings, Settings)
        if self.settings.model != "logistic":
            raise InvalidInput(
                "A portfolio from file to file needs one mixture for everybody, which only the "
                f"logistic model has, got {self.settings.model!r}"
            )
        for name, low in (("chunk", 1), ("most_plans", 0)):
            value = getattr(self, name)
            if value is not None and (not isinstance(value, int) or value < low):
                raise InvalidInput(f"{name} must be a whole number ≥ {low}, got {value!r}")


@dataclass(frozen=True, eq=False)
class BulkResult:
    """What a run ended with. When `complete` is False it was cancelled and there is no output.

    `counts` has one row for each decision, status and cause (the feature to blame), and the
    number of `people` it holds; `plans` were computed in this run, the others before it.
    `one_by_one` people, of all so far, were left to the solver by the kernel.
    """

    complete: bool
    counts: pd.DataFrame
    people: int
    plans: int
    one_by_one: int


def stream_portfolio(
    people: People,
    out: str | Path,
    bulk: Bulk,
    version: str,
    resume: bool = False,
    jobs: int | None = ALL_CORES,
    progress: Progress = no_progress,
    cancel: Cancel = never,
) -> BulkResult:
    """Score everybody, plan for the declined, and write one row per person to `out`.

    The memory needed is that of one chunk. The output (.csv or .parquet) appears whole at the
    end; until then finished chunks lie in the folder `OUT.parts`. With `resume` they are kept
    when the run is cancelled or fails, and used when it is begun again with the same people,
    settings and `version` of the software; anything else is refused. The output is the same to
    the last byte for any number of interruptions and of `jobs`.
    """
    checked_instance("people", people, People)
    checked_instance("bulk", bulk, Bulk)
    checked_instance("version", version, str)
    target = checked_path("out", out)
    file_format(target)
    check_place(target)
    checked_jobs(jobs)
    at_most = people.rows if bulk.most_plans is None else min(people.rows, bulk.most_plans)
    planner = Planner.of(bulk.settings, bulk.rounded, at_most >= WORTH_COMPILING)
    columns = planner.columns(people.named)
    stream = _Stream(planner, columns, people.rows, jobs, progress, cancel)
    counts: list[pd.DataFrame] = []
    seen = asked = plans = one_by_one = 0
    with Parts(target, _manifest(people, bulk, version), columns, keep=resume) as parts:
        for number, chunk in enumerate(people.chunks(bulk.chunk)):
            fresh = number not in parts
            if fresh:
                most = None if bulk.most_plans is None else bulk.most_plans - asked
                table = stream.judged(chunk, seen, asked, most)
                if table is None:
                    return BulkResult(False, _summed(counts), seen, plans, one_by_one)
                parts.write(number, table)
            read = parts.read(number, [*KINDS, "solved_by"])
            counts.append(_counted(read))
            one_by_one += _one_by_one(read)
            asked += _plans(counts[-1])
            plans += _plans(counts[-1]) if fresh else 0
            seen += len(chunk)
        parts.join(len(counts))
    return BulkResult(True, _summed(counts), seen, plans, one_by_one)


@dataclass(frozen=True, eq=False)
class _Stream:
    """What stays the same from chunk to chunk."""

    planner: Planner
    columns: pa.Schema
    rows: int
    jobs: int | None
    progress: Progress
    cancel: Cancel

    def judged(
        self, chunk: pd.DataFrame, seen: int, asked: int, most: int | None
    ) -> pa.Table | None:
        """The rows of a chunk after `seen` people and `asked` plans; None when cancelled."""
        if self.cancel():
            return None
        schema, current = self.planner.dataset.schema, self.planner.dirrac.current
        size = len(chunk)
        table = _Columns(self.columns, size)
        table.values["row"][:] = np.arange(seen, seen + size)
        if "id" in table.values:
            table.values["id"][:] = chunk["id"].to_numpy()
        blamed = unreadable(chunk, schema)
        table.fill(blamed)
        table.values["decision"][:] = UNREADABLE
        readable = np.setdiff1d(np.arange(size), blamed.index.to_numpy(dtype=np.intp))
        wanted, X = readable[:0], np.zeros((0, len(schema.columns)))
        if readable.size:
            X = schema.encode(chunk.iloc[readable])
            table.values["probability"][readable] = current.probability(X)
            accepted = current.decision(X)
            table.values["decision"][readable] = np.where(accepted, ACCEPTED, DECLINED)
            far = outside(X, schema)
            inside = ~np.isin(np.arange(readable.size), far.index)
            table.fill(far.set_axis(readable[far.index.to_numpy(dtype=np.intp)]))
            status = np.where(inside, NOT_ASKED, OUTSIDE)
            table.values["status"][readable[~accepted]] = status[~accepted]
            chosen = np.flatnonzero(~accepted & inside)[:most]
            wanted, X = readable[chosen], X[chosen]
        heard = self._heard(seen, size, asked, len(wanted))
        done = self.planner.everybody(X, self.jobs, heard, self.cancel)
        if not done.complete:
            return None
        if wanted.size:
            table.fill(done.rows.set_axis(wanted[done.rows.index.to_numpy(dtype=np.intp)]))
        else:
            heard(1.0, "")
        return table.table()

    def _heard(self, seen: int, size: int, asked: int, wanted: int) -> Progress:
        """Progress of the plans of one chunk as progress of the whole."""

        def heard(part: float, _: str) -> None:
            people, plans = seen + part * size, asked + round(part * wanted)
            words = f"{people:,.0f} of {self.rows:,} people, {plans:,} plans"
            self.progress(min(people / max(self.rows, 1), 1.0), words)

        return heard


class _Columns:
    """The columns of a chunk while they are filled: numbers as numbers, all else as objects."""

    def __init__(self, columns: pa.Schema, size: int) -> None:
        self.columns = columns
        self.values: dict[str, npt.NDArray[Any]] = {
            field.name: np.full(size, np.nan)
            if pa.types.is_floating(field.type)
            else np.full(size, None, dtype=object)
            for field in columns
        }

    def fill(self, rows: pd.DataFrame) -> None:
        """Write the columns of some people, whose places are the index."""
        places = rows.index.to_numpy(dtype=np.intp)
        for name in rows.columns:
            kept = self.values[name]
            kept[places] = rows[name].to_numpy(dtype=kept.dtype)

    def table(self) -> pa.Table:
        """The columns as Arrow has them; what was not filled is missing."""
        return pa.Table.from_arrays(
            [
                pa.array(self.values[field.name], type=field.type, from_pandas=True)
                for field in self.columns
            ],
            schema=self.columns,
        )


def _manifest(people: People, bulk: Bulk, version: str) -> dict[str, object]:
    stamp = {"version": version, "people": people.name, "sha256 of the people": people.digest}
    how = asdict(bulk)
    settings = how.pop("settings")
    if settings["radius_unit"] == Settings.radius_unit:
        # Runs begun before there was a choice can be resumed.
        del settings["radius_unit"]
    return {**stamp, **how, **settings}


def _counted(table: pa.Table) -> pd.DataFrame:
    counted = table.group_by(KINDS, use_threads=False).aggregate([([], "count_all")])
    frame: pd.DataFrame = counted.rename_columns([*KINDS, "people"]).to_pandas()
    return frame


def _summed(counts: list[pd.DataFrame]) -> pd.DataFrame:
    if not counts:
        return pd.DataFrame(columns=[*KINDS, "people"])
    groups = pd.concat(counts).groupby(KINDS, dropna=False, sort=True)
    return groups["people"].sum().reset_index()


def _one_by_one(table: pa.Table) -> int:
    """For how many people a solver was asked alone."""
    solvers = table.column("solved_by").drop_null()
    return len(solvers) - int(pc.sum(pc.equal(solvers, KERNEL)).as_py() or 0)


def _plans(counts: pd.DataFrame) -> int:
    """How many people were to get a plan."""
    asked = (counts["decision"] == DECLINED) & ~counts["status"].isin((OUTSIDE, NOT_ASKED))
    return int(counts.loc[asked, "people"].sum())
