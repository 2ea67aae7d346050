"""Tables as lenders have them: every CSV file of a folder with its table file of the same name.

python -m benchmarks.tables [--people N] [--out FILE] [FOLDER]

For each table: read or why not, the time, accuracy and base rate, plans, the share of plans with a
number at the edge of the data, fractional values of whole numbers, protected or locked columns
moved (must be 0), broken promises on the placebo (at most 5 %) and, where the table file cuts off a
later period, on that period. Without a folder the shipped examples are run.
"""

import argparse
import resource
import sys
import time
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
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
from dirrac_core.studies.evidence.backtest import Tally, backtest, past_case, promises, tally
from dirrac_core.studies.evidence.pasts import PAST, PLACEBO, pasts_of
from dirrac_core.studies.people.portfolio import case_portfolio

EXAMPLES = Path(__file__).resolve().parents[1] / "docs" / "examples" / "tables"
PEOPLE = 40
# An end of the data that this share of the people has reached is no edge.
COMMON = 0.05


def measured(path: Path, people: int) -> dict[str, Any]:
    """One row of the result."""
    row: dict[str, Any] = {"table": path.stem}
    begin, used = time.perf_counter(), time.process_time()
    described = path.with_suffix(".json")
    if not described.is_file():
        return row | {"read": f"no table file {described.name}"}
    try:
        table = TableFile.from_json(described.read_bytes())
        made, report = table_dataset(path, table, limits=UPLOAD_LIMITS)
        dataset = load_dataset(register_table(made))
        settings = recommended(dataset)
        bundle = bundle_of(settings)
    except DirracError as problem:
        return row | {"read": str(problem)}
    row |= {"read": "yes", "rows": report.rows_used, "warnings": len(report.warnings)}
    good = float(dataset.present.y.mean())
    row |= {"accuracy": bundle.accuracy.now, "base rate": max(good, 1.0 - good)}
    declined = bundle.declined
    if not declined.size:
        return row | {"read": "nobody is declined"}
    rng = np.random.default_rng(0)
    asked = np.sort(rng.choice(declined, min(people, declined.size), replace=False))
    given = {field.name: getattr(settings, field.name) for field in fields(Settings)}
    case = case_of(Scenario(**given, applicant=int(asked[0])), bundle)
    row |= judged(case, case_portfolio(case, asked, jobs=1))
    placebo = backtest(dataset, settings, PLACEBO, people // 4, jobs=1).tally
    row["placebo broken"] = told(placebo)
    row["later broken"] = "–"
    if dataset.shifted is not None:
        later = pasts_of(dataset, PAST, settings.seed)[-1]
        then, who = past_case(later, settings, people)
        rows = promises(case_portfolio(then, who, jobs=1), later)
        row["later broken"] = told(tally(rows))
    return row | {
        "wall s": time.perf_counter() - begin,
        "CPU s": time.process_time() - used,
        "peak MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3,
    }


def judged(case: Case, found: pd.DataFrame) -> dict[str, Any]:
    """What the plans ask people to do."""
    schema, preset = case.dataset.schema, case.dataset.preset("sensible")
    plans = found[found["found"].astype(bool)]
    at_edge = fractional = moved = 0
    for row, x in zip(plans["row"], plans["x"], strict=True):
        x0 = np.append(case.dataset.present.X[row], 1.0)
        changes = [(c, schema.feature(c.feature)) for c in schema.describe_change(x0, x)]
        numbers = [(c, f) for c, f in changes if not f.is_categorical]
        at_edge += any(is_at_edge(case.dataset, c) for c, _ in numbers)
        fractional += any(
            f.kind == "integer" and abs(float(c.after) - round(float(c.after))) > 1e-6
            for c, f in numbers
        )
        moved += any(f.protected or f.name in preset.locked for _, f in changes)
    count = max(len(plans), 1)
    return {
        "plans": f"{len(plans)} of {len(found)}",
        "worst case": float(plans["worst_case"].mean()),
        "at edge": at_edge / count,
        "fractional": fractional / count,
        "locked moved": moved,
    }


def is_at_edge(dataset: Dataset, change: Change) -> bool:
    """Whether a plan moves a number to an end of the data where hardly anybody is.

    No inquiries at all is an end too, but a common one.
    """
    least, most = dataset.schema.feature(change.feature).extremes
    if least < float(change.after) < most:
        return False
    there = np.isclose(dataset.present.people[change.feature].to_numpy(float), change.after)
    return float(there.mean()) < COMMON


def told(found: Tally) -> str:
    """Broken promises of those made."""
    return f"{found.broken} of {found.promises}"


def main() -> int:
    """Print one block per table; 1 when a goal is missed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", nargs="?", type=Path, default=EXAMPLES)
    parser.add_argument("--people", type=int, default=PEOPLE, help="declined people asked for")
    parser.add_argument("--out", type=Path, help="also write the rows as .csv")
    chosen = parser.parse_args()
    rows = []
    for path in sorted(chosen.folder.glob("*.csv")):
        rows.append(measured(path, chosen.people))
        print(rows[-1]["table"])
        for name, value in rows[-1].items():
            if name != "table":
                print(f"  {name:14}", f"{value:.3f}" if isinstance(value, float) else value)
        sys.stdout.flush()
    if chosen.out is not None:
        pd.DataFrame(rows).to_csv(chosen.out, index=False)
    return int(any(row.get("locked moved", 0) for row in rows) or not rows)


if __name__ == "__main__":
    sys.exit(main())
