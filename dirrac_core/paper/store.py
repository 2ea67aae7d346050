"""Rows on disk: those the paper prints, and ours as small CSVs with a stamp of how they came about.

The printed ones are carried over as they are from Nguyen, Bui, Nguyen: Distributionally Robust
Recourse Action, ICLR 2023. `mint` has no ℓ2 cost, as in the paper; `elbow` is the K named under the
figure of the elbow method.
"""

import json
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime
from pathlib import Path

import pandas as pd

from dirrac_core.arrays import checked_choice
from dirrac_core.errors import InvalidTable
from dirrac_core.paper.experiment import PUBLISHED, Settings, marked
from dirrac_core.version import version

PRINTED, RESULTS = (Path(__file__).parent / name for name in ("published_tables", "results"))
TABLES = tuple(sorted(path.stem for path in PRINTED.glob("*.csv")))
FORMATS = ("csv", "json", "markdown")
# Digits that count; fewer than a float has, so that the files stay small.
DIGITS = 6
SPREAD, LOW, HIGH, DRAWS = "_spread", "_low", "_high", "_draws"
MISSING = "–"


def published(table: str) -> pd.DataFrame:
    """The published rows of one of TABLES, with `source` "published".

    Datasets are named as in DATASETS, methods as in the paper. A column `…_spread` holds what
    the paper prints after ±.
    """
    rows = pd.read_csv(PRINTED / f"{checked_choice('A published table', table, TABLES)}.csv")
    rows.insert(0, "source", PUBLISHED)
    return rows


@dataclass(frozen=True)
class Stamp:
    """How stored rows came about: version of the software, settings, day and time it took.

    `complete` is False when the run was stopped before its end.
    """

    name: str
    version: str
    date: str
    seed: int
    applicants: int | None
    draws: int
    seconds: float
    complete: bool

    @property
    def settings(self) -> Settings:
        """The settings the rows were computed with."""
        return Settings(seed=self.seed, applicants=self.applicants, draws=self.draws)


def keep(
    name: str, rows: pd.DataFrame, settings: Settings, seconds: float, folder: Path = RESULTS
) -> Stamp:
    """Write `NAME.csv` and then its stamp `NAME.json`; the rows know whether they are complete."""
    today, took = datetime.now(UTC).date().isoformat(), round(seconds, 1)
    asked = settings.seed, settings.applicants, settings.draws
    complete = bool(rows.attrs.get("complete", True))
    stamp = Stamp(name, version(), today, *asked, took, complete)
    folder.mkdir(parents=True, exist_ok=True)
    # A kill in between must not leave an old stamp beside new rows.
    (folder / f"{name}.json").unlink(missing_ok=True)
    (folder / f"{name}.csv").write_text(as_text(rows, "csv"), encoding="utf-8")
    text = json.dumps(asdict(stamp), indent=2) + "\n"
    (folder / f"{name}.json").write_text(text, encoding="utf-8")
    return stamp


def stored(name: str, folder: Path = RESULTS) -> tuple[pd.DataFrame, Stamp] | None:
    """The rows and the stamp kept under `name`; None when there are none."""
    try:
        content = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
        wanted = {field.name for field in fields(Stamp)}
        if not isinstance(content, dict) or set(content) != wanted or content["name"] != name:
            raise InvalidTable(
                f"The stamp of {name!r} must hold {', '.join(sorted(wanted))}, got {content}"
            )
        stamp, rows = Stamp(**content), pd.read_csv(folder / f"{name}.csv")
    except FileNotFoundError:
        return None
    return marked(rows, stamp.complete), stamp


def is_done(name: str, settings: Settings, folder: Path = RESULTS) -> bool:
    """Whether complete rows of this version with these settings are already there."""
    kept = stored(name, folder)
    if kept is None or not kept[1].complete:
        return False
    same = replace(settings, jobs=Settings.jobs)
    return (kept[1].settings, kept[1].version) == (same, version())


def rounded(rows: pd.DataFrame) -> pd.DataFrame:
    """The same rows with floats rounded to the digits that are kept."""
    floats = rows.select_dtypes("float").map(lambda value: float(f"{value:.{DIGITS}g}"))
    return rows.assign(**{str(name): floats[name] for name in floats})


def as_text(rows: pd.DataFrame, form: str) -> str:
    """The rows as "csv", "json" (a list of records) or "markdown" (a table for reading)."""
    checked_choice("A format", form, FORMATS)
    short = rounded(rows)
    if form == "csv":
        return short.to_csv(index=False)
    if form == "json":
        return short.to_json(orient="records", indent=2, force_ascii=False) + "\n"
    return markdown(short)


def without_draws(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows without those of single draws, which others average."""
    return rows[rows["draw"].isna()] if "draw" in rows else rows


def markdown(rows: pd.DataFrame) -> str:
    """A Markdown table: "0.94 ± 0.15" where there is a spread, "[0.90, 0.97]" for an interval.

    A spread over draws follows as "draws ± 0.03". Rows of single draws and columns without any
    value are left out; the CSV has them.
    """
    shown = without_draws(rows).dropna(axis="columns", how="all")
    ends = (SPREAD, LOW, HIGH, DRAWS)
    columns = [
        str(name)
        for name in shown.columns
        if not any(str(name) == f"{base}{end}" for base in shown.columns for end in ends)
    ]
    lines = [columns, ["---"] * len(columns)]
    for _, row in shown.iterrows():
        lines.append([_cell(row, name) for name in columns])
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def _cell(row: "pd.Series[str]", name: str) -> str:
    """The value of one column with all that qualifies it."""
    measured = f"{name}{SPREAD}" in row
    text = _words(row[name], measured)
    if text == MISSING:
        return text
    spread, low, high, draws = (
        _words(row.get(f"{name}{end}"), measured) for end in (SPREAD, LOW, HIGH, DRAWS)
    )
    if spread != MISSING:
        text += f" ± {spread}"
    if low != MISSING and high != MISSING:
        text += f" [{low}, {high}]"
    if draws != MISSING:
        text += f", draws ± {draws}"
    return text


def _words(value: object, measured: bool) -> str:
    """What is measured has two decimals, or two digits when small; text never opens a cell."""
    if value is None or value != value:
        return MISSING
    if isinstance(value, float):
        if value.is_integer() and not measured:
            return f"{value:.0f}"
        return f"{value:.2g}" if 0.0 < abs(value) < 0.1 else f"{value:.2f}"
    return str(value).replace("|", "\\|")
