"""Tables as lenders have them: every CSV file of a folder with its table file of the same name.

python -m benchmarks.tables [--people N] [--rows N] [--out FILE] [FOLDER]

For each table: read or why not, the time, accuracy and base rate, plans, the share of plans with a
number at an end, fractional values of whole numbers, protected or locked columns moved (must be 0),
broken promises on the placebo (at most 5 %) and, where the table file cuts off a later period, on
that period. Without a folder the shipped examples are run; with `--rows` the made-up loans alone,
so many of them, read and trained within 60 s of one core and 1 GB.

Ends are counted in four ways. The end of the data is the smallest or largest value in the table, as
version 1.0.0 counted; it is lonely where fewer than 1 in 20 people are, unlike no inquiries at all.
A plan is far out where fewer than 1 in 20 people are as far, and at a limit where the usual range,
which is the scale of effort, ends. The same people are planned for once more with ranges from the
smallest to the largest value, as in version 1.0.0.
"""

import argparse
import resource
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from dirrac_core import load_dataset
from dirrac_core.case.case import Case, bundle_of, case_of
from dirrac_core.case.recommended import recommended
from dirrac_core.case.scenario import Scenario
from dirrac_core.case.settings import Settings
from dirrac_core.data.dataset import Dataset
from dirrac_core.data.schema.schema import Change
from dirrac_core.data.upload.table import table_dataset
from dirrac_core.data.upload.table_file import TableFile
from dirrac_core.data.upload.visitor_tables import UPLOAD_LIMITS, register_table
from dirrac_core.errors import DirracError
from dirrac_core.studies.evidence.backtest import (
    Tally,
    backtest,
    past_case,
    promises,
    tally,
    tally_by,
)
from dirrac_core.studies.evidence.pasts import PAST, PLACEBO, pasts_of
from dirrac_core.studies.people.portfolio import case_portfolio
from scripts.make_example_tables import loans

EXAMPLES = Path(__file__).resolve().parents[1] / "docs" / "examples" / "tables"
PEOPLE = 40
ENDS = ("at end of data", "of them lonely", "far out", "at a limit")
# Where so many people are, nobody is alone.
COMMON = 0.05


def described(path: Path, people: int) -> dict[str, Any]:
    """The row of a file with a table file of the same name."""
    said = path.with_suffix(".json")
    if not said.is_file():
        return {"table": path.stem, "read": f"no table file {said.name}"}
    return measured(path.stem, path.read_bytes(), said.read_bytes(), people)


def measured(name: str, content: bytes, said: bytes, people: int) -> dict[str, Any]:
    """One row of the result."""
    row: dict[str, Any] = {"table": name}
    begin, used = time.perf_counter(), time.process_time()
    try:
        table = TableFile.from_json(said)
        made, report = table_dataset(content, table, limits=UPLOAD_LIMITS)
        dataset = load_dataset(register_table(made))
        settings = recommended(dataset)
        bundle = bundle_of(settings)
    except DirracError as problem:
        return row | {"read": str(problem)}
    row |= {"read": "yes", "rows": report.rows_read, "used": report.rows_used}
    row |= {"columns": len(dataset.schema.columns), "warnings": len(report.warnings)}
    row |= {"ready, CPU s": time.process_time() - used, "ready, peak MB": peak()}
    good = float(dataset.present.y.mean())
    row |= {"accuracy": bundle.accuracy.now, "base rate": max(good, 1.0 - good)}
    declined = bundle.declined
    if not declined.size:
        return row | {"read": "nobody is declined"}
    rng = np.random.default_rng(0)
    asked = np.sort(rng.choice(declined, min(people, declined.size), replace=False))
    row |= planned(settings, asked)
    assert report.table is not None
    extremes = widest(report.table, dataset)
    whole = load_dataset(register_table(table_dataset(content, extremes, limits=UPLOAD_LIMITS)[0]))
    before = planned(recommended(whole), asked)
    row |= {f"1.0.0 ranges: {name}": before[name] for name in ("plans", *ENDS)}
    placebo = backtest(dataset, settings, PLACEBO, people, jobs=1)
    row["placebo broken"] = told(placebo.tally)
    splits = tally_by(placebo.rows, "date")
    row["placebo, by split"] = ", ".join(
        f"{broken} of {made}"
        for broken, made in zip(splits["broken"], splits["promises"], strict=True)
    )
    found = placebo.tally
    row |= {"placebo, broken share": found.share.value}
    row |= {"placebo, promised": found.promised, "placebo, observed": found.observed}
    row["later broken"] = "–"
    if dataset.shifted is not None:
        later = pasts_of(dataset, PAST, settings.seed)[-1]
        then, who = past_case(later, settings, people)
        rows = promises(case_portfolio(then, who, jobs=1), later)
        row["later broken"] = told(tally(rows))
    return row | {
        "wall s": time.perf_counter() - begin,
        "CPU s": time.process_time() - used,
        "peak MB": peak(),
    }


def peak() -> float:
    """The most memory this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


def widest(table: TableFile, dataset: Dataset) -> TableFile:
    """The table file with every number ranging from its smallest to its largest value."""
    columns = {name: dict(said) for name, said in table.columns.items()}
    for feature in dataset.schema.features:
        if not feature.is_categorical and feature.source in columns:
            low, high = feature.extremes
            columns[feature.source] |= {"low": low, "high": high}
    return replace(table, columns=columns)


def planned(settings: Settings, asked: npt.NDArray[np.intp]) -> dict[str, Any]:
    """What the plans of these people ask them to do."""
    bundle = bundle_of(settings)
    still = asked[np.isin(asked, bundle.declined)]
    case = case_of(Scenario.of(settings, int(still[0])), bundle)
    return judged(case, case_portfolio(case, still, jobs=1))


def judged(case: Case, found: pd.DataFrame) -> dict[str, Any]:
    """What the plans ask people to do."""
    schema, preset = case.dataset.schema, case.dataset.preset("sensible")
    plans = found[found["found"].astype(bool)]
    at_limit = at_edge = lonely = far = fractional = moved = 0
    for row, x in zip(plans["row"], plans["x"], strict=True):
        x0 = np.append(case.dataset.present.X[row], 1.0)
        changes = [(c, schema.feature(c.feature)) for c in schema.describe_change(x0, x)]
        numbers = [(c, f) for c, f in changes if not f.is_categorical]
        at_limit += any(not f.low < float(c.after) < f.high for c, f in numbers)
        far += any(is_far_out(case.dataset, c) for c, _ in numbers)
        edges = [c for c, f in numbers if not f.extremes[0] < float(c.after) < f.extremes[1]]
        at_edge += bool(edges)
        lonely += any(is_lonely(case.dataset, c) for c in edges)
        fractional += any(
            f.kind == "integer" and abs(float(c.after) - round(float(c.after))) > 1e-6
            for c, f in numbers
        )
        moved += any(f.protected or f.name in preset.locked for _, f in changes)
    count = max(len(plans), 1)
    return {
        "plans": f"{len(plans)} of {len(found)}",
        "worst case": float(plans["worst_case"].mean()),
        **dict(zip(ENDS, (n / count for n in (at_edge, lonely, far, at_limit)), strict=True)),
        "fractional": fractional / count,
        "locked moved": moved,
    }


def is_lonely(dataset: Dataset, change: Change) -> bool:
    """Whether hardly anybody is where a plan moves a number.

    No inquiries at all is an end of the data too, but a common one.
    """
    there = np.isclose(dataset.present.people[change.feature].to_numpy(float), change.after)
    return float(there.mean()) < COMMON


def is_far_out(dataset: Dataset, change: Change) -> bool:
    """Whether hardly anybody is as far the way a plan moves a number."""
    values = dataset.present.people[change.feature].to_numpy(float)
    up = float(change.after) > float(change.before)
    there = values >= float(change.after) if up else values <= float(change.after)
    return float(there.mean()) < COMMON


def told(found: Tally) -> str:
    """Broken promises of those made."""
    return f"{found.broken} of {found.promises}"


def measurements(folder: Path, rows: int | None, people: int) -> Iterator[dict[str, Any]]:
    """One row for each table of the folder, or for so many made-up loans."""
    if rows is None:
        yield from (described(path, people) for path in sorted(folder.glob("*.csv")))
        return
    content = loans(np.random.default_rng(0), rows).to_csv(index=False).encode()
    yield measured(f"loans × {rows:,}", content, (EXAMPLES / "loans.json").read_bytes(), people)


def misses(row: dict[str, Any]) -> bool:
    """Whether a table misses a goal: nothing locked moves, whole numbers are whole, plans end where
    somebody is, and promises hold where nothing changes."""
    shares = ("of them lonely", "placebo, broken share")
    never = row.get("locked moved", 0) or row.get("fractional", 0.0)
    return bool(never) or any(row.get(name, 0.0) > COMMON for name in shares)


def main() -> int:
    """Print one block per table; 1 when a goal is missed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", nargs="?", type=Path, default=EXAMPLES)
    parser.add_argument("--people", type=int, default=PEOPLE, help="declined people asked for")
    parser.add_argument("--rows", type=int, help="so many made-up loans instead of a folder")
    parser.add_argument("--out", type=Path, help="also write the rows as .csv")
    chosen = parser.parse_args()
    rows: list[dict[str, Any]] = []
    for row in measurements(chosen.folder, chosen.rows, chosen.people):
        rows.append(row)
        print(rows[-1]["table"])
        for name, value in rows[-1].items():
            if name != "table":
                print(f"  {name:30}", f"{value:.3f}" if isinstance(value, float) else value)
        sys.stdout.flush()
    if chosen.out is not None:
        pd.DataFrame(rows).to_csv(chosen.out, index=False)
    return int(any(misses(row) for row in rows) or not rows)


if __name__ == "__main__":
    sys.exit(main())
